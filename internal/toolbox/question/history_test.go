package question_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

func pricesAt(t *testing.T, now string, series market.Series) question.Prices {
	t.Helper()
	source := markettest.NewSource(series)
	return question.Prices{Bars: toolboxtest.Forgetful{BarSource: source}, Directory: source, Now: toolboxtest.Clock(t, now)}
}

func spanOf(t *testing.T, back, from, to string) question.Span {
	t.Helper()
	sp, err := question.ParseSpan(back, from, to, "1y")
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

func TestHistory_NothingAfterTheClockIsGiven(t *testing.T) {
	prices := pricesAt(t, "2020-01-03T18:00:00Z", markettest.Daily("VTI", toolboxtest.Day(t, "2020-01-02"), "100", "101", "102"))
	got, _, err := prices.History(t.Context(), "VTI", spanOf(t, "max", "", ""))
	if err != nil || len(got.Bars) != 2 || got.Bars[1].Close.String() != "101" {
		t.Errorf("history = %d bars, %v; want the two until January 3", len(got.Bars), err)
	}
}

func TestHistory_ASpanWithoutBarsIsToldWhereThereAreSome(t *testing.T) {
	prices := pricesAt(t, "2020-03-01T18:00:00Z", markettest.Daily("VTI", toolboxtest.Day(t, "2020-01-02"), "100", "101"))
	_, _, err := prices.History(t.Context(), "VTI", spanOf(t, "", "2019-01", "2019-02"))
	if !errors.Is(err, market.ErrNoData) || !strings.Contains(err.Error(), "from 2020-01-02 to 2020-01-03") {
		t.Errorf("history of 2019 = %v, want ErrNoData with the span there is", err)
	}
}

func TestMonthly_IsDatedByTheLastSessionAndInventsNoHigh(t *testing.T) {
	series := markettest.Daily("VTI", toolboxtest.Day(t, "2020-01-30"), "100", "101", "102")
	got := question.Monthly(series)
	if len(got.Bars) != 2 || got.Bars[0].Close.String() != "101" || got.Bars[0].High.Valid || got.Interval != market.Monthly {
		t.Errorf("monthly = %+v, want January closing at 101 without a high, and February", got.Bars)
	}
}
