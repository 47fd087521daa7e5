package agent

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/trace"
)

// ErrNoFigures means that no answer of the conversation states a figure.
var ErrNoFigures = errors.New("no answer contains a figure yet")

// Explanation lists the figures of an answer with their sources: first those that are not traced, then key
// figures, then the others of the text.
type Explanation struct {
	Back     int // 0 for the last answer with figures, 1 for the previous one
	Figures  []ExplainedFigure
	Notes    []tool.Note // on the results that the answer shows
	Selected int         // index of the requested figure; -1 if no answer has it
}

// ExplainedFigure is a figure of an answer.
type ExplainedFigure struct {
	Text   string
	Status trace.Status // or StatusYours
	// Source is the figure that a tool returned, or that the text was computed from or contradicts. Its
	// Figure has only a label if the tool gave no details. Nil without a source.
	Source *Note
	Sample bool // the tool returned sample data
}

// StatusYours is the status of a number that the user typed.
const StatusYours trace.Status = "yours"

// answerRecord is what Why needs to know of an answer, or of the result of a command.
type answerRecord struct {
	turn           int // from 1; 0 for a command
	question, text string
	report         FiguresReport
	outcomes       []tool.Outcome // that the answer shows
}

// Why explains the figures of the last answer that has any; "last 2" selects the answer before it. "3"
// selects the third figure, "53.3%" the figure with that value. If the answer lacks it, an earlier answer
// or any tool result of the session is explained. It returns ErrBusy while a turn is running.
func (c *Conversation) Why(query string) (Explanation, error) {
	leave, err := c.gate.enter()
	if err != nil {
		return Explanation{}, err
	}
	defer leave()
	if len(c.answers) == 0 {
		return Explanation{}, ErrNoFigures
	}
	query = strings.TrimSpace(query)
	back := 0
	if rest, ok := strings.CutPrefix(query, "last"); ok {
		number, figure, _ := strings.Cut(strings.TrimSpace(rest), " ")
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > len(c.answers) {
			return Explanation{Selected: -1}, nil
		}
		back, query = n-1, strings.TrimSpace(figure)
	}
	e := c.explain(back)
	if query == "" {
		return e, nil
	}
	if i, err := strconv.Atoi(query); err == nil && i >= 1 && i <= len(e.Figures) {
		e.Selected = i - 1
		return e, nil
	}
	for ; back < len(c.answers); back++ {
		older := c.explain(back)
		if older.Selected = older.find(query); older.Selected >= 0 {
			return older, nil
		}
	}
	if shown := c.sources.check(query).explained(); len(shown) == 1 && shown[0].Status == trace.Traced {
		e.Figures = append(e.Figures, shown[0])
		e.Selected = len(e.Figures) - 1
		return e, nil
	}
	e.Selected = -1
	return e, nil
}

// WhyTurn explains the figures in the answer of a turn, counted from 1. It returns ErrNoFigures if the
// answer has none, and ErrBusy while a turn is running.
func (c *Conversation) WhyTurn(turn int) (Explanation, error) {
	leave, err := c.gate.enter()
	if err != nil {
		return Explanation{}, err
	}
	defer leave()
	i := slices.IndexFunc(c.answers, func(a answerRecord) bool { return a.turn == turn })
	if turn < 1 || i < 0 {
		return Explanation{}, ErrNoFigures
	}
	return c.explain(len(c.answers) - 1 - i), nil
}

// explain explains an earlier answer; 0 is the last one.
func (c *Conversation) explain(back int) Explanation {
	a := c.answers[len(c.answers)-1-back]
	e := Explanation{Back: back, Notes: notesOf(a.outcomes)}
	all := answerFigures(a.outcomes, a.report)
	for _, status := range []trace.Status{trace.Contradicted, trace.Untraced, trace.Traced} {
		for _, f := range all {
			if f.Status == status {
				f.Sample = f.Source != nil && c.isSample(f.Source.Call)
				e.Figures = append(e.Figures, f)
			}
		}
	}
	for _, text := range a.userNumbers() {
		if e.find(text) < 0 {
			e.Figures = append(e.Figures, ExplainedFigure{Text: text, Status: StatusYours})
		}
	}
	return e
}

// isSample reports whether a call of an explained answer returned sample data.
func (c *Conversation) isSample(call NotedCall) bool {
	return slices.ContainsFunc(c.answers, func(a answerRecord) bool {
		return slices.ContainsFunc(a.outcomes, func(o tool.Outcome) bool { return o.Call.ID == call.ID && o.Result.Source.Sample })
	})
}

// find returns the index of a figure with that number, or -1.
func (e Explanation) find(number string) int {
	return slices.IndexFunc(e.Figures, func(f ExplainedFigure) bool { return trace.SameNumber(f.Text, number) })
}

// Count returns how many figures have one of these statuses.
func (e Explanation) Count(statuses ...trace.Status) (n int) {
	for _, f := range e.Figures {
		if slices.Contains(statuses, f.Status) {
			n++
		}
	}
	return n
}

// userNumbers returns the numbers of the answer that are also in the question.
func (a answerRecord) userNumbers() (out []string) {
	stated := trace.Match(a.text, nil, a.question).Numbers
	for _, n := range trace.Match(a.text, nil, "").Numbers {
		if !slices.ContainsFunc(stated, func(s trace.MatchedNumber) bool { return s.Start == n.Start }) {
			out = append(out, n.Text)
		}
	}
	return out
}

