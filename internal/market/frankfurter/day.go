package frankfurter

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

const euro = "EUR"

// legsOf are the currencies of a pair that the euro is priced in.
func legsOf(pair market.Pair) []string {
	return slices.DeleteFunc([]string{pair.Base, pair.Quote}, func(code string) bool { return code == euro })
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
	if amount, ok := number(a.Amount); a.Base != euro || !ok || !amount.Equal(decimal.NewFromInt(1)) {
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

// digits that a crossed rate is rounded to, of which six are published of a leg.
const digits = 10

// cross is quote per euro divided by base per euro. It reports false where the day
// lacks a leg.
func (d day) cross(pair market.Pair) (decimal.Decimal, bool) {
	one := decimal.NewFromInt(1)
	base, quote := one, one
	var ok bool
	if pair.Quote != euro {
		if quote, ok = d.rates[pair.Quote]; !ok {
			return decimal.Decimal{}, false
		}
	}
	if pair.Base == euro {
		return quote, true
	}
	if base, ok = d.rates[pair.Base]; !ok {
		return decimal.Decimal{}, false
	}
	value := quote.DivRound(base, 3*digits)
	value = value.Round(int32(digits - value.NumDigits() - int(value.Exponent())))
	return value, value.IsPositive()
}
