package feed_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func TestSource_KeepsTheContract(t *testing.T) {
	for _, sym := range []market.Symbol{"^GSPC", "AAPL"} {
		t.Run(string(sym), func(t *testing.T) {
			markettest.RunPrices(t, func(*testing.T) markettest.PriceSubject {
				return markettest.PriceSubject{Source: feed.NewSampleSource(), Listed: sym}
			})
		})
	}
}

func TestSource_QuoteIsTheLastCloseFlaggedSample(t *testing.T) {
	for _, row := range []struct {
		sym                                 market.Symbol
		price, asOf, previous, previousAsOf string
	}{
		{"^GSPC", "2874.56", "2020-04-17", "2799.55", "2020-04-16"},
		{"AAPL", "137.44", "2022-06-28", "148.62163", "2022-05-31"},
	} {
		q, err := feed.NewSampleSource().Quote(t.Context(), row.sym)
		if err != nil {
			t.Fatalf("Quote(%s) = %v", row.sym, err)
		}
		got := []string{
			q.Price.String(), q.Provenance.AsOf.Format("2006-01-02"),
			q.Previous.Decimal.String(), q.PreviousAsOf.Format("2006-01-02"),
		}
		if want := []string{row.price, row.asOf, row.previous, row.previousAsOf}; !slices.Equal(got, want) {
			t.Errorf("Quote(%s) = %v, want %v", row.sym, got, want)
		}
		if !q.Provenance.Has(market.FlagSample) {
			t.Errorf("Quote(%s) is not flagged sample", row.sym)
		}
	}
}

func TestSource_AliasesLeadToTheSymbol(t *testing.T) {
	s := feed.NewSampleSource()
	for alias, want := range map[market.Symbol]market.Symbol{
		"S&P 500": "^GSPC", "S&P500": "^GSPC", "SPX": "^GSPC", "SP500": "^GSPC", "APPLE": "AAPL", "aapl": "AAPL",
	} {
		q, err := s.Quote(t.Context(), alias)
		if err != nil || q.Symbol != want || q.Aliases != nil {
			t.Errorf("Quote(%s) = %+v, %v; want %s without aliases", alias, q.Instrument, err, want)
		}
	}
	if _, err := s.Quote(t.Context(), "GOOG"); !errors.Is(err, market.ErrUnknownSymbol) {
		t.Errorf("Quote(GOOG) = %v; another share class than GOOGL, want ErrUnknownSymbol", err)
	}
}

func TestSource_OutsideTheSpanSaysWhichSpanThereIs(t *testing.T) {
	_, err := feed.NewSampleSource().Bars(t.Context(), "^GSPC", market.Range{From: date("2024-01-01")})
	if !errors.Is(err, market.ErrNoData) || !strings.Contains(err.Error(), "2000-01-03 to 2020-04-17") {
		t.Errorf("Bars from 2024 = %v, want ErrNoData and the span", err)
	}
}

func TestSource_CompanyWithStatementsOnlyHasNoPrice(t *testing.T) {
	s := feed.NewSampleSource()
	for _, name := range []market.Symbol{"NVDA", "NVIDIA"} {
		if _, err := s.Quote(t.Context(), name); !errors.Is(err, market.ErrNoData) || !strings.Contains(err.Error(), "no prices for NVDA") {
			t.Errorf("Quote(%s) = %v, want ErrNoData that says what is missing", name, err)
		}
	}
	if _, err := s.Statements(t.Context(), "IBM", market.StatementQuery{}); !errors.Is(err, market.ErrNoData) {
		t.Errorf("Statements(IBM) = %v, want ErrNoData", err)
	}
	if _, err := s.Statements(t.Context(), "NOSUCH", market.StatementQuery{}); !errors.Is(err, market.ErrUnknownSymbol) {
		t.Errorf("Statements(NOSUCH) = %v, want ErrUnknownSymbol", err)
	}
}

func TestSource_ListsWhatHasPrices(t *testing.T) {
	s := feed.NewSampleSource()
	all, err := s.Instruments(t.Context())
	if err != nil || len(all) != len(sampleSymbols()) {
		t.Fatalf("Instruments = %d, %v; want the %d with prices", len(all), err, len(sampleSymbols()))
	}
	for _, one := range all {
		if _, err := s.Quote(t.Context(), one.Symbol); err != nil {
			t.Errorf("listed without a price: %v", err)
		}
	}
}

func TestSource_ChangingAnAnswersFlagsLeavesTheSourceAlone(t *testing.T) {
	s := feed.NewSampleSource()
	first, err := s.Quote(t.Context(), "IBM")
	if err != nil {
		t.Fatal(err)
	}
	first.Provenance.Flags[0] = market.FlagStale
	if again, _ := s.Quote(t.Context(), "IBM"); !again.Provenance.Has(market.FlagSample) {
		t.Error("a caller's change reached the next caller")
	}
}

func BenchmarkBars_FirstParseOfGSPC(b *testing.B) {
	for b.Loop() {
		if _, err := feed.NewSampleSource().Bars(b.Context(), "^GSPC", market.Range{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBars_SecondCallOfGSPC(b *testing.B) {
	s := feed.NewSampleSource()
	r := market.Range{From: date("2008-01-02"), To: date("2020-04-17")}
	if _, err := s.Bars(b.Context(), "^GSPC", r); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		_, _ = s.Bars(b.Context(), "^GSPC", r)
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		feed.NewSampleSource()
	}
}
