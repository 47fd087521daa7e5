package eval

import (
	"fmt"
	"io"
	"strings"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// Reporter receives results one by one. The text form prints them immediately; the JSON form prints all of
// them in Finish, which is called once, even if the tests were aborted.
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

// jsonReporter prints a JSON array.
type jsonReporter struct {
	out     io.Writer
	results []Result
}

func (w *jsonReporter) Add(r Result) { w.results = append(w.results, r) }

func (w *jsonReporter) Finish() error { return cli.WriteJSON(w.out, w.results) }

// textReporter prints a line for each case and each prompt that was sent. Prompts that were not
// sent are counted per reason.
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
		l.line("%s: %d prompts, %d tokens in, %d out", l.model, l.prompts, l.usage.InputTokens, l.usage.OutputTokens)
	}
	_, err := fmt.Fprintf(l.out, "%d passed, %d failed, %d not run\n", l.totals[Pass], l.totals[Fail], l.totals[NotRun])
	return err
}

func (l *textReporter) line(format string, args ...any) {
	fmt.Fprintln(l.out, markdown.SanitizeLine(fmt.Sprintf(format, args...)))
}

// verdictText returns a verdict for people; failures stand out.
func verdictText(v Verdict) string {
	switch v {
	case Pass:
		return "pass"
	case Fail:
		return "FAIL"
	}
	return "not run"
}

// Verdict is the result of a test.
type Verdict string

// The verdicts. NotRun means that the test cannot run here.
const (
	Pass   Verdict = "pass"
	Fail   Verdict = "fail"
	NotRun Verdict = "not_run"
)

// Kind is the subject of a Result.
type Kind string

// Kinds of result.
const (
	KindFile   Kind = "file" // the evals.yaml
	KindCase   Kind = "case"
	KindSelect Kind = "select"
	KindAvoid  Kind = "avoid"
	KindSkill  Kind = "skill" // the whole suite, if no case can run
)

// Result is the outcome of one case or one prompt.
type Result struct {
	Skill   string  `json:"skill"`
	Kind    Kind    `json:"kind"`
	Number  int     `json:"number,omitempty"` // of a case, from 1
	Line    int     `json:"line,omitempty"`   // of the evals.yaml
	Text    string  `json:"text,omitempty"`   // the prompt, or the arguments of the case
	Verdict Verdict `json:"verdict"`
	// Reasons explain why it did not pass or, for a prompt that was sent, what the model did.
	Reasons []string `json:"reasons"`
	// Calls lists all calls by line if expected ones were not made: "= " expected and made, "- " only
	// expected, "+ " only made.
	Calls []string `json:"calls,omitempty"`
	// Model and Usage are set for a prompt that was sent.
	Model string     `json:"model,omitempty"`
	Usage *llm.Usage `json:"usage,omitempty"`
}

// caseResult returns the result of a case that failed for these reasons, if any.
func caseResult(c Case, reasons []string) Result {
	result := Result{Kind: KindCase, Line: c.Line, Text: c.Arguments, Verdict: Pass, Reasons: []string{}}
	if len(reasons) > 0 {
		result.Verdict, result.Reasons = Fail, reasons
	}
	return result
}
