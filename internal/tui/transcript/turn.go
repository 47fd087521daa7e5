package transcript

import (
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Turn draws a running turn of the agent at the end of its transcript.
type Turn struct {
	transcript *Transcript
	answer     *answer // the text block being written, or nil
	last       *answer // the last finished text block, or nil
	thought    *thought
	thinking   time.Time
	cards      map[string]*card // running calls by ID
	skills     map[string]bool  // skills with a card
	activity   string
	stepText   string // the text of the current step before its calls
}

// Begin adds the user's message and its turn, and follows the end.
func (t *Transcript) Begin(text string) *Turn {
	t.add(&userMessage{text: text})
	t.Follow()
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
		u.text(e.Text)
	case agent.ReasoningDelta:
		u.reasoning(e.Text)
	case agent.ToolStarted:
		u.toolStarted(e)
	case agent.ToolFinished:
		u.toolFinished(e.Outcome)
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

// End ends the turn: it marks interrupted calls, shows why the turn ended early or failed, and reports
// the traced figures of the answer.
func (u *Turn) End(done agent.TurnDone, failure string) {
	u.finishText()
	for _, c := range u.cards {
		c.change(func(c *card) { c.state = cardInterrupted })
	}
	if text := StopText(done.Reason); text != "" {
		u.transcript.Say(Warning, text)
	}
	if failure != "" {
		u.transcript.Say(Error, failure)
	}
	if u.last != nil {
		u.last.mark(done.Answer, done.Figures)
	}
	if len(done.Figures.Untraced) > 0 {
		u.transcript.add(figuresNotice(done.Figures))
	}
	u.transcript.changed()
}

func (u *Turn) text(text string) {
	u.finishThought()
	if u.answer == nil {
		// Some models start with line breaks.
		if text = strings.TrimLeft(text, "\n"); text == "" {
			return
		}
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
		u.last, u.answer = u.answer, nil
	}
}

func (u *Turn) toolStarted(e agent.ToolStarted) {
	u.finishText()
	u.cards[e.Call.ID] = u.card(e.Call.ID, e.Call.Name, e.Call.Arguments)
	u.activity = e.Call.Name
	if step := tool.StepName(e.Call.ID); step != "" {
		u.activity = step + ", " + e.Call.Name
	}
}

// card adds the card of a running call.
func (u *Turn) card(id, name, arguments string) *card {
	c := &card{name: name, step: tool.StepName(id), arguments: arguments}
	u.transcript.add(c)
	return c
}

func (u *Turn) toolFinished(o tool.Outcome) {
	c := u.cards[o.Call.ID]
	if c == nil {
		c = u.card(o.Call.ID, o.Call.Name, o.Call.Arguments)
	}
	delete(u.cards, o.Call.ID)
	c.change(func(c *card) {
		c.state, c.took = cardDone, o.Duration
		c.title, c.summary, c.forUser = o.Result.Title, o.Result.Summary, o.Result.ForUser
		c.chart, c.open = o.Result.Chart, c.open || o.Result.Opened
		if s := o.Result.Skill; s != "" && !u.skills[s] {
			c.skill, u.skills[s] = s, true
		}
		if o.Result.IsError {
			c.state, c.failure = cardFailed, o.Result.ErrorText()
		}
	})
	if c.open && c.chart != nil && !u.transcript.scrolled {
		u.transcript.pinned = c
	}
	if len(u.cards) == 0 {
		u.activity = "thinking"
	}
}

func (u *Turn) skillLoaded(name string) {
	if !u.skills[name] {
		u.skills[name] = true
		u.transcript.add(&card{skill: name, state: cardDone})
	}
}
