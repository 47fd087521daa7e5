package market_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
)

func TestObserve_TellsOfEachAnswerAndOfNoFailure(t *testing.T) {
	var calls, origins []string
	f := market.NewFallback(market.Sources{
		Quotes: []market.QuoteSource{fakeSource{name: "a", calls: &calls}},
		Bars:   []market.BarSource{fakeSource{name: "b", calls: &calls}},
	})
	w := market.Observe(f, func(p market.Provenance) { origins = append(origins, p.Source) })
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
	if diff := cmp.Diff([]string{"a", "b", "a", "a"}, origins); diff != "" {
		t.Errorf("reported (-want +got):\n%s", diff)
	}
}

// company is a source of what companies report and file, with the name of its source.
type company struct {
	fakeSource
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

// The sources of prices may be live while those of company data do not respond.
func TestObserve_TellsOfWhatACompanyReportsAndFiles(t *testing.T) {
	silent := company{fakeSource: failingSource("edgar", market.ErrUnavailable)}
	embedded := company{fakeSource: fakeSource{name: "sample", flags: []market.Flag{market.FlagSample}}}
	for _, name := range []string{"10-K", "10-Q"} {
		embedded.all = append(embedded.all, market.Filing{Provenance: market.Provenance{Source: name, Flags: []market.Flag{market.FlagSample}}})
	}
	f := market.NewFallback(market.Sources{
		Quotes:     []market.QuoteSource{fakeSource{name: "yahoo"}},
		Statements: []market.StatementSource{silent, embedded},
		Profiles:   []market.ProfileSource{silent, embedded},
		Filings:    []market.FilingSource{noFilings{}, embedded},
	})
	var origins []string
	w := market.Observe(f, func(p market.Provenance) {
		text := p.Source
		if p.Has(market.FlagSample) {
			text += ", sample"
		}
		origins = append(origins, text)
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
		origins = nil
		if err := row.ask(); err != nil {
			t.Errorf("%s: %v", row.name, err)
		}
		if diff := cmp.Diff(row.want, origins); diff != "" {
			t.Errorf("%s, reported (-want +got):\n%s", row.name, diff)
		}
	}
}
