package performance

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Formulas of figures that are not returns. Those of returns are in value_series.go.
const (
	FormulaValue        = "sum of quantity * price * rate over all positions, plus cash * rate, at the close"
	FormulaNetFlow      = "deposits less withdrawals, at the exchange rate of each day"
	FormulaGain         = "end - start - net flow = price + income + currency + fees + taxes"
	FormulaContribution = "gain / (start + sum of flow * w), which add up to the Modified Dietz return"
)

// Report measures one period of a portfolio. A missing figure has a reason.
type Report struct {
	From, To   market.Date // from close to close
	Days       int
	Start, End Valuation
	// Flows are the days with deposits or withdrawals.
	Flows      []Flow
	NetFlow    decimal.NullDecimal // by FormulaNetFlow
	FlowReason string              // why NetFlow is missing

	TimeWeighted  Return
	ModifiedDietz Return
	LinkedDietz   Return
	MoneyWeighted Return
	Attribution   Attribution
}

// Flow is a deposit on a day, or a withdrawal if negative.
type Flow struct {
	Date   market.Date
	Amount decimal.Decimal // in the base currency
}

// Measure measures a period, from the close of one day to the close of a later one. A period that is not
// within First and Last is ErrInvalidRequest.
func (h *History) Measure(from, to market.Date) (Report, error) {
	s, err := h.span(from, to)
	if err != nil {
		return Report{}, err
	}
	c := h.valueSeries(h.values)
	r := Report{
		From: h.grid.date(s.From), To: h.grid.date(s.To), Days: s.Days(),
		Start: h.valuation(s.From), End: h.valuation(s.To),
		TimeWeighted: c.TimeWeighted(s), ModifiedDietz: c.ModifiedDietz(s), LinkedDietz: c.LinkedDietz(s), MoneyWeighted: c.MoneyWeighted(s),
		Attribution: h.attribution(s),
	}
	for i := s.From + 1; i <= s.To; i++ {
		if f := h.flows[i]; !f.IsZero() {
			r.Flows = append(r.Flows, Flow{h.grid.date(i), f})
		}
	}
	if r.FlowReason = h.unknownFlowReason(s); r.FlowReason == "" {
		r.NetFlow = decimal.NewNullDecimal(c.NetFlow(s))
	}
	r.Attribution.addReturns(c, s)
	return r, nil
}

// span returns a period as days of the grid.
func (h *History) span(from, to market.Date) (Span, error) {
	if from.Before(h.First()) || to.After(h.Last()) || !from.Before(to) {
		return Span{}, fmt.Errorf("%w: invalid period %s to %s; it must end after it starts and lie between %s and %s", ErrInvalidRequest, formatDate(from), formatDate(to), formatDate(h.First()), formatDate(h.Last()))
	}
	return Span{From: h.grid.index(from), To: h.grid.index(to)}, nil
}

// addReturns sets the contribution of each line to the Modified Dietz return.
func (a *Attribution) addReturns(c ValueSeries, s Span) {
	capital, ok := c.AverageCapital(s)
	if !ok {
		return
	}
	for i := range a.Lines {
		r := a.Lines[i].Gain.InexactFloat64() / capital
		a.Lines[i].Return = &r
	}
}

// Window is one of the standard periods, which are always all shown.
type Window struct {
	Name   string // "1 year", "since inception"
	Report Report // empty if Reason is set
	Reason string // why it is missing
}

// Windows measures the last one, three and five years and the whole history. A period longer than the
// history has a Reason instead.
func (h *History) Windows() []Window {
	windows := make([]Window, 0, 4)
	for _, years := range []int{1, 3, 5} {
		w := Window{Name: "1 year"}
		if years > 1 {
			w.Name = fmt.Sprintf("%d years", years)
		}
		from := yearsBefore(h.Last(), years)
		if from.Before(h.First()) {
			w.Reason = fmt.Sprintf("the portfolio starts on %s", formatDate(h.grid.date(1)))
		} else {
			w.Report, w.Reason = h.window(from)
		}
		windows = append(windows, w)
	}
	all := Window{Name: "since inception"}
	all.Report, all.Reason = h.window(h.First())
	return append(windows, all)
}

// yearsBefore returns the same day of an earlier year, or February 28 for February 29.
func yearsBefore(d market.Date, years int) market.Date {
	before := d.AddDate(-years, 0, 0)
	if before.Day() != d.Day() {
		before = before.AddDate(0, 0, -1)
	}
	return before
}

func (h *History) window(from market.Date) (Report, string) {
	r, err := h.Measure(from, h.Last())
	if err != nil {
		return Report{}, err.Error()
	}
	return r, ""
}
