package tool

import (
	"context"

	"github.com/nfa-cli/nfa/internal/llm"
)

// Approval asks the user whether a call may run.
type Approval struct {
	Call   llm.ToolCall // with the exact arguments
	Effect Effect
	// Plan describes what the call would do, one line each; empty if the arguments are enough.
	Plan []string
	// Changes are those of Preview, without the secrets that Options.Hide removes.
	Changes []string
	// Pattern is what the answer Always would allow: this call and similar ones. Empty if Always
	// is not offered.
	Pattern string
}

// Rules saves what the user has always allowed.
type Rules interface {
	Allows(tool, pattern string) bool
	Allow(ctx context.Context, tool, pattern string) error
}

// Preview describes what a tool would do with its arguments.
type Preview struct {
	Plan []string
	// Changes is the unified diff of an existing file, short enough to read. A line of the file
	// starts with its sign (+, - or a blank); other lines are remarks, such as how many lines are
	// omitted. The text is untrusted.
	Changes []string
	// Ask requires approval for a call that otherwise needs none.
	Ask bool
	// Key identifies what was approved: an approval for the session holds only for one key.
	Key string
	// Pattern describes similar calls, for a saved permission; a tool without one needs approval
	// in every session.
	Pattern string
	// State is passed to the run, which reads it with PreviewState.
	State any
}

// Scope is how long an approval holds.
type Scope int

// Scopes of an approval.
const (
	Once    Scope = iota // this call
	Session              // this tool, until the program ends or Router.ForgetApprovals is called
	Always               // calls of the same Pattern, until the user revokes it
)

// Answer is the reply to an Approval. A refusal's Reason reaches the model.
type Answer struct {
	Allowed bool
	Scope   Scope
	Reason  string
	// Person means that a person saw the request and answered it.
	Person bool
}

// Approver answers for the user. It must be safe for concurrent use and return ctx's error if ctx
// ends first.
type Approver interface {
	Approve(ctx context.Context, a Approval) (Answer, error)
}

// ApproverFunc adapts a function to an Approver.
type ApproverFunc func(ctx context.Context, a Approval) (Answer, error)

// Approve calls f.
func (f ApproverFunc) Approve(ctx context.Context, a Approval) (Answer, error) { return f(ctx, a) }

// Policy is the Approver without a terminal: it allows the tools named in advance, refuses the
// others and says how to allow them.
type Policy struct {
	All   bool            // --yes
	Tools map[string]bool // --allow NAME
}

// Approve answers according to the policy.
func (p Policy) Approve(_ context.Context, a Approval) (Answer, error) {
	if p.All || p.Tools[a.Call.Name] {
		return Answer{Allowed: true}, nil
	}
	return Answer{Reason: "approval required; run with --allow " + a.Call.Name + " or --yes"}, nil
}
