package market_test

import (
	"errors"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// friday makes the second bar fall after a weekend.
var friday = time.Date(2020, 1, 3, 0, 0, 0, 0, time.UTC)

func TestSource_KeepsTheContract(t *testing.T) {
	markettest.RunPrices(t, func(*testing.T) markettest.PriceSubject {
		return markettest.PriceSubject{
			Source: markettest.NewSource(markettest.Daily("AAA", friday, "10", "11", "9.5", "12", "12.25")),
			Listed: "AAA",
		}
	})
}

func TestDaily_SkipsWeekends(t *testing.T) {
	bars := markettest.Daily("AAA", friday, "10", "11").Bars
	if want := friday.AddDate(0, 0, 3); !bars[1].Date.Equal(want) {
		t.Errorf("second bar on %v, want Monday %v", bars[1].Date, want)
	}
}

func TestSource_ThatIsDownSaysSoEverywhere(t *testing.T) {
	s := markettest.NewSource(markettest.Daily("AAA", friday, "10"))
	s.Err = market.ErrUnavailable
	_, quote := s.Quote(t.Context(), "AAA")
	_, bars := s.Bars(t.Context(), "AAA", market.Range{})
	_, statements := s.Statements(t.Context(), "AAA", market.StatementQuery{})
	_, listed := s.Instruments(t.Context())
	for call, err := range map[string]error{"Quote": quote, "Bars": bars, "Statements": statements, "Instruments": listed} {
		if !errors.Is(err, market.ErrUnavailable) {
			t.Errorf("%s = %v, want ErrUnavailable", call, err)
		}
	}
}

func TestSource_StatementsComeNewestFirst(t *testing.T) {
	s := markettest.NewSource(markettest.Daily("AAA", friday, "10"))
	if _, err := s.Statements(t.Context(), "AAA", market.StatementQuery{}); !errors.Is(err, market.ErrNoData) {
		t.Errorf("Statements without any = %v, want ErrNoData", err)
	}
	for _, year := range []int{2018, 2020, 2019} {
		s.AddStatements(market.Statement{
			Instrument: market.Instrument{Symbol: "AAA"}, Span: market.SpanAnnual, FiscalYear: year,
			PeriodEnd: time.Date(year, 12, 31, 0, 0, 0, 0, time.UTC),
		})
	}
	got, err := s.Statements(t.Context(), "AAA", market.StatementQuery{})
	if err != nil || len(got) != 3 || got[0].FiscalYear != 2020 || got[2].FiscalYear != 2018 {
		t.Errorf("Statements = %v, %v; want 2020, 2019, 2018", got, err)
	}
}
