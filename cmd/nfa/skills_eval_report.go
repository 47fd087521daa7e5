package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/eval"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// testReport tells of the results as they come, or together at the end.
type testReport interface {
	add(r eval.Result)
	finish() error
}

type jsonReport struct {
	out     io.Writer
	results []eval.Result
}

func (j *jsonReport) add(r eval.Result) { j.results = append(j.results, r) }

func (j *jsonReport) finish() error { return console.JSON(j.out, j.results) }

// textReport prints a line for each case and each prompt that was sent. Prompts
// that were not are counted, all that have the same reason on one line.
type textReport struct {
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

func (t *textReport) add(r eval.Result) {
	if t.totals == nil {
		t.totals = map[eval.Verdict]int{}
	}
	t.totals[r.Verdict]++
	prompt := r.Kind == eval.KindSelect || r.Kind == eval.KindAvoid
	if prompt && r.Verdict == eval.NotRun && len(r.Reasons) == 1 {
		if r.Skill != t.waiting.skill || r.Reasons[0] != t.waiting.reason {
			t.flush()
			t.waiting.skill, t.waiting.reason = r.Skill, r.Reasons[0]
		}
		t.waiting.prompts++
		return
	}
	t.flush()
	if prompt {
		t.prompt(r)
		return
	}
	t.trial(r)
}

// flush prints the prompts that were only counted so far.
func (t *textReport) flush() {
	if t.waiting.prompts > 0 {
		t.line("%-8s %s, %d prompts: %s", said(eval.NotRun), t.waiting.skill, t.waiting.prompts, t.waiting.reason)
	}
	t.waiting.prompts, t.waiting.skill = 0, ""
}

func (t *textReport) prompt(r eval.Result) {
	t.line("%-8s %s, %s %q: %s", said(r.Verdict), r.Skill, r.Kind, r.Text, strings.Join(r.Reasons, "; "))
	if r.Usage != nil {
		t.model = r.Model
		t.asked++
		t.usage = t.usage.Add(*r.Usage)
	}
}

func (t *textReport) trial(r eval.Result) {
	what := r.Skill
	if r.Kind == eval.KindCase {
		what = strings.TrimSpace(fmt.Sprintf("%s, case %d (line %d) %s", r.Skill, r.Number, r.Line, r.Text))
	}
	if r.Verdict == eval.NotRun && len(r.Reasons) == 1 {
		t.line("%-8s %s: %s", said(r.Verdict), what, r.Reasons[0])
		return
	}
	t.line("%-8s %s", said(r.Verdict), what)
	for _, reason := range r.Reasons {
		t.line("           %s", reason)
	}
	for _, call := range r.Calls {
		t.line("             %s", call)
	}
}

func (t *textReport) finish() error {
	t.flush()
	fmt.Fprintln(t.out)
	if t.asked > 0 {
		t.line("%s was asked %d prompts: %d tokens in, %d out", t.model, t.asked, t.usage.InputTokens, t.usage.OutputTokens)
	}
	_, err := fmt.Fprintf(t.out, "%d passed, %d failed, %d not run\n", t.totals[eval.Pass], t.totals[eval.Fail], t.totals[eval.NotRun])
	return err
}

func (t *textReport) line(format string, args ...any) {
	fmt.Fprintln(t.out, markdown.SanitizeLine(fmt.Sprintf(format, args...)))
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
