package feed_test

import (
	"encoding/csv"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/recordings"
)

func sampleSeries() []market.SeriesID {
	return []market.SeriesID{"CPIAUCSL", "CPILFESL", "UNRATE", "FEDFUNDS", "GDPC1", "DGS10", "DGS2", "DGS3MO"}
}

func economicOf(t *testing.T, id market.SeriesID, q market.SeriesQuery) market.EconomicSeries {
	t.Helper()
	s, err := feed.NewSampleSource().EconomicSeries(t.Context(), id, q)
	if err != nil {
		t.Fatalf("EconomicSeries(%s) = %v", id, err)
	}
	return s
}

func TestEconomic_KeepsTheContract(t *testing.T) {
	for _, id := range sampleSeries() {
		t.Run(string(id), func(t *testing.T) {
			markettest.RunSeries(t, func(*testing.T) markettest.SeriesSubject {
				return markettest.SeriesSubject{Source: feed.NewSampleSource(), Listed: id, Words: string(id)}
			})
		})
	}
}

func TestEconomic_EverySeriesIsFlaggedAndLicensed(t *testing.T) {
	for _, id := range sampleSeries() {
		s := economicOf(t, id, market.SeriesQuery{})
		p := s.Provenance
		if !p.Has(market.FlagSample) || p.License != "public domain" || p.Note == "" {
			t.Errorf("%s: not flagged sample, or no licence or note: %+v", id, p)
		}
		if s.Vintage.After(p.FetchedAt) || p.AsOf.After(p.FetchedAt) {
			t.Errorf("%s: fetched on %v, before its vintage %v or last value %v", id, p.FetchedAt, s.Vintage, p.AsOf)
		}
	}
}

func TestEconomic_OctoberThatWasNeverPublishedIsAHole(t *testing.T) {
	for _, id := range []market.SeriesID{"CPIAUCSL", "CPILFESL", "UNRATE"} {
		for _, o := range economicOf(t, id, market.SeriesQuery{}).Observations {
			if hole := o.Date.Equal(date("2025-10-01")); o.Value.Valid == hole {
				t.Errorf("%s of %v: published %v, want every month but October 2025", id, o.Date, o.Value.Valid)
			}
		}
	}
}

func TestEconomic_EveryPeriodHasItsRow(t *testing.T) {
	for _, id := range sampleSeries()[:5] {
		all := economicOf(t, id, market.SeriesQuery{}).Observations
		step := all[1].Date.Month() - all[0].Date.Month()
		for i, o := range all[1:] {
			if want := all[i].Date.AddDate(0, int(step), 0); !o.Date.Equal(want) {
				t.Errorf("%s: %v follows %v, want %v", id, o.Date, all[i].Date, want)
			}
		}
	}
}

func TestEconomic_AskedOfTheDayItGivesWhatWasOut(t *testing.T) {
	may := economicOf(t, "CPIAUCSL", market.SeriesQuery{KnownOn: date("2022-06-30")})
	if last, _ := may.Latest(); !last.Date.Equal(date("2022-05-01")) {
		t.Errorf("on 2022-06-30 the last month is %v, want May: June came out in July", last.Date)
	}
	if !may.Vintage.Equal(date("2026-01-02")) {
		t.Errorf("the vintage is %v, want the day whose values these are", may.Vintage)
	}
	_, err := feed.NewSampleSource().EconomicSeries(t.Context(), "CPIAUCSL", market.SeriesQuery{KnownOn: date("2019-12-31")})
	if !errors.Is(err, market.ErrNoData) || !strings.Contains(err.Error(), "2020-01-01 to 2025-11-01") {
		t.Errorf("on a day before it begins = %v, want ErrNoData with the span", err)
	}
}

func TestEconomic_IsFoundByTheWordsPeopleUse(t *testing.T) {
	for words, want := range map[string]string{
		"inflation": "CPIAUCSL CPILFESL", "core inflation": "CPILFESL", "unemployment": "UNRATE", "Real GDP": "GDPC1",
		"10-year treasury": "DGS10", "fed funds": "FEDFUNDS", "dgs": "DGS10 DGS2 DGS3MO", "bitcoin": "",
		"": "CPIAUCSL CPILFESL UNRATE FEDFUNDS GDPC1 DGS10 DGS2 DGS3MO",
	} {
		found, err := feed.NewSampleSource().FindSeries(t.Context(), words)
		var got []string
		for _, one := range found {
			got = append(got, string(one.ID))
		}
		if err != nil || strings.Join(got, " ") != want && !sameWords(got, want) {
			t.Errorf("FindSeries(%q) = %s, %v; want %s", words, got, err, want)
		}
	}
}

func sameWords(got []string, want string) bool {
	for _, one := range got {
		if !strings.Contains(want, one) {
			return false
		}
	}
	return len(got) == len(strings.Fields(want))
}

// recorded returns a recorded file, which is outside the repository.
func recorded(t *testing.T, path ...string) string {
	t.Helper()
	return recordings.Path(t, append([]string{"market"}, path...)...)
}

func csvRows(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestEconomic_YieldsAreThoseOfTheRecordedAnswers(t *testing.T) {
	fred := economicOf(t, "DGS10", market.SeriesQuery{}).Observations
	for i, row := range csvRows(t, recorded(t, "fred", "fredgraph-DGS10-2023-2024.csv"))[1:] {
		value, _ := decimal.NewFromString(row[1])
		if o := fred[i]; o.Date.Format(time.DateOnly) != row[0] || o.Value.Valid != (row[1] != "") || !o.Value.Decimal.Equal(value) {
			t.Errorf("DGS10 of %s: %+v, recorded %q", row[0], o, row[1])
		}
	}
	treasury := csvRows(t, recorded(t, "treasury", "daily-treasury-rates-2023.csv"))
	for id, column := range map[market.SeriesID]string{"DGS2": "2 Yr", "DGS3MO": "3 Mo", "DGS10": "10 Yr"} {
		at := map[string]string{}
		for _, o := range economicOf(t, id, market.SeriesQuery{Range: market.Range{To: date("2023-09-01")}}).Observations {
			if o.Value.Valid {
				at[o.Date.Format("01/02/2006")] = o.Value.Decimal.StringFixed(2)
			}
		}
		for i, name := range treasury[0] {
			if name != column {
				continue
			}
			for _, row := range treasury[1:] {
				if at[row[0]] != row[i] {
					t.Errorf("%s on %s = %q, the Treasury recorded %q", id, row[0], at[row[0]], row[i])
				}
			}
		}
		if want := len(treasury) - 1; len(at) != want {
			t.Errorf("%s has %d days to 2023-09-01, the Treasury recorded %d", id, len(at), want)
		}
	}
}
