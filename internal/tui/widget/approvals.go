package widget

import (
	"context"
	"strings"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Approvals is the tool.Approver that asks the user. Create it with NewApprovals, and pass it to
// the router and to the chat, which waits for its requests.
type Approvals struct {
	requests chan ApprovalRequest
}

// ApprovalRequest is an approval that a tool call waits for, or a confirmation that a command of the
// user waits for. Answer must be called at most once, and does not block.
type ApprovalRequest struct {
	Approval tool.Approval
	// Question is what a command asks; Detail has a line for each part of the change. Then there is no
	// Approval, and the answer is yes or no.
	Question string
	Detail   []string
	Answer   func(tool.Answer)
	Canceled <-chan struct{} // closed when the call no longer waits for the answer
}

// NewApprovals returns an Approver that waits for a chat to show its requests.
func NewApprovals() *Approvals { return &Approvals{requests: make(chan ApprovalRequest)} }

// Approve asks the user and waits for the answer, or for ctx to end. It is safe for concurrent
// use; approvals are asked one after another.
func (a *Approvals) Approve(ctx context.Context, request tool.Approval) (tool.Answer, error) {
	return a.ask(ctx, ApprovalRequest{Approval: request})
}

// Confirm asks the user to confirm their own command.
func (a *Approvals) Confirm(ctx context.Context, question string, detail []string) (yes bool, err error) {
	answer, err := a.ask(ctx, ApprovalRequest{Question: question, Detail: detail})
	return answer.Allowed, err
}

func (a *Approvals) ask(ctx context.Context, request ApprovalRequest) (tool.Answer, error) {
	answers := make(chan tool.Answer, 1)
	request.Answer, request.Canceled = func(a tool.Answer) { answers <- a }, ctx.Done()
	select {
	case a.requests <- request:
	case <-ctx.Done():
		return tool.Answer{}, ctx.Err()
	}
	select {
	case answer := <-answers:
		return answer, nil
	case <-ctx.Done():
		return tool.Answer{}, ctx.Err()
	}
}

// Next waits for a request; ok is false if ctx ends first.
func (a *Approvals) Next(ctx context.Context) (request ApprovalRequest, ok bool) {
	select {
	case q := <-a.requests:
		return q, true
	case <-ctx.Done():
		return ApprovalRequest{}, false
	}
}

// ApprovalQuestion returns the question of an approval, one sentence.
func ApprovalQuestion(a tool.Approval) string {
	switch {
	case len(a.Hosts) > 0 && a.Question != "":
		return a.Question + " The call sends a request to " + humanize.JoinAnd(a.Hosts) + "."
	case len(a.Hosts) > 0:
		return "Send a request to " + humanize.JoinAnd(a.Hosts) + "?"
	case a.Question != "":
		return a.Question
	}
	return a.Call.Name + " " + DescribeEffect(a.Effect)
}

// ApprovalTouches returns who asks for a call and what it may touch: a label and a text each. modelReason
// is what the model wrote before the call, or "".
func ApprovalTouches(a tool.Approval, modelReason string) [][2]string {
	asker := "the model"
	switch {
	case a.AskedBy != "":
		asker = "you: " + OneLine(a.AskedBy)
	case modelReason != "":
		asker += ": “" + modelReason + "”"
	}
	rows := [][2]string{{"asked by", asker}}
	var parts []string
	for _, part := range [][2]string{{"files: ", a.Touch.Files}, {"network: ", a.Touch.Network}, {"environment: ", a.Touch.Environment}} {
		if part[1] != "" {
			parts = append(parts, part[0]+part[1])
		}
	}
	if len(parts) > 0 {
		rows = append(rows, [2]string{"may touch", strings.Join(parts, " · ")})
	}
	return rows
}
