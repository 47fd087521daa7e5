package tool

import (
	"context"

	"github.com/nfa-cli/nfa/internal/llm"
)

// Approval is a question to the person at the keyboard: may this call run?
type Approval struct {
	Call   llm.ToolCall // with the exact arguments
	Effect Effect
	// Plan says what would be done, a line each, where the arguments do not.
	Plan []string
	// Changes are those of Preview, without what Options.Hide takes out of them.
	Changes []string
	// Pattern is what an answer for always would allow: this call and those like it.
	// Empty where that is not offered.
	Pattern string
}

// Rules remember what the user has allowed for always.
type Rules interface {
	Allows(tool, pattern string) bool
	Allow(ctx context.Context, tool, pattern string) error
}

// Preview is what a tool would do with its arguments.
type Preview struct {
	Plan []string
	// Changes are how a file that is there would differ: the lines of a unified diff.
	// One of the file stands behind its sign (+, -, a blank); any other beginning is
	// a word about them, such as how many are left out. They are outside text, and few
	// enough to be read.
	Changes []string
	// Ask makes a tool ask that otherwise would not.
	Ask bool
	// Key changes when what was approved is no longer what would be done: an
	// approval for the session holds for one key.
	Key string
	// Pattern names the calls that are like this one, for an approval that is kept;
	// a tool without one is asked for each session anew.
	Pattern string
	// State is handed to the run, which reads it with PreviewState.
	State any
}

// Scope is how long an answer holds.
type Scope int

// Scopes of an answer.
const (
	Once    Scope = iota // this call
	Session              // this tool, until the program ends or Router.ForgetApprovals
	Always               // calls of the same Pattern, until the user takes it back
)

// Answer is the reply to an Approval. A refusal's Reason reaches the model.
type Answer struct {
	Allowed bool
	Scope   Scope
	Reason  string
	// Person marks an answer that somebody gave who saw what was asked for.
	Person bool
}

// Approver answers for the user. It may be asked from several goroutines, and
// returns ctx's error when ctx ends first.
type Approver interface {
	Approve(ctx context.Context, a Approval) (Answer, error)
}

// ApproverFunc makes an Approver of a function.
type ApproverFunc func(ctx context.Context, a Approval) (Answer, error)

// Approve calls f.
func (f ApproverFunc) Approve(ctx context.Context, a Approval) (Answer, error) { return f(ctx, a) }

// Policy is the headless Approver: it allows what was named beforehand and
// refuses the rest, saying how to allow it.
type Policy struct {
	All   bool            // --yes
	Tools map[string]bool // --allow NAME
}

// Approve allows by the policy alone.
func (p Policy) Approve(_ context.Context, a Approval) (Answer, error) {
	if p.All || p.Tools[a.Call.Name] {
		return Answer{Allowed: true}, nil
	}
	return Answer{Reason: "nobody is there to ask; run with --allow " + a.Call.Name + " or --yes"}, nil
}
