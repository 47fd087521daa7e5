package analysis_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type sampleClose struct {
	day   string
	close decimal.Decimal
}

// readSample reads the closes of an embedded file without any code of the program.
func readSample(t *testing.T, name string) (symbol string, closes []sampleClose) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "market", "feed", "data", "bars", name))
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(strings.NewReader(string(text)))
	r.Comment, r.FieldsPerRecord = '#', -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := 1
	for i, column := range rows[0] {
		if column == "close" {
			at = i
		}
	}
	for _, row := range rows[1:] {
		closes = append(closes, sampleClose{row[0], decimal.RequireFromString(row[at])})
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimPrefix(line, "# symbol: "), closes
}

// changeWithin returns the change from the last close before a period to its last close. Periods are
// compared as text: "2008" covers all days from "2008" to "2008~".
func changeWithin(closes []sampleClose, first, last string) (base, end sampleClose, change float64, ok bool) {
	for _, c := range closes {
		if c.day < first {
			base = c
		}
		if c.day < last+"~" {
			end = c
		}
	}
	if base.day == "" || end.day < first || closes[len(closes)-1].day < last+"~" {
		return base, end, 0, false
	}
	return base, end, end.close.Sub(base.close).DivRound(base.close, 20).InexactFloat64(), true
}

// C1: every complete calendar year of the sample, daily and monthly, starts from the last close of the
// year before.
func TestCalendarPeriod_EveryYearOfTheSampleIsMeasuredFromTheCloseBefore(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "market", "feed", "data", "bars", "*.csv"))
	if err != nil || len(files) < 10 {
		t.Fatalf("sample files = %v, %v", files, err)
	}
	checked := 0
	for i, file := range files {
		symbol, closes := readSample(t, filepath.Base(file))
		for year := 1990 + i%3; year <= 2022; year += 3 { // each year in a third of the files
			name := fmt.Sprint(year)
			base, end, want, ok := changeWithin(closes, name, name)
			if !ok {
				continue
			}
			checked++
			period := args{"symbol": symbol, "from": name, "to": name}
			_, got := group.CallOK(t, deps(t), "returns_stats", period)
			toolstest.WantFields(t, got, map[string]any{"from": base.day, "to": end.day, "first_close": base.close.String(), "last_close": end.close.String()})
			if math.Abs(got["total_return"].(float64)-want) > 1e-6 {
				t.Errorf("returns_stats of %s in %s = %v, want %.8f", symbol, name, got["total_return"], want)
			}
			if w := toolstest.Warnings(t, got); strings.Contains(w, "shorter than a year") {
				t.Errorf("%s in %s warns %q", symbol, name, w)
			}
			_, got = group.CallOK(t, deps(t), "risk_metrics", period)
			if math.Abs(got["total_return"].(float64)-want) > 1e-6 || strings.Contains(toolstest.Warnings(t, got), "extrapolated") {
				t.Errorf("risk_metrics of %s in %s = %v, warnings %q; want %.8f", symbol, name, got["total_return"], toolstest.Warnings(t, got), want)
			}
		}
	}
	if checked < 60 {
		t.Errorf("only %d years checked", checked)
	}
}

// C1: quarters and months of the daily sample.
func TestCalendarPeriod_QuartersAndMonthsStartFromTheCloseBefore(t *testing.T) {
	symbol, closes := readSample(t, "gspc.csv")
	for year := 2008; year <= 2009; year++ {
		for month := 1; month <= 12; month++ {
			first := fmt.Sprintf("%d-%02d", year, month)
			names := map[string]string{first: first, first + "-01": first}
			if month%3 == 1 {
				names[fmt.Sprintf("%d-Q%d", year, month/3+1)] = fmt.Sprintf("%d-%02d", year, month+2)
			}
			for from, last := range names {
				to := last
				if strings.Contains(from, "Q") {
					to = from
				}
				base, end, want, _ := changeWithin(closes, first, last)
				_, got := group.CallOK(t, deps(t), "returns_stats", args{"symbol": symbol, "from": from, "to": to})
				toolstest.WantFields(t, got, map[string]any{"from": base.day, "to": end.day})
				if math.Abs(got["total_return"].(float64)-want) > 1e-6 {
					t.Errorf("from %s to %s = %v, want %.8f", from, to, got["total_return"], want)
				}
			}
		}
	}
}

