package widget

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/tool"
)

// PendingApproval is an approval that somebody waits for. Answer is called once at
// most, and must not wait.
type PendingApproval struct {
	Approval tool.Approval
	Answer   func(tool.Answer)
}

// ReasonEditor is where the reason for a refusal is written. What its keys do is
// between it and whoever made it.
type ReasonEditor interface {
	Value() string
	SetSize(width, rows int) // rows at most
	View() []string
}

// ApprovalDialog asks for approvals, one after another. Make it with NewApprovalDialog; it is
// for one goroutine.
type ApprovalDialog struct {
	st            *Styles
	quietTimer    quietTimer
	width, height int

	waiting       []*PendingApproval
	answeredCount int    // of those that waited together
	modelReason   string // what the model wrote before it asked
	cachedDetails approvalDetails
	from          int  // the first line of the arguments in sight
	tooEarly      bool // a yes came before the quiet time was over
	newReason     func() ReasonEditor
	keys          ApprovalKeys
	reason        ReasonEditor // nil while no refusal is being explained
}

// NewApprovalDialog makes a prompt that has nothing to ask yet. It takes a new editor for
// each reason.
func NewApprovalDialog(st *Styles, now func() time.Time, newReason func() ReasonEditor) *ApprovalDialog {
	return &ApprovalDialog{st: st, quietTimer: quietTimer{now: now}, newReason: newReason, keys: ApprovalKeys{Refuse: "n", Once: "y", Session: "s", Always: "a", Up: "Up", Down: "Down"}}
}

// ApprovalKeys are those that answer and scroll, as people write them; "" where none does.
type ApprovalKeys struct{ Refuse, Once, Session, Always, Up, Down string }

// SetKeys says what the answers are given with. Press goes on to take the names.
func (p *ApprovalDialog) SetKeys(k ApprovalKeys) { p.keys = k }

// SetStyles changes the theme, but not that of the reason.
func (p *ApprovalDialog) SetStyles(st *Styles) { p.st = st }

// SetSize gives the prompt its width and the most lines it may take.
func (p *ApprovalDialog) SetSize(width, height int) {
	p.width, p.height = width, height
	if p.reason != nil {
		p.reason.SetSize(width, reasonRows)
	}
}

// reasonRows is how far a reason grows.
const reasonRows = 3

// Open says whether there is something to ask.
func (p *ApprovalDialog) Open() bool { return len(p.waiting) > 0 }

// EditingReason says whether the reason for a refusal is being written.
func (p *ApprovalDialog) EditingReason() bool { return p.reason != nil }

// Ask asks q after those that wait already.
func (p *ApprovalDialog) Ask(q *PendingApproval) {
	p.waiting = append(p.waiting, q)
	if len(p.waiting) == 1 {
		p.begin()
	}
}

// SetModelReason says what the model wrote before its question, or "". It is shown as its
// words, in a line: a reason is no fact.
func (p *ApprovalDialog) SetModelReason(text string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	p.modelReason = OneLine(lines[len(lines)-1])
}

func (p *ApprovalDialog) begin() {
	p.quietTimer.start()
	p.from, p.reason, p.tooEarly = 0, nil, false
}

// Drop takes down a question that nobody waits for any more.
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

// scroll reads on in what is asked for. Nobody types arrows by accident, so the
// quiet time goes on.
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

// RestartQuietTime ends the quiet time: something was pasted.
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
	room := p.height - len(foot) - len(head)
	return slices.Concat(head, visibleRows(p.st, p.detailLines(), &p.from, room, p.width, joinKeys(p.keys.Up, p.keys.Down)), foot)
}

// head says who wants what, how many more questions wait, and why, as the model
// has it, unless that would leave little room for what is asked.
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

// approvalDetails is what is asked for as it was last drawn: changes of a file are many lines,
// and a question is drawn while an answer streams.
type approvalDetails struct {
	request *PendingApproval
	st      *Styles
	width   int

	call, changes []string
}

// detailLines is what is asked for: the plan or the arguments, and how a file would
// differ. That comes first where long paths would push it out of sight; what then
// stands below can be read on to.
func (p *ApprovalDialog) detailLines() []string {
	q := p.waiting[0]
	if p.cachedDetails.request != q || p.cachedDetails.st != p.st || p.cachedDetails.width != p.width {
		p.cachedDetails = p.paint(q)
	}
	call, changes := p.cachedDetails.call, p.cachedDetails.changes
	// Not by the lines that are left at the moment: the order must stay while a
	// question is open.
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

// DescribeEffect says what a tool asks to be allowed, as the end of a sentence about it.
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
		// Above the answers: beside them it would push them off the screen.
		out = append(out, FitLine(p.st.Warn.Apply("too soon after another key; again"), p.width))
	}
	out = append(out, FitLine(line, p.width))
	pattern := p.waiting[0].Approval.Pattern
	if pattern == "" || p.keys.Always == "" {
		return out
	}
	key := p.st.Accent.Apply(p.keys.Always) + " "
	indent := strings.Repeat(" ", ansi.StringWidth(key))
	// Whole, however long: nobody can allow for always what they cannot read.
	for i, row := range WrapText("always for "+EscapeInvisible(pattern), max(p.width-len(indent), 8)) {
		mark := indent
		if i == 0 {
			mark = key
		}
		out = append(out, FitLine(mark+row, p.width))
	}
	return out
}

// answerHints are the answers that a key gives, with so much between them.
func answerHints(st *Styles, gap string, answers ...[2]string) string {
	var parts []string
	for _, a := range answers {
		if a[0] != "" {
			parts = append(parts, st.Accent.Apply(a[0])+" "+a[1])
		}
	}
	return strings.Join(parts, gap)
}
