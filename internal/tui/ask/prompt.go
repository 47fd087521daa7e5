package ask

import (
	"slices"
	"strings"
	"time"

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
	from      int  // the first line of the arguments in sight
	early     bool // a yes came before the quiet time was over
	newReason func() Editor
	reason    Editor // nil while no refusal is being explained
}

// NewPrompt makes a prompt that has nothing to ask yet. It takes a new editor for
// each reason.
func NewPrompt(st *draw.Styles, now func() time.Time, newReason func() Editor) *Prompt {
	return &Prompt{st: st, arming: arming{now: now}, newReason: newReason}
}

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
	if at == 0 {
		p.begin()
	}
}

func (p *Prompt) answer(a tool.Answer) {
	q := p.waiting[0]
	q.Answer(a)
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

// View draws the question: who wants what, the exact arguments, the answers.
func (p *Prompt) View() []string {
	request := p.waiting[0].Approval
	head := p.st.Warn.Apply("!") + " " + p.st.Strong.Apply(draw.Visible(request.Call.Name)) + " " + wants(request.Effect)
	foot := p.answers()
	exactly := draw.ExactArguments(request.Call.Arguments, p.width-2)
	if len(request.Plan) > 0 {
		exactly = planned(request.Plan, p.width-2)
	}
	return slices.Concat(
		[]string{draw.Fit(head, p.width)},
		inSight(p.st, exactly, &p.from, p.height-len(foot)-1, p.width),
		foot)
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

func wants(e tool.Effect) string {
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
	key := func(k, words string) string { return p.st.Accent.Apply(k) + " " + words }
	line := key("n", "no, and say why") + "   " + key("y", "once") + "   " + key("s", "this session")
	if p.width < draw.Narrow {
		line = key("n", "no") + "  " + key("y", "once") + "  " + key("s", "session")
	}
	if p.early {
		line = p.st.Warn.Apply("that came too soon after another key; again, please") + "   " + line
	}
	out := []string{draw.Fit(line, p.width)}
	pattern := p.waiting[0].Approval.Pattern
	if pattern == "" {
		return out
	}
	// Whole, however long: nobody can allow for always what they cannot read.
	for i, row := range draw.Wrap("always for "+draw.Visible(pattern), max(p.width-2, 8)) {
		mark := "  "
		if i == 0 {
			mark = key("a", "")
		}
		out = append(out, draw.Fit(mark+row, p.width))
	}
	return out
}
