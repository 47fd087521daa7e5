package frankfurter

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// legsOf are the currencies of a pair that the euro is priced in.
func legsOf(pair market.Pair) []string {
	return slices.DeleteFunc([]string{pair.Base, pair.Quote}, func(code string) bool { return code == client.Euro })
}

// day is what a euro cost on a day.
type day struct {
	date  market.Date
	rates map[string]decimal.Decimal
}

// ratesResponse is of one day, with a date, or of several, with the dates inside.
type ratesResponse struct {
	Amount json.Number
	Base   string
	Date   string
	Rates  map[string]json.RawMessage
}

// parseDays reads the legs of one day or of several, oldest first. A day that
// lacks a leg keeps the other.
func parseDays(body []byte, legs []string) ([]day, error) {
	var a ratesResponse
	if json.Unmarshal(body, &a) != nil || a.Rates == nil {
		return nil, client.Malformedf("no rates")
	}
	if amount, ok := parseNumber(a.Amount); a.Base != client.Euro || !ok || !amount.Equal(decimal.NewFromInt(1)) {
		return nil, client.Malformedf("%.10q of %.10q in place of one euro", a.Amount, a.Base)
	}
	if a.Date != "" {
		d, err := parseDay(a.Date, body, legs)
		return []day{d}, err
	}
	out := make([]day, 0, len(a.Rates))
	for date, text := range a.Rates {
		d, err := parseDay(date, append(append([]byte(`{"rates":`), text...), '}'), legs)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b day) int { return a.date.Compare(b.date) })
	return out, nil
}

func parseDay(date string, body []byte, legs []string) (day, error) {
	parsed, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return day{}, client.Malformedf("%.20q is no date", date)
	}
	var b struct{ Rates map[string]json.Number }
	if json.Unmarshal(body, &b) != nil {
		return day{}, client.Malformedf("no rates of %s", date)
	}
	d := day{parsed, make(map[string]decimal.Decimal, len(legs))}
	for code, text := range b.Rates {
		if !slices.Contains(legs, code) {
			return day{}, client.Malformedf("a rate of %.10q, which was not asked for", code)
		}
		rate, ok := parseNumber(text)
		if !ok || !rate.IsPositive() {
			return day{}, client.Malformedf("%.20q is no rate of %s", text, code)
		}
		d.rates[code] = rate
	}
	return d, nil
}

// parseNumber reads a figure. The service writes an exponent for nothing that it has.
func parseNumber(text json.Number) (decimal.Decimal, bool) {
	const longest = 30
	return client.ParsePlainDecimal(text.String(), longest)
}
