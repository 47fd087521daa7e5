// Package scorecard tells how the tests of skills went, as they go: New gives a Card for
// people or for programs, which takes a result at a time.
package scorecard

import (
	"fmt"
	"io"
	"strings"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/eval"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// Card takes the results as they come. For people they are told on the way, for programs all
// together by Finish, which is called once, also where the tests were broken off.
type Card interface {
	Add(r eval.Result)
	Finish() error
}

// New is a Card that writes to out.
func New(out io.Writer, asJSON bool) Card {
	if asJSON {
		return &whole{out: out, results: []eval.Result{}}
	}
	return &lines{out: out, totals: map[eval.Verdict]int{}}
}

// whole is an array of JSON.
type whole struct {
	out     io.Writer
	results []eval.Result
}

func (w *whole) Add(r eval.Result) { w.results = append(w.results, r) }

func (w *whole) Finish() error { return console.JSON(w.out, w.results) }

// lines has a line for each case and each prompt that was sent. Prompts
// that were not are counted, all that have the same reason on one line.
type lines struct {
	out     io.Writer
	totals  map[eval.Verdict]int
	model   string
	asked   int
	usage   llm.Usage
	waiting struct {
		skill, reason string
		prompts       int
	}
}

func (l *lines) Add(r eval.Result) {
	l.totals[r.Verdict]++
	prompt := r.Kind == eval.KindSelect || r.Kind == eval.KindAvoid
	if prompt && r.Verdict == eval.NotRun && len(r.Reasons) == 1 {
		if r.Skill != l.waiting.skill || r.Reasons[0] != l.waiting.reason {
			l.flush()
			l.waiting.skill, l.waiting.reason = r.Skill, r.Reasons[0]
		}
		l.waiting.prompts++
		return
	}
	l.flush()
	if prompt {
		l.prompt(r)
		return
	}
	l.trial(r)
}

// flush prints the prompts that were only counted so far.
func (l *lines) flush() {
	if l.waiting.prompts > 0 {
		l.line("%-8s %s, %d prompts: %s", said(eval.NotRun), l.waiting.skill, l.waiting.prompts, l.waiting.reason)
	}
	l.waiting.prompts, l.waiting.skill = 0, ""
}

func (l *lines) prompt(r eval.Result) {
	l.line("%-8s %s, %s %q: %s", said(r.Verdict), r.Skill, r.Kind, r.Text, strings.Join(r.Reasons, "; "))
	if r.Usage != nil {
		l.model = r.Model
		l.asked++
		l.usage = l.usage.Add(*r.Usage)
	}
}

func (l *lines) trial(r eval.Result) {
	what := r.Skill
	if r.Kind == eval.KindCase {
		what = strings.TrimSpace(fmt.Sprintf("%s, case %d (line %d) %s", r.Skill, r.Number, r.Line, r.Text))
	}
	if r.Verdict == eval.NotRun && len(r.Reasons) == 1 {
		l.line("%-8s %s: %s", said(r.Verdict), what, r.Reasons[0])
		return
	}
	l.line("%-8s %s", said(r.Verdict), what)
	for _, reason := range r.Reasons {
		l.line("           %s", reason)
	}
	for _, call := range r.Calls {
		l.line("             %s", call)
	}
}

func (l *lines) Finish() error {
	l.flush()
	fmt.Fprintln(l.out)
	if l.asked > 0 {
		l.line("%s was asked %d prompts: %d tokens in, %d out", l.model, l.asked, l.usage.InputTokens, l.usage.OutputTokens)
	}
	_, err := fmt.Fprintf(l.out, "%d passed, %d failed, %d not run\n", l.totals[eval.Pass], l.totals[eval.Fail], l.totals[eval.NotRun])
	return err
}

func (l *lines) line(format string, args ...any) {
	fmt.Fprintln(l.out, markdown.SanitizeLine(fmt.Sprintf(format, args...)))
}

// said is a verdict as people read it; what has to be looked at stands out.
func said(v eval.Verdict) string {
	switch v {
	case eval.Pass:
		return "pass"
	case eval.Fail:
		return "FAIL"
	}
	return "not run"
}
