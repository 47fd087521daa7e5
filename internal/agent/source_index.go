package agent

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/trace"
)

// FiguresReport states the source of each figure in an answer.
type FiguresReport struct {
	Total  int `json:"total"`
	Traced int `json:"traced"` // to a tool result of the conversation
	// Contradicted counts the untraced figures for which a tool returned another value.
	Contradicted int      `json:"contradicted"`
	Untraced     []string `json:"untraced"` // as written in the answer
	// NoData is true if no tool had returned anything when the answer was checked.
	NoData bool `json:"no_data,omitempty"`
	// Numbers are all figures in the order of the answer, each with the number of its note.
	Numbers []trace.MatchedNumber `json:"numbers,omitempty"`
	Notes   []Note                `json:"notes,omitempty"`
}

// Summary returns the line below an answer: which figures differ from their source, and which could not be
// traced. Each value is counted once. It is empty if all are traced.
func (r FiguresReport) Summary() string {
	wrong, unknown := r.problems()
	var parts []string
	switch {
	case len(wrong) == 1:
		parts = append(parts, "1 figure differs from its source: "+wrong[0])
	case len(wrong) > 1:
		parts = append(parts, fmt.Sprintf("%d figures differ from their sources: %s", len(wrong), firstFew(wrong, maxListed)))
	}
	switch {
	case len(unknown) == 0:
	case r.NoData && len(unknown) == 1:
		parts = append(parts, "No data was looked up: the figure "+unknown[0]+" was written by the model")
	case r.NoData:
		parts = append(parts, fmt.Sprintf("No data was looked up: the model wrote all %d figures", len(unknown)))
	default:
		parts = append(parts, fmt.Sprintf("%s could not be traced: %s", humanize.Count(len(unknown), "figure", "figures"), firstFew(unknown, max(maxListed-len(wrong), 1))))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + " (/why)"
}

// NotTraced lists the figures that Summary names: "P/E 31.2, key_ratios has 28.4, 12.4%".
func (r FiguresReport) NotTraced() string {
	wrong, unknown := r.problems()
	return firstFew(append(wrong, unknown...), maxListed)
}

// problems returns which figures differ from their source, and which could not be traced, each once.
func (r FiguresReport) problems() (wrong, unknown []string) {
	for _, n := range r.Numbers {
		switch {
		case n.Status == trace.Contradicted && !slices.Contains(wrong, r.difference(n)):
			wrong = append(wrong, r.difference(n))
		case n.Status == trace.Untraced && !slices.Contains(unknown, n.Text):
			unknown = append(unknown, n.Text)
		}
	}
	if len(r.Numbers) == 0 {
		unknown = r.Untraced
	}
	return wrong, unknown
}

// difference compares a contradicted number with its source: "P/E 31.2, key_ratios has 28.4".
func (r FiguresReport) difference(n trace.MatchedNumber) string {
	if n.Note < 1 || n.Note > len(r.Notes) {
		return n.Text
	}
	note := r.Notes[n.Note-1]
	value := note.Figure.Value.Round(2).String()
	if note.Figure.Unit == "%" {
		value += "%"
	}
	return fmt.Sprintf("%s %s, %s has %s", note.Figure.Label, n.Text, note.Call.Name, value)
}

// maxListed is the number of values in the line below an answer.
const maxListed = 5

// firstFew joins the first texts and counts the others.
func firstFew(texts []string, most int) string {
	if len(texts) <= most {
		return strings.Join(texts, ", ")
	}
	return fmt.Sprintf("%s, +%d", strings.Join(texts[:most], ", "), len(texts)-most)
}

// Note is a footnote of an answer: a figure of a tool and its call.
type Note struct {
	Number int         `json:"note"` // from 1, in the order of the answer
	Figure tool.Figure `json:"figure"`
	Call   NotedCall   `json:"call"`
}

// NotedCall identifies the call that returned a figure.
type NotedCall struct {
	ID        string `json:"id,omitempty"`
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments,omitempty"` // as the model wrote them
}

func notedCall(call llm.ToolCall) NotedCall {
	return NotedCall{ID: call.ID, Name: call.Name, Arguments: call.Arguments}
}

// sourceIndex holds what the answers of a conversation may quote: the figures of all results so far, and
// the texts whose numbers need no source, such as the user's messages and the prose of tool results.
//
// It is safe for concurrent use: a tool may trace its text while another's result is added.
type sourceIndex struct {
	mu sync.Mutex
	trace.Sources
	notes     []Note // by the index of a matched number
	noteIndex map[figureKey]int
	seenTexts map[string]bool // shared sources and formulas
	names     func() *trace.Directory
	now       func() time.Time

	hasResults bool // of any tool
}

// addFigures adds the figures of a tool's result, and the prose around them ("about 10% too low"). Table
// rows are not prose.
func (e *sourceIndex) addFigures(call llm.ToolCall, toolFigures []tool.Figure, shown string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.noteIndex == nil {
		e.noteIndex = map[figureKey]int{}
	}
	e.hasResults = e.hasResults || len(toolFigures) > 0 || shown != ""
	noted := notedCall(call)
	for _, f := range toolFigures {
		index, exists := e.noteIndex[keyOf(f)]
		if exists {
			e.notes[index] = Note{Figure: f, Call: noted} // refer to the newest call
			continue
		}
		index = len(e.notes)
		e.noteIndex[keyOf(f)] = index
		e.notes = append(e.notes, Note{Figure: f, Call: noted})
		e.Add(trace.KnownFigure{
			ID: f.ID, Label: f.Label, Value: f.Value, Unit: f.Unit, Symbols: trace.SymbolsOf(call.Arguments), AsOf: f.AsOf, Inputs: f.Inputs, Index: index,
			Today: e.now != nil && f.AsOf.Format(time.DateOnly) == e.now().Format(time.DateOnly),
		})
		e.addTextsOnce(f.Source, f.Formula, f.Label)
	}
	if shown == "" {
		return
	}
	var prose strings.Builder
	for line := range strings.Lines(shown) {
		if !strings.HasPrefix(line, "|") {
			prose.WriteString(line)
		}
	}
	e.AddProse(prose.String())
}

// AddText adds text whose numbers need no source.
func (e *sourceIndex) AddText(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.Sources.AddText(text)
}

// figureKey identifies a figure; the same figure of a later call has the same key.
type figureKey struct{ id, label, value, unit, formula, source, inputs string }

func keyOf(f tool.Figure) figureKey {
	return figureKey{f.ID, f.Label, f.Value.String(), f.Unit, f.Formula, f.Source, strings.Join(f.Inputs, "\x00")}
}

// addTextsOnce adds texts whose numbers belong to names or conventions, skipping texts that were added
// before.
func (e *sourceIndex) addTextsOnce(texts ...string) {
	if e.seenTexts == nil {
		e.seenTexts = map[string]bool{}
	}
	for _, text := range texts {
		if text != "" && !e.seenTexts[text] {
			e.seenTexts[text] = true
			e.Sources.AddText(text)
		}
	}
}

// check reports on the figures of an answer.
func (e *sourceIndex) check(answer string) FiguresReport {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.Names == nil && e.names != nil {
		e.Names = e.names()
	}
	found := e.Match(answer)
	report := FiguresReport{
		Total: found.Total, Traced: found.Traced, Contradicted: found.Contradicted, Untraced: []string{}, Numbers: found.Numbers,
		NoData: !e.hasResults && found.Total > 0,
	}
	for _, n := range found.Numbers {
		if n.Status != trace.Traced {
			report.Untraced = append(report.Untraced, n.Text)
		}
		if n.Note > len(report.Notes) {
			note := e.notes[n.Index]
			if n.Computed != nil {
				note = e.computedNote(n)
			}
			note.Number = n.Note
			report.Notes = append(report.Notes, note)
		}
	}
	return report
}

// computedNote returns the note of a number that was computed from the figures of several notes.
func (e *sourceIndex) computedNote(n trace.MatchedNumber) Note {
	first := e.notes[n.Index]
	out := Note{Call: first.Call, Figure: tool.Figure{
		ID: "computed", Label: "computed from figures", Value: n.Computed.Value, Unit: n.Computed.Unit, AsOf: first.Figure.AsOf,
		Source: first.Figure.Source, Formula: n.Computed.Formula,
	}}
	for _, i := range n.Computed.Operands {
		f := e.notes[i].Figure
		out.Figure.Inputs = append(out.Figure.Inputs, strings.TrimSpace(f.Label+" "+f.Value.String()+" "+f.Unit))
	}
	return out
}

// trace checks a text that a tool writes during a turn.
func (e *sourceIndex) trace(text string) ([]trace.MatchedNumber, []tool.TracedFigure) {
	report := e.check(text)
	notes := make([]tool.TracedFigure, len(report.Notes))
	for i, n := range report.Notes {
		notes[i] = tool.TracedFigure{Figure: n.Figure, Call: llm.ToolCall{ID: n.Call.ID, Name: n.Call.Name, Arguments: n.Call.Arguments}}
	}
	return report.Numbers, notes
}

// callsByID are the calls of a recorded conversation by their IDs.
type callsByID map[string]llm.ToolCall

// callFor returns the call whose result a message is. It also stores the calls of a model's message.
func (k callsByID) callFor(m llm.Message, d Display) llm.ToolCall {
	for _, call := range m.ToolCalls {
		k[call.ID] = call
	}
	call := k[m.ToolCallID]
	call.ID, call.Name = m.ToolCallID, m.ToolName
	if d.Arguments != "" {
		call.Arguments = d.Arguments
	}
	return call
}
