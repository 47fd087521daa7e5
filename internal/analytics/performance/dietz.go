package performance

import (
	"fmt"
	"math"

	"github.com/shopspring/decimal"
)

// dietz is a Modified Dietz return with its parts.
type dietz struct {
	gain    decimal.Decimal
	capital float64 // average over the window
}

// dietzOf needs a known value at both ends, and known flows.
//
// Source: GIPS 2020, Modified Dietz with flows weighted by days.
func (h *History) dietzOf(s span) (dietz, string) {
	start, end, why := h.ends(s)
	if why == "" {
		why = h.unknownFlow(s)
	}
	if why != "" {
		return dietz{}, why
	}
	d := dietz{gain: end.Sub(start), capital: start.InexactFloat64()}
	for i := s.from + 1; i <= s.to; i++ {
		flow := h.flows[i]
		if flow.IsZero() {
			continue
		}
		left := s.to - i
		if flow.IsPositive() {
			left++
		}
		d.gain = d.gain.Sub(flow)
		d.capital += flow.InexactFloat64() * float64(left) / float64(s.days())
	}
	return d, ""
}

// modifiedDietz is the gain over the average capital of the window.
func (h *History) modifiedDietz(s span) Measure {
	d, why := h.dietzOf(s)
	if why == "" && (!(d.capital > 0) || math.IsInf(d.capital, 0)) {
		why = "the average capital of the window is not above zero"
	}
	if why != "" {
		return absent(FormulaDietz, why)
	}
	m := h.measured(FormulaDietz, d.gain.InexactFloat64()/d.capital, s)
	m.Inputs = append(m.Inputs, h.input("gain", d.gain, none), h.input("average capital", decimal.NewFromFloat(d.capital), none))
	return m
}

// linkedDietz links the Modified Dietz returns of calendar months, the first and last
// of them cut by the window.
func (h *History) linkedDietz(s span) Measure {
	product, months := 1.0, 0
	for from := s.from; from < s.to; {
		to := min(h.monthEnd(from), s.to)
		d, why := h.dietzOf(span{from, to})
		r := d.gain.InexactFloat64() / d.capital
		switch {
		case why != "":
			return absent(FormulaLinkedDietz, why)
		case d.capital == 0 && d.gain.IsZero():
		case !(d.capital > 0):
			return absent(FormulaLinkedDietz, fmt.Sprintf("the average capital is not above zero between %s and %s", text(h.grid.date(from)), text(h.grid.date(to))))
		case r < -1 || math.IsInf(r, 0):
			return absent(FormulaLinkedDietz, fmt.Sprintf("more than all was lost between %s and %s by this measure", text(h.grid.date(from)), text(h.grid.date(to))))
		default:
			product *= 1 + r
			months++
		}
		from = to
	}
	if months == 0 {
		return absent(FormulaLinkedDietz, "nothing was invested")
	}
	m := h.measured(FormulaLinkedDietz, product-1, s)
	m.Inputs = append(m.Inputs, Input{Name: "months linked", Value: decimal.NewFromInt(int64(months))})
	return m
}

// monthEnd is the last day of the month of the day after i.
func (h *History) monthEnd(i int) int {
	next := h.grid.date(i + 1)
	return h.grid.index(next.AddDate(0, 1, -next.Day()))
}
