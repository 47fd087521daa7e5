package market_test

import (
	"context"
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

// company is a source of what one files and publishes, under its name.
type company struct {
	feed
	filings
}

func (c company) Statements(context.Context, market.Symbol, market.StatementQuery) ([]market.Statement, error) {
	one, other := market.Statement{Provenance: c.provenance()}, market.Statement{Provenance: c.provenance()}
	other.Provenance.Source += " of the year before"
	return []market.Statement{one, other}, c.err
}

func (c company) Profile(context.Context, market.Symbol) (market.Profile, error) {
	return market.Profile{Provenance: c.provenance()}, c.err
}

func (c company) FilingSection(context.Context, string, market.FilingItem) (market.FilingSection, error) {
	return market.FilingSection{Filing: c.all[0]}, c.err
}

// The sources of prices may be live while those of companies are silent.
func TestWatch_TellsOfWhatACompanyReportsAndFiles(t *testing.T) {
	silent := company{feed: fails("edgar", market.ErrUnavailable)}
	embedded := company{feed: feed{name: "sample", flags: []market.Flag{market.FlagSample}}}
	for _, name := range []string{"10-K", "10-Q"} {
		embedded.all = append(embedded.all, market.Filing{Provenance: market.Provenance{Source: name, Flags: []market.Flag{market.FlagSample}}})
	}
	f := market.NewFallback(market.Sources{
		Quotes:     []market.QuoteSource{feed{name: "yahoo"}},
		Statements: []market.StatementSource{silent, embedded},
		Profiles:   []market.ProfileSource{silent, embedded},
		Filings:    []market.FilingSource{noFilings{}, embedded},
	})
	var told []string
	w := market.Watch(f, func(p market.Provenance) {
		text := p.Source
		if p.Has(market.FlagSample) {
			text += ", sample"
		}
		told = append(told, text)
	})
	for _, row := range []struct {
		name string
		ask  func() error
		want []string
	}{
		{"a quote", func() error { _, err := w.Quote(t.Context(), "MSFT"); return err }, []string{"yahoo"}},
		{"statements", func() error { _, err := w.Statements(t.Context(), "MSFT", market.StatementQuery{}); return err },
			[]string{"sample, sample", "sample of the year before, sample"}},
		{"a profile", func() error { _, err := w.Profile(t.Context(), "MSFT"); return err }, []string{"sample, sample"}},
		{"filings", func() error { _, err := w.Filings(t.Context(), "MSFT", market.FilingQuery{}); return err }, []string{"10-K, sample", "10-Q, sample"}},
		{"a section", func() error { _, err := w.FilingSection(t.Context(), "1", market.FilingItem{}); return err }, []string{"10-K, sample"}},
	} {
		told = nil
		if err := row.ask(); err != nil {
			t.Errorf("%s: %v", row.name, err)
		}
		if diff := cmp.Diff(row.want, told); diff != "" {
			t.Errorf("%s, told of (-want +got):\n%s", row.name, diff)
		}
	}
}
