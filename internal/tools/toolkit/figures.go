package toolkit

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
)

// Figures gathers the figures of an answer that are of one day and one source.
type Figures struct {
	AsOf   time.Time
	Source string
	All    []tool.Figure
}

// Add notes a number; nil, which is not known, is no figure.
func (f *Figures) Add(id, label string, v *decimal.Decimal, unit, formula string, inputs ...string) {
	if v != nil {
		f.All = append(f.All, tool.Figure{ID: id, Label: label, Value: *v, Unit: unit, AsOf: f.AsOf, Source: f.Source, Formula: formula, Inputs: inputs})
	}
}
