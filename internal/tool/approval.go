package tool

import (
	"context"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// Approval asks the user whether a call may run.
type Approval struct {
	Call   llm.ToolCall // with the exact arguments
	Effect Effect
	// Question says in one sentence what would happen. Empty if Call and Effect are enough.
	Question string
	// AskedBy is the user's command that led to the call, or "" if the model asks.
	AskedBy string
	Touch   Touch
	// Hosts receive the requests that need the approval, if any.
	Hosts []string
	// Plan describes what the call would do, one line each, starting with what is sent; empty if the
	// arguments are enough.
	Plan []string
	// Changes are those of Preview, without the keys that Options.Secrets removes.
	Changes []string
	// Targets is what the answer Session would allow, Pattern what Always would allow. Always is not
	// offered without a Pattern.
	Targets, Pattern string
}

// Details returns the plan or, without one, the arguments.
func (a Approval) Details() []string {
	if len(a.Plan) > 0 {
		return a.Plan
	}
	return ArgumentLines(a.Call.Arguments)
}

// Lines describes the call for a program that shows plain text: what it can touch, who receives
// something, the details and the changes. Control characters and bidirectional marks are visible.
func (a Approval) Lines() []string {
	var lines []string
	for _, row := range [][2]string{{"files", a.Touch.Files}, {"network", a.Touch.Network}, {"environment", a.Touch.Environment}, {"sends to", strings.Join(a.Hosts, ", ")}} {
		if row[1] != "" {
			lines = append(lines, row[0]+": "+row[1])
		}
	}
	lines = slices.Concat(lines, a.Details(), a.Changes)
	for i, line := range lines {
		lines[i] = markdown.EscapeInvisible(line)
	}
	return lines
}

// Touch is what a call can touch, as nfa enforces it. An empty field is not shown.
type Touch struct {
	Files, Network, Environment string
}

// Rules stores which calls the user always allows.
type Rules interface {
	Allows(tool, pattern string) bool
	Allow(ctx context.Context, tool, pattern string) error
}

// Preview describes what a tool would do with its arguments.
type Preview struct {
	Question string // see Approval
	Touch    Touch
	Plan     []string
	// Changes is the complete unified diff of an existing file, or the complete text of a new one with a +
	// before each line. A line of the file starts with its sign (+, - or a space); other lines are remarks.
	// The text is untrusted.
	Changes []string
	// Sends is what the steps of a plan send out, in addition to the call's own arguments.
	Sends []Send
	// Writes are the files that the call would write; for a plan also folders of new files. A step of an
	// approved plan that writes elsewhere needs its own approval.
	Writes []string
	// Ask requires approval for a call that otherwise needs none.
	Ask bool
	// ReadsOnly means that the call changes nothing, although the tool may.
	ReadsOnly bool
	// Key identifies what was approved: an approval for the session holds only for one key. Empty means
	// the exact arguments.
	Key string
	// Targets names what Key covers, for people.
	Targets string
	// Pattern describes similar calls, for a saved permission; a tool without one needs approval
	// in every session.
	Pattern string
	// Review is asked before anything else; nil if the user has nothing to read.
	Review *Review
	// State is passed to the run, which reads it with PreviewState.
	State any
}

// Review asks whether the user has read what somebody else wrote, such as a skill. Whether it may run now
// is a separate question.
type Review struct {
	Key      string // of exactly this text
	Question string
	Plan     []string // the whole text
	Pattern  string   // what Always saves, for people
	// Save records that the user has read it; it is called for the answer Always.
	Save func(context.Context) error
}

// Scope is how long an approval holds.
type Scope int

// Scopes of an approval.
const (
	Once    Scope = iota // this call; stored nowhere
	Session              // this tool with these targets, until the program ends or Router.ForgetApprovals is called
	Always               // exactly Pattern, until the user revokes it
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

// Policy is the Approver for runs without a terminal: it allows the tools named in advance, refuses the
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
	reason := "approval required"
	if len(a.Hosts) > 0 {
		reason += ", because the call sends a request to " + strings.Join(a.Hosts, ", ")
	}
	return Answer{Reason: reason + "; run with --allow " + a.Call.Name + " or --yes"}, nil
}
