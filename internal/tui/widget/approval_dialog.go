package widget

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/tool"
)

// ApprovalDialog asks for approvals, one after another. Create it with NewApprovalDialog; it is
// not safe for concurrent use.
type ApprovalDialog struct {
	st            *Styles
	quietTimer    quietTimer
	width, height int

	waiting       []*ApprovalRequest
	answeredCount int    // since no approval was pending
	modelReason   string // the model's text before the call
	cachedDetails approvalDetails
	from          int  // the first visible line of the arguments
	tooEarly      bool // a yes was pressed during the quiet time
	keys          KeyMap
	reason        *Composer // nil unless the user is writing a reason for a refusal
}

// NewApprovalDialog returns a dialog without a question.
func NewApprovalDialog(st *Styles, keys KeyMap, now func() time.Time) *ApprovalDialog {
	return &ApprovalDialog{st: st, keys: keys, quietTimer: quietTimer{now: now}}
}

// SetSize sets the width of the dialog and its maximum height.
func (p *ApprovalDialog) SetSize(width, height int) {
	p.width, p.height = width, height
	if p.reason != nil {
		p.reason.SetSize(width, reasonRows)
	}
}

// reasonRows is the maximum height of a reason.
const reasonRows = 3

// Open reports whether there is a question.
func (p *ApprovalDialog) Open() bool { return len(p.waiting) > 0 }

// Ask adds q after the pending approvals.
func (p *ApprovalDialog) Ask(q *ApprovalRequest) {
	p.waiting = append(p.waiting, q)
	if len(p.waiting) == 1 {
		p.begin()
	}
}

// SetModelReason sets what the model wrote before its call, or "". View quotes its last line as the
// model's words, because it may be wrong.
func (p *ApprovalDialog) SetModelReason(text string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	p.modelReason = OneLine(lines[len(lines)-1])
}

func (p *ApprovalDialog) begin() {
	p.quietTimer.start()
	p.from, p.reason, p.tooEarly = 0, nil, false
}

// Drop removes an approval whose call no longer waits.
func (p *ApprovalDialog) Drop(q *ApprovalRequest) {
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

// Press handles a key while a question is open.
func (p *ApprovalDialog) Press(k tea.KeyPressMsg) tea.Cmd {
	if p.reason != nil {
		return p.pressReason(k)
	}
	action := p.keys.Action(ScopeApproval, k)
	// Arrow keys are not typed by accident, so they do not restart the quiet time.
	switch action {
	case "approval-down":
		p.from++
		return nil
	case "approval-up":
		p.from = max(p.from-1, 0)
		return nil
	}
	armed := p.quietTimer.register()
	scopes := map[string]tool.Scope{"allow-once": tool.Once, "allow-session": tool.Session, "allow-always": tool.Always}
	scope, isYes := scopes[action]
	p.tooEarly = isYes && !armed
	switch {
	case action == "allow-always" && p.waiting[0].Approval.Pattern == "":
	case isYes && armed:
		p.answer(tool.Answer{Allowed: true, Scope: scope, Person: true})
	case action == "refuse":
		p.reason = NewComposer(p.st, p.keys, "reason: ")
		p.reason.SetSize(p.width, reasonRows)
	case action == "refuse-at-once":
		p.answer(tool.Answer{Person: true})
	}
	return nil
}

// pressReason handles a key while the user writes a reason, which is sent with the same key as a
// message.
func (p *ApprovalDialog) pressReason(k tea.KeyPressMsg) tea.Cmd {
	p.quietTimer.register()
	switch p.keys.Action(ScopeWriting, k) {
	case "send":
		p.answer(tool.Answer{Reason: strings.TrimSpace(p.reason.Value()), Person: true})
	case "stop":
		p.reason = nil
	default:
		return p.reason.Update(k)
	}
	return nil
}

// Paste adds pasted text to the reason. It restarts the quiet time.
func (p *ApprovalDialog) Paste(msg tea.PasteMsg) tea.Cmd {
	p.quietTimer.register()
	if p.reason == nil {
		return nil
	}
	return p.reason.Update(msg)
}

// Cursor returns the cursor in the reason, relative to the last lines rows of View.
func (p *ApprovalDialog) Cursor() (c *tea.Cursor, lines int) {
	if p.reason == nil {
		return nil, 0
	}
	return p.reason.Cursor(), p.reason.Height()
}

// View draws the question: the tool and its effect, the details, and the answers.
func (p *ApprovalDialog) View() []string {
	head, foot := p.head(), p.answers()
	space := p.height - len(foot) - len(head)
	return slices.Concat(head, visibleRows(p.st, p.detailLines(), &p.from, space, p.width, p.keys.Label("approval-up"), p.keys.Label("approval-down")), foot)
}

// head returns the tool and its effect, the number of approvals and, if there is space, the model's
// reason.
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
		head = append(head, p.st.Dim.Apply(FitLine("  the model: “"+p.modelReason+"”", p.width)))
	}
	return head
}

