package market_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func on(t testing.TB, text string) market.Date {
	t.Helper()
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// shown returns observations as "2020-01-01 3.6", with a dot for a missing value.
func shown(s market.EconomicSeries) []string {
	var out []string
	for _, o := range s.Observations {
		value := "."
		if o.Value.Valid {
			value = o.Value.Decimal.String()
		}
		out = append(out, o.Date.Format(time.DateOnly)+" "+value)
	}
	return out
}

func TestParseSeriesID_TakesWhatFREDGivesOut(t *testing.T) {
	for text, want := range map[string]market.SeriesID{
		" cpiaucsl ": "CPIAUCSL", "t10y2y": "T10Y2Y", "IR3TIB01EZM156N": "IR3TIB01EZM156N", "nrou_1": "NROU_1",
	} {
		if got, err := market.ParseSeriesID(text); err != nil || got != want {
			t.Errorf("ParseSeriesID(%q) = %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", "  ", "core inflation", "../etc", "CPI?x=1", "-", "ÄÖ", "A123456789012345678901234567890123456789012"} {
		if got, err := market.ParseSeriesID(text); !errors.Is(err, market.ErrInvalidSymbol) {
			t.Errorf("ParseSeriesID(%q) = %q, %v; want ErrInvalidSymbol", text, got, err)
		}
	}
}

func FuzzParseSeriesID(f *testing.F) {
	for _, seed := range []string{"CPIAUCSL", " t10y2y", "a b", "\x00", "..", "ß"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id, err := market.ParseSeriesID(text)
		if err != nil {
			return
		}
		if again, err := market.ParseSeriesID(string(id)); err != nil || again != id {
			t.Errorf("ParseSeriesID(%q) = %q, which parses to %q, %v", text, id, again, err)
		}
	})
}

func TestFrequency_PeriodEndsWithItsLastDay(t *testing.T) {
	for _, row := range []struct {
		f          market.Frequency
		date, want string
	}{
		{market.FrequencyDaily, "2024-02-29", "2024-02-29"},
		{market.FrequencyWeekly, "2024-03-02", "2024-03-02"},
		{market.FrequencyMonthly, "2024-02-01", "2024-02-29"},
		{market.FrequencyQuarterly, "2024-10-01", "2024-12-31"},
		{market.FrequencyAnnual, "2024-01-01", "2024-12-31"},
	} {
		if got := row.f.PeriodEnd(on(t, row.date)); !got.Equal(on(t, row.want)) {
			t.Errorf("%s.PeriodEnd(%s) = %v, want %s", row.f, row.date, got, row.want)
		}
	}
}

func TestEconomicSeries_NothingIsKnownBeforeItsPeriodIsOverAndReleased(t *testing.T) {
	// The release is ten days after the end of the month.
	s := markettest.Monthly("RATE", on(t, "2020-01-01"), "1", "2", "3")
	for day, want := range map[string][]string{
		"2020-01-31": nil,
		"2020-02-09": nil,
		"2020-02-10": {"2020-01-01 1"},
		"2020-03-09": {"2020-01-01 1"},
		"2020-03-10": {"2020-01-01 1", "2020-02-01 2"},
		"2020-12-31": {"2020-01-01 1", "2020-02-01 2", "2020-03-01 3"},
	} {
		if diff := cmp.Diff(want, shown(s.KnownOn(on(t, day)))); diff != "" {
			t.Errorf("known on %s (-want +got):\n%s", day, diff)
		}
	}
	s.Observations[2].Released = on(t, "2020-05-20") // later than usual
	if got := shown(s.KnownOn(on(t, "2020-05-19"))); len(got) != 2 {
		t.Errorf("known the day before a late release: %v, want two", got)
	}
	if got := shown(s.KnownOn(on(t, "2020-05-20"))); len(got) != 3 {
		t.Errorf("known on the day of the release: %v, want three", got)
	}
}

func TestEconomicSeries_IsAsOfItsLastValue(t *testing.T) {
	s := markettest.Monthly("RATE", on(t, "2020-01-01"), "1", "2", ".", "4")
	part := s.Within(market.Range{To: on(t, "2020-03-01")})
	if want := on(t, "2020-02-01"); !part.Provenance.AsOf.Equal(want) || len(part.Observations) != 3 {
		t.Errorf("to March: as of %v with %d observations, want February's value and the hole after it", part.Provenance.AsOf, len(part.Observations))
	}
	if _, ok := s.Within(market.Range{From: on(t, "2020-03-01"), To: on(t, "2020-03-01")}).Latest(); ok {
		t.Error("a hole has a latest value")
	}
	if len(s.Observations) != 4 {
		t.Error("cutting changed the whole")
	}
}
