package feed_test

import (
	"io/fs"
	"math"
	"os"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func date(text string) market.Date {
	d, err := time.Parse("2006-01-02", text)
	if err != nil {
		panic(err)
	}
	return d
}

func sampleSymbols() []market.Symbol {
	return []market.Symbol{"^GSPC", "^IXIC", "AAPL", "ADBE", "AMZN", "DELL", "GOOGL", "IBM", "MSFT", "XRX"}
}

func barsOf(t *testing.T, sym market.Symbol) market.Series {
	t.Helper()
	series, err := feed.NewSampleSource().Bars(t.Context(), sym, market.Range{})
	if err != nil {
		t.Fatalf("Bars(%s) = %v", sym, err)
	}
	return series
}

func TestData_EverySeriesIsSoundAndSaysWhatItIs(t *testing.T) {
	for _, sym := range sampleSymbols() {
		series := barsOf(t, sym)
		markettest.CheckBars(t, series.Bars)
		p := series.Provenance
		if !p.Has(market.FlagSample) || p.License == "" || p.Note == "" {
			t.Errorf("%s: not flagged sample, or no licence or note: %+v", sym, p)
		}
		if isIndex := series.Kind == "index"; isIndex != (p.Currency == "") {
			t.Errorf("%s: kind %s with currency %q", sym, series.Kind, p.Currency)
		}
	}
}

// closures are days without a session other than yearly holidays: 11 September 2001, presidents' funerals,
// Hurricane Sandy.
var closures = []string{
	"2001-09-11", "2001-09-12", "2001-09-13", "2001-09-14", "2004-06-11", "2007-01-02",
	"2012-10-29", "2012-10-30", "2018-12-05",
}

func TestData_EveryWeekdayWithoutABarIsAHoliday(t *testing.T) {
	have := map[market.Date]bool{}
	bars := barsOf(t, "^GSPC").Bars
	for _, b := range bars {
		have[b.Date] = true
	}
	closed := map[market.Date]bool{}
	for _, text := range closures {
		closed[date(text)] = true
	}
	for d := bars[0].Date; !d.After(bars[len(bars)-1].Date); d = d.AddDate(0, 0, 1) {
		session := d.Weekday() != time.Saturday && d.Weekday() != time.Sunday && !holiday(d) && !closed[d]
		if session != have[d] {
			t.Errorf("%s: bar %v, session %v", d.Format("Mon 2006-01-02"), have[d], session)
		}
	}
}

// holiday implements the rules of the New York Stock Exchange from 2000 to 2020.
func holiday(d market.Date) bool {
	nth, last := (d.Day()-1)/7+1, d.AddDate(0, 0, 7).Month() != d.Month()
	switch m := d.Month(); {
	case d.Equal(easter(d.Year()).AddDate(0, 0, -2)):
		return true
	case d.Weekday() == time.Monday && (m == 1 || m == 2) && nth == 3,
		d.Weekday() == time.Monday && m == 5 && last,
		d.Weekday() == time.Monday && m == 9 && nth == 1,
		d.Weekday() == time.Thursday && m == 11 && nth == 4:
		return true
	}
	// If New Year is a Saturday, the Friday before remains a session, because it ends the year.
	return fixedHoliday(d) || d.Weekday() == time.Monday && fixedHoliday(d.AddDate(0, 0, -1)) ||
		d.Weekday() == time.Friday && d.Month() != 12 && fixedHoliday(d.AddDate(0, 0, 1)) ||
		d.Weekday() == time.Friday && d.Month() == 12 && d.Day() == 24
}

func fixedHoliday(d market.Date) bool {
	m, day := d.Month(), d.Day()
	return m == 1 && day == 1 || m == 7 && day == 4 || m == 12 && day == 25
}

// easter computes the date of Easter with the Meeus/Jones/Butcher algorithm.
func easter(year int) market.Date {
	a, b, c := year%19, year/100, year%100
	h := (19*a + b - b/4 - (b-(b+8)/25+1)/3 + 15) % 30
	l := (32 + 2*(b%4) + 2*(c/4) - h - c%4) % 7
	n := h + l - 7*((a+11*h+22*l)/451) + 114
	return time.Date(year, time.Month(n/31), n%31+1, 0, 0, 0, 0, time.UTC)
}

func TestData_MonthlyBarsAreDatedByTheLastSession(t *testing.T) {
	lastSession := map[string]market.Date{}
	for _, b := range barsOf(t, "^GSPC").Bars {
		lastSession[b.Date.Format("2006-01")] = b.Date
	}
	for _, sym := range sampleSymbols()[1:] {
		bars := barsOf(t, sym).Bars
		for i, b := range bars {
			month := b.Date.Format("2006-01")
			if i > 0 && monthNumber(b.Date) != monthNumber(bars[i-1].Date)+1 {
				t.Errorf("%s: %s does not follow the month before", sym, month)
			}
			// The daily series ends in mid-April 2020.
			if want, ok := lastSession[month]; ok && month != "2020-04" && !b.Date.Equal(want) {
				t.Errorf("%s: bar of %s, want the last session %s", sym, b.Date, want)
			}
		}
	}
}

func monthNumber(d market.Date) int { return d.Year()*12 + int(d.Month()) }

// The figures are those of the design's drawing of a turn.
func TestData_SP500Since2008IsTheKnownHistory(t *testing.T) {
	series, err := feed.NewSampleSource().Bars(t.Context(), "^GSPC", market.Range{From: date("2008-01-02"), To: date("2020-04-17")})
	if err != nil {
		t.Fatal(err)
	}
	closes := make([]float64, len(series.Bars))
	for i, b := range series.Bars {
		closes[i] = b.Close.InexactFloat64()
	}
	if len(closes) != 3095 {
		t.Fatalf("%d bars, want 3095", len(closes))
	}
	total := closes[len(closes)-1]/closes[0] - 1
	years := series.Bars[len(closes)-1].Date.Sub(series.Bars[0].Date).Hours() / 24 / 365.25
	checkNear(t, "total return", total, 0.9863)
	checkNear(t, "annual return", math.Pow(1+total, 1/years)-1, 0.0574)
	checkNear(t, "volatility", annualVol(closes), 0.2119)

	peak, worst, from, to := 0, 0.0, 0, 0
	for i, c := range closes {
		if c > closes[peak] {
			peak = i
		}
		if fall := c/closes[peak] - 1; fall < worst {
			worst, from, to = fall, peak, i
		}
	}
	checkNear(t, "worst drawdown", worst, -0.5325)
	recovered := to
	for closes[recovered] < closes[from] {
		recovered++
	}
	for want, i := range map[string]int{"2008-01-02": from, "2009-03-09": to, "2012-09-13": recovered} {
		if got := series.Bars[i].Date; !got.Equal(date(want)) {
			t.Errorf("drawdown date %v, want %s", got, want)
		}
	}
}

func annualVol(closes []float64) float64 {
	var sum, squares float64
	n := float64(len(closes) - 1)
	for i := 1; i < len(closes); i++ {
		r := closes[i]/closes[i-1] - 1
		sum, squares = sum+r, squares+r*r
	}
	return math.Sqrt((squares - sum*sum/n) / (n - 1) * market.Daily.PeriodsPerYear())
}

func checkNear(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 0.00006 {
		t.Errorf("%s = %.5f, want %.4f", what, got, want)
	}
}

func TestData_StaysUnderAMegabyteAndEveryFileIsServed(t *testing.T) {
	var size int64
	files := 0
	err := fs.WalkDir(os.DirFS("data"), ".", func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		size += info.Size()
		files++
		return nil
	})
	if err != nil || size > 1<<20 {
		t.Errorf("data holds %d bytes, %v; want under 1 MiB", size, err)
	}
	const filings = 2 + 3 // lists and texts, each served by a test of filings
	if want := len(sampleSymbols()) + len(statementSymbols()) + len(sampleSeries()) + filings + 1; files != want {
		t.Errorf("data holds %d files, want %d: bars, statements, series, filings, NOTICE.md", files, want)
	}
}
