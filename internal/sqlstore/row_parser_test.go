package sqlstore_test

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/sqlstore"
)

func TestRow_DecimalsKeepEveryDigit(t *testing.T) {
	for _, text := range []string{"1", "1.0", "1.50", "0.00000001", "100", "-3.25", "1e3", "12345678901234567890123456789012345678.9"} {
		d := decimal.RequireFromString(text)
		tr := portfoliotest.Purchase("a", "main")
		tr.Price = decimal.NewNullDecimal(d)
		got, err := sqlstore.RoundTripRow(tr)
		if err != nil || !got.Price.Decimal.Equal(d) || d.Exponent() <= 0 && got.Price.Decimal.Exponent() != d.Exponent() {
			t.Errorf("%s comes back as %s (exponent %d), %v", text, got.Price.Decimal, got.Price.Decimal.Exponent(), err)
		}
	}
}

func TestRow_ZeroAndNotKnownAreTwoThings(t *testing.T) {
	tr := portfoliotest.Purchase("a", "main")
	for _, price := range []decimal.NullDecimal{{}, decimal.NewNullDecimal(decimal.RequireFromString("0.00"))} {
		tr.Price = price
		if got, err := sqlstore.RoundTripRow(tr); err != nil || got.Price.Valid != price.Valid {
			t.Errorf("price %+v comes back as %+v, %v", price, got.Price, err)
		}
	}
}

func TestRow_WhatWouldNotComeBackIsRefused(t *testing.T) {
	for name, spoil := range map[string]func(*portfolio.Transaction){
		"no ID":                      func(t *portfolio.Transaction) { t.ID = "" },
		"no account":                 func(t *portfolio.Transaction) { t.Account = "" },
		"no date":                    func(t *portfolio.Transaction) { t.Date = market.Date{} },
		"a time for a date":          func(t *portfolio.Transaction) { t.Date = t.Date.Add(time.Hour) },
		"midnight of another zone":   func(t *portfolio.Transaction) { t.Date = time.Date(2026, 3, 2, 0, 0, 0, 0, time.FixedZone("", 3600)) },
		"a year of five digits":      func(t *portfolio.Transaction) { t.Date = time.Date(12026, 3, 2, 0, 0, 0, 0, time.UTC) },
		"a moment of no year":        func(t *portfolio.Transaction) { t.Time = time.Date(-4, 3, 2, 0, 0, 0, 0, time.UTC) },
		"an unknown kind":            func(t *portfolio.Transaction) { t.Kind = "gift" },
		"a separator":                func(t *portfolio.Transaction) { t.Note = "a\x1fb" },
		"a zero byte":                func(t *portfolio.Transaction) { t.Note = "a\x00b" },
		"a text of no encoding":      func(t *portfolio.Transaction) { t.Name = "M\xfcnchen" },
		"a text without end":         func(t *portfolio.Transaction) { t.Note = strings.Repeat("x", 1<<20) },
		"a number without end":       func(t *portfolio.Transaction) { t.Fee = decimal.New(1, 1<<30) },
		"a source without its line":  func(t *portfolio.Transaction) { t.Source = "schwab" },
		"a line without its source":  func(t *portfolio.Transaction) { t.SourceID = "7" },
		"a day acquired with a time": func(t *portfolio.Transaction) { t.Acquired = t.Date.Add(time.Minute) },
	} {
		tr := portfoliotest.Purchase("a", "main")
		spoil(&tr)
		if got, err := sqlstore.RoundTripRow(tr); err == nil {
			t.Errorf("%s: comes back as %+v, want it refused", name, got)
		}
	}
}

func TestRow_AMomentOfAnOldZoneIsTheSameMoment(t *testing.T) {
	tr := portfoliotest.Purchase("a", "main")
	tr.Time = time.Date(1890, 1, 2, 3, 4, 5, 6, time.FixedZone("LMT", 53*60+28))
	if got, err := sqlstore.RoundTripRow(tr); err != nil || !got.Time.Equal(tr.Time) {
		t.Errorf("%s comes back as %s, %v", tr.Time, got.Time, err)
	}
}

// FuzzRow_ATransactionComesBackOrIsRefused stores a transaction in a ledger if Validate accepts it,
// otherwise only in a row.
func FuzzRow_ATransactionComesBackOrIsRefused(f *testing.F) {
	f.Add("a", "main", "VTI", "note", "schwab", "1", "10.50", "0.00", int64(1772409600), int64(1772409601_000000001), 3600, uint8(0), true)
	f.Add("", "", "", "\x1f", "", "x", "-1", "1e18", int64(-62135596800), int64(-1), 3208, uint8(12), false)
	f.Add("ü", "it's", "\xff", "\x00", "中", "☝️", "0.000000000000000001", "", int64(253402300799), int64(1<<62), -99999, uint8(200), true)
	f.Fuzz(func(t *testing.T, id, account, symbol, note, source, sourceID, quantity, price string, date, at int64, offset int, kind uint8, flag bool) {
		kinds := append(portfolio.Kinds(), "other")
		tr := portfolio.Transaction{
			ID: id, Account: account, Symbol: market.Symbol(symbol), Note: note, Source: source, SourceID: sourceID, Name: note, ISIN: source,
			Date: time.Unix(date, 0).UTC(), Kind: kinds[int(kind)%len(kinds)], Short: flag, CostUnknown: !flag,
		}
		if at != 0 {
			tr.Time = time.Unix(0, at).In(time.FixedZone("", offset%(14*3600)))
		}
		if d, err := decimal.NewFromString(quantity); err == nil {
			tr.Quantity, tr.Amount = d, d.Neg()
		}
		if d, err := decimal.NewFromString(price); err == nil {
			tr.Price = decimal.NewNullDecimal(d)
		}
		got, err := sqlstore.RoundTripRow(tr)
		if err != nil {
			if !utf8.ValidString(err.Error()) {
				t.Errorf("the error %q is no text", err)
			}
			return
		}
		if diff := cmp.Diff(tr, got); diff != "" {
			t.Errorf("a transaction comes back otherwise (-want +got):\n%s", diff)
		}
	})
}

func FuzzReadRow_AnyTextIsATransactionOrAnError(f *testing.F) {
	f.Add("")
	f.Add(strings.Repeat("\x1f", 26))
	f.Add("a\x1f2026-03-02\x1f\x1fbuy\x1fmain" + strings.Repeat("\x1f", 10) + "0" + strings.Repeat("\x1f", 9) + "0\x1f\x1f\x1f")
	f.Fuzz(func(t *testing.T, row string) {
		got, err := sqlstore.ReadRow(row)
		if err != nil {
			return
		}
		again, err := sqlstore.RoundTripRow(got)
		if err != nil {
			return // such as a row without an ID
		}
		if diff := cmp.Diff(got, again); diff != "" {
			t.Errorf("what is read of %q is written otherwise:\n%s", row, diff)
		}
	})
}

func TestReadRow_ANewerKindIsNamed(t *testing.T) {
	row := "a\x1f2026-03-02\x1f\x1fgift\x1fmain" + strings.Repeat("\x1f", 10) + "0" + strings.Repeat("\x1f", 9) + "0\x1f\x1f\x1f"
	if _, err := sqlstore.ReadRow(row); err == nil || !strings.Contains(err.Error(), `kind "gift"`) || errors.Is(err, portfolio.ErrInvalid) {
		t.Errorf("ReadRow = %v, want it to name the kind, and not to blame the user's entry", err)
	}
}
