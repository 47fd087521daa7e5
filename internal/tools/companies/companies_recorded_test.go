package companies_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
	"github.com/nfa-cli/nfa/internal/recordings"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// filedStatements returns Apple's statements from the SEC's figures.
type filedStatements struct{ company *edgar.CompanyFacts }

func (f filedStatements) Statements(_ context.Context, _ market.Symbol, q market.StatementQuery) ([]market.Statement, error) {
	all := q.Filter(f.company.Statements(edgar.StatementView{Span: q.Span, KnownOn: q.KnownOn, Template: market.TemplateGeneral}))
	for i := range all {
		all[i].Symbol, all[i].Provenance.Source = "AAPL", "sec-edgar"
	}
	if len(all) == 0 {
		return nil, market.ErrNoData
	}
	return all, nil
}

func recordedApple(t testing.TB) filedStatements {
	t.Helper()
	company, err := edgar.ParseFacts(recordedFacts(t, recordings.Path(t, "market", "sec", "companyfacts-CIK0000320193-AAPL.json.gz")))
	if err != nil {
		t.Fatal(err)
	}
	return filedStatements{company}
}

func recordedFacts(t testing.TB, path string) []byte {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// secFact is a figure as companyfacts has it.
type secFact struct {
	Start, End, Filed, Form string
	Value                   json.Number `json:"val"`
}

// trailingSum returns the newest year filed by a day, or the sum of its four quarters; the fourth quarter of
// a year is the year less nine months. It reports false if a quarter is missing, or was filed with another
// value, as after a split.
func trailingSum(facts []secFact, day time.Time) (decimal.Decimal, bool) {
	type span struct{ start, end time.Time }
	values, ends := map[span]decimal.Decimal{}, []time.Time{}
	for _, f := range facts {
		if filed := toolstest.MustDay(f.Filed); filed.After(day) || !strings.HasPrefix(f.Form, "10-") {
			continue
		}
		s, value := span{toolstest.MustDay(f.Start), toolstest.MustDay(f.End)}, decimal.RequireFromString(f.Value.String())
		if old, ok := values[s]; ok && !old.Equal(value) && day.Sub(s.end).Hours() < 24*600 {
			return decimal.Decimal{}, false
		}
		values[s], ends = value, append(ends, s.end)
	}
	if len(ends) == 0 {
		return decimal.Decimal{}, false
	}
	sum, end := decimal.Decimal{}, slices.MaxFunc(ends, time.Time.Compare)
	find := func(least, most float64, fits func(span) bool) (span, bool) {
		for s := range values {
			if days := s.end.Sub(s.start).Hours() / 24; days >= least && days <= most && fits(s) {
				return s, true
			}
		}
		return span{}, false
	}
	if year, ok := find(350, 380, func(s span) bool { return s.end.Equal(end) }); ok {
		return values[year], true
	}
	for range 4 {
		if q, ok := find(80, 100, func(s span) bool { return s.end.Equal(end) }); ok {
			sum, end = sum.Add(values[q]), q.start.AddDate(0, 0, -1)
			continue
		}
		year, ok := find(350, 380, func(s span) bool { return s.end.Equal(end) })
		if !ok {
			return sum, false
		}
		months, ok := find(255, 285, func(s span) bool { return s.start.Equal(year.start) })
		if !ok {
			return sum, false
		}
		sum, end = sum.Add(values[year]).Sub(values[months]), months.end
	}
	return sum, true
}

// C14: price to earnings and the dividend yield of four quarters, for each recorded company on many days,
// compared with sums of the SEC's figures that no code of the program computed.
func TestRecorded_PriceToEarningsAndYieldAreThoseOfTheFilings(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(recordings.Path(t, "market", "sec"), "companyfacts-*.json.gz"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no recorded companies", err)
	}
	for _, path := range paths {
		body := recordedFacts(t, path)
		var raw struct {
			Facts map[string]map[string]json.RawMessage
		}
		if err := json.Unmarshal(body, &raw); err != nil {
			t.Fatal(err)
		}
		company, err := edgar.ParseFacts(body)
		if err != nil {
			t.Fatal(err)
		}
		perShare := func(concept string) []secFact {
			var tagged struct{ Units map[string][]secFact }
			if text := raw.Facts["us-gaap"][concept]; text != nil {
				if err := json.Unmarshal(text, &tagged); err != nil {
					t.Fatal(err)
				}
			}
			return tagged.Units["USD/shares"]
		}
		earned, paid := perShare("EarningsPerShareDiluted"), perShare("CommonStockDividendsPerShareDeclared")
		compared := 0
		for quarter := range 6 {
			day := toolstest.MustDay("2025-12-15").AddDate(0, -5*quarter, 0)
			earnings, ok := trailingSum(earned, day)
			if !ok || !earnings.IsPositive() {
				continue
			}
			d := appleAt(t, day.AddDate(0, 0, -3).Format(time.DateOnly), "100", "123.45").deps(t)
			d.Statements, d.Replay, d.Now = filedStatements{company}, true, toolstest.Clock(t, day.Format(time.DateOnly)+"T22:00:00Z")
			_, got := fundamentals.CallOK(t, d, "key_ratios", args{"symbol": "AAPL"})
			values, reasons := ratios(got)
			want := map[string]decimal.Decimal{"price_to_earnings": decimal.RequireFromString("123.45").DivRound(earnings, 12)}
			if dividends, ok := trailingSum(paid, day); ok && dividends.IsPositive() {
				want["dividend_yield"] = dividends.Mul(decimal.NewFromInt(100)).DivRound(decimal.RequireFromString("123.45"), 12)
			}
			for id, value := range want {
				if values[id] == "" || !decimal.RequireFromString(values[id]).Sub(value).Abs().LessThan(decimal.New(1, -6)) {
					t.Errorf("%s on %s: %s = %s (%s), want %s", filepath.Base(path), day.Format(time.DateOnly), id, values[id], reasons[id], value)
				}
				compared++
			}
		}
		if t.Logf("%s: %d ratios", filepath.Base(path), compared); compared == 0 {
			t.Logf("%s: no day has four quarters of earnings per share", filepath.Base(path))
		}
	}
}
