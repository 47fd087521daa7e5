package economy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"
	"golang.org/x/text/currency"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type fxRateInput struct {
	Pair   string  `json:"pair" jsonschema:"two currencies, what is priced first: EUR/USD gives US dollars for one euro; also EURUSD or EURUSD=X"`
	Date   string  `json:"date,omitempty" jsonschema:"day of the rate, YYYY-MM-DD; the newest when left out; not together with from and to"`
	From   string  `json:"from,omitempty" jsonschema:"instead of date: first day of a range, YYYY-MM-DD; a year or a month means its first day"`
	To     string  `json:"to,omitempty" jsonschema:"last day of the range; a year or a month means its last day; today when left out"`
	Amount float64 `json:"amount,omitempty" jsonschema:"an amount of the first currency to convert, such as 1500.50; at the last rate given"`

	exact json.Number // the amount digit by digit; "" where none was given
}

// UnmarshalJSON keeps the amount as it was written: a float64 would round it.
func (in *fxRateInput) UnmarshalJSON(raw []byte) error {
	type plain fxRateInput
	decoded := struct {
		*plain
		Amount json.Number `json:"amount"`
	}{plain: (*plain)(in)}
	err := json.Unmarshal(raw, &decoded)
	in.exact = decoded.Amount
	return err
}

const fxRateDescription = `Gives the exchange rate of two currencies: how many units of the second one unit of the first costs, on a day or over a range, and converts an amount exactly, with source and the date of the rate.
Use it for "what is the dollar in euros", "convert 500 GBP to CHF", and to bring amounts of two currencies together: never multiply by a rate you remember. Rates of central banks are for reference, once a business day; a bank or broker charges another.
date is the day of the rate itself: on weekends and holidays the last one before, never more than a week older. With from and to: first, last, highest and lowest rate and change_pct in per cent; you see at most 60 rates (rates_note says so). converted is rounded to the smallest unit of its currency.`

// errPair marks arguments that name no pair or nothing to convert.
var errPair = errors.New("exchange rate")

// newFXRate is the tool that gives exchange rates.
func newFXRate(d Deps) tool.Tool {
	return tool.New("fx_rate", fxRateDescription, tool.Reads, func(ctx context.Context, in fxRateInput) (tool.Result, error) {
		pair, err := parsePair(in.Pair)
		if err != nil {
			return toolkit.InvalidResult(err)
		}
		amount, err := parseAmount(in.exact)
		if err != nil {
			return toolkit.InvalidResult(err)
		}
		r, err := d.rateRange(in)
		if err != nil {
			return toolkit.InvalidResult(err)
		}
		rates, err := d.fetchRates(ctx, pair, r)
		if err != nil {
			return toolkit.SourceErrorResult(err)
		}
		return newFXAnswer(rates, amount).result()
	})
}

// parsePair reads two currencies as people write them: "EUR/USD", "eurusd",
// "EUR to USD", "EURUSD=X".
func parsePair(text string) (market.Pair, error) {
	letters := strings.ToUpper(strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(text)), "=X"))
	letters = strings.NewReplacer(" TO ", "", " IN ", "", "/", "", "-", "", " ", "").Replace(letters)
	pair, ok := market.Symbol(letters + "=X").CurrencyPair()
	if !ok {
		return pair, fmt.Errorf("%w: %.40q is no pair; write it EUR/USD", errPair, text)
	}
	for _, code := range []string{pair.Base, pair.Quote} {
		if _, err := currency.ParseISO(code); err != nil {
			return pair, fmt.Errorf("%w: %s is no currency of ISO 4217; use its three letters, such as GBP", errPair, code)
		}
	}
	if pair.Base == pair.Quote {
		return pair, fmt.Errorf("%w: %s in itself is 1; name two currencies", errPair, pair.Base)
	}
	return pair, nil
}

// What is longer, larger or finer is no sum of money, and would be shown in full.
const (
	maxDigits        = 30
	maxPlaces        = 12
	maxTrailingZeros = 18 // zeros at the end of an amount that is written with an exponent
)

// parseAmount reads an amount; one that was not given is invalid, not zero.
func parseAmount(text json.Number) (decimal.NullDecimal, error) {
	if text == "" {
		return decimal.NullDecimal{}, nil
	}
	if len(text) > maxDigits { // first: reading a million digits takes minutes
		return decimal.NullDecimal{}, fmt.Errorf("%w: amount %.40s is no sum of money; write 1500.50", errPair, text)
	}
	amount, err := decimal.NewFromString(text.String())
	if err != nil || amount.Exponent() < -maxPlaces || amount.Exponent() > maxTrailingZeros {
		return decimal.NullDecimal{}, fmt.Errorf("%w: amount %.40s is no sum of money; write 1500.50", errPair, text)
	}
	return decimal.NewNullDecimal(amount), nil
}

// rateRange is what a call asks for, not after d.Now. From is zero for one day.
func (d Deps) rateRange(in fxRateInput) (market.Range, error) {
	if strings.TrimSpace(in.From) == "" && strings.TrimSpace(in.To) == "" {
		day, err := d.parseLastDay("date", in.Date)
		return market.Range{To: day}, err
	}
	if strings.TrimSpace(in.Date) != "" {
		return market.Range{}, fmt.Errorf("%w: give either date or from and to, not both", errPair)
	}
	if strings.TrimSpace(in.From) == "" {
		return market.Range{}, fmt.Errorf("%w: a range needs from; for one day give date", errPair)
	}
	sp, err := toolkit.ParsePeriod("", in.From, in.To, "")
	if err != nil {
		return market.Range{}, err
	}
	r := market.Range{From: sp.From, To: toolkit.Today(d.Now())}
	if !sp.To.IsZero() && sp.To.Before(r.To) {
		r.To = sp.To
	}
	if r.From.After(r.To) {
		return r, fmt.Errorf("%w: from %s is after today, %s", errPair, toolkit.FormatDate(r.From), toolkit.FormatDate(r.To))
	}
	return r, nil
}

// fetchRates are those of a range, or the one of its last day. A source that does not
// heed the range must not show the future either.
func (d Deps) fetchRates(ctx context.Context, pair market.Pair, r market.Range) (market.RateSeries, error) {
	s, err := d.Rates.Rates(ctx, pair, r)
	if err != nil {
		return s, fmt.Errorf("rate of %s: %w", pair, err)
	}
	if r.From.IsZero() {
		rate, err := s.On(r.To)
		s.Rates = []market.Rate{rate}
		return s, err
	}
	var within []market.Rate
	for _, rate := range s.Rates {
		if r.Contains(rate.Date) {
			within = append(within, rate)
		}
	}
	s.Rates = within
	if len(within) == 0 {
		return s, fmt.Errorf("rate of %s from %s to %s: %w", pair, toolkit.FormatDate(r.From), toolkit.FormatDate(r.To), market.ErrNoData)
	}
	return s, nil
}
