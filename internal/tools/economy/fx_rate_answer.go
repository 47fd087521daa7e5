package economy

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"
	"golang.org/x/text/currency"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const maxRates = 60

type fxPoint struct {
	Date string          `json:"date"`
	Rate decimal.Decimal `json:"rate"`

	day market.Date
}

type fxAnswer struct {
	Base      string           `json:"base"`
	Quote     string           `json:"quote"`
	Rate      decimal.Decimal  `json:"rate"` // the last one: units of quote for one of base
	Date      string           `json:"date"`
	Amount    *decimal.Decimal `json:"amount,omitempty"`    // of base
	Converted *decimal.Decimal `json:"converted,omitempty"` // of quote
	toolkit.Origin
	// Of a range alone.
	First     *fxPoint         `json:"first,omitempty"`
	High      *fxPoint         `json:"high,omitempty"`
	Low       *fxPoint         `json:"low,omitempty"`
	ChangePct *decimal.Decimal `json:"change_pct,omitempty"`
	Count     int              `json:"count"`
	Rates     []fxPoint        `json:"rates,omitempty"`
	RatesNote string           `json:"rates_note,omitempty"`

	last fxPoint
}

func newFXAnswer(s market.RateSeries, amount decimal.NullDecimal) fxAnswer {
	points := make([]fxPoint, len(s.Rates))
	for i, r := range s.Rates {
		points[i] = fxPoint{toolkit.FormatDate(r.Date), r.Value, r.Date}
	}
	last := points[len(points)-1]
	s.Provenance.AsOf = last.day
	a := fxAnswer{
		Base: s.Base, Quote: s.Pair.Quote, Rate: last.Rate, Date: last.Date, Origin: toolkit.OriginOf(s.Provenance).WithoutAdjustment(),
		Count: len(points), last: last,
	}
	if amount.Valid {
		converted := amount.Decimal.Mul(last.Rate).Round(smallestUnit(a.Quote))
		a.Amount, a.Converted = &amount.Decimal, &converted
	}
	if len(points) > 1 {
		a.addRange(points)
	}
	return a
}

// smallestUnit is how many decimals amounts of a currency have.
func smallestUnit(code string) int32 {
	unit, err := currency.ParseISO(code)
	if err != nil {
		return 2
	}
	scale, _ := currency.Standard.Rounding(unit)
	return int32(scale)
}

// addRange adds what only a range has.
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
	a.First, a.High, a.Low, a.Rates = &first, &high, &low, points
	if first.Rate.IsPositive() {
		percent := a.Rate.Sub(first.Rate).Shift(2).DivRound(first.Rate, 2)
		a.ChangePct = &percent
	}
}

// sampled is the answer as a model gets it.
func (a fxAnswer) sampled() fxAnswer {
	n := len(a.Rates)
	if n <= maxRates {
		return a
	}
	all := a.Rates
	a.Rates = make([]fxPoint, maxRates)
	for i := range a.Rates {
		a.Rates[i] = all[i*(n-1)/(maxRates-1)]
	}
	a.RatesNote = fmt.Sprintf("%d of %s rates, evenly spaced; ask for a shorter range to see every one", maxRates, toolkit.FormatCount(n))
	return a
}

func (a fxAnswer) result() (tool.Result, error) {
	model := a.sampled()
	text, err := json.Marshal(model)
	if err != nil {
		return tool.Result{}, fmt.Errorf("encoding the rates of %s/%s: %w", a.Base, a.Quote, err)
	}
	title := fmt.Sprintf("%s/%s · %s", a.Base, a.Quote, a.Date)
	if a.First != nil {
		title = fmt.Sprintf("%s/%s · %s to %s", a.Base, a.Quote, a.First.Date, a.Date)
	}
	return tool.Result{
		Value: a, ForModel: string(text), ForUser: a.markdown(), Title: title, Figures: model.figures(),
		Summary: strings.TrimSpace(fmt.Sprintf("1 %s = %s %s %s", a.Base, a.Rate, a.Quote, a.FlagText())),
	}, nil
}

func (a fxAnswer) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "1 %s = **%s %s** on %s\n\n", a.Base, a.Rate, a.Quote, a.Date)
	if a.Converted != nil {
		fmt.Fprintf(&b, "%s %s = **%s %s** at the rate of %s\n\n", a.Amount, a.Base, a.Converted.StringFixed(smallestUnit(a.Quote)), a.Quote, a.Date)
	}
	if a.First != nil {
		rows := [][]string{{"first", a.First.Rate.String(), a.First.Date}, {"last", a.Rate.String(), a.Date},
			{"highest", a.High.Rate.String(), a.High.Date}, {"lowest", a.Low.Rate.String(), a.Low.Date}}
		b.WriteString(toolkit.MarkdownTable([]string{"rate", a.Quote + ":", "date"}, rows) + "\n")
	}
	if a.ChangePct != nil {
		fmt.Fprintf(&b, "%s %% since %s, %s rates\n\n", toolkit.FormatSigned(*a.ChangePct, 2), a.First.Date, toolkit.FormatCount(a.Count))
	}
	b.WriteString(a.Footer() + "\n")
	return b.String()
}

// figures are the numbers that the model was given.
func (a fxAnswer) figures() []tool.Figure {
	pair := a.Base + "/" + a.Quote
	figure := func(id, label, unit string, v decimal.Decimal, on market.Date) tool.Figure {
		return tool.Figure{ID: pair + "." + id, Label: pair + " " + label, Value: v, Unit: unit, AsOf: on, Source: a.Source}
	}
	perUnit := a.Quote + " per " + a.Base
	out := []tool.Figure{figure("rate", "rate of "+a.Date, perUnit, a.Rate, a.last.day)}
	if a.Converted != nil {
		converted := figure("converted", "converted amount", a.Quote, *a.Converted, a.last.day)
		converted.Formula = "amount * rate, rounded to the smallest unit"
		converted.Inputs = []string{"amount " + a.Amount.String() + " " + a.Base, "rate " + a.Rate.String() + " of " + a.Date}
		out = append(out, converted)
	}
	if a.First == nil {
		return out
	}
	out = append(out, figure("high", "highest rate", perUnit, a.High.Rate, a.High.day), figure("low", "lowest rate", perUnit, a.Low.Rate, a.Low.day))
	out = append(out, figure("count", "number of rates", "rates", decimal.NewFromInt(int64(a.Count)), a.last.day))
	if a.ChangePct != nil {
		change := figure("change_pct", "change", "%", *a.ChangePct, a.last.day)
		change.Formula = "(last - first) / first * 100"
		change.Inputs = []string{"first " + a.First.Rate.String() + " on " + a.First.Date, "last " + a.Rate.String() + " on " + a.Date}
		out = append(out, change)
	}
	for _, p := range a.Rates {
		out = append(out, figure(p.Date, "on "+p.Date, perUnit, p.Rate, p.day))
	}
	return out
}
