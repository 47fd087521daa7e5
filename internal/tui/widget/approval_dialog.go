package widget

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/markdown"
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
	from          int    // the first visible line of the details
	seenAll       bool   // the last line of the details was visible
	full          bool   // the details fill the dialog
	choice        int    // the selected answer; 0 is no
	hint          string // why a yes did not count
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
	p.from, p.reason, p.hint, p.seenAll, p.full, p.choice = 0, nil, "", false, false, 0
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
	// These keys are not typed by accident, so they do not restart the quiet time.
	switch action {
	case "approval-down", "approval-up":
		p.move(map[string]int{"approval-down": 1, "approval-up": -1}[action])
		return nil
	case "approval-page-down", "approval-end":
		if !p.full {
			p.full, p.from = true, 0
		}
		p.from += max(p.space()-1, 1)
		if action == "approval-end" {
			p.from = len(p.detailLines())
		}
		return nil
	case "approval-view":
		p.full, p.from = !p.full, 0
		return nil
	}
	p.noteSeen()
	armed := p.quietTimer.register()
	options := p.answerOptions()
	chosen := slices.IndexFunc(options, func(o answerOption) bool { return o.action == action })
	if action == "approval-confirm" {
		chosen = p.choice
	}
	isYes := chosen > 0
	p.hint = ""
	switch {
	case isYes && !armed:
		p.hint = "too soon; press the key again"
	case isYes && !p.seenAll:
		// A yes counts only after the end was visible.
		p.hint = "Not approved yet. Scroll to the end, then press " + KeyLabel(k.String()) + "."
		if p.full {
			p.from, p.hint = len(p.detailLines()), "This is the end. Press "+KeyLabel(k.String())+" again to approve."
		} else {
			p.full, p.from = true, 0
		}
	case isYes:
		p.answer(tool.Answer{Allowed: true, Scope: options[chosen].scope, Person: true})
	case action == "refuse":
		p.reason = NewComposer(p.st, p.keys, "reason: ")
		p.reason.SetSize(p.width, reasonRows)
	case action == "refuse-all":
		for p.Open() {
			p.answer(tool.Answer{Person: true})
		}
	case action == "refuse-at-once" && p.full:
		p.full, p.from = false, 0
	case action == "refuse-at-once", action == "approval-confirm":
		p.answer(tool.Answer{Person: true})
	}
	return nil
}

