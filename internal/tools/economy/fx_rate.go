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
	Pair   string  `json:"pair" jsonschema:"Two currencies: EUR/USD is US dollars per euro."`
	Date   string  `json:"date,omitempty" jsonschema:"Date of the rate: YYYY-MM-DD. Default: newest. Not with from or to."`
	From   string  `json:"from,omitempty" jsonschema:"Start of a range, instead of date: YYYY, YYYY-MM or YYYY-MM-DD."`
	To     string  `json:"to,omitempty" jsonschema:"End date: YYYY, YYYY-MM or YYYY-MM-DD. Default: today."`
	Amount float64 `json:"amount,omitempty" jsonschema:"Amount of the first currency to convert: 1500.50."`

	exact json.Number // the amount as written; "" if there is none
}

// UnmarshalJSON keeps the amount as written, because a float64 would round it.
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

const fxRateDescription = `Exchange rate of two currencies on a day or over a range; converts an amount exactly. Use for "500 GBP in CHF"; never quote a rate from memory; for coins use crypto_price. It is a daily reference rate: banks and brokers charge more. State the date of the rate.`

const fxRateDetails = `The rate is how many units of the second currency one unit of the first costs. Central banks publish reference rates once a business day. date is the day of the rate itself: on weekends and holidays it is the last business day, at most a week earlier.
With from and to the result has the first, last, highest and lowest rate and change_pct in percent. An amount is converted at the last rate, without rounding. The model receives at most 60 rates, and rates_note says if there are more.`

const fxRateKeywords = `fx forex currency currencies exchange rate convert conversion dollar dollars euro euros pound yen yuan franc usd eur gbp jpy cny 汇率 换算 兑换 美元 欧元 人民币 日元 英镑 港币 外汇`

var fxRatePhrasings = []string{
	"convert <num> dollars to euros",
	"how many yen is one pound",
	"exchange rate of the euro on <num>",
	"euro against the dollar since <num>",
	"what are <num> swiss francs in dollars",
	"<num>美元是多少人民币",
	"今天欧元兑美元汇率",
}

// errPair marks invalid arguments of fx_rate.
var errPair = toolkit.InvalidArgs(errors.New("exchange rate"))

// newFXRate returns the tool for exchange rates.
func newFXRate(d Deps) tool.Tool {
	return toolkit.New("fx_rate", fxRateDescription, tool.Reads, d.exchangeRate).WithDetails(fxRateDetails).Find("market", fxRateKeywords, fxRatePhrasings...)
}

func (d Deps) exchangeRate(ctx context.Context, in fxRateInput) (fxAnswer, error) {
	pair, err := parsePair(in.Pair)
	if err != nil {
		return fxAnswer{}, err
	}
	amount, err := parseAmount(in.exact)
	if err != nil {
		return fxAnswer{}, err
	}
	r, err := d.rateRange(in)
	if err != nil {
		return fxAnswer{}, err
	}
	rates, err := d.fetchRates(ctx, pair, r)
	if err != nil {
		return fxAnswer{}, err
	}
	return newFXAnswer(rates, amount), nil
}

// parsePair parses a currency pair as people write it: "EUR/USD", "eurusd",
// "EUR to USD", "EURUSD=X".
func parsePair(text string) (market.Pair, error) {
	letters := strings.ToUpper(strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(text)), "=X"))
	letters = strings.NewReplacer(" TO ", "", " IN ", "", "/", "", "-", "", " ", "").Replace(letters)
	pair, ok := market.Symbol(letters + "=X").CurrencyPair()
	if !ok {
		return pair, fmt.Errorf("%w: %.40q is not a currency pair; use, for example, EUR/USD", errPair, text)
	}
	for _, code := range []string{pair.Base, pair.Quote} {
		if _, err := currency.ParseISO(code); err != nil {
			return pair, fmt.Errorf("%w: unknown currency %s; use an ISO 4217 code such as GBP", errPair, code)
		}
	}
	if pair.Base == pair.Quote {
		return pair, fmt.Errorf("%w: both currencies are %s; use two different ones", errPair, pair.Base)
	}
	return pair, nil
}

