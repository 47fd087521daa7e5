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

// FiguresReport says where the figures of an answer come from.
type FiguresReport struct {
	Total  int `json:"total"`
	Traced int `json:"traced"` // to a tool's result of the conversation
	// Contradicted counts the untraced ones that name a tool's figure and give it
	// another value.
	Contradicted int      `json:"contradicted"`
	Untraced     []string `json:"untraced"` // as they stand in the answer
	// NoData is true if no tool had returned anything when the answer was checked.
	NoData bool `json:"no_data,omitempty"`
	// Numbers are all figures in the order of the answer, with the number of the
	// note that each goes back to.
	Numbers []trace.MatchedNumber `json:"numbers,omitempty"`
	Notes   []Note                `json:"notes,omitempty"`
}

// Summary is the line below an answer: which figures differ from their source, and which could not be
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
		parts = append(parts, "No data was looked up: the figure "+unknown[0]+" is the model's own")
	case r.NoData:
		parts = append(parts, fmt.Sprintf("No data was looked up: all %d figures are the model's own", len(unknown)))
	default:
		parts = append(parts, fmt.Sprintf("%s could not be traced: %s", humanize.Count(len(unknown), "figure", "figures"), firstFew(unknown, max(maxListed-len(wrong), 1))))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + " (/why)"
}

// NotTraced lists the figures of Summary, without a sentence: "P/E 31.2, key_ratios has 28.4, 12.4%".
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

// difference says what the source of a contradicted number has: "P/E 31.2, key_ratios has 28.4".
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

// Note is a footnote of an answer: a tool's figure, and the call that gave it.
type Note struct {
	Number int         `json:"note"` // from 1, in the order of the answer
	Figure tool.Figure `json:"figure"`
	Call   NotedCall   `json:"call"`
}

// NotedCall names the call that gave a figure.
type NotedCall struct {
	ID        string `json:"id,omitempty"`
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments,omitempty"` // as the model wrote them
}

func notedCall(call llm.ToolCall) NotedCall {
	return NotedCall{ID: call.ID, Name: call.Name, Arguments: call.Arguments}
}

// sourceIndex is what the answers of a conversation may quote: the figures of all
// results so far, for answers quote earlier ones, too; and the text from which a
// number needs no source, which is what the user typed and what tools said around
// their figures. The text of a skill is not in it.
//
// It is safe for concurrent use: a tool may trace what it writes while another's
// result comes in.
type sourceIndex struct {
	mu sync.Mutex
	trace.Sources
	notes     []Note // by the index that a matched number has
	noteIndex map[figureKey]int
	seenTexts map[string]bool // sources and formulas, which figures share
	names     func() *trace.Directory
	now       func() time.Time

	hasResults bool // of any tool
}

// addFigures takes in what a tool's result gives an answer to quote: its figures, and
// the prose around them ("about 10 % too low"). Rows of tables are no prose.
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
			e.notes[index] = Note{Figure: f, Call: noted} // the same of the newest call
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

// AddText takes in text whose numbers need no source.
func (e *sourceIndex) AddText(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.Sources.AddText(text)
}

// figureKey tells figures apart: one that is asked for again is the same one.
type figureKey struct{ id, label, value, unit, formula, source, inputs string }

func keyOf(f tool.Figure) figureKey {
	return figureKey{f.ID, f.Label, f.Value.String(), f.Unit, f.Formula, f.Source, strings.Join(f.Inputs, "\x00")}
}

// addTextsOnce takes in texts in which a number is part of a name or a convention.
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

// trace is check for a tool that writes a text in the middle of a turn.
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

// callFor is the call that a message is the result of; the calls of a message of the
// model are kept for it.
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
