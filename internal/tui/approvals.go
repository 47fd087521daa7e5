package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui/ask"
)

// Approvals is the tool.Approver that asks on the screen. Make it with
// NewApprovals, give it to the router and to the chat's Config.
type Approvals struct {
	asked chan *question
}

// question is an approval somebody waits for.
type question struct {
	ask.Question
	ctx context.Context // the asker's: a question nobody waits for is taken down
}

// NewApprovals returns an Approver that waits for a chat to show its questions.
func NewApprovals() *Approvals {
	return &Approvals{asked: make(chan *question)}
}

// Approve asks the user and waits for the answer, or for ctx to end. It is safe
// for concurrent use; questions are asked one after another.
func (a *Approvals) Approve(ctx context.Context, request tool.Approval) (tool.Answer, error) {
	answers := make(chan tool.Answer, 1)
	answer := func(a tool.Answer) { answers <- a }
	q := &question{Question: ask.Question{Approval: request, Answer: answer}, ctx: ctx}
	select {
	case a.asked <- q:
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

type (
	askedMsg   struct{ question *question }
	droppedMsg struct{ question *question }
)

// Asked is a question for a chat that is not drawn. Answer is called once at most.
type Asked struct {
	ask.Question
	Gone <-chan struct{} // closed when nobody waits for the answer any more
}

// Next waits for a question; it is not ok when ctx ends first.
func (a *Approvals) Next(ctx context.Context) (asked Asked, ok bool) {
	select {
	case q := <-a.asked:
		return Asked{q.Question, q.ctx.Done()}, true
	case <-ctx.Done():
		return Asked{}, false
	}
}

// reasonGiven is what the model wrote before the call that asks, or "".
func (m *Model) reasonGiven() string {
	if m.turn == nil || !m.prompt.Open() {
		return ""
	}
	return m.turn.shown.Said()
}

// next is the tea.Cmd that waits for a question until the chat ends.
func (a *Approvals) next(ctx context.Context) tea.Cmd {
	return func() tea.Msg {
		select {
		case q := <-a.asked:
			return askedMsg{q}
		case <-ctx.Done():
			return nil
		}
	}
}

// dropped is the tea.Cmd that waits for the asker to give up.
func (q *question) dropped() tea.Msg {
	<-q.ctx.Done()
	return droppedMsg{q}
}
