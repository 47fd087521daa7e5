package market_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
)

func TestWatch_TellsOfEachAnswerAndOfNoFailure(t *testing.T) {
	var asked, told []string
	f := market.NewFallback(market.Sources{
		Quotes: []market.QuoteSource{feed{name: "a", asked: &asked}},
		Bars:   []market.BarSource{feed{name: "b", asked: &asked}},
	})
	w := market.Watch(f, func(p market.Provenance) { told = append(told, p.Source) })
	if _, err := w.Quote(t.Context(), "AAPL"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Bars(t.Context(), "AAPL", market.Range{}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Quotes(t.Context(), []market.Symbol{"AAPL", "MSFT"}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Rates(t.Context(), market.Pair{Base: "EUR", Quote: "USD"}, market.Range{}); err == nil {
		t.Fatal("Rates without a source give no error")
	}
	if diff := cmp.Diff([]string{"a", "b", "a", "a"}, told); diff != "" {
		t.Errorf("told of (-want +got):\n%s", diff)
	}
}
