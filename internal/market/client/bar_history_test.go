package client_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

func day(n int) market.Date { return time.Date(2026, 9, n, 0, 0, 0, 0, time.UTC) }

// bar returns a bar with prices in cents; negative ones are absent.
func bar(n int, open, high, low, last int64) market.Bar {
	price := func(cents int64) decimal.NullDecimal {
		return decimal.NullDecimal{Decimal: decimal.New(max(cents, 0), -2), Valid: cents >= 0}
	}
	return market.Bar{
		Date: day(n), Open: price(open), High: price(high), Low: price(low), Close: decimal.New(last, -2),
		Volume: decimal.NewNullDecimal(decimal.NewFromInt(1000)),
	}
}

func TestHistory_PricesThatContradictEachOtherLeaveTheClose(t *testing.T) {
	for _, row := range []struct {
		name string
		bar  market.Bar
		odd  bool
	}{
		{"in order", bar(1, 1000, 1100, 900, 1050), false},
		{"all the same", bar(1, 1000, 1000, 1000, 1000), false},
		{"close alone", bar(1, -1, -1, -1, 1050), false},
		{"no high", bar(1, 1000, -1, 900, 1050), false},
		{"close above the high", bar(1, 1000, 1100, 900, 1101), true},
		{"close below the low", bar(1, 1000, 1100, 900, 899), true},
		{"open above the high", bar(1, 1101, 1100, 900, 1000), true},
		{"open below the low", bar(1, 899, 1100, 900, 1000), true},
		{"high below the low", bar(1, -1, 900, 1100, 1000), true},
	} {
		t.Run(row.name, func(t *testing.T) {
			want := row.bar
			if row.odd {
				want = market.Bar{Date: row.bar.Date, Close: row.bar.Close, Volume: row.bar.Volume}
			}
			var h client.BarHistory
			h.Add(row.bar)
			if diff := cmp.Diff([]market.Bar{want}, h.Bars); diff != "" || (h.Inconsistent == 1) != row.odd {
				t.Errorf("%d odd, want %v (-want +got):\n%s", h.Inconsistent, row.odd, diff)
			}
		})
	}
}

func TestFlagged_TellsOddBarsAfterWhatWasSaid(t *testing.T) {
	const oddNote = "Days with contradictory prices (only the close is used): 2."
	before := market.Provenance{Note: "Prices of a part of the trading."}
	if diff := cmp.Diff(before, client.BarHistory{}.FlagInconsistent(before)); diff != "" {
		t.Errorf("without odd bars (-want +got):\n%s", diff)
	}
	for note, want := range map[string]string{"": oddNote, before.Note: before.Note + " " + oddNote} {
		got := client.BarHistory{Inconsistent: 2}.FlagInconsistent(market.Provenance{Note: note})
		if got.Note != want || !got.Has(market.FlagSuspect) {
			t.Errorf("Flagged(%q) = %q %v, want %q and suspect", note, got.Note, got.Flags, want)
		}
	}
}

func TestSort_OldestFirstAndOneADay(t *testing.T) {
	a, b, c := bar(1, 1, 1, 1, 1), bar(2, 2, 2, 2, 2), bar(3, 3, 3, 3, 3)
	bars := []market.Bar{c, a, b}
	if err := client.SortBars(bars); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]market.Bar{a, b, c}, bars); diff != "" {
		t.Errorf("Sort (-want +got):\n%s", diff)
	}
	if err := client.SortBars([]market.Bar{b, a, bar(2, 1, 1, 1, 1)}); !errors.Is(err, market.ErrMalformed) {
		t.Errorf("Sort of two of a day = %v, want ErrMalformed", err)
	}
	if err := client.SortBars(nil); !errors.Is(err, market.ErrNoData) {
		t.Errorf("Sort of none = %v, want ErrNoData", err)
	}
}
