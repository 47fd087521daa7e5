package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Approvals is the tool.Approver that asks in the chat. Create it with NewApprovals, and pass it to
// the tool router and to Config.
type Approvals = widget.Approvals

// ApprovalRequest is a pending approval. Answer must be called at most once.
type ApprovalRequest = widget.ApprovalRequest

// NewApprovals returns an Approver that waits for a chat to show its requests.
func NewApprovals() *Approvals { return widget.NewApprovals() }

type (
	approvalRequestedMsg struct{ request *ApprovalRequest }
	approvalDroppedMsg   struct{ request *ApprovalRequest }
)

// waitForApproval returns the command that waits for a request.
func (m *Model) waitForApproval() tea.Cmd {
	ctx, approvals := m.ctx, m.chat.Approvals
	return func() tea.Msg {
		if q, ok := approvals.Next(ctx); ok {
			return approvalRequestedMsg{&q}
		}
		return nil
	}
}

// showApproval shows a request until it is answered or canceled.
func (m *Model) showApproval(q *ApprovalRequest) tea.Cmd {
	m.prompt.Ask(q)
	dropped := func() tea.Msg {
		<-q.Canceled
		return approvalDroppedMsg{q}
	}
	return tea.Batch(m.waitForApproval(), dropped, m.notify(approvalWaitingText))
}

// modelReason returns what the model wrote before the pending call, or "".
func (m *Model) modelReason() string {
	if m.turn == nil || !m.prompt.Open() {
		return ""
	}
	return m.turn.view.StepText()
}