// move selects another answer or, if the answers are not a list, scrolls.
func (p *ApprovalDialog) move(by int) {
	if p.full || !p.listsAnswers() {
		p.from = max(p.from+by, 0)
		return
	}
	p.choice = min(max(p.choice+by, 0), len(p.answerOptions())-1)
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

// View draws the question, what the call may touch, the details, and the answers.
func (p *ApprovalDialog) View() []string {
	p.noteSeen()
	head, foot := p.head(), p.answers()
	return slices.Concat(head, p.visibleDetails(), foot)
}

// space returns the number of rows for the details.
func (p *ApprovalDialog) space() int { return max(p.height-len(p.head())-len(p.answers()), 1) }

// noteSeen remembers whether the last line of the details is visible.
func (p *ApprovalDialog) noteSeen() {
	rows, space := len(p.detailLines()), p.space()
	p.seenAll = p.seenAll || rows <= space || p.from+max(space-1, 1) >= rows
}

// visibleDetails returns the details, or those that fit and how many more there are.
func (p *ApprovalDialog) visibleDetails() []string {
	rows, space := p.detailLines(), p.space()
	if label := p.keys.Label("approval-view"); len(rows) > space && !p.full && p.listsAnswers() && label != "" {
		shown := max(space-1, 0)
		out := make([]string, 0, space)
		for _, row := range rows[:shown] {
			out = append(out, "  "+row)
		}
		return append(out, "  "+p.st.Warn.Apply(FitLine(fmt.Sprintf("+%s, %s to view all", humanize.Count(len(rows)-shown, "more line", "more lines"), label), p.width-2)))
	}
	return visibleRows(p.st, rows, &p.from, space, p.width, p.keys.Label("approval-up"), p.keys.Label("approval-down"))
}

// The answers are a list from this size on.
const (
	minListHeight = 13
	minListWidth  = 50
)

func (p *ApprovalDialog) listsAnswers() bool {
	return p.height >= minListHeight && p.width >= minListWidth && !p.full
}

// head returns the question, the number of approvals and, if there is space, who asks and what the call
// may touch.
func (p *ApprovalDialog) head() []string {
	request := p.waiting[0].Approval
	count := ""
	if all := p.answeredCount + len(p.waiting); all > 1 {
		count = fmt.Sprintf("%d of %d", p.answeredCount+1, all)
	}
	mark := p.st.Warn.Apply("!") + " "
	var head []string
	for i, row := range WrapText(markdown.EscapeInvisible(ApprovalQuestion(request)), max(p.width-2-ansi.StringWidth(count)-1, 8)) {
		row = mark + p.st.Strong.Apply(row)
		if i == 0 {
			row = JustifyLine(row, p.st.Dim.Apply(count), p.width)
		}
		head, mark = append(head, FitLine(row, p.width)), "  "
	}
	if most := max(p.height-4, 1); len(head) > most {
		head = head[:most]
	}
	const little = 6
	if p.full || p.height < little {
		return head
	}
	for _, touch := range ApprovalTouches(request, p.modelReason) {
		label := fmt.Sprintf("  %-11s ", touch[0])
		for _, row := range WrapText(markdown.EscapeInvisible(touch[1]), max(p.width-len(label), 8)) {
			if len(head) < p.height/2 {
				head = append(head, p.st.Dim.Apply(FitLine(label+row, p.width)))
			}
			label = strings.Repeat(" ", len(label))
		}
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
	if height := p.height - around; len(q.Approval.Hosts) == 0 && len(call) > height/2 && len(call)+len(changes) > height {
		return slices.Concat(changes, call)
	}
	return slices.Concat(call, changes)
}

func (p *ApprovalDialog) paint(q *ApprovalRequest) approvalDetails {
	call := planLines(q.Approval.Details(), p.width-2)
	return approvalDetails{q, p.st.version, p.width, call, changeLines(p.st, q.Approval.Changes, p.width-2)}
}

// planLines wraps the plan without cutting it, because the user must see everything they approve.
func planLines(plan []string, width int) []string {
	var rows []string
	for _, line := range plan {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		for i, row := range WrapText(markdown.EscapeInvisible(strings.TrimSpace(line)), max(width-len(indent)-3, 8)) {
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

// answerOption is a possible answer.
type answerOption struct {
	action, label, about string
	scope                tool.Scope
}

// answerOptions returns the answers to the question, no first.
func (p *ApprovalDialog) answerOptions() []answerOption {
	request := p.waiting[0].Approval
	targets := request.Targets
	if targets == "" {
		targets = request.Call.Name + " with exactly these arguments, until you quit"
	}
	options := []answerOption{
		{"refuse", "No", "nothing runs; you can add a reason", tool.Once},
		{"allow-once", "Yes, once", "this call", tool.Once},
		{"allow-session", "Yes, this session", targets, tool.Session},
	}
	if request.Pattern != "" {
		options = append(options, answerOption{"allow-always", "Always", request.Pattern, tool.Always})
	}
	return slices.DeleteFunc(options, func(o answerOption) bool { return o.action != "refuse" && p.keys.Label(o.action) == "" })
}

func (p *ApprovalDialog) answers() []string {
	switch {
	case p.reason != nil:
		return p.reason.View()
	case p.listsAnswers():
		return p.answerList()
	}
	return p.answerLine()
}

// hintRows returns why a yes did not count.
func (p *ApprovalDialog) hintRows() []string {
	if p.hint == "" {
		return nil
	}
	rows := WrapProse(p.hint, p.width)
	for i, row := range rows {
		rows[i] = p.st.Warn.Apply(row)
	}
	return rows
}

// answerList returns the answers as a list, with what each covers, which is never cut.
func (p *ApprovalDialog) answerList() []string {
	out := p.hintRows()
	for i, o := range p.answerOptions() {
		bar := "  "
		if i == p.choice {
			bar = "› "
		}
		label := fmt.Sprintf("%s%-2s %-18s ", bar, p.keys.Label(o.action), o.label)
		for _, row := range WrapText(markdown.EscapeInvisible(o.about), max(p.width-ansi.StringWidth(label), 8)) {
			line := FitLine(label+row, p.width)
			if i == p.choice {
				line = p.st.Accent.Apply(line)
			}
			out = append(out, line)
			label = strings.Repeat(" ", ansi.StringWidth(label))
		}
	}
	hints := fmt.Sprintf("%s/%s choose   %s confirm   %s view all   %s no", p.keys.Label("approval-up"), p.keys.Label("approval-down"),
		p.keys.Label("approval-confirm"), p.keys.Label("approval-view"), p.keys.Label("refuse-at-once"))
	return append(out, p.st.Dim.Apply(FitLine(hints, p.width)))
}

// answerLine returns the answers in one line, for a small screen and the full view.
func (p *ApprovalDialog) answerLine() []string {
	escape := ActionHint{"refuse-at-once", "no"}
	if p.full {
		escape.Text = "back"
	}
	answers, gap := []ActionHint{{"refuse", "no"}, {"allow-once", "yes, once"}, {"allow-session", "yes, this session"}}, "   "
	if p.width < NarrowWidth {
		answers, gap = []ActionHint{{"refuse", "no"}, {"allow-once", "once"}, {"allow-session", "session"}}, "  "
	}
	line := p.keys.Hints(p.st.Accent, gap, append(answers, escape)...)
	if ansi.StringWidth(line) > p.width {
		line = p.keys.Hints(p.st.Accent, gap, answers...)
	}
	out := p.hintRows() // above the answers, because it does not fit next to them
	out = append(out, FitLine(line, p.width))
	pattern, label := p.waiting[0].Approval.Pattern, p.keys.Label("allow-always")
	if pattern == "" || label == "" {
		return out
	}
	key := p.st.Accent.Apply(label) + " "
	indent := strings.Repeat(" ", ansi.StringWidth(key))
	// Never cut the pattern, because it is what the user allows permanently.
	for i, row := range WrapText("always for "+markdown.EscapeInvisible(pattern), max(p.width-len(indent), 8)) {
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
			for _, row := range WrapText(markdown.EscapeInvisible(line), width) {
				rows = append(rows, st.Dim.Apply(row))
			}
			continue
		}
		// Expand tabs before the sign shifts the columns.
		text := markdown.EscapeInvisible(strings.ReplaceAll(line[1:], "\t", "    "))
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
