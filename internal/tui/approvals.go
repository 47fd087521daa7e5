package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tool"
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
	if q.Question != "" {
		m.question = &commandQuestion{widget.NewConfirmDialog(m.st, m.chat.Keys, m.chat.Now, q.Question, q.Detail), q}
	} else {
		m.prompt.Ask(q)
	}
	dropped := func() tea.Msg {
		<-q.Canceled
		return approvalDroppedMsg{q}
	}
	return tea.Batch(m.waitForApproval(), dropped, m.notify(approvalWaitingText))
}

// commandQuestion is the question of a running command, shown in place of the composer.
type commandQuestion struct {
	*widget.ConfirmDialog
	request *ApprovalRequest
}

// pressQuestion handles a key while a command's question is open.
func (m *Model) pressQuestion(k tea.KeyPressMsg) {
	if verdict := m.question.Press(k); verdict != widget.VerdictPending {
		m.question.request.Answer(tool.Answer{Allowed: verdict == widget.VerdictYes, Person: true})
		m.question = nil
	}
}

// dropRequest closes the question of a request that was canceled.
func (m *Model) dropRequest(q *ApprovalRequest) {
	if m.question != nil && m.question.request == q {
		m.question = nil
		return
	}
	m.prompt.Drop(q)
}

// asking reports whether an approval or a question is open.
func (m *Model) asking() bool { return m.prompt.Open() || m.question != nil }

// modelReason returns what the model wrote before the pending call, or "".
func (m *Model) modelReason() string {
	if m.turn == nil || !m.prompt.Open() {
		return ""
	}
	return m.turn.view.StepText()
}
