package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Approvals is the tool.Approver that asks in the chat. Make it with NewApprovals, give
// it to the router and to the chat's Config.
type Approvals = widget.Approvals

// ApprovalRequest is a pending approval for a chat without a screen. Answer must be called at most
// once.
type ApprovalRequest = widget.ApprovalRequest

// NewApprovals returns an Approver that waits for a chat to show its questions.
func NewApprovals() *Approvals { return widget.NewApprovals() }

type (
	approvalRequestedMsg struct{ request *ApprovalRequest }
	approvalDroppedMsg   struct{ request *ApprovalRequest }
)

// waitForApproval waits for a question until the chat ends.
func (m *Model) waitForApproval() tea.Cmd {
	ctx, approvals := m.ctx, m.chat.Approvals
	return func() tea.Msg {
		if q, ok := approvals.Next(ctx); ok {
			return approvalRequestedMsg{&q}
		}
		return nil
	}
}

// showApproval shows a question until it is answered, or the asker gives up.
func (m *Model) showApproval(q *ApprovalRequest) tea.Cmd {
	m.prompt.Ask(q)
	dropped := func() tea.Msg {
		<-q.Canceled
		return approvalDroppedMsg{q}
	}
	return tea.Batch(m.waitForApproval(), dropped, m.notify(approvalWaitingText))
}

// modelReason is what the model wrote before the call that asks, or "".
func (m *Model) modelReason() string {
	if m.turn == nil || !m.prompt.Open() {
		return ""
	}
	return m.turn.view.StepText()
}
