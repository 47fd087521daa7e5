package yahoo_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/market/yahoo"
)

func TestParse_RefusesWhatIsNotTheAnswer(t *testing.T) {
	for _, row := range []struct {
		name string
		body string
		want error
		says string
	}{
		{"nothing", `{"chart":{"result":[],"error":null}}`, market.ErrNoData, ""},
		{"null", `{"chart":{"result":null,"error":null}}`, market.ErrNoData, ""},
		{"a list", `[]`, market.ErrMalformed, ""},
		{"another service", `{"spark":{"result":[]}}`, market.ErrMalformed, ""},
		{"closes cut short", strings.Replace(markettest.NewYahooChart("AAA", "2025-02-17", 10, 11).String(), `"close":[10,11]`, `"close":[10]`, 1), market.ErrMalformed, "1 closes for 2"},
		{"a column cut short", strings.Replace(markettest.NewYahooChart("AAA", "2025-02-17", 10, 11).String(), `"high":[10,11]`, `"high":[10]`, 1), market.ErrMalformed, "unequal length"},
		{"a figure without end", strings.Replace(markettest.NewYahooChart("AAA", "2025-02-17", 10, 11).String(), `"close":[10,11]`, `"close":[10,1e400]`, 1), market.ErrMalformed, ""},
		{"a time past all bounds", strings.Replace(markettest.NewYahooChart("AAA", "2025-02-17", 10, 11).String(), `"timestamp":[1`, `"timestamp":[9991`, 1), market.ErrMalformed, "out of range"},
		{"only nulls", markettest.NewYahooChart("AAA", "2025-02-17", nil, nil).String(), market.ErrNoData, ""},
		{"nothing but zeros", markettest.NewYahooChart("AAA", "2025-02-17", 0, 0).String(), market.ErrNoData, ""},
		{"another symbol", markettest.NewYahooChart("BBB", "2025-02-17", 10, 11).String(), market.ErrMalformed, `"BBB"`},
		{"words", "Edge: Too Many Requests", market.ErrMalformed, ""},
		{"a refusal", `{"chart":{"result":null,"error":{"code":"Not Found","description":"No data found, symbol may be delisted"}}}`, market.ErrUnknownSymbol, "may be delisted"},
		{"a refusal without words", `{"chart":{"result":null,"error":{}}}`, market.ErrUnavailable, ""},
		{"bars of minutes", strings.Replace(markettest.NewYahooChart("AAA", "2025-02-17", 10, 11).String(), `"1d"`, `"5m"`, 1), market.ErrMalformed, "5m"},
		{"no currency", strings.Replace(markettest.NewYahooChart("AAA", "2025-02-17", 10, 11).String(), `"USD"`, `""`, 1), market.ErrMalformed, "currency"},
		{"no rows", markettest.NewYahooChart("AAA", "2025-02-17").String(), market.ErrNoData, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := seriesAt(row.body, "AAA", chartNoon)
			if !errors.Is(err, row.want) || !strings.Contains(err.Error(), row.says) {
				t.Errorf("Series = %v, want %v that says %q", err, row.want, row.says)
			}
		})
	}
}

func TestChart_TellsTheZoneOfItsExchange(t *testing.T) {
	c, err := yahoo.ParseChart([]byte(markettest.NewYahooChart("AAA", "2025-02-17", 10).String()), "AAA")
	if err != nil || c.Zone().String() != "America/New_York" {
		t.Errorf("Zone = %v, %v; want New York's", c.Zone(), err)
	}
}

func TestParse_MoreRowsThanACenturyHasAreRefused(t *testing.T) {
	sheet := markettest.NewYahooChart("AAA", "2025-02-17", 10)
	for len(sheet.Rows) <= 60_000 {
		sheet.Rows = append(sheet.Rows, sheet.Rows[0])
	}
	if _, err := yahoo.ParseChart([]byte(sheet.String()), "AAA"); !errors.Is(err, market.ErrMalformed) || !strings.Contains(err.Error(), "60001 rows") {
		t.Errorf("Parse of 60001 rows = %v, want ErrMalformed that says so", err)
	}
}

func FuzzParse(f *testing.F) {
	whole := markettest.NewYahooChart("AAA", "2025-02-17", 10, nil, 0.1455, 14.55)
	whole.Events = map[string]any{
		"dividends": markettest.YahooChartEvent(whole.Rows[2].At, map[string]any{"amount": 0.2}),
		"splits":    markettest.YahooChartEvent(whole.Rows[3].At, map[string]any{"numerator": 4, "denominator": 1}),
	}
	f.Add(whole.String())
	f.Add(strings.Replace(whole.String(), "USD", "GBp", 1))
	f.Add(`{"chart":{"result":null,"error":{"code":"Not Found","description":"x"}}}`)
	f.Add(`{"chart":{"result":[{"meta":{"symbol":"AAA"},"timestamp":[1],"indicators":{"quote":[{"close":[1e17]}]}}]}}`)
	f.Fuzz(func(t *testing.T, body string) {
		s, err := seriesAt(body, "AAA", chartNoon)
		if checkChartSentinel(t, err); err == nil {
			markettest.CheckBars(t, s.Bars)
			_, _ = s.TotalReturn() // must not panic; its result for odd actions does not matter
		}
		q, err := quoteAt(body, "AAA", chartNoon)
		if checkChartSentinel(t, err); err == nil && !q.Price.IsPositive() {
			t.Errorf("quote of %s", q.Price)
		}
	})
}

// checkChartSentinel fails on an error that wraps no sentinel of market.
func checkChartSentinel(t *testing.T, err error) {
	t.Helper()
	for _, one := range []error{nil, market.ErrMalformed, market.ErrNoData, market.ErrUnknownSymbol, market.ErrAuth, market.ErrRateLimited, market.ErrUnavailable} {
		if errors.Is(err, one) {
			return
		}
	}
	t.Errorf("error %v is no sentinel of market", err)
}
