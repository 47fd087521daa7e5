package sqlstore_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/sqlstore"
)

// weekOfBars returns one bar for each close, with or without the other prices.
func weekOfBars(first market.Date, closes ...string) []market.Bar {
	bars := make([]market.Bar, len(closes))
	for i, text := range closes {
		price := decimal.RequireFromString(text)
		bars[i] = market.Bar{Date: first.AddDate(0, 0, i), Close: price, Volume: decimal.NewNullDecimal(decimal.New(int64(i), 3))}
		if i%2 == 0 {
			bars[i].Open, bars[i].High, bars[i].Low = decimal.NewNullDecimal(price), decimal.NewNullDecimal(price.Neg()), decimal.NewNullDecimal(decimal.New(-1<<63, -2))
		}
	}
	return bars
}

func dayOf(y int, month time.Month, d int) market.Date {
	return time.Date(y, month, d, 0, 0, 0, 0, time.UTC)
}

// compareBars compares decimals by digits and exponent: 1.50 is not 1.5 here.
var compareBars = cmp.Comparer(func(a, b decimal.Decimal) bool {
	return a.Exponent() == b.Exponent() && a.Coefficient().Cmp(b.Coefficient()) == 0
})

func TestUnpack_GivesBackEveryDigitBehindWhatWasThere(t *testing.T) {
	before := weekOfBars(dayOf(1968, 12, 30), "1")
	bars := weekOfBars(dayOf(1969, 12, 29), "1.50", "1.5", "-0.000000000001", "123456789012345678901234567890.123", "0", "9223372036854775807")
	packed, err := sqlstore.PackBars(bars)
	if err != nil {
		t.Fatal(err)
	}
	got, err := sqlstore.UnpackBars(before, packed)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(append(before, bars...), got, compareBars); diff != "" {
		t.Errorf("unpacked behind a bar of the year before (-want +got):\n%s", diff)
	}
}

func TestPack_WhatWouldNotComeBackIsRefused(t *testing.T) {
	for name, change := range map[string]func([]market.Bar){
		"an instant":                     func(b []market.Bar) { b[1].Date = b[1].Date.Add(time.Hour) },
		"twice on the first day of 1970": func(b []market.Bar) { b[0].Date, b[1].Date = dayOf(1970, 1, 1), dayOf(1970, 1, 1) },
		"backwards":                      func(b []market.Bar) { b[0], b[1] = b[1], b[0] },
		"an exponent without end":        func(b []market.Bar) { b[1].Close = decimal.New(1, 1<<20) },
	} {
		bars := weekOfBars(dayOf(2020, 6, 1), "1", "2", "3")
		change(bars)
		if _, err := sqlstore.PackBars(bars); err == nil {
			t.Errorf("%s: Pack = nil, want an error", name)
		}
	}
}

func TestUnpack_AByteThatIsAnotherIsAnError(t *testing.T) {
	packed, err := sqlstore.PackBars(weekOfBars(dayOf(2020, 6, 1), "101.25", "99.75", "100.5"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := sqlstore.UnpackBars(nil, packed)
	if err != nil {
		t.Fatal(err)
	}
	for i := range packed {
		spoilt := append([]byte(nil), packed...)
		spoilt[i] ^= 0x10
		// A bit of the compressed form may be unused: then the data is unchanged.
		if got, err := sqlstore.UnpackBars(nil, spoilt); err == nil && cmp.Diff(want, got, compareBars) != "" {
			t.Errorf("byte %d spoilt: Unpack = %v, want an error", i, got)
		}
	}
}

func FuzzUnpackBars_AnyBytesAreAYearOrAnError(f *testing.F) {
	bars := weekOfBars(dayOf(2020, 6, 1), "201.50", "-123456789012345678901234567890.5", "199")
	packed, packErr := sqlstore.PackBars(bars)
	plain, plainErr := sqlstore.EncodeColumns(bars)
	if err := errors.Join(packErr, plainErr); err != nil {
		f.Fatal(err)
	}
	for _, seed := range [][]byte{packed, packed[:len(packed)-1], plain, plain[:len(plain)-1], nil} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for name, read := range map[string]func([]byte) ([]market.Bar, error){"packed": unpackBars, "plain": sqlstore.DecodeColumns} {
			bars, err := read(b)
			if err != nil {
				continue
			}
			again, err := sqlstore.PackBars(bars)
			if err != nil {
				continue // bytes that we would not have written
			}
			if back, err := unpackBars(again); err != nil || cmp.Diff(bars, back, compareBars) != "" {
				t.Errorf("%s: unpacked, packed and unpacked: %v, %v", name, back, err)
			}
		}
	})
}

func unpackBars(packed []byte) ([]market.Bar, error) { return sqlstore.UnpackBars(nil, packed) }