// approvalDetails caches the drawn details, because a diff is long and the question is drawn again
// while an answer streams.
type approvalDetails struct {
	request *ApprovalRequest
	theme   int
	width   int

	call, changes []string
}

// detailLines returns the plan or the arguments, and the diff of a file. The diff comes first if
// long paths would push it out of view.
func (p *ApprovalDialog) detailLines() []string {
	q := p.waiting[0]
	if p.cachedDetails.request != q || p.cachedDetails.theme != p.st.version || p.cachedDetails.width != p.width {
		p.cachedDetails = p.paint(q)
	}
	call, changes := p.cachedDetails.call, p.cachedDetails.changes
	// Use a constant instead of the free rows, so that the order stays the same while a question is
	// open.
	const around = 4 // the head and the answers
	if height := p.height - around; len(call) > height/2 && len(call)+len(changes) > height {
		return slices.Concat(changes, call)
	}
	return slices.Concat(call, changes)
}

func (p *ApprovalDialog) paint(q *ApprovalRequest) approvalDetails {
	call := FormatExactArguments(q.Approval.Call.Arguments, p.width-2)
	if len(q.Approval.Plan) > 0 {
		call = planLines(q.Approval.Plan, p.width-2)
	}
	return approvalDetails{q, p.st.version, p.width, call, changeLines(p.st, q.Approval.Changes, p.width-2)}
}

// planLines wraps the plan without cutting it, because the user must see everything they approve.
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

// DescribeEffect returns what a tool asks permission for, as a phrase that follows its name.
func DescribeEffect(e tool.Effect) string {
	switch e {
	case tool.Executes:
		return "wants to run a program"
	case tool.Writes:
		return "wants to make a change"
	}
	return "wants to run (read-only)"
}

func (p *ApprovalDialog) answers() []string {
	if p.reason != nil {
		return p.reason.View()
	}
	line := p.keys.Hints(p.st.Accent, "   ", ActionHint{"refuse", "no (reason optional)"}, ActionHint{"allow-once", "yes, once"}, ActionHint{"allow-session", "yes, this session"})
	if p.width < NarrowWidth {
		line = p.keys.Hints(p.st.Accent, "  ", ActionHint{"refuse", "no"}, ActionHint{"allow-once", "once"}, ActionHint{"allow-session", "session"})
	}
	var out []string
	if p.tooEarly {
		// Above the answers, because it does not fit next to them.
		out = append(out, FitLine(p.st.Warn.Apply("too soon; press it again"), p.width))
	}
	out = append(out, FitLine(line, p.width))
	pattern, label := p.waiting[0].Approval.Pattern, p.keys.Label("allow-always")
	if pattern == "" || label == "" {
		return out
	}
	key := p.st.Accent.Apply(label) + " "
	indent := strings.Repeat(" ", ansi.StringWidth(key))
	// Never cut the pattern, because it is what the user allows permanently.
	for i, row := range WrapText("always for "+EscapeInvisible(pattern), max(p.width-len(indent), 8)) {
		mark := indent
		if i == 0 {
			mark = key
		}
		out = append(out, FitLine(mark+row, p.width))
	}
	return out
}

// changeLines draws a diff without cutting its lines. Text that is not a line of the file starts in
// the column of the signs, so that no line of the file can imitate it.
func changeLines(st *Styles, lines []string, width int) []string {
	var rows []string
	for _, line := range lines {
		if line == "" || !strings.ContainsRune("+- ", rune(line[0])) {
			for _, row := range WrapText(EscapeInvisible(line), width) {
				rows = append(rows, st.Dim.Apply(row))
			}
			continue
		}
		// Expand tabs before the sign shifts the columns.
		text := EscapeInvisible(strings.ReplaceAll(line[1:], "\t", "    "))
		mark := line[:1] + " "
		for _, row := range WrapText(text, max(width-len(mark), 1)) {
			rows = append(rows, colorChange(st, line[0], FitLine(mark+row, width)))
			mark = line[:1] + "↳"
		}
	}
	return rows
}

func colorChange(st *Styles, sign byte, row string) string {
	switch sign {
	case '+':
		return st.Good.Apply(row)
	case '-':
		return st.Bad.Apply(row)
	}
	return row
}
