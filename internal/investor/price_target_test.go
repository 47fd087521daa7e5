package investor_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
)

func quoteAt(at, currency string, flags ...market.Flag) market.Quote {
	return market.Quote{Instrument: market.Instrument{Symbol: "BRK.B"}, Price: journalDec(at), Provenance: market.Provenance{Currency: currency, Flags: flags}}
}

func TestCheckTargets_TargetsAreReachedAtTheirPrice(t *testing.T) {
	for _, row := range []struct {
		name         string
		at           string
		below, above bool
		distance     string // to the target below, 300
	}{
		{"between", "400", false, false, "-0.25"},
		{"at the lower", "300", true, false, "0"},
		{"beyond the lower", "240", true, false, "0.25"},
		{"just short of the upper", "500.49", false, false, "-0.400587"},
		{"at the upper", "500.5", false, true, "-0.400599"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := investor.CheckTargets(watchedSymbol(), quoteAt(row.at, "USD"))
			if err != nil || len(got) != 2 {
				t.Fatalf("Triggered = %v, %v", got, err)
			}
			if got[0].Reached != row.below || got[1].Reached != row.above || !got[0].Comparable || !got[1].Comparable {
				t.Errorf("reached at %s = %v and %v, want %v and %v", row.at, got[0].Reached, got[1].Reached, row.below, row.above)
			}
			if d := got[0].Distance; !d.Valid || !d.Decimal.Round(6).Equal(journalDec(row.distance)) {
				t.Errorf("distance from %s to 300 = %v, want %s", row.at, d, row.distance)
			}
		})
	}
}

func TestCheckTargets_WhatDoesNotCompareReachesNothing(t *testing.T) {
	for name, row := range map[string]struct {
		quote market.Quote
		want  string
	}{
		"another currency": {quoteAt("100", "EUR"), "in EUR, but the target is in USD"},
		"no currency":      {quoteAt("100", ""), "no currency"},
		"a sample":         {quoteAt("100", "USD", market.FlagSample), "sample"},
		"no price":         {quoteAt("0", "USD"), "zero or negative"},
	} {
		got, err := investor.CheckTargets(watchedSymbol(), row.quote)
		if err != nil || got[0].Comparable || got[0].Reached || got[0].Distance.Valid || !strings.Contains(got[0].Reason, row.want) {
			t.Errorf("Triggered by %s = %+v, %v, want a reason with %q", name, got[0], err, row.want)
		}
	}
}

func TestCheckTargets_AnotherSymbolIsAnError(t *testing.T) {
	other := quoteAt("100", "USD")
	other.Symbol = "BRK.A"
	if _, err := investor.CheckTargets(watchedSymbol(), other); !errors.Is(err, investor.ErrMismatch) {
		t.Errorf("Triggered by BRK.A = %v, want ErrOther", err)
	}
}

// An index is in points, without a currency.
func TestCheckTargets_ATargetWithoutACurrencyIsOfAnIndex(t *testing.T) {
	w := investor.WatchedSymbol{Symbol: "^GSPC", Added: date(2024, 1, 2), Targets: []investor.PriceTarget{{Side: investor.Below, Price: journalDec("5000")}}}
	if err := w.Validate(); err != nil {
		t.Fatal(err)
	}
	if words := w.Targets[0].Describe(); words != "below 5000 points" {
		t.Errorf("Words = %q", words)
	}
	for _, row := range []struct {
		name, kind, currency string
		reached              bool
		reason               string
	}{
		{"of the index", "index", "", true, ""},
		{"in a currency", "index", "USD", false, "in USD, but the target is in no currency"},
		{"of a share whose currency nobody tells", "equity", "", false, "the currency of the price is unknown"},
	} {
		t.Run(row.name, func(t *testing.T) {
			q := quoteAt("4000", row.currency)
			q.Symbol, q.Kind = "^GSPC", row.kind
			got, err := investor.CheckTargets(w, q)
			if err != nil || got[0].Reached != row.reached || got[0].Comparable != row.reached || got[0].Reason != row.reason && !strings.Contains(got[0].Reason, row.reason) {
				t.Errorf("Triggered = %+v, %v, want reached %v, %q", got, err, row.reached, row.reason)
			}
		})
	}
}
