package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/ask"
)

// Approvals is the tool.Approver that asks in the chat. Make it with NewApprovals, give
// it to the router and to the chat's Config.
type Approvals = ask.Approvals

// Asked is a question for a chat that is not drawn. Answer is called once at most.
type Asked = ask.Asked

// NewApprovals returns an Approver that waits for a chat to show its questions.
func NewApprovals() *Approvals { return ask.NewApprovals() }

type (
	askedMsg   struct{ question *Asked }
	droppedMsg struct{ question *Asked }
)

// nextQuestion waits for a question until the chat ends.
func (m *Model) nextQuestion() tea.Cmd {
	ctx, approvals := m.ctx, m.cfg.Approvals
	return func() tea.Msg {
		if q, ok := approvals.Next(ctx); ok {
			return askedMsg{&q}
		}
		return nil
	}
}

// put shows a question until it is answered, or the asker gives up.
func (m *Model) put(q *Asked) tea.Cmd {
	m.prompt.Ask(&q.Question)
	dropped := func() tea.Msg {
		<-q.Gone
		return droppedMsg{q}
	}
	return tea.Batch(m.nextQuestion(), dropped, m.callBack(questionWaits))
}

// reasonGiven is what the model wrote before the call that asks, or "".
func (m *Model) reasonGiven() string {
	if m.turn == nil || !m.prompt.Open() {
		return ""
	}
	return m.turn.shown.Said()
}
