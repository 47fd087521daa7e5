package companies

import (
	"fmt"
	"math"

	"github.com/nfa-cli/nfa/internal/analytics/fundamental"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// sensitivityGrid is the value a share under other assumptions; null where they allow none.
type sensitivityGrid struct {
	Rates   []float64    `json:"discount_rates"`
	Endings []float64    `json:"terminal_growths,omitempty"`
	Exits   []float64    `json:"exit_multiples,omitempty"`
	Values  [][]*float64 `json:"values_per_share"` // a row for each rate
}

// newSensitivityGrid moves the discount rate by up to two points, and growth by up to one or
// the multiple by up to a fifth.
func newSensitivityGrid(d fundamental.DCF) sensitivityGrid {
	var g sensitivityGrid
	for _, shift := range []float64{-0.02, -0.01, 0, 0.01, 0.02} {
		g.Rates = append(g.Rates, toolkit.RoundFraction(d.Rate+shift))
	}
	for _, shift := range []float64{-0.01, -0.005, 0, 0.005, 0.01} {
		if d.ByMultiple {
			g.Exits = append(g.Exits, toolkit.RoundSignificant(d.Multiple*(1+20*shift)))
		} else {
			g.Endings = append(g.Endings, toolkit.RoundFraction(d.Growth+shift))
		}
	}
	for _, rate := range g.Rates {
		var row []*float64
		for i := range 5 {
			d.Rate = rate
			if d.ByMultiple {
				d.Multiple = g.Exits[i]
			} else {
				d.Growth = g.Endings[i]
			}
			row = append(row, dcfPerShare(d))
		}
		g.Values = append(g.Values, row)
	}
	return g
}

func dcfPerShare(d fundamental.DCF) *float64 {
	v, err := d.Value()
	if err != nil {
		return nil
	}
	out := toolkit.RoundSignificant(v.PerShare)
	return &out
}

func (g sensitivityGrid) column(j int) string {
	if len(g.Exits) > 0 {
		return fmt.Sprintf("multiple %v", g.Exits[j])
	}
	return fmt.Sprintf("growth %s %%", toolkit.FractionToPercent(g.Endings[j]))
}

func (g sensitivityGrid) table() string {
	columns := []string{"value a share at:"}
	for j := range g.Values[0] {
		columns = append(columns, g.column(j)+":")
	}
	var rows [][]string
	for i, values := range g.Values {
		row := []string{toolkit.FractionToPercent(g.Rates[i]).String() + " %"}
		for _, v := range values {
			if v == nil {
				row = append(row, "–")
				continue
			}
			row = append(row, toolkit.RoundDecimalSignificant(*v, 2).String())
		}
		rows = append(rows, row)
	}
	return toolkit.MarkdownTable(columns, rows)
}

// valueRange is the lowest and the highest value of the grid.
func (g sensitivityGrid) valueRange() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, row := range g.Values {
		for _, v := range row {
			if v != nil {
				low, high = math.Min(low, *v), math.Max(high, *v)
			}
		}
	}
	return low, high
}
