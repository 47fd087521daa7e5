package ask

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// Question is an approval that somebody waits for. Answer is called once at
// most, and must not wait.
type Question struct {
	Approval tool.Approval
	Answer   func(tool.Answer)
}

// Editor is where the reason for a refusal is written. What its keys do is
// between it and whoever made it.
type Editor interface {
	Value() string
	SetSize(width, rows int) // rows at most
	View() []string
}

// Prompt asks for approvals, one after another. Make it with NewPrompt; it is
// for one goroutine.
type Prompt struct {
	st            *draw.Styles
	arming        arming
	width, height int

	waiting   []*Question
	answered  int    // of those that waited together
	quote     string // what the model wrote before it asked
	drawn     exact
	from      int  // the first line of the arguments in sight
	early     bool // a yes came before the quiet time was over
	newReason func() Editor
	keys      Keys
	reason    Editor // nil while no refusal is being explained
}

// NewPrompt makes a prompt that has nothing to ask yet. It takes a new editor for
// each reason.
func NewPrompt(st *draw.Styles, now func() time.Time, newReason func() Editor) *Prompt {
	return &Prompt{st: st, arming: arming{now: now}, newReason: newReason, keys: Keys{Refuse: "n", Once: "y", Session: "s", Always: "a", Up: "Up", Down: "Down"}}
}

// Keys are those that answer and scroll, as people write them; "" where none does.
type Keys struct{ Refuse, Once, Session, Always, Up, Down string }

// SetKeys says what the answers are given with. Press goes on to take the names.
func (p *Prompt) SetKeys(k Keys) { p.keys = k }

// SetStyles changes the theme, but not that of the reason.
func (p *Prompt) SetStyles(st *draw.Styles) { p.st = st }

// SetSize gives the prompt its width and the most lines it may take.
func (p *Prompt) SetSize(width, height int) {
	p.width, p.height = width, height
	if p.reason != nil {
		p.reason.SetSize(width, reasonRows)
	}
}

// reasonRows is how far a reason grows.
const reasonRows = 3

// Open says whether there is something to ask.
func (p *Prompt) Open() bool { return len(p.waiting) > 0 }

// Explaining says whether the reason for a refusal is being written.
func (p *Prompt) Explaining() bool { return p.reason != nil }

// Ask asks q after those that wait already.
func (p *Prompt) Ask(q *Question) {
	p.waiting = append(p.waiting, q)
	if len(p.waiting) == 1 {
		p.begin()
	}
}

// Quote says what the model wrote before its question, or "". It is shown as its
// words, in a line: a reason is no fact.
func (p *Prompt) Quote(text string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	p.quote = draw.OneLine(lines[len(lines)-1])
}

func (p *Prompt) begin() {
	p.arming.begin()
	p.from, p.reason, p.early = 0, nil, false
}

// Drop takes down a question that nobody waits for any more.
func (p *Prompt) Drop(q *Question) {
	at := slices.Index(p.waiting, q)
	if at < 0 {
		return
	}
	p.waiting = slices.Delete(p.waiting, at, at+1)
	if len(p.waiting) == 0 {
		p.answered = 0
	}
	if at == 0 {
		p.begin()
	}
}

func (p *Prompt) answer(a tool.Answer) {
	q := p.waiting[0]
	q.Answer(a)
	p.answered++
	p.Drop(q)
}

