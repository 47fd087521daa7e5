package report

import (
	"github.com/nfa-cli/nfa/internal/tool"
)

// RecordedCall is a call on record with the figures of the report that it gave.
type RecordedCall struct {
	Call    Call
	Figures []Figure
}

// Calls are the calls on record that gave figures of the report, each once, in the
// order of the notes.
func (p *Provenance) Calls() []RecordedCall {
	var out []RecordedCall
	at := map[Call]int{}
	for _, f := range p.Figures {
		call := Call{Name: f.Call.Name, Arguments: f.Call.Arguments}
		i, seen := at[call]
		if !seen {
			i = len(out)
			at[call] = i
			out = append(out, RecordedCall{Call: call})
		}
		out[i].Figures = append(out[i].Figures, f)
	}
	return out
}

// ComparedFigure is a figure on record beside what its call gives now.
type ComparedFigure struct {
	Note  int    `json:"note"`
	Label string `json:"label"`
	Unit  string `json:"unit,omitempty"`
	Was   string `json:"was"`
	Now   string `json:"now,omitempty"` // empty where the call gives no such figure
	Same  bool   `json:"same"`
}

// Compare compares the recorded figures with those that the call gives now. A figure is found by its
// ID, or by its label if a version of nfa before this one recorded it. It is the same if its value is
// the same to the last digit that was recorded.
func (a RecordedCall) Compare(results []tool.Figure) []ComparedFigure {
	type name struct{ id, label, unit string }
	current := map[name]tool.Figure{}
	for _, f := range results {
		current[name{id: f.ID, unit: f.Unit}] = f
		current[name{label: f.Label, unit: f.Unit}] = f
	}
	var out []ComparedFigure
	for _, f := range a.Figures {
		c := ComparedFigure{Note: f.Note, Label: f.Label, Unit: f.Unit, Was: f.Value}
		g, ok := current[name{id: f.ID, unit: f.Unit}]
		if !ok || f.ID == "" {
			g, ok = current[name{label: f.Label, unit: f.Unit}]
		}
		if ok {
			recorded, err := f.decimal()
			c.Now, c.Same = g.Value.String(), err == nil && recorded.Equal(g.Value.Round(max(0, -recorded.Exponent())))
		}
		out = append(out, c)
	}
	return out
}
