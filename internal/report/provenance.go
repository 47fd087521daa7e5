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

// recordVersion is the version of the record's format.
const recordVersion = 1

// Suffix is appended to the name of a report for the name of its record.
const Suffix = ".provenance.json"

// Provenance is the record of the sources of a report's figures.
type Provenance struct {
	Version   int       `json:"version"`
	WrittenAt time.Time `json:"written_at"`
	Program   string    `json:"nfa_version"`
	Report    string    `json:"report"` // the report's file name
	Format    Format    `json:"format"`
	SHA256    string    `json:"sha256"` // of the report, hexadecimal
	// Session is the ID of the session in which the report was written, "" if that session is not
	// saved. Conversation reports whether there was a session at all.
	Session      string `json:"session,omitempty"`
	Conversation bool   `json:"conversation"`
	Total        int    `json:"total"`
	Traced       int    `json:"traced"`
	Contradicted int    `json:"contradicted"`
	// Numbers lists the numbers of the report in order, including those that need no source.
	Numbers []Number `json:"numbers"`
	// Figures lists the figures of the notes, in their order.
	Figures []Figure `json:"figures"`

	firstNote int // the first note after the text's own footnotes
}

// StatusStated is the status of a number that needs no source, because the user wrote it or a tool
// stated it around its figures.
const StatusStated trace.Status = "stated"

// Number is a number in a report.
type Number struct {
	// Line is the line in the report, from 1. For CSV it is the row, for HTML the line of the text parsed
	// from it.
	Line   int          `json:"line"`
	Text   string       `json:"text"`
	Status trace.Status `json:"status"`
	Note   int          `json:"note,omitempty"` // of its Figure
}

// Figure is a tool's figure with the call that returned it.
type Figure struct {
	Note    int       `json:"note"` // as in the report
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

// Call is the call that returned a figure.
type Call struct {
	ID        string `json:"id,omitempty"`
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments,omitempty"` // a JSON object, as sent
}

func figureOf(note int, g tool.TracedFigure) Figure {
	f := g.Figure
	return Figure{
		Note: note, ID: f.ID, Label: f.Label, Value: f.Value.String(), Unit: f.Unit, AsOf: f.AsOf, Source: f.Source, Formula: f.Formula,
		Inputs: f.Inputs, Call: Call{ID: g.Call.ID, Name: g.Call.Name, Arguments: g.Call.Arguments},
	}
}

// Encode returns the record as a JSON file.
func (p *Provenance) Encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(p); err != nil {
		return nil, fmt.Errorf("encode provenance record: %w", err)
	}
	if b.Len() > MaxProvenance {
		return nil, fmt.Errorf("the provenance record has %d bytes, the limit is %d: %w", b.Len(), MaxProvenance, ErrTooLarge)
	}
	return b.Bytes(), nil
}

// record lists the numbers of a body. If a figure was replaced by an equal one when the body was
// marked, its note is found by value.
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

// figureKey identifies a figure of a record.
type figureKey struct {
	id, label, value, unit string
	call                   Call
}

func keyOf(f Figure) figureKey { return figureKey{f.ID, f.Label, f.Value, f.Unit, f.Call} }

// numbersIn returns the numbers of a body with their lines: the matched ones, and figures that need
// no source.
func (p *Provenance) numbersIn(body string, matched []trace.MatchedNumber) []Number {
	out := []Number{}
	line, at := 1, 0
	add := func(start int, n Number) {
		line += strings.Count(body[at:start], "\n")
		if p.Format == CSV {
			line -= strings.Count(body[at:start], "\n|---") // CSV files have no line below the header
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