// Limits of an amount. Longer or finer numbers are not money and would be shown in full.
const (
	maxDigits        = 30
	maxPlaces        = 12
	maxTrailingZeros = 18 // zeros that the exponent of an amount adds
)

// parseAmount parses an amount. An empty text is not valid, rather than zero.
func parseAmount(text json.Number) (decimal.NullDecimal, error) {
	if text == "" {
		return decimal.NullDecimal{}, nil
	}
	if len(text) > maxDigits { // checked first, because parsing a million digits takes minutes
		return decimal.NullDecimal{}, fmt.Errorf("%w: invalid amount %.40s; use a number such as 1500.50", errPair, text)
	}
	amount, err := decimal.NewFromString(text.String())
	if err != nil || amount.Exponent() < -maxPlaces || amount.Exponent() > maxTrailingZeros {
		return decimal.NullDecimal{}, fmt.Errorf("%w: invalid amount %.40s; use a number such as 1500.50", errPair, text)
	}
	return decimal.NewNullDecimal(amount), nil
}

// rateRange returns the requested range, ending no later than d.Now. From is zero for a single day.
func (d Deps) rateRange(in fxRateInput) (market.Range, error) {
	if strings.TrimSpace(in.From) == "" && strings.TrimSpace(in.To) == "" {
		day, err := d.parseLastDay("date", in.Date)
		return market.Range{To: day}, err
	}
	if strings.TrimSpace(in.Date) != "" {
		return market.Range{}, fmt.Errorf("%w: use either date or from and to, not both", errPair)
	}
	if strings.TrimSpace(in.From) == "" {
		return market.Range{}, fmt.Errorf("%w: to requires from; for a single day use date", errPair)
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

// fetchRates returns the rates of a range, or only that of its last day. It filters the result, because a
// source may return later rates.
func (d Deps) fetchRates(ctx context.Context, pair market.Pair, r market.Range) (market.RateSeries, error) {
	s, err := d.Rates.Rates(ctx, pair, r)
	if err != nil {
		return s, toolkit.WithContext(err, "rate of %s", pair)
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

const maxRates = 60

type fxPoint struct {
	Date string          `json:"date" label:"date"`
	Rate decimal.Decimal `json:"rate" label:"." as:"exact"`

	day   market.Date
	unit  string
	named bool // shown on its own, not in a table
}

func (p fxPoint) Explain(field string) toolkit.Explanation {
	e := toolkit.Explanation{AsOf: p.day, Unit: p.unit, Basis: p.Date, Omit: p.named && field == "date"}
	if !p.named && field == "rate" {
		e.Label = "rate"
	}
	return e
}

type fxAnswer struct {
	Base      string           `json:"base"`
	Quote     string           `json:"quote"`
	Rate      decimal.Decimal  `json:"rate" label:"rate" as:"exact" key:"1"` // the last one: units of quote for one unit of base
	Date      string           `json:"date"`
	Amount    *decimal.Decimal `json:"amount,omitempty"` // of base
	Converted *decimal.Decimal `json:"converted,omitempty" label:"converted amount" as:"money" currency:"quote" key:"2" formula:"amount * rate"`
	toolkit.Origin
	// Only set for a range.
	First     *fxPoint         `json:"first,omitempty" label:"first"`
	High      *fxPoint         `json:"high,omitempty" label:"highest"`
	Low       *fxPoint         `json:"low,omitempty" label:"lowest"`
	ChangePct *decimal.Decimal `json:"change_pct,omitempty" label:"change" as:"change" in:"percent" formula:"(last - first) / first * 100"`
	Count     int              `json:"count" label:"rates" unit:"rates" row:"-"`
	Rates     []fxPoint        `json:"rates,omitempty" table:"-"`
	RatesNote string           `json:"rates_note,omitempty"`

	last fxPoint
}

func (a fxAnswer) unit() string { return a.Quote + " per " + a.Base }

func (a fxAnswer) Headline(lang string) string {
	rate := fmt.Sprintf("1 %s = %s %s", a.Base, toolkit.Format(a.Rate, toolkit.Exact, ""), a.Quote)
	if a.Converted != nil {
		rate = fmt.Sprintf("%s %s = %s (%s)", toolkit.Format(*a.Amount, toolkit.Exact, ""), a.Base, toolkit.Format(*a.Converted, toolkit.Money, a.Quote), rate)
	}
	change := ""
	if a.ChangePct != nil {
		change = toolkit.Format(a.ChangePct.Shift(-2), toolkit.Change, "")
	}
	switch {
	case lang == "zh" && change != "":
		return fmt.Sprintf("%s（%s），自 %s 起 %s。", rate, a.Date, a.First.Date, change)
	case lang == "zh":
		return fmt.Sprintf("%s（%s）。", rate, a.Date)
	case change != "":
		return fmt.Sprintf("%s on %s, %s since %s.", rate, a.Date, change, a.First.Date)
	}
	return fmt.Sprintf("%s on %s.", rate, a.Date)
}

func (a fxAnswer) Title() string {
	if a.First != nil {
		return fmt.Sprintf("%s/%s · %s to %s", a.Base, a.Quote, a.First.Date, a.Date)
	}
	return fmt.Sprintf("%s/%s · %s", a.Base, a.Quote, a.Date)
}

func (a fxAnswer) Summary() string { return fmt.Sprintf("1 %s = %s %s", a.Base, a.Rate, a.Quote) }

func (a fxAnswer) Explain(field string) toolkit.Explanation {
	switch {
	case field == "rate":
		return toolkit.Explanation{Unit: a.unit(), Basis: a.Date, AsOf: a.last.day}
	case field == "converted" && a.Amount != nil:
		return toolkit.Explanation{AsOf: a.last.day, Inputs: []string{"amount " + a.Amount.String() + " " + a.Base, "rate " + a.Rate.String() + " of " + a.Date}}
	case field == "change_pct" && a.First != nil:
		return toolkit.Explanation{AsOf: a.last.day, Basis: "since " + a.First.Date, Inputs: []string{"first " + a.First.Rate.String() + " on " + a.First.Date, "last " + a.Rate.String() + " on " + a.Date}}
	}
	return toolkit.Explanation{}
}

func newFXAnswer(s market.RateSeries, amount decimal.NullDecimal) fxAnswer {
	points := make([]fxPoint, len(s.Rates))
	for i, r := range s.Rates {
		points[i] = fxPoint{Date: toolkit.FormatDate(r.Date), Rate: r.Value, day: r.Date, unit: s.Pair.Quote + " per " + s.Base}
	}
	last := points[len(points)-1]
	s.Provenance.AsOf = last.day
	a := fxAnswer{
		Base: s.Base, Quote: s.Pair.Quote, Rate: last.Rate, Date: last.Date, Origin: toolkit.OriginOf(s.Provenance).WithoutAdjustment(),
		Count: len(points), last: last,
	}
	if amount.Valid {
		converted := amount.Decimal.Mul(last.Rate)
		a.Amount, a.Converted = &amount.Decimal, &converted
	}
	if len(points) > 1 {
		a.addRange(points)
	}
	return a
}

// addRange adds the fields for a range.
func (a *fxAnswer) addRange(points []fxPoint) {
	first, high, low := points[0], points[0], points[0]
	for _, p := range points {
		if p.Rate.GreaterThan(high.Rate) {
			high = p
		}
		if p.Rate.LessThan(low.Rate) {
			low = p
		}
	}
	first.named, high.named, low.named = true, true, true
	a.First, a.High, a.Low, a.Rates = &first, &high, &low, points
	a.ChangePct = toolkit.PercentOf(a.Rate.Sub(first.Rate), first.Rate)
}

func (a fxAnswer) Sampled() toolkit.Answer {
	if n := len(a.Rates); n > maxRates {
		a.Rates = toolkit.Spaced(a.Rates, maxRates)
		a.RatesNote = fmt.Sprintf("%d of %s rates, evenly spaced; use a shorter range to see all", maxRates, toolkit.FormatCount(n))
	}
	return a
}
