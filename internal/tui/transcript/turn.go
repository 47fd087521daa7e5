package transcript

import (
	"cmp"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Turn draws a running turn of the agent at the end of its transcript.
type Turn struct {
	transcript *Transcript
	answer     *answer // the text block being written, or nil
	last       *answer // the last finished text block, or nil
	thought    *thought
	thinking   time.Time
	cards      map[string]*card // of the turn, by call
	group      []*card          // calls since the last text, in order
	keyed      int              // results with key figures
	skills     map[string]bool  // skills with a card
	activity   string
	stepText   string // the text of the current step before its calls
}

// Begin adds the user's message and its turn, and follows the end.
func (t *Transcript) Begin(text string) *Turn {
	t.add(&userMessage{text: text})
	t.Follow()
	return newTurn(t)
}

func newTurn(t *Transcript) *Turn {
	return &Turn{transcript: t, cards: map[string]*card{}, skills: map[string]bool{}, activity: "thinking"}
}

// Activity returns the current activity: thinking, writing, the running tool or a retry. It is not
// sanitized.
func (u *Turn) Activity() string { return u.activity }

// StepText returns what the model wrote in the current step before it called tools. It is not
// sanitized.
func (u *Turn) StepText() string { return u.stepText }

// Handle draws an event of the turn. It ignores agent.TurnDone, which End draws.
func (u *Turn) Handle(e agent.Event) {
	switch e := e.(type) {
	case agent.TextDelta:
		if c := u.cards[e.Result]; c != nil {
			u.showBody(c)
		} else {
			u.text(e.Text)
		}
	case agent.ReasoningDelta:
		u.reasoning(e.Text)
	case agent.ToolStarted:
		u.toolStarted(e)
	case agent.ToolRunning:
		u.toolRunning(e)
	case agent.ToolFinished:
		u.toolFinished(e)
	case agent.SkillLoaded:
		u.skillLoaded(e.Name)
		for _, note := range e.Notes {
			u.transcript.Say(Warning, e.Name+": "+note)
		}
	case agent.Retrying:
		if e.Restarted {
			u.finishText()
			u.stepText = ""
			u.transcript.Say(Warning, RestartText)
		}
		u.activity = RetryText(e)
	case agent.Compacted:
		u.finishText()
		u.transcript.Say(Info, CompactedText(e))
	case agent.StepDone:
		u.finishText()
		u.stepText = ""
		u.activity = "thinking"
	}
	u.transcript.changed()
}

// End ends the turn: it marks interrupted calls, shows why the turn ended early or failed, and adds
// warnings, the line with the source and the one on figures that are not traced.
func (u *Turn) End(done agent.TurnDone, failure string) {
	u.finishText()
	u.interrupt()
	u.showEnd(done, failure)
	u.transcript.changed()
}

// showEnd shows the end of a turn, also of a recorded one.
func (u *Turn) showEnd(done agent.TurnDone, failure string) {
	u.foldCards()
	if text := StopText(done.Reason); text != "" {
		u.transcript.Say(Warning, text)
	}
	if failure != "" {
		u.transcript.Say(Error, failure)
	}
	if u.last != nil {
		u.last.mark(done.Answer, done.Figures)
	}
	u.transcript.attribute(done.Attribution)
	if len(done.Figures.Untraced) > 0 {
		u.transcript.Say(Warning, done.Figures.Summary())
	}
}

// interrupt marks the calls that have not finished, and reports whether there are any.
func (u *Turn) interrupt() (found bool) {
	for _, c := range u.cards {
		if c.state == cardRunning {
			found = true
			c.change(func(c *card) { c.state = cardInterrupted })
		}
	}
	return found
}

func (u *Turn) text(text string) {
	u.finishThought()
	if u.answer == nil {
		// Some models start with line breaks.
		if text = strings.TrimLeft(text, "\n"); text == "" {
			return
		}
		u.foldCards()
		u.answer = &answer{}
		u.transcript.add(u.answer)
		u.activity = "writing"
	}
	u.answer.write(u.transcript.st, u.transcript.width, text)
}

func (u *Turn) reasoning(text string) {
	if u.thought == nil {
		u.finishText()
		u.thought, u.thinking = &thought{}, u.transcript.now()
		u.transcript.add(u.thought)
		u.activity = "thinking"
	}
	u.thought.write(text)
}

func (u *Turn) finishThought() {
	if u.thought != nil {
		u.thought.finish(u.transcript.now().Sub(u.thinking))
		u.thought = nil
	}
}

func (u *Turn) finishText() {
	u.finishThought()
	if u.answer != nil {
		u.stepText = u.answer.source()
		u.answer.finish()
		for _, c := range u.cards {
			if c.failure != "" && strings.Contains(plainLower(u.stepText), strings.TrimRight(plainLower(c.failure), ".")) {
				c.change(func(c *card) { c.failureStated = true })
			}
		}
		u.last, u.answer = u.answer, nil
	}
}

// plainLower returns a text in lower case without line breaks and the escapes of Markdown.
func plainLower(text string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(text, `\`, "")), " "))
}

func (u *Turn) toolStarted(e agent.ToolStarted) {
	u.finishText()
	c := u.card(e.Call, e.Label)
	u.activity = c.displayName()
	if title := widget.FormatArguments(e.Call.Arguments); title != "" {
		u.activity += " · " + title
	}
	if c.step != "" {
		u.activity = c.step + ", " + c.displayName()
	}
}

func (u *Turn) toolRunning(e agent.ToolRunning) {
	c := u.cards[e.CallID]
	if c == nil {
		return
	}
	if c.began.IsZero() {
		c.began = u.transcript.now()
	}
	c.doing = cmp.Or(e.Doing, c.doing)
	u.invalidate(c)
}

// Tick updates the elapsed times of running cards, which change every step.
func (u *Turn) Tick(step time.Duration) {
	for _, c := range u.cards {
		if c.state != cardRunning || c.began.IsZero() {
			continue
		}
		if took := u.transcript.now().Sub(c.began).Truncate(step); took != c.took {
			c.took = took
			u.invalidate(c)
		}
	}
}

// invalidate redraws a card and the card of its workflow.
func (u *Turn) invalidate(c *card) {
	c.invalidate()
	if parent := u.workflowOf(c); parent != nil {
		parent.invalidate()
	}
}

// card adds the card of a running call. The card of a step is added to the card of its workflow.
func (u *Turn) card(call llm.ToolCall, label string) *card {
	c := &card{id: call.ID, name: call.Name, label: label, step: tool.StepName(call.ID), arguments: call.Arguments}
	u.cards[call.ID] = c
	if parent := u.workflowOf(c); parent != nil {
		parent.change(func(p *card) { p.steps = append(p.steps, c) })
		return c
	}
	u.group = append(u.group, c)
	u.transcript.add(c)
	return c
}

// workflowOf returns the card that draws the card of a step, or nil.
func (u *Turn) workflowOf(c *card) *card {
	if c.step == "" {
		return nil
	}
	return u.cards[tool.ParentCallID(c.id)]
}

func (u *Turn) toolFinished(e agent.ToolFinished) {
	o := e.Outcome
	c := u.cards[o.Call.ID]
	if c == nil {
		c = u.card(o.Call, e.Label)
	}
	if e.SampleNotice != "" {
		u.transcript.insertBefore(u.group, &notice{level: Warning, text: e.SampleNotice})
	}
	c.change(func(c *card) {
		c.state, c.took, c.result = cardDone, o.Duration, o.Result
		c.open = c.open || o.Result.Opened
		if s := o.Result.Skill; s != "" && !u.skills[s] {
			c.skill, u.skills[s] = s, true
		}
		if o.Result.IsError {
			c.state, c.failure = cardFailed, o.Result.ErrorText()
		}
	})
	if parent := u.workflowOf(c); parent != nil {
		parent.invalidate()
	} else {
		u.showFigures(c)
	}
	if c.open && c.result.Chart != nil {
		u.transcript.pin(c)
	}
	for _, other := range u.cards {
		if other.state == cardRunning {
			return
		}
	}
	u.activity = "thinking"
}

// showFigures draws results as their key figures. If a turn has more than agent.MaxKeyResults of them, it
// draws none as figures, because the model's text then selects what matters.
func (u *Turn) showFigures(c *card) {
	if c.state != cardDone || len(c.result.Keys) == 0 {
		return
	}
	u.keyed++
	for _, c := range u.cards {
		c.change(func(c *card) { c.asFigures = u.keyed <= agent.MaxKeyResults && c.step == "" })
	}
}

// showBody draws what the key figures of a result leave out. A result without them takes the place of
// its card, which would say the same.
func (u *Turn) showBody(c *card) {
	if c.shown {
		return
	}
	c.shown = true
	u.finishText()
	u.foldCards()
	if c.result.IsError {
		return // the card has it
	}
	if len(c.result.Keys) == 0 && !c.result.Opened && u.transcript.indexOf(c) < len(u.transcript.blocks) {
		c.change(func(c *card) { c.asBody = true })
		u.transcript.pin(c)
		return
	}
	if body := c.result.BodyText(); strings.TrimSpace(body) != "" && !(c.open && c.result.Chart != nil) {
		shown := block(&programOutput{text: body})
		u.transcript.add(shown)
		if c.drawsFigures() {
			shown = c
		}
		u.transcript.pin(shown)
	}
}

// maxCards is the maximum number of unfolded cards in an answer.
const maxCards = 3

// foldCards replaces the cards since the last text by one block if they are many.
func (u *Turn) foldCards() {
	if len(u.group) > maxCards {
		u.transcript.fold(u.group)
	}
	u.group = nil
}

func (u *Turn) skillLoaded(name string) {
	if !u.skills[name] {
		u.skills[name] = true
		u.transcript.add(&card{skill: name, state: cardDone})
	}
}
