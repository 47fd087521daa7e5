package fred

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// describedSeries is a series with its terms of use.
type describedSeries struct {
	market.SeriesInfo
	license  string
	note     string
	synonyms string // common words for it that its title lacks
}

// The columns of the table.
const (
	columnID = iota
	columnUnit
	columnFrequency
	columnSeasonal
	columnLag
	columnPublisher
	columnTitle
	columnSynonyms
	columns
)

//go:embed series.psv
var knownSeriesTable string

// parseKnownSeries returns the well-known series, which the keyless service does not describe.
func parseKnownSeries() []describedSeries {
	var out []describedSeries
	for line := range strings.Lines(knownSeriesTable) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != columns {
			continue
		}
		lag, err := strconv.Atoi(cells[columnLag])
		if err != nil {
			continue
		}
		publisher := publishers[cells[columnPublisher]]
		out = append(out, describedSeries{
			SeriesInfo: market.SeriesInfo{
				ID: market.SeriesID(cells[columnID]), Title: cells[columnTitle], Unit: cells[columnUnit],
				Frequency: frequencyOf(cells[columnFrequency]), Seasonal: seasonalOf(cells[columnSeasonal]), Publisher: cmp.Or(publisher.name, unknownPublisher), ReleaseLag: lag,
			},
			license: cmp.Or(publisher.license, unknownLicense), synonyms: cells[columnSynonyms],
		})
	}
	return out
}

const (
	publicDomain   = "public domain; cite the publisher and FRED"
	copyrighted    = "copyrighted by the publisher; FRED allows only personal use"
	unknownLicense = "FRED terms of use; some series are copyrighted, see the notes of this series"
)

// publishers maps the marks of the table to the publisher and its license.
var publishers = map[string]struct{ name, license string }{
	"BLS":      {"US Bureau of Labor Statistics", publicDomain},
	"BEA":      {"US Bureau of Economic Analysis", publicDomain},
	"CENSUS":   {"US Census Bureau", publicDomain},
	"DOL":      {"US Employment and Training Administration", publicDomain},
	"EIA":      {"US Energy Information Administration", publicDomain},
	"TREASURY": {"US Department of the Treasury", publicDomain},
	"FED":      {"Board of Governors of the Federal Reserve System", publicDomain},
	"STL":      {"Federal Reserve Bank of St. Louis", publicDomain},
	"NYFED":    {"Federal Reserve Bank of New York", "Federal Reserve Bank of New York terms of use; cite the publisher and FRED"},
	"ECB":      {"European Central Bank", "European Central Bank, free with attribution"},
	"EUROSTAT": {"Eurostat", "Eurostat, free with attribution"},
	"SP":       {"S&P Dow Jones Indices", copyrighted},
	"MOODYS":   {"Moody's", copyrighted},
	"ICE":      {"ICE Data Indices", copyrighted},
	"CBOE":     {"Cboe Global Markets", copyrighted},
	"NASDAQ":   {"Nasdaq", copyrighted},
	"FREDDIE":  {"Freddie Mac", copyrighted},
	"UMICH":    {"University of Michigan", copyrighted},
}

// unknownPublisher is used if FRED does not report the publisher.
const unknownPublisher = "publisher unknown; distributed by FRED"

// frequencyOf parses FRED's short form. Biweekly counts as weekly and semiannual as annual, so that no figure
// counts as known too early.
func frequencyOf(short string) market.Frequency {
	switch short {
	case "D":
		return market.FrequencyDaily
	case "W", "BW":
		return market.FrequencyWeekly
	case "M":
		return market.FrequencyMonthly
	case "Q":
		return market.FrequencyQuarterly
	case "SA", "A":
		return market.FrequencyAnnual
	}
	return ""
}

func seasonalOf(short string) market.Seasonal {
	switch short {
	case "NSA":
		return market.SeasonalNone
	case "SA", "SSA":
		return market.SeasonalAdjusted
	case "SAAR":
		return market.SeasonalAdjustedRate
	}
	return market.SeasonalUnknown
}

func (s *Source) findKnown(id market.SeriesID) (describedSeries, bool) {
	all := s.knownSeries()
	i := slices.IndexFunc(all, func(d describedSeries) bool { return d.ID == id })
	if i < 0 {
		return describedSeries{}, false
	}
	return all[i], true
}

// typicalLag returns the usual maximum publication lag of a frequency in days, if nothing better is known.
func typicalLag(f market.Frequency) int {
	switch f {
	case market.FrequencyDaily:
		return 7
	case market.FrequencyWeekly:
		return 14
	case market.FrequencyMonthly:
		return 62
	case market.FrequencyQuarterly:
		return 120
	}
	return 365
}

// inferInfo describes a series based only on its dates.
func inferInfo(id market.SeriesID, all []market.Observation) describedSeries {
	f := inferFrequency(all)
	return describedSeries{
		SeriesInfo: market.SeriesInfo{
			ID: id, Title: string(id), Unit: "unit unknown", Frequency: f, Seasonal: market.SeasonalUnknown, Publisher: unknownPublisher, ReleaseLag: typicalLag(f),
		},
		license: unknownLicense,
		note:    fmt.Sprintf("Without a key, FRED does not report title, unit and seasonal adjustment; see https://fred.stlouisfed.org/series/%s.", id),
	}
}

// inferFrequency returns the frequency that best fits the median gap between dates.
func inferFrequency(all []market.Observation) market.Frequency {
	var gaps []int
	for i := 1; i < len(all); i++ {
		gaps = append(gaps, int(all[i].Date.Sub(all[i-1].Date).Hours()/24))
	}
	if len(gaps) == 0 {
		return market.FrequencyAnnual
	}
	slices.Sort(gaps)
	switch days := gaps[len(gaps)/2]; {
	case days < 5:
		return market.FrequencyDaily
	case days < 27:
		return market.FrequencyWeekly
	case days < 32:
		return market.FrequencyMonthly
	case days < 93:
		return market.FrequencyQuarterly
	}
	return market.FrequencyAnnual
}
