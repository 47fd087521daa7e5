package market_test

import (
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func TestSeriesSource_KeepsTheContract(t *testing.T) {
	january := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	markettest.RunSeries(t, func(*testing.T) markettest.SeriesSubject {
		return markettest.SeriesSubject{
			Source: markettest.NewSeriesSource(markettest.Monthly("RATE", january, "1", "2", ".", "4", "5", "6")),
			Listed: "RATE", Words: "of the test",
		}
	})
}

func TestFilingSource_KeepsTheContract(t *testing.T) {
	december := time.Date(2020, 12, 31, 0, 0, 0, 0, time.UTC)
	one := func(accession, form string, months int, item string) market.FilingSection {
		return markettest.Section("AAA", accession, form, december.AddDate(0, months, 0), market.FilingItem{Part: "I", Item: item}, "text")
	}
	markettest.RunFilings(t, func(*testing.T) markettest.FilingSubject {
		return markettest.FilingSubject{
			Source: markettest.NewFilingSource(
				one("0000000042-20-000001", "10-K", 0, "7"), one("0000000042-20-000001", "10-K", 0, "1A"),
				one("0000000042-20-000002", "10-Q", 3, "2"), one("0000000042-20-000003", "10-K/A", 4, "7"),
			),
			Listed: "AAA", Accession: "0000000042-20-000001", Item: market.FilingItem{Part: "I", Item: "7"},
		}
	})
}
