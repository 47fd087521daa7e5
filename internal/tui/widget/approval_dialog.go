package widget

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/tool"
)

// PendingApproval is an approval that a tool call waits for. Answer must be called at most once,
// and must not block.
type PendingApproval struct {
	Approval tool.Approval
	Answer   func(tool.Answer)
}

// ReasonEditor is the editor for the reason of a refusal. The caller passes it its keys.
type ReasonEditor interface {
	Value() string
	SetSize(width, rows int) // rows at most
	View() []string
}

// ApprovalDialog asks for approvals, one after another. Create it with NewApprovalDialog; it is
// not safe for concurrent use.
type ApprovalDialog struct {
	st            *Styles
	quietTimer    quietTimer
	width, height int

	waiting       []*PendingApproval
	answeredCount int    // of the approvals that wait together
	modelReason   string // what the model wrote before it asked
	cachedDetails approvalDetails
	from          int  // the first visible line of the arguments
	tooEarly      bool // a yes came before the quiet time was over
	newReason     func() ReasonEditor
	keys          ApprovalKeys
	reason        ReasonEditor // nil unless the user is writing a reason for a refusal
}

// NewApprovalDialog returns a dialog without a question. It takes a new editor for each reason.
func NewApprovalDialog(st *Styles, now func() time.Time, newReason func() ReasonEditor) *ApprovalDialog {
	return &ApprovalDialog{st: st, quietTimer: quietTimer{now: now}, newReason: newReason, keys: ApprovalKeys{Refuse: "n", Once: "y", Session: "s", Always: "a", Up: "Up", Down: "Down"}}
}

// ApprovalKeys are the labels of the keys that answer and scroll; "" if there is none.
type ApprovalKeys struct{ Refuse, Once, Session, Always, Up, Down string }

// SetKeys sets the labels of the keys that answer. Press still takes the default names.
func (p *ApprovalDialog) SetKeys(k ApprovalKeys) { p.keys = k }

// SetStyles changes the theme, except that of the reason.
func (p *ApprovalDialog) SetStyles(st *Styles) { p.st = st }

// SetSize sets the width of the dialog and its maximum height.
func (p *ApprovalDialog) SetSize(width, height int) {
	p.width, p.height = width, height
	if p.reason != nil {
		p.reason.SetSize(width, reasonRows)
	}
}

// reasonRows is how far a reason grows.
const reasonRows = 3

// Open reports whether there is a question.
func (p *ApprovalDialog) Open() bool { return len(p.waiting) > 0 }

// EditingReason reports whether the user is writing the reason for a refusal.
func (p *ApprovalDialog) EditingReason() bool { return p.reason != nil }

// Ask adds q after the approvals that wait already.
func (p *ApprovalDialog) Ask(q *PendingApproval) {
	p.waiting = append(p.waiting, q)
	if len(p.waiting) == 1 {
		p.begin()
	}
}

// SetModelReason sets what the model wrote before its call, or "". It is shown in one line and as
// the model's words, because the model's reason is no fact.
func (p *ApprovalDialog) SetModelReason(text string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	p.modelReason = OneLine(lines[len(lines)-1])
}

func (p *ApprovalDialog) begin() {
	p.quietTimer.start()
	p.from, p.reason, p.tooEarly = 0, nil, false
}

// Drop removes an approval that no call waits for any more.
func (p *ApprovalDialog) Drop(q *PendingApproval) {
	at := slices.Index(p.waiting, q)
	if at < 0 {
		return
	}
	p.waiting = slices.Delete(p.waiting, at, at+1)
	if len(p.waiting) == 0 {
		p.answeredCount = 0
	}
	if at == 0 {
		p.begin()
	}
}

func (p *ApprovalDialog) answer(a tool.Answer) {
	q := p.waiting[0]
	q.Answer(a)
	p.answeredCount++
	p.Drop(q)
}

// Press takes a key by its name while a question is open, and reports whether
// the key is for the editor of the reason.
func (p *ApprovalDialog) Press(name string) (typed bool) {
	if p.reason == nil && p.scroll(name) {
		return false
	}
	armed := p.quietTimer.register()
	if p.reason != nil {
		return p.editReason(name)
	}
	p.tooEarly = !armed && isYes(name)
	switch name {
	case "y", "Y":
		p.allow(tool.Once, armed)
	case "s", "S":
		p.allow(tool.Session, armed)
	case "a", "A":
		if p.waiting[0].Approval.Pattern != "" {
			p.allow(tool.Always, armed)
		}
	case "n", "N", "enter":
		p.reason = p.newReason()
		p.reason.SetSize(p.width, reasonRows)
	case "esc":
		p.answer(tool.Answer{Person: true})
	}
	return false
}

// scroll scrolls the details. Nobody types arrow keys by accident, so they do not restart the
// quiet time.
func (p *ApprovalDialog) scroll(name string) bool {
	switch name {
	case "down":
		p.from++
	case "up":
		p.from = max(p.from-1, 0)
	default:
		return false
	}
	return true
}

func isYes(name string) bool {
	switch name {
	case "y", "Y", "s", "S", "a", "A":
		return true
	}
	return false
}

// RestartQuietTime restarts the quiet time after a paste.
func (p *ApprovalDialog) RestartQuietTime() { p.quietTimer.register() }

func (p *ApprovalDialog) allow(scope tool.Scope, armed bool) {
	if armed {
		p.answer(tool.Answer{Allowed: true, Scope: scope, Person: true})
	}
}

