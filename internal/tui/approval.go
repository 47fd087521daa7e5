package tui

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

// prompt asks for approvals in the place of the composer, one after another.
type prompt struct {
	st            *draw.Styles
	arming        arming
	width, height int

	waiting []*question
	from    int       // the first line of the arguments in sight
	reason  *composer // open while a refusal is being explained
}

// SetSize gives the prompt its width and the most lines it may take.
func (p *prompt) SetSize(width, height int) {
	p.width, p.height = width, height
	if p.reason != nil {
		p.reason.SetSize(width, 3)
	}
}

func (p *prompt) open() bool { return len(p.waiting) > 0 }

func (p *prompt) ask(q *question) {
	p.waiting = append(p.waiting, q)
	if len(p.waiting) == 1 {
		p.begin()
	}
}

func (p *prompt) begin() {
	p.arming.begin()
	p.from, p.reason = 0, nil
}

// drop takes down a question that nobody waits for any more.
func (p *prompt) drop(q *question) {
	for i, w := range p.waiting {
		if w == q {
			p.waiting = append(p.waiting[:i:i], p.waiting[i+1:]...)
			if i == 0 {
				p.begin()
			}
			return
		}
	}
}

func (p *prompt) answer(a tool.Answer) {
	q := p.waiting[0]
	q.answer <- a
	p.drop(q)
}

// Update takes a key while a question is open.
func (p *prompt) Update(msg tea.Msg) tea.Cmd {
	armed := p.arming.take(msg)
	if p.reason != nil {
		return p.updateReason(msg)
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	switch k.String() {
	case "y", "Y":
		p.allow(tool.Once, armed)
	case "s", "S":
		p.allow(tool.Session, armed)
	case "n", "N", "enter":
		p.reason = newComposer(p.st, "why? ")
		p.reason.SetSize(p.width, 3)
	case "esc":
		p.answer(tool.Answer{})
	case "down":
		p.from++
	case "up":
		p.from = max(p.from-1, 0)
	}
	return nil
}

func (p *prompt) allow(scope tool.Scope, armed bool) {
	if armed {
		p.answer(tool.Answer{Allowed: true, Scope: scope})
	}
}

func (p *prompt) updateReason(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "enter":
			p.answer(tool.Answer{Reason: strings.TrimSpace(p.reason.value())})
			return nil
		case "esc":
			p.reason = nil
			return nil
		}
	}
	return p.reason.Update(msg)
}

// View draws the question: who wants what, the exact arguments, the answers.
func (p *prompt) View() []string {
	request := p.waiting[0].approval
	head := p.st.Warn.Apply("!") + " " + p.st.Strong.Apply(draw.Visible(request.Call.Name)) + " " + wants(request.Effect)
	out := []string{draw.Fit(head, p.width)}
	foot := p.answers()
	out = append(out, p.arguments(request, p.height-len(foot)-1)...)
	return append(out, foot...)
}

func wants(e tool.Effect) string {
	if e == tool.Executes {
		return "wants to run a program"
	}
	return "wants to make a change"
}

func (p *prompt) answers() []string {
	if p.reason != nil {
		return p.reason.View()
	}
	key := func(k, words string) string { return p.st.Accent.Apply(k) + " " + words }
	line := key("n", "no, and say why") + "   " + key("y", "once") + "   " + key("s", "this session")
	if p.width < narrow {
		line = key("n", "no") + "  " + key("y", "once") + "  " + key("s", "session")
	}
	return []string{draw.Fit(line, p.width)}
}

// arguments shows the call's arguments, as many lines as there is room for.
func (p *prompt) arguments(request tool.Approval, room int) []string {
	rows := exactArguments(request.Call.Arguments, p.width-2)
	return inSight(p.st, rows, &p.from, room, p.width)
}

func exactArguments(raw string, width int) []string {
	arguments, ok := transcript.ParseArguments(raw)
	if !ok {
		return draw.Wrap("arguments "+strconv.Quote(raw), width)
	}
	column := 0
	for _, a := range arguments {
		column = min(max(column, len(draw.Visible(a.Name))), width/3)
	}
	var rows []string
	for _, a := range arguments {
		name := draw.Visible(a.Name)
		name += strings.Repeat(" ", max(column-len(name), 0)) + "  "
		for i, row := range draw.Wrap(a.Exact(), max(width-len(name), 8)) {
			if i > 0 {
				name = strings.Repeat(" ", len(name))
			}
			rows = append(rows, draw.Fit(name+row, width))
		}
	}
	return rows
}

// cursor stands in the reason while one is written.
func (p *prompt) cursor() (c *tea.Cursor, fromBottom int) {
	if p.reason == nil {
		return nil, 0
	}
	return p.reason.cursor(), p.reason.height()
}
