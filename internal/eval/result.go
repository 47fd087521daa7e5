package eval

import "github.com/nfa-cli/nfa/internal/llm"

// Verdict is what came of a test.
type Verdict string

// The verdicts. NotRun is neither: what was to be tested cannot be yet.
const (
	Pass   Verdict = "pass"
	Fail   Verdict = "fail"
	NotRun Verdict = "not_run"
)

// Kind says what a Result is about.
type Kind string

// Kinds of result.
const (
	KindFile   Kind = "file" // the evals.yaml
	KindCase   Kind = "case"
	KindSelect Kind = "select"
	KindAvoid  Kind = "avoid"
	KindSkill  Kind = "skill" // the whole of it, when no case can be run
)

// Result is the outcome of one case or one prompt.
type Result struct {
	Skill   string  `json:"skill"`
	Kind    Kind    `json:"kind"`
	Number  int     `json:"number,omitempty"` // of a case, from 1
	Line    int     `json:"line,omitempty"`   // of the evals.yaml
	Text    string  `json:"text,omitempty"`   // the prompt, or the arguments of the case
	Verdict Verdict `json:"verdict"`
	// Reasons say why it did not pass; for a prompt that was sent, what the
	// model did.
	Reasons []string `json:"reasons"`
	// Calls are, where the expected ones were not made, all of them by line:
	// "= " expected and made, "- " expected, "+ " made.
	Calls []string `json:"calls,omitempty"`
	// Model and Usage are of a prompt that was sent.
	Model string     `json:"model,omitempty"`
	Usage *llm.Usage `json:"usage,omitempty"`
}

// caseResult is the result of a case that failed for these reasons, if any.
func caseResult(c Case, reasons []string) Result {
	result := Result{Kind: KindCase, Line: c.Line, Text: c.Arguments, Verdict: Pass, Reasons: []string{}}
	if len(reasons) > 0 {
		result.Verdict, result.Reasons = Fail, reasons
	}
	return result
}
