package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// invalidCalls describes scripted calls that no model could make: calls of unknown tools, or with invalid
// arguments. They are errors in the script, not the errors that a case may expect.
func invalidCalls(c Case, router *tool.Router) []string {
	var faults []string
	for i, turn := range c.Turns {
		for _, call := range turn.Calls {
			if err := checkCall(call, router); err != nil {
				faults = append(faults, fmt.Sprintf("turn %d: %v", i+1, err))
			}
		}
	}
	for _, call := range c.Calls {
		if !hasTool(router, call.Tool) {
			faults = append(faults, fmt.Sprintf("calls: no tool named %s", call.Tool))
		}
	}
	return faults
}

func checkCall(call Call, router *tool.Router) error {
	t, ok := router.Lookup(call.Tool)
	if !ok {
		return fmt.Errorf("no tool named %s", call.Tool)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(t.Spec().Parameters, &schema); err != nil {
		return fmt.Errorf("reading the schema of %s: %w", call.Tool, err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return fmt.Errorf("reading the schema of %s: %w", call.Tool, err)
	}
	// The schema knows float64, not the exact json.Number.
	var arguments map[string]any
	if err := json.Unmarshal([]byte(call.json()), &arguments); err != nil {
		return fmt.Errorf("arguments of %s: %w", call.Tool, err)
	}
	if err := resolved.Validate(arguments); err != nil {
		return fmt.Errorf("arguments of %s: %w", call, err)
	}
	return nil
}

// caseRun is the record of running a case.
type caseRun struct {
	turns, requests int    // in the script, and sent by the loop
	made            []Call // in call order
	failed          []string
	evidence        strings.Builder // messages of the user and results of tools
	done            agent.TurnDone
	err             error
}

func (p *caseRun) addOutcome(o tool.Outcome) {
	fmt.Fprintln(&p.evidence, o.Result.ModelText(), o.Result.UserText())
	for _, f := range o.Result.Figures {
		p.evidence.WriteString(f.AsOf.Format(time.DateOnly) + "\n")
	}
	if o.Result.IsError {
		p.failed = append(p.failed, o.Call.Name+": "+o.Result.ErrorText())
	}
}

// judge returns every unmet expectation and, if calls are among them, the calls by line.
func (p *caseRun) judge(c Case) (reasons, calls []string) {
	reasons = p.scriptProblems()
	a := align(c.Calls, p.made)
	missing := a.missing()
	if len(missing) > 0 {
		calls = a.lines()
	}
	reasons = append(reasons, missing...)
	if len(p.failed) != c.Expect.Errors {
		reasons = append(reasons, fmt.Sprintf("tool errors: %d, expected %d%s", len(p.failed), c.Expect.Errors, appendList(": ", p.failed)))
	}
	for _, want := range c.Expect.Contains {
		if !containsWhole(p.done.Answer, want) {
			reasons = append(reasons, fmt.Sprintf("the answer does not contain %q", want))
		}
	}
	untraced := append(p.untracedDates(), p.done.Figures.Untraced...)
	if len(untraced) != c.Expect.Untraced {
		reasons = append(reasons, fmt.Sprintf("untraced numbers and dates in the answer: %d, expected %d%s", len(untraced), c.Expect.Untraced, appendList(": ", untraced)))
	}
	return reasons, calls
}

func appendList(separator string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return separator + strings.Join(list, ", ")
}

// scriptProblems returns why the loop did not finish the script.
func (p *caseRun) scriptProblems() []string {
	switch {
	case errors.Is(p.err, errScriptOver):
		return []string{fmt.Sprintf("the script is too short: its last turn (%d) makes calls, so one more turn is needed", p.turns)}
	case p.done.Reason == agent.StopRepeatedCall:
		return []string{"stopped: the script repeats the same call"}
	case p.err != nil:
		return []string{"stopped: " + p.err.Error()}
	case p.done.Reason != agent.StopAnswered:
		return []string{fmt.Sprintf("stopped: %s", p.done.Reason)}
	case p.requests < p.turns:
		return []string{fmt.Sprintf("the script is too long: turn %d of %d has no calls, which ends the conversation", p.requests, p.turns)}
	}
	return nil
}

var isoDate = lazyregexp.New(`\d{4}-\d{2}(?:-\d{2})?`)

// untracedDates returns the dates in the answer that came from neither the user nor a tool; the
// agent's figure check ignores dates.
func (p *caseRun) untracedDates() []string {
	var out []string
	evidence := p.evidence.String()
	for _, date := range isoDate().FindAllString(p.done.Answer, -1) {
		if !strings.Contains(evidence, date) {
			out = append(out, date)
		}
	}
	return out
}

// containsWhole reports whether text contains want. Numbers must match as a whole: 5.7 is not in
// 15.7, and 43 is not in 43.5.
func containsWhole(text, want string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], want)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(want)
		if !numberGoesOn(text, start, -1) && !numberGoesOn(text, end-1, 1) {
			return true
		}
		at = start + 1
	}
}

// numberGoesOn reports whether the digit at i is followed, in that direction, by another digit or
// by a separator and a digit.
func numberGoesOn(text string, i, direction int) bool {
	digit := func(i int) bool { return i >= 0 && i < len(text) && text[i] >= '0' && text[i] <= '9' }
	next := i + direction
	if !digit(i) || next < 0 || next >= len(text) {
		return false
	}
	return digit(next) || strings.IndexByte(".,", text[next]) >= 0 && digit(next+direction)
}

// errScriptOver means that the loop requested more turns than the script has.
var errScriptOver = errors.New("the script is over")

// scriptedModel is the llm.Model of a case. It plays one turn per request.
type scriptedModel struct {
	turns    []Turn
	requests atomic.Int64
}

// Stream plays the next turn.
func (s *scriptedModel) Stream(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		n := int(s.requests.Add(1))
		if n > len(s.turns) {
			yield(llm.Chunk{}, errScriptOver)
			return
		}
		for _, chunk := range s.turns[n-1].chunks(n) {
			if !yield(chunk, nil) {
				return
			}
		}
	}
}

func (t Turn) chunks(n int) []llm.Chunk {
	finish := llm.FinishStop
	var out []llm.Chunk
	if t.Text != "" {
		out = append(out, llm.Chunk{Text: t.Text})
	}
	for i, call := range t.Calls {
		finish = llm.FinishToolCalls
		out = append(out, llm.Chunk{ToolCall: &llm.ToolCall{
			ID: fmt.Sprintf("turn_%d_call_%d", n, i+1), Name: call.Tool, Arguments: call.json(),
		}})
	}
	return append(out, llm.Chunk{Finish: finish})
}