// answerFigures returns the key figures of these results and the figures of the text, each once.
func answerFigures(outcomes []tool.Outcome, report FiguresReport) []ExplainedFigure {
	var out []ExplainedFigure
	type identity struct {
		figure figureKey
		text   string
	}
	seen := map[identity]bool{}
	for _, f := range append(keyFigures(outcomes), report.explained()...) {
		key := identity{text: strings.TrimLeft(f.Text, "+-")}
		if f.Source != nil {
			key.figure = keyOf(f.Source.Figure)
			if isRounded(f.Text, f.Source.Figure.Value) { // and not one of its inputs
				key.text = ""
			}
		}
		if !seen[key] {
			seen[key] = true
			out = append(out, f)
		}
	}
	return out
}

// isRounded reports whether a text shows a value, rounded to the digits of the text.
func isRounded(text string, value decimal.Decimal) bool {
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '.' {
			return r
		}
		return -1
	}, text)
	shown, err := decimal.NewFromString(strings.Trim(digits, "."))
	return err == nil && value.Abs().Round(-shown.Exponent()).Equal(shown)
}

// keyFigures returns the key figures that are drawn above an answer with these results.
func keyFigures(outcomes []tool.Outcome) []ExplainedFigure {
	var out []ExplainedFigure
	for _, o := range withKeys(outcomes) {
		var own sourceIndex
		own.addFigures(o.Call, o.Result.Figures, "")
		for _, key := range o.Result.Keys {
			label := strings.TrimSpace(o.Result.About.Subject + " " + key.Label)
			before := label + ": "
			report := own.check(before + key.Text)
			for i, n := range report.explained() {
				if report.Numbers[i].Start < len(before) {
					continue
				}
				if n.Status != trace.Traced { // the tool formatted it itself
					n.Status, n.Source = trace.Traced, &Note{Figure: tool.Figure{Label: label}, Call: notedCall(o.Call)}
				}
				out = append(out, n)
			}
		}
	}
	return out
}

// withKeys returns the results whose key figures are drawn: none if there are too many.
func withKeys(outcomes []tool.Outcome) []tool.Outcome {
	keyed := slices.DeleteFunc(slices.Clone(outcomes), func(o tool.Outcome) bool { return len(o.Result.Keys) == 0 })
	if len(keyed) > MaxKeyResults {
		return nil
	}
	return keyed
}

// explained returns the figures of a report, one for each of its Numbers.
func (r FiguresReport) explained() []ExplainedFigure {
	out := make([]ExplainedFigure, len(r.Numbers))
	for i, n := range r.Numbers {
		out[i] = ExplainedFigure{Text: n.Text, Status: n.Status}
		if n.Note > 0 && n.Note <= len(r.Notes) {
			out[i].Source = &r.Notes[n.Note-1]
		}
	}
	return out
}

// Why searches the last maxAnswers answers. A resumed session explains the answers among its last
// maxRechecked entries.
const (
	maxAnswers   = 20
	maxRechecked = 200
)

// addAnswer keeps an answer for Why, if it has figures.
func (c *Conversation) addAnswer(a answerRecord) {
	if a.report.Total == 0 && len(withKeys(a.outcomes)) == 0 {
		return
	}
	a.outcomes = slices.Clone(a.outcomes)
	for i, o := range a.outcomes { // without the texts
		a.outcomes[i].Result = tool.Result{Keys: o.Result.Keys, About: o.Result.About, Figures: o.Result.Figures, Notes: o.Result.Notes, Source: o.Result.Source}
	}
	if len(c.answers) == maxAnswers {
		c.answers = slices.Delete(c.answers, 0, 1)
	}
	c.answers = append(c.answers, a)
}

// answerReader collects the answers of a recorded session for Why.
type answerReader struct {
	turn     int
	question string
	outcomes []tool.Outcome
}

// read reads an entry, and reports whether it may be an answer with figures.
func (r *answerReader) read(e session.Entry, d Display, call llm.ToolCall) (isAnswer bool) {
	switch e.Kind {
	case session.KindUser:
		*r = answerReader{turn: r.turn + 1, question: cmp.Or(d.Text, e.Message.Content)}
	case session.KindTool:
		o := tool.Outcome{Call: call, Result: tool.Result{Keys: d.Keys, Figures: d.Figures, Notes: d.Notes, IsError: e.Message.IsError}}
		if d.About != nil {
			o.Result.About = *d.About
		}
		if d.Source != nil {
			o.Result.Source = *d.Source
		}
		r.outcomes = append(r.outcomes, o)
	case session.KindAssistant:
		return len(e.Message.ToolCalls) == 0 && (d.Report != nil || len(withKeys(r.outcomes)) > 0)
	}
	return false
}

// answer returns the record of an answer, checked with the sources that were known at that time.
func (r *answerReader) answer(text string, sources *sourceIndex) answerRecord {
	report := sources.check(text)
	return answerRecord{turn: r.turn, question: r.question, text: text, report: report, outcomes: relevantOutcomes(r.outcomes, report)}
}

// withoutNotes returns the report as it is stored with its answer. The figures of its notes are stored
// with the results.
func (r FiguresReport) withoutNotes() *FiguresReport {
	r.Notes = nil
	return &r
}
