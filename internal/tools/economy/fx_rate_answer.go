package economy

import (
	"fmt"

	"github.com/shopspring/decimal"
	"golang.org/x/text/currency"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const maxRates = 60

type fxPoint struct {
	Date string          `json:"date" label:"date"`
	Rate decimal.Decimal `json:"rate" label:"." as:"exact"`

	day   market.Date
	unit  string
	named bool // it stands alone and not in a table
}

// Explain implements [toolkit.Explainer].
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
	Rate      decimal.Decimal  `json:"rate" label:"rate" as:"exact" key:"1"` // the last one: units of quote for one of base
	Date      string           `json:"date"`
	Amount    *decimal.Decimal `json:"amount,omitempty"` // of base
	Converted *decimal.Decimal `json:"converted,omitempty" label:"converted amount" as:"money" currency:"quote" key:"2" formula:"amount * rate, rounded to the smallest unit"`
	toolkit.Origin
	// Only of a range.
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

// Headline implements [toolkit.Answer].
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

// Title implements [toolkit.Titled].
func (a fxAnswer) Title() string {
	if a.First != nil {
		return fmt.Sprintf("%s/%s · %s to %s", a.Base, a.Quote, a.First.Date, a.Date)
	}
	return fmt.Sprintf("%s/%s · %s", a.Base, a.Quote, a.Date)
}

// Summary implements [toolkit.Summarizer].
func (a fxAnswer) Summary() string { return fmt.Sprintf("1 %s = %s %s", a.Base, a.Rate, a.Quote) }

// Explain implements [toolkit.Explainer].
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
	first.named, high.named, low.named = true, true, true
	a.First, a.High, a.Low, a.Rates = &first, &high, &low, points
	a.ChangePct = toolkit.PercentOf(a.Rate.Sub(first.Rate), first.Rate)
}

// result is the answer; a model gets at most maxRates of its rates.
func (a fxAnswer) result() tool.Result {
	sampled := a
	if n := len(a.Rates); n > maxRates {
		sampled.Rates = toolkit.Spaced(a.Rates, maxRates)
		sampled.RatesNote = fmt.Sprintf("%d of %s rates, evenly spaced; ask for a shorter range to see every one", maxRates, toolkit.FormatCount(n))
	}
	res := toolkit.Render(sampled)
	res.Value = a
	return res
}