func (p *ApprovalDialog) editReason(name string) (typed bool) {
	switch name {
	case "enter":
		p.answer(tool.Answer{Reason: strings.TrimSpace(p.reason.Value()), Person: true})
	case "esc":
		p.reason = nil
	default:
		return true
	}
	return false
}

// View draws the question: who wants what and why, what exactly, the answers.
func (p *ApprovalDialog) View() []string {
	head, foot := p.head(), p.answers()
	space := p.height - len(foot) - len(head)
	return slices.Concat(head, visibleRows(p.st, p.detailLines(), &p.from, space, p.width, joinKeys(p.keys.Up, p.keys.Down)), foot)
}

// head returns who asks for what, how many approvals wait after this one, and the model's reason,
// unless it would leave too few lines for the details.
func (p *ApprovalDialog) head() []string {
	request := p.waiting[0].Approval
	wants := p.st.Warn.Apply("!") + " " + p.st.Strong.Apply(EscapeInvisible(request.Call.Name)) + " " + DescribeEffect(request.Effect)
	count := ""
	if all := p.answeredCount + len(p.waiting); all > 1 {
		count = p.st.Dim.Apply(fmt.Sprintf("%d of %d", p.answeredCount+1, all))
	}
	head := []string{JustifyLine(wants, count, p.width)}
	const little = 6
	if p.modelReason != "" && p.height >= little {
		head = append(head, p.st.Dim.Apply(FitLine("  the model says: “"+p.modelReason+"”", p.width)))
	}
	return head
}

// approvalDetails caches the details as they were last drawn: changes of a file are many lines,
// and the question is drawn again while an answer streams.
type approvalDetails struct {
	request *PendingApproval
	st      *Styles
	width   int

	call, changes []string
}

// detailLines returns the details: the plan or the arguments, and how a file would differ. The
// changes come first if long paths would push them out of view; the user can scroll to the rest.
func (p *ApprovalDialog) detailLines() []string {
	q := p.waiting[0]
	if p.cachedDetails.request != q || p.cachedDetails.st != p.st || p.cachedDetails.width != p.width {
		p.cachedDetails = p.paint(q)
	}
	call, changes := p.cachedDetails.call, p.cachedDetails.changes
	// Not by the lines that are free at the moment: the order must not change while a question is
	// open.
	const around = 4 // who asks and why, the answers
	if height := p.height - around; len(call) > height/2 && len(call)+len(changes) > height {
		return slices.Concat(changes, call)
	}
	return slices.Concat(call, changes)
}

func (p *ApprovalDialog) paint(q *PendingApproval) approvalDetails {
	call := FormatExactArguments(q.Approval.Call.Arguments, p.width-2)
	if len(q.Approval.Plan) > 0 {
		call = planLines(q.Approval.Plan, p.width-2)
	}
	return approvalDetails{q, p.st, p.width, call, changeLines(p.st, q.Approval.Changes, p.width-2)}
}

// planLines shows what would be done, each line as far as it goes: what is left out
// of sight has not been asked for.
func planLines(plan []string, width int) []string {
	var rows []string
	for _, line := range plan {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		for i, row := range WrapText(EscapeInvisible(strings.TrimSpace(line)), max(width-len(indent)-3, 8)) {
			if i > 0 {
				row = "   " + row
			}
			rows = append(rows, FitLine(indent+row, width))
		}
	}
	return rows
}

// DescribeEffect returns what a tool asks permission for, as the end of a sentence about it.
func DescribeEffect(e tool.Effect) string {
	switch e {
	case tool.Executes:
		return "wants to run a program"
	case tool.Writes:
		return "wants to make a change"
	}
	return "wants to run, and reads only"
}

func (p *ApprovalDialog) answers() []string {
	if p.reason != nil {
		return p.reason.View()
	}
	line := answerHints(p.st, "   ", [2]string{p.keys.Refuse, "no, and say why"}, [2]string{p.keys.Once, "once"}, [2]string{p.keys.Session, "this session"})
	if p.width < NarrowWidth {
		line = answerHints(p.st, "  ", [2]string{p.keys.Refuse, "no"}, [2]string{p.keys.Once, "once"}, [2]string{p.keys.Session, "session"})
	}
	var out []string
	if p.tooEarly {
		// Above the answers, because it does not fit next to them.
		out = append(out, FitLine(p.st.Warn.Apply("too soon after another key; again"), p.width))
	}
	out = append(out, FitLine(line, p.width))
	pattern := p.waiting[0].Approval.Pattern
	if pattern == "" || p.keys.Always == "" {
		return out
	}
	key := p.st.Accent.Apply(p.keys.Always) + " "
	indent := strings.Repeat(" ", ansi.StringWidth(key))
	// In full, however long: the user must be able to read what they always allow.
	for i, row := range WrapText("always for "+EscapeInvisible(pattern), max(p.width-len(indent), 8)) {
		mark := indent
		if i == 0 {
			mark = key
		}
		out = append(out, FitLine(mark+row, p.width))
	}
	return out
}

// answerHints returns the answers that have a key, with gap between them.
func answerHints(st *Styles, gap string, answers ...[2]string) string {
	var parts []string
	for _, a := range answers {
		if a[0] != "" {
			parts = append(parts, st.Accent.Apply(a[0])+" "+a[1])
		}
	}
	return strings.Join(parts, gap)
}
