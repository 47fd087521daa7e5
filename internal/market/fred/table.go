package fred

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/nfa-cli/nfa/internal/market"
)

// described is a series with what its numbers may be used for.
type described struct {
	market.SeriesInfo
	licence string
	note    string
	spoken  string // words that people use for it and its title does not
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
	columnSpoken
	columns
)

//go:embed series.psv
var best string

// table is the best known series, which the keyless service does not describe.
func table() []described {
	var out []described
	for line := range strings.Lines(best) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != columns {
			continue
		}
		lag, err := strconv.Atoi(cells[columnLag])
		if err != nil {
			continue
		}
		publisher, licence := publisherOf(cells[columnPublisher])
		out = append(out, described{
			SeriesInfo: market.SeriesInfo{
				ID: market.SeriesID(cells[columnID]), Title: cells[columnTitle], Unit: cells[columnUnit],
				Frequency: frequencyOf(cells[columnFrequency]), Seasonal: seasonalOf(cells[columnSeasonal]), Publisher: publisher, ReleaseLag: lag,
			},
			licence: licence, spoken: cells[columnSpoken],
		})
	}
	return out
}

const (
	free        = "public domain; cite the publisher and FRED"
	restricted  = "copyright of the publisher; by FRED for personal use only"
	unknownHere = "FRED terms of use; some series are copyrighted, see the notes of this one"
)

// publisherOf is who stands behind a mark of the table, and what may be done with
// their numbers.
func publisherOf(mark string) (publisher, licence string) {
	switch mark {
	case "BLS":
		return "US Bureau of Labor Statistics", free
	case "BEA":
		return "US Bureau of Economic Analysis", free
	case "CENSUS":
		return "US Census Bureau", free
	case "DOL":
		return "US Employment and Training Administration", free
	case "EIA":
		return "US Energy Information Administration", free
	case "TREASURY":
		return "US Department of the Treasury", free
	case "FED":
		return "Board of Governors of the Federal Reserve System", free
	case "STL":
		return "Federal Reserve Bank of St. Louis", free
	case "NYFED":
		return "Federal Reserve Bank of New York", "Federal Reserve Bank of New York terms of use; cite the publisher and FRED"
	case "ECB":
		return "European Central Bank", "European Central Bank, free with attribution"
	case "EUROSTAT":
		return "Eurostat", "Eurostat, free with attribution"
	case "SP":
		return "S&P Dow Jones Indices", restricted
	case "MOODYS":
		return "Moody's", restricted
	case "ICE":
		return "ICE Data Indices", restricted
	case "CBOE":
		return "Cboe Global Markets", restricted
	case "NASDAQ":
		return "Nasdaq", restricted
	case "FREDDIE":
		return "Freddie Mac", restricted
	case "UMICH":
		return "University of Michigan", restricted
	}
	return passedOn, unknownHere
}

// passedOn stands for a publisher that FRED does not tell with the series.
const passedOn = "not told; passed on by FRED"

// frequencyOf reads FRED's short form. Every two weeks counts as weekly and twice
// a year as annual: no figure is then taken for known too early.
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

func (s *Source) described(id market.SeriesID) (described, bool) {
	all := s.known()
	i := slices.IndexFunc(all, func(d described) bool { return d.ID == id })
	if i < 0 {
		return described{}, false
	}
	return all[i], true
}

// usualLag is how long figures of a frequency take at most as a rule: for a series
// of which nothing better is known.
func usualLag(f market.Frequency) int {
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

// guessed describes a series by its dates alone.
func guessed(id market.SeriesID, all []market.Observation) described {
	f := spacing(all)
	return described{
		SeriesInfo: market.SeriesInfo{
			ID: id, Title: string(id), Unit: "unit not told", Frequency: f, Seasonal: market.SeasonalUnknown, Publisher: passedOn, ReleaseLag: usualLag(f),
		},
		licence: unknownHere,
		note:    fmt.Sprintf("Title, unit and seasonal adjustment are not told without a key; see https://fred.stlouisfed.org/series/%s.", id),
	}
}

// spacing is the frequency that the dates keep, by their median distance.
func spacing(all []market.Observation) market.Frequency {
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

// describes reports whether each of the words begins a word of what is said of the
// series.
func (d described) describes(words []string) bool {
	said := wordsOf(fmt.Sprint(d.ID, " ", d.Title, " ", d.Publisher, " ", d.spoken))
	for _, w := range words {
		if !slices.ContainsFunc(said, func(one string) bool { return strings.HasPrefix(one, w) }) {
			return false
		}
	}
	return true
}

// wordsOf splits at everything but letters and digits: "10-Year" is two words.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
