package analytics

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/recordings"
)

func date(text string) market.Date {
	if text == "" {
		return market.Date{}
	}
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

// dividends reads "2025-03-03 1.50" or, with the payment date, "2025-03-03 1.50 2025-04-01".
func dividends(lines ...string) (out []market.Action) {
	for _, line := range lines {
		f := append(strings.Fields(line), "")
		out = append(out, market.Action{Kind: market.ActionDividend, Date: date(f[0]), Amount: decimal.RequireFromString(f[1]), Paid: date(f[2])})
	}
	return out
}

func TestExpectDividends(t *testing.T) {
	tests := []struct {
		name   string
		day    string
		past   []market.Action
		want   string // payment date, or the ex-date in parentheses, and the amount
		rule   DividendRule
		reason string
	}{
		{
			"raised dividends stay", "2026-01-05",
			dividends("2024-02-09 1.00", "2024-05-09 1.00", "2024-08-09 1.00", "2024-11-09 1.00", "2025-02-09 1.00", "2025-05-09 1.10", "2025-08-09 1.10", "2025-11-09 1.10"),
			"(2026-02-09) 1.1, (2026-05-09) 1.1, (2026-08-09) 1.1, (2026-11-09) 1.1", LastPayment, "",
		},
		{
			"an interim and a final dividend repeat", "2026-01-05",
			dividends("2024-05-02 20", "2024-10-02 10", "2025-05-02 22", "2025-10-02 11"),
			"(2026-05-02) 22, (2026-10-02) 11", YearBefore, "",
		},
		{
			"a special dividend does not repeat", "2026-01-05",
			dividends("2024-02-09 1", "2024-05-09 1", "2024-08-09 1", "2024-11-09 1", "2025-02-09 1", "2025-05-09 1", "2025-07-01 15", "2025-08-09 1", "2025-11-09 1"),
			"(2026-02-09) 1, (2026-05-09) 1, (2026-08-09) 1, (2026-11-09) 1", LastPayment, "",
		},
		{
			"a large payment at the end of each year repeats", "2026-01-05",
			dividends("2024-03-20 1", "2024-06-20 1.2", "2024-09-20 1.1", "2024-12-20 6", "2025-03-20 1", "2025-06-20 1.3", "2025-09-20 1.2", "2025-12-20 7"),
			"(2026-03-20) 1, (2026-06-20) 1.3, (2026-09-20) 1.2, (2026-12-20) 7", YearBefore, "",
		},
		{
			"the payment follows the ex-date as last time", "2026-01-05",
			dividends("2024-05-02 2", "2025-05-02 2 2025-05-30"),
			"2026-05-30 2", LastPayment, "",
		},
		{
			"an announced dividend replaces its estimate", "2026-01-05",
			dividends("2025-02-09 1", "2025-05-09 1", "2025-08-09 1", "2025-11-09 1", "2026-02-12 1.05 2026-03-12"),
			"2026-03-12 1.05, 2026-06-06 1.05, 2026-09-06 1.05, 2026-12-07 1.05", LastPayment, "",
		},
		{
			"a dividend that is paid after its ex-date is still to come", "2026-01-05",
			dividends("2024-12-30 2", "2025-12-29 2 2026-01-20"),
			"2026-01-20 2", Declared, "",
		},
		{
			"a late dividend is expected soon", "2026-02-20",
			dividends("2024-02-09 1", "2024-05-09 1", "2024-08-09 1", "2024-11-09 1", "2025-02-09 1", "2025-05-09 1", "2025-08-09 1", "2025-11-09 1"),
			"(2026-02-21) 1, (2026-05-09) 1, (2026-08-09) 1, (2026-11-09) 1", LastPayment, "",
		},
		{"a new payer keeps its interval", "2026-01-05", dividends("2025-09-10 1", "2025-12-10 1"), "(2026-03-11) 1, (2026-06-10) 1, (2026-09-09) 1, (2026-12-09) 1", Interval, ""},
		{"a payer that stopped", "2026-01-05", dividends("2024-11-09 1", "2025-02-09 1", "2025-05-09 1"), "", "", DividendStopped},
		{"one dividend is no pattern", "2026-01-05", dividends("2025-11-09 1"), "", "", OneDividend},
		{"no dividends", "2026-01-05", nil, "", "", NoDividends},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			expected, reason := ExpectDividends(tt.past, date(tt.day))
			var got []string
			for _, e := range expected {
				when := e.On().Format(time.DateOnly)
				if e.Paid.IsZero() {
					when = "(" + when + ")"
				}
				got = append(got, when+" "+e.Amount.String())
			}
			if text := strings.Join(got, ", "); text != tt.want || reason != tt.reason {
				t.Errorf("got  %s %q\nwant %s %q", text, reason, tt.want, tt.reason)
			}
			if n := len(expected); n > 0 && expected[n-1].Rule != tt.rule {
				t.Errorf("rule %q, want %q", expected[n-1].Rule, tt.rule)
			}
		})
	}
}

// recordedDividend is a dividend with the day on which it was announced.
type recordedDividend struct {
	market.Action
	announced market.Date
}

// ibmDividends returns the recorded dividends of IBM, oldest first.
func ibmDividends(t *testing.T) (list []recordedDividend) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(recordings.Read(t, "market", "alphavantage", "DIVIDENDS-IBM.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows[1:] { // ex-dividend, declaration, record and payment date, amount; newest first
		announced, _ := time.Parse(time.DateOnly, r[1]) // "None" is unknown
		one := recordedDividend{dividends(r[0] + " " + r[4])[0], announced}
		one.Paid = one.Date
		if paid, err := time.Parse(time.DateOnly, r[3]); err == nil {
			one.Paid = paid
		}
		list = append(list, one)
	}
	slices.Reverse(list)
	return list
}

// backTest forecasts a year from the first day of each quarter of some years. It returns the number of
// forecasts, the mean absolute error and the mean error in percent of what was paid in the year after, and
// the largest difference in the number of payments.
func backTest(list []recordedDividend, from, to int) (n int, abs, mean float64, payments int) {
	for day := date(fmt.Sprint(from, "-01-01")); day.Year() <= to; day = day.AddDate(0, 3, 0) {
		var known []market.Action
		paid, forecast, count := 0.0, 0.0, 0
		for _, r := range list {
			if !r.Date.After(day) || !r.announced.IsZero() && !r.announced.After(day) {
				known = append(known, r.Action)
			}
			if r.Paid.After(day) && !r.Paid.After(day.AddDate(1, 0, 0)) {
				paid, count = paid+r.Amount.InexactFloat64(), count+1
			}
		}
		expected, _ := ExpectDividends(known, day)
		for _, e := range expected {
			forecast += e.Amount.InexactFloat64()
		}
		n++
		abs, mean = abs+100*math.Abs(forecast/paid-1), mean+100*(forecast/paid-1)
		payments = max(payments, len(expected)-count, count-len(expected))
	}
	return n, abs / float64(n), mean / float64(n), payments
}

// The figures are published in docs/portfolio.md.
func TestExpectDividends_BackTest(t *testing.T) {
	list := ibmDividends(t)
	docs, err := os.ReadFile(filepath.Join("..", "..", "docs", "portfolio.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, years := range [][2]int{{2000, 2012}, {2013, 2024}} {
		n, abs, mean, payments := backTest(list, years[0], years[1])
		row := fmt.Sprintf("| %d to %d | %d | %.1f%% | %+.1f%% | %d |", years[0], years[1], n, abs, mean, payments)
		if !strings.Contains(string(docs), row) {
			t.Errorf("docs/portfolio.md lacks the row\n%s", row)
		}
	}
}
