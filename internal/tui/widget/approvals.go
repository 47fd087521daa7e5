package widget

import (
	"context"

	"github.com/nfa-cli/nfa/internal/tool"
)

// Approvals is the tool.Approver that asks a person. Make it with NewApprovals, give it
// to the router and to the chat, which waits for its questions.
type Approvals struct {
	requests chan ApprovalRequest
}

// ApprovalRequest is an approval that somebody waits for. Answer is called once at most.
type ApprovalRequest struct {
	PendingApproval
	Canceled <-chan struct{} // closed when nobody waits for the answer any more
}

// NewApprovals returns an Approver that waits for a chat to show its questions.
func NewApprovals() *Approvals { return &Approvals{requests: make(chan ApprovalRequest)} }

// Approve asks the user and waits for the answer, or for ctx to end. It is safe
// for concurrent use; questions are asked one after another.
func (a *Approvals) Approve(ctx context.Context, request tool.Approval) (tool.Answer, error) {
	answers := make(chan tool.Answer, 1)
	answer := func(a tool.Answer) { answers <- a }
	select {
	case a.requests <- ApprovalRequest{PendingApproval{Approval: request, Answer: answer}, ctx.Done()}:
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

// Next waits for a question; it is not ok when ctx ends first.
func (a *Approvals) Next(ctx context.Context) (asked ApprovalRequest, ok bool) {
	select {
	case q := <-a.requests:
		return q, true
	case <-ctx.Done():
		return ApprovalRequest{}, false
	}
}