// Press takes a key by its name while a question is open, and reports whether
// the key is for the editor of the reason.
func (p *Prompt) Press(name string) (typed bool) {
	if p.reason == nil && p.scroll(name) {
		return false
	}
	armed := p.arming.take()
	if p.reason != nil {
		return p.explain(name)
	}
	p.early = !armed && isYes(name)
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
func (p *Prompt) scroll(name string) bool {
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

// Disturb ends the quiet time: something was pasted.
func (p *Prompt) Disturb() { p.arming.take() }

func (p *Prompt) allow(scope tool.Scope, armed bool) {
	if armed {
		p.answer(tool.Answer{Allowed: true, Scope: scope, Person: true})
	}
}

func (p *Prompt) explain(name string) (typed bool) {
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
func (p *Prompt) View() []string {
	head, foot := p.head(), p.answers()
	room := p.height - len(foot) - len(head)
	return slices.Concat(head, inSight(p.st, p.exactly(), &p.from, room, p.width, both(p.keys.Up, p.keys.Down)), foot)
}

// head says who wants what, how many more questions wait, and why, as the model
// has it, unless that would leave little room for what is asked.
func (p *Prompt) head() []string {
	request := p.waiting[0].Approval
	wants := p.st.Warn.Apply("!") + " " + p.st.Strong.Apply(draw.Visible(request.Call.Name)) + " " + Wants(request.Effect)
	count := ""
	if all := p.answered + len(p.waiting); all > 1 {
		count = p.st.Dim.Apply(fmt.Sprintf("%d of %d", p.answered+1, all))
	}
	head := []string{draw.Spread(wants, count, p.width)}
	const little = 6
	if p.quote != "" && p.height >= little {
		head = append(head, p.st.Dim.Apply(draw.Fit("  the model says: “"+p.quote+"”", p.width)))
	}
	return head
}

// exact is what is asked for as it was last drawn: changes of a file are many lines,
// and a question is drawn while an answer streams.
type exact struct {
	of    *Question
	st    *draw.Styles
	width int

	call, changes []string
}

// exactly is what is asked for: the plan or the arguments, and how a file would
// differ. That comes first where long paths would push it out of sight; what then
// stands below can be read on to.
func (p *Prompt) exactly() []string {
	q := p.waiting[0]
	if p.drawn.of != q || p.drawn.st != p.st || p.drawn.width != p.width {
		p.drawn = p.paint(q)
	}
	call, changes := p.drawn.call, p.drawn.changes
	// Not by the lines that are left at the moment: the order must stay while a
	// question is open.
	const around = 4 // who asks and why, the answers
	if room := p.height - around; len(call) > room/2 && len(call)+len(changes) > room {
		return slices.Concat(changes, call)
	}
	return slices.Concat(call, changes)
}

func (p *Prompt) paint(q *Question) exact {
	call := draw.ExactArguments(q.Approval.Call.Arguments, p.width-2)
	if len(q.Approval.Plan) > 0 {
		call = planned(q.Approval.Plan, p.width-2)
	}
	return exact{q, p.st, p.width, call, changed(p.st, q.Approval.Changes, p.width-2)}
}

// planned shows what would be done, each line as far as it goes: what is left out
// of sight has not been asked for.
func planned(plan []string, width int) []string {
	var rows []string
	for _, line := range plan {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		for i, row := range draw.Wrap(draw.Visible(strings.TrimSpace(line)), max(width-len(indent)-3, 8)) {
			if i > 0 {
				row = "   " + row
			}
			rows = append(rows, draw.Fit(indent+row, width))
		}
	}
	return rows
}

// Wants says what a tool asks to be allowed, as the end of a sentence about it.
func Wants(e tool.Effect) string {
	switch e {
	case tool.Executes:
		return "wants to run a program"
	case tool.Writes:
		return "wants to make a change"
	}
	return "wants to run, and reads only"
}

func (p *Prompt) answers() []string {
	if p.reason != nil {
		return p.reason.View()
	}
	line := offers(p.st, "   ", [2]string{p.keys.Refuse, "no, and say why"}, [2]string{p.keys.Once, "once"}, [2]string{p.keys.Session, "this session"})
	if p.width < draw.Narrow {
		line = offers(p.st, "  ", [2]string{p.keys.Refuse, "no"}, [2]string{p.keys.Once, "once"}, [2]string{p.keys.Session, "session"})
	}
	var out []string
	if p.early {
		// Above the answers: beside them it would push them off the screen.
		out = append(out, draw.Fit(p.st.Warn.Apply("too soon after another key; again"), p.width))
	}
	out = append(out, draw.Fit(line, p.width))
	pattern := p.waiting[0].Approval.Pattern
	if pattern == "" || p.keys.Always == "" {
		return out
	}
	key := p.st.Accent.Apply(p.keys.Always) + " "
	indent := strings.Repeat(" ", ansi.StringWidth(key))
	// Whole, however long: nobody can allow for always what they cannot read.
	for i, row := range draw.Wrap("always for "+draw.Visible(pattern), max(p.width-len(indent), 8)) {
		mark := indent
		if i == 0 {
			mark = key
		}
		out = append(out, draw.Fit(mark+row, p.width))
	}
	return out
}

// offers are the answers that a key gives, with so much between them.
func offers(st *draw.Styles, gap string, answers ...[2]string) string {
	var parts []string
	for _, a := range answers {
		if a[0] != "" {
			parts = append(parts, st.Accent.Apply(a[0])+" "+a[1])
		}
	}
	return strings.Join(parts, gap)
}
