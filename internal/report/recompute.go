package report

import (
	"github.com/nfa-cli/nfa/internal/tool"
)

// Asked is a call on record with the figures of the report that it gave.
type Asked struct {
	Call    Call
	Figures []Figure
}

// Calls are the calls on record that gave figures of the report, each once, in the
// order of the notes.
func (p *Provenance) Calls() []Asked {
	var out []Asked
	at := map[Call]int{}
	for _, f := range p.Figures {
		call := Call{Name: f.Call.Name, Arguments: f.Call.Arguments}
		i, known := at[call]
		if !known {
			i = len(out)
			at[call] = i
			out = append(out, Asked{Call: call})
		}
		out[i].Figures = append(out[i].Figures, f)
	}
	return out
}

// Compared is a figure on record beside what its call gives now.
type Compared struct {
	Note  int    `json:"note"`
	Label string `json:"label"`
	Unit  string `json:"unit,omitempty"`
	Was   string `json:"was"`
	Now   string `json:"now,omitempty"` // empty where the call gives no such figure
	Same  bool   `json:"same"`
}

// Compare sets the figures on record beside those that the call has given now.
// They are the same when their values are, digit for digit.
func (a Asked) Compare(now []tool.Figure) []Compared {
	type name struct{ id, label, unit string }
	given := map[name]tool.Figure{}
	for _, f := range now {
		given[name{f.ID, f.Label, f.Unit}] = f
	}
	var out []Compared
	for _, f := range a.Figures {
		c := Compared{Note: f.Note, Label: f.Label, Unit: f.Unit, Was: f.Value}
		if g, ok := given[name{f.ID, f.Label, f.Unit}]; ok {
			was, err := f.decimal()
			c.Now, c.Same = g.Value.String(), err == nil && was.Equal(g.Value)
		}
		out = append(out, c)
	}
	return out
}
