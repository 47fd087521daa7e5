package agent

import (
	"slices"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/trace"
)

// Attribution is the text around an answer: warnings, the line with its source, and notices.
type Attribution struct {
	Line     string   `json:"line,omitempty"` // "Yahoo Finance · 2026-11-20 close · 3 figures traced"
	Warnings []string `json:"warnings,omitempty"`
	Notices  []string `json:"notices,omitempty"` // for advice and projections, shown below the source line
	// Notes are all notes on the answer, including warnings that the session had already shown.
	Notes []tool.Note `json:"-"`
}

// CommandView is the result of a tool that a command called, as a person sees it.
type CommandView struct {
	Keys         []tool.KeyFigure
	About        tool.KeyAbout
	Body         string // Markdown without the key figures
	Headline     string // one sentence; Text is the Markdown below it. Both are for a chat in lines.
	Text         string
	SampleNotice string
	Attribution
}

// View returns what to show of a result. Notices and warnings that the session has shown are omitted.
func (c *Conversation) View(o tool.Outcome) *CommandView {
	res := o.Result
	v := CommandView{Keys: res.Keys, About: res.About, Body: res.BodyText(), Headline: res.Headline, Text: res.ForUser, SampleNotice: c.shown.sampleNotice(res)}
	v.Attribution = c.attribute([]tool.Outcome{o}, FiguresReport{})
	o.Call.ID = "" // commands have no card that could be opened
	c.addAnswer(answerRecord{outcomes: []tool.Outcome{o}})
	return &v
}

// MaxKeyResults is the maximum number of results whose key figures are drawn above an answer. If a
// model looks up more, its text selects what matters.
const MaxKeyResults = 3

// attribute returns the text around an answer that shows these results, and marks its warnings as shown.
func (c *Conversation) attribute(outcomes []tool.Outcome, report FiguresReport) Attribution {
	var a Attribution
	var source tool.Source
	var unseen []tool.Note
	background := 0
	for _, o := range outcomes {
		source.Merge(o.Result.Source)
	}
	a.Notes = notesOf(outcomes)
	for _, n := range a.Notes {
		switch {
		case (n.Warning || n.Code == tool.CodeNotice) && !c.shown.meanings[n.Meaning()]:
			unseen = append(unseen, n)
		case !n.Warning && n.Code != tool.CodeNotice:
			background++
		}
	}
	a.Notices = tool.Notices(unseen)
	for _, warning := range tool.MergeWarnings(unseen) {
		a.Warnings = append(a.Warnings, humanize.Sentence(warning))
	}
	c.shown.add(unseen)
	a.Line = source.Line(Explanation{Figures: answerFigures(outcomes, report)}.Count(trace.Traced), background)
	return a
}

// notesOf returns the notes of results, each once.
func notesOf(outcomes []tool.Outcome) (notes []tool.Note) {
	for _, o := range outcomes {
		for _, n := range o.Result.Notes {
			if !slices.Contains(notes, n) {
				notes = append(notes, n)
			}
		}
	}
	return notes
}

// relevantOutcomes returns the successful results that an answer shows: those whose key figures are drawn,
// and those with a figure in the text. If there are none, it returns all successful results.
func relevantOutcomes(outcomes []tool.Outcome, report FiguresReport) []tool.Outcome {
	stated := map[string]bool{}
	for _, n := range report.Notes {
		stated[n.Call.ID] = true
	}
	all := succeeded(outcomes)
	drawn := len(withKeys(all)) > 0
	var relevant []tool.Outcome
	for _, o := range all {
		if stated[o.Call.ID] || drawn && len(o.Result.Keys) > 0 {
			relevant = append(relevant, o)
		}
	}
	if len(relevant) == 0 {
		return all
	}
	return relevant
}

func succeeded(outcomes []tool.Outcome) []tool.Outcome {
	return slices.DeleteFunc(slices.Clone(outcomes), func(o tool.Outcome) bool { return o.Result.IsError })
}

// shownOnce records the notices that a session shows only once.
type shownOnce struct {
	sample   bool
	meanings map[string]bool // of warnings and notices
}

func (s *shownOnce) add(notes []tool.Note) {
	if s.meanings == nil {
		s.meanings = map[string]bool{}
	}
	for _, n := range notes {
		s.meanings[n.Meaning()] = true
	}
}

// sampleNotice returns the notice on sample data for the first result of the session that has any.
func (s *shownOnce) sampleNotice(res tool.Result) string {
	if s.sample || res.IsError {
		return ""
	}
	notice := res.Source.SampleNotice()
	s.sample = notice != ""
	return notice
}

// restore marks the warnings and notices of a recorded result as shown.
func (s *shownOnce) restore(d Display) {
	s.sample = s.sample || d.SampleNotice != ""
	for _, n := range d.Notes {
		if n.Warning || n.Code == tool.CodeNotice {
			s.add([]tool.Note{n})
		}
	}
}
