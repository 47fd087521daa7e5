package eval

import (
	"fmt"
	"io"
	"strings"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// Reporter receives the results as they come. The text form prints them at once; the JSON form
// prints all of them in Finish, which is called once, also when the tests were broken off.
type Reporter interface {
	Add(r Result)
	Finish() error
}

// NewReporter returns a Reporter that writes to out.
func NewReporter(out io.Writer, asJSON bool) Reporter {
	if asJSON {
		return &jsonReporter{out: out, results: []Result{}}
	}
	return &textReporter{out: out, totals: map[Verdict]int{}}
}

// jsonReporter is an array of JSON.
type jsonReporter struct {
	out     io.Writer
	results []Result
}

func (w *jsonReporter) Add(r Result) { w.results = append(w.results, r) }

func (w *jsonReporter) Finish() error { return cli.WriteJSON(w.out, w.results) }

// textReporter has a line for each case and each prompt that was sent. Prompts
// that were not are counted, all that have the same reason on one line.
type textReporter struct {
	out     io.Writer
	totals  map[Verdict]int
	model   string
	prompts int
	usage   llm.Usage
	skipped struct {
		skill, reason string
		prompts       int
	}
}

func (l *textReporter) Add(r Result) {
	l.totals[r.Verdict]++
	prompt := r.Kind == KindSelect || r.Kind == KindAvoid
	if prompt && r.Verdict == NotRun && len(r.Reasons) == 1 {
		if r.Skill != l.skipped.skill || r.Reasons[0] != l.skipped.reason {
			l.flush()
			l.skipped.skill, l.skipped.reason = r.Skill, r.Reasons[0]
		}
		l.skipped.prompts++
		return
	}
	l.flush()
	if prompt {
		l.addPrompt(r)
		return
	}
	l.addCase(r)
}

// flush prints the prompts that were only counted so far.
func (l *textReporter) flush() {
	if l.skipped.prompts > 0 {
		l.line("%-8s %s, %d prompts: %s", verdictText(NotRun), l.skipped.skill, l.skipped.prompts, l.skipped.reason)
	}
	l.skipped.prompts, l.skipped.skill = 0, ""
}

func (l *textReporter) addPrompt(r Result) {
	l.line("%-8s %s, %s %q: %s", verdictText(r.Verdict), r.Skill, r.Kind, r.Text, strings.Join(r.Reasons, "; "))
	if r.Usage != nil {
		l.model = r.Model
		l.prompts++
		l.usage = l.usage.Add(*r.Usage)
	}
}

func (l *textReporter) addCase(r Result) {
	what := r.Skill
	if r.Kind == KindCase {
		what = strings.TrimSpace(fmt.Sprintf("%s, case %d (line %d) %s", r.Skill, r.Number, r.Line, r.Text))
	}
	if r.Verdict == NotRun && len(r.Reasons) == 1 {
		l.line("%-8s %s: %s", verdictText(r.Verdict), what, r.Reasons[0])
		return
	}
	l.line("%-8s %s", verdictText(r.Verdict), what)
	for _, reason := range r.Reasons {
		l.line("           %s", reason)
	}
	for _, call := range r.Calls {
		l.line("             %s", call)
	}
}

func (l *textReporter) Finish() error {
	l.flush()
	fmt.Fprintln(l.out)
	if l.prompts > 0 {
		l.line("%s was asked %d prompts: %d tokens in, %d out", l.model, l.prompts, l.usage.InputTokens, l.usage.OutputTokens)
	}
	_, err := fmt.Fprintf(l.out, "%d passed, %d failed, %d not run\n", l.totals[Pass], l.totals[Fail], l.totals[NotRun])
	return err
}

func (l *textReporter) line(format string, args ...any) {
	fmt.Fprintln(l.out, markdown.SanitizeLine(fmt.Sprintf(format, args...)))
}

// verdictText is a verdict as people read it; what has to be looked at stands out.
func verdictText(v Verdict) string {
	switch v {
	case Pass:
		return "pass"
	case Fail:
		return "FAIL"
	}
	return "not run"
}
