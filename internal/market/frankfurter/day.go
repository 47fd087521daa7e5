package frankfurter

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

// legsOf are the currencies of a pair that the euro is priced in.
func legsOf(pair market.Pair) []string {
	return slices.DeleteFunc([]string{pair.Base, pair.Quote}, func(code string) bool { return code == wire.Euro })
}

// day is what a euro cost on a day.
type day struct {
	date  market.Date
	rates map[string]decimal.Decimal
}

// answer is of one day, with a date, or of several, with the dates inside.
type answer struct {
	Amount json.Number
	Base   string
	Date   string
	Rates  map[string]json.RawMessage
}

// parseDays reads the legs of one day or of several, oldest first. A day that
// lacks a leg keeps the other.
func parseDays(body []byte, legs []string) ([]day, error) {
	var a answer
	if json.Unmarshal(body, &a) != nil || a.Rates == nil {
		return nil, wire.Malformed("no rates")
	}
	if amount, ok := number(a.Amount); a.Base != wire.Euro || !ok || !amount.Equal(decimal.NewFromInt(1)) {
		return nil, wire.Malformed("%.10q of %.10q in place of one euro", a.Amount, a.Base)
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
	when, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return day{}, wire.Malformed("%.20q is no date", date)
	}
	var b struct{ Rates map[string]json.Number }
	if json.Unmarshal(body, &b) != nil {
		return day{}, wire.Malformed("no rates of %s", date)
	}
	d := day{when, make(map[string]decimal.Decimal, len(legs))}
	for code, text := range b.Rates {
		if !slices.Contains(legs, code) {
			return day{}, wire.Malformed("a rate of %.10q, which was not asked for", code)
		}
		rate, ok := number(text)
		if !ok || !rate.IsPositive() {
			return day{}, wire.Malformed("%.20q is no rate of %s", text, code)
		}
		d.rates[code] = rate
	}
	return d, nil
}

// number reads a figure. The service writes an exponent for nothing that it has.
func number(text json.Number) (decimal.Decimal, bool) {
	const longest = 30
	return wire.Plain(text.String(), longest)
}