// C1: price returns of the S&P 500 as S&P Dow Jones Indices publishes them, in percent.
func TestCalendarPeriod_PublishedYearsOfTheIndex(t *testing.T) {
	for year, want := range map[string]float64{"2003": 26.38, "2008": -38.49, "2009": 23.45, "2013": 29.60, "2017": 19.42, "2018": -6.24, "2019": 28.88} {
		for _, from := range []string{year, year + "-01", year + "-01-01"} {
			_, got := group.CallOK(t, deps(t), "returns_stats", args{"symbol": "^GSPC", "from": from, "to": year})
			if v := 100 * got["total_return"].(float64); math.Abs(v-want) > 0.005 {
				t.Errorf("from %s to %s = %.4f%%, want %.2f%%", from, year, v, want)
			}
			if !strings.Contains(got["note"].(string), "starts from the last daily close before "+year+"-01-01: ") {
				t.Errorf("note %q does not name the base", got["note"])
			}
		}
	}
}

// C1: a day that is not the first of a month keeps its own close; so does a single day.
func TestCalendarPeriod_AnExplicitDayKeepsItsClose(t *testing.T) {
	_, got := group.CallOK(t, deps(t), "returns_stats", args{"symbol": "^GSPC", "from": "2008-01-02"})
	toolstest.WantFields(t, got, map[string]any{"from": "2008-01-02", "first_close": "1447.16", "total_return": 0.986346, "max_drawdown": -0.532512})
}

// C1: daily and monthly data, one symbol and several, give one answer.
func TestCalendarPeriod_AllToolsStartFromOneClose(t *testing.T) {
	const base, note = "2002-12-31", "starts from the last daily close before 2003-01-01: 2002-12-31"
	year := func(more args) args {
		in := args{"from": "2003", "to": "2003"}
		for k, v := range more {
			in[k] = v
		}
		return in
	}
	_, compared := group.CallOK(t, deps(t), "compare_assets", year(args{"symbols": []string{"^GSPC", "AAPL"}}))
	first := compared["assets"].([]any)[0].(map[string]any)
	toolstest.WantFields(t, first, map[string]any{"from": base, "total_return": 0.263804})
	toolstest.WantFields(t, compared["window"].(map[string]any), map[string]any{"from": base})

	_, correlated := group.CallOK(t, deps(t), "correlation", year(args{"symbols": []string{"^GSPC", "AAPL"}}))
	toolstest.WantFields(t, correlated["window"].(map[string]any), map[string]any{"from": base})

	_, risk := group.CallOK(t, deps(t), "risk_metrics", year(args{"symbol": "^GSPC"}))
	toolstest.WantFields(t, risk, map[string]any{"from": base, "total_return": 0.263804})
	if !strings.Contains(risk["note"].(string), note) {
		t.Errorf("risk_metrics: note %q, want %q in it", risk["note"], note)
	}

	_, drawn := group.CallOK(t, deps(t), "chart", year(args{"symbol": "^GSPC"}))
	toolstest.WantFields(t, drawn, map[string]any{"from": base})
}

// C1: ytd starts from the last close of the year before and the note states it.
func TestCalendarPeriod_YearToDateNamesItsBase(t *testing.T) {
	_, got := group.CallOK(t, deps(t), "returns_stats", args{"symbol": "^GSPC", "range": "ytd"})
	toolstest.WantFields(t, got, map[string]any{"from": "2019-12-31", "first_close": "3230.78"})
	if note := got["note"].(string); !strings.Contains(note, "to the last daily close before 2020-01-01: 2019-12-31") {
		t.Errorf("note = %q", note)
	}
}

// C1: without a close before the period, the answer warns that it starts later.
func TestCalendarPeriod_WithoutACloseBeforeIsAWarning(t *testing.T) {
	s := markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "100", "101", "99")
	s.Provenance.Adjustment = market.AdjustmentSplitDiv
	_, got := group.CallOK(t, depsWith(t, s), "returns_stats", args{"symbol": "VTI", "from": "2020"})
	if w := toolstest.Warnings(t, got); !strings.Contains(w, "before 2020-01-02; shown from there") {
		t.Errorf("warnings = %q", w)
	}
	if note := got["note"].(string); strings.Contains(note, "close before") {
		t.Errorf("note = %q names a base that does not exist", note)
	}
}
