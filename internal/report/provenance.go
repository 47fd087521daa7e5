package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/trace"
)

// recordVersion is that of the record's form.
const recordVersion = 1

// Suffix follows the name of a report in the name of its record.
const Suffix = ".provenance.json"

// Provenance is the record of where the figures of a report come from.
type Provenance struct {
	Version   int       `json:"version"`
	WrittenAt time.Time `json:"written_at"`
	Program   string    `json:"nfa_version"`
	Report    string    `json:"report"` // the name of its file
	Format    Format    `json:"format"`
	SHA256    string    `json:"sha256"` // of the report, in hexadecimal
	// Session is the conversation that it was written in, "" for one that is not
	// kept; Conversation says whether there was one at all.
	Session      string `json:"session,omitempty"`
	Conversation bool   `json:"conversation"`
	Total        int    `json:"total"`
	Traced       int    `json:"traced"`
	Contradicted int    `json:"contradicted"`
	// Numbers are those of the report in its order, with the ones that need no
	// source.
	Numbers []Number `json:"numbers"`
	// Figures are those that the notes name, in the order of the notes.
	Figures []Figure `json:"figures"`

	firstNote int // the notes that the text itself has
}

// StatusStated is the status of a number that needs no source: it was the user's own,
// or stood in what a tool said around its figures.
const StatusStated trace.Status = "stated"

// Number is a number as it stands in a report.
type Number struct {
	// Line is that of the report, from 1; for CSV that of its row, for HTML that of
	// its text as it is read back.
	Line   int          `json:"line"`
	Text   string       `json:"text"`
	Status trace.Status `json:"status"`
	Note   int          `json:"note,omitempty"` // of the Figure it goes back to
}

// Figure is a tool's figure with the call that gave it.
type Figure struct {
	Note    int       `json:"note"` // as it stands in the report
	ID      string    `json:"id,omitempty"`
	Label   string    `json:"label"`
	Value   string    `json:"value"` // a decimal
	Unit    string    `json:"unit,omitempty"`
	AsOf    time.Time `json:"as_of,omitzero"`
	Source  string    `json:"source,omitempty"`
	Formula string    `json:"formula,omitempty"`
	Inputs  []string  `json:"inputs,omitempty"`
	Call    Call      `json:"call,omitzero"`
}

// Call names the call whose result a figure stood in.
type Call struct {
	ID        string `json:"id,omitempty"`
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments,omitempty"` // a JSON object, as it was written
}

func figureOf(note int, g tool.TracedFigure) Figure {
	f := g.Figure
	return Figure{
		Note: note, ID: f.ID, Label: f.Label, Value: f.Value.String(), Unit: f.Unit, AsOf: f.AsOf, Source: f.Source, Formula: f.Formula,
		Inputs: f.Inputs, Call: Call{ID: g.Call.ID, Name: g.Call.Name, Arguments: g.Call.Arguments},
	}
}

// Encode is the record as its file holds it.
func (p *Provenance) Encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(p); err != nil {
		return nil, fmt.Errorf("encoding the provenance: %w", err)
	}
	if b.Len() > MaxProvenance {
		return nil, fmt.Errorf("the provenance is %d bytes, the limit is %d: %w", b.Len(), MaxProvenance, ErrTooLarge)
	}
	return b.Bytes(), nil
}

// record lists the numbers of a body. Of a figure that another was taken for when
// the body was marked, the note is given by its value.
func (p *Provenance) record(body string, trace tool.Tracer) {
	numbers, tracedFigures := trace(body)
	p.Numbers = p.numbersIn(body, numbers)
	notes := map[figureKey]int{}
	for _, f := range p.Figures {
		notes[keyOf(f)] = f.Note
	}
	for i, n := range p.Numbers {
		if n.Note == 0 || n.Note > len(tracedFigures) {
			continue
		}
		f := figureOf(p.firstNote+len(p.Figures)+1, tracedFigures[n.Note-1])
		note, known := notes[keyOf(f)]
		if !known {
			note = f.Note
			notes[keyOf(f)] = note
			p.Figures = append(p.Figures, f)
		}
		p.Numbers[i].Note = note
	}
}

// figureKey tells the figures of a record apart.
type figureKey struct {
	id, label, value, unit string
	call                   Call
}

func keyOf(f Figure) figureKey { return figureKey{f.ID, f.Label, f.Value, f.Unit, f.Call} }

// numbersIn are the numbers of a body with their lines: those that were matched, and
// the others that are figures, which need no source.
func (p *Provenance) numbersIn(body string, matched []trace.MatchedNumber) []Number {
	out := []Number{}
	line, at := 1, 0
	add := func(start int, n Number) {
		line += strings.Count(body[at:start], "\n")
		if p.Format == CSV {
			line -= strings.Count(body[at:start], "\n|---") // the file has no line below a head
		}
		at, n.Line = start, line
		out = append(out, n)
	}
	for _, n := range trace.ScanNumbers(body) {
		for len(matched) > 0 && matched[0].Start < n.Start {
			matched = matched[1:]
		}
		switch {
		case len(matched) > 0 && matched[0].Start == n.Start:
			m := matched[0]
			add(n.Start, Number{Text: m.Text, Status: m.Status, Note: m.Note})
		case n.Class == trace.ClassFigure:
			add(n.Start, Number{Text: n.Text, Status: StatusStated})
		}
	}
	return out
}
