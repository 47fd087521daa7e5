package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/trace"
)

// Defaults for values that Config leaves zero.
const (
	DefaultMaxSteps   = 25
	DefaultFlushEvery = 50 * time.Millisecond
)

// maxRepeatedCalls is how often a turn may request the same call before the model counts as stuck in a
// loop.
const maxRepeatedCalls = 3

// Setup is the model, the tools and the prompt of a turn.
type Setup struct {
	Model     llm.Model
	ModelName string // "openai/gpt-4o-mini", recorded with the session
	Profile   string // the name of the profile, recorded with each message
	Router    *tool.Router
	Prompt    string
	// PromptOn returns the prompt with the given date. If it is set, a session keeps the prompt of its
	// first day, so that the provider's cached prefix stays valid.
	PromptOn func(day time.Time) string
	// Request limits what is sent. Its zero value sends every tool with its full schema.
	Request RequestProfile
	// Core names the tools of the first request. Empty means DefaultCore, or all tools if the agent may
	// call only a few.
	Core []string
	// Catalogue is the last part of Prompt: the list of skills.
	Catalogue string
	// Finder is what find_tools searches besides the tools.
	Finder tool.Finder
	Window int // context window of the model in tokens; 0 means DefaultWindow
	// WindowOrigin is the source of Window: "settings", "model list", "table", "server" or "assumed".
	WindowOrigin string
	// RuleBased is true for the built-in assistant, which cannot write summaries.
	RuleBased bool
	// Cost returns the cost of usage in USD. It is nil if the model's price is unknown.
	Cost func(llm.Usage) decimal.Decimal
}

// Limits end a turn that takes too many steps, takes too long or costs too much. Zero means no limit,
// except for Steps. The session limits include what was spent before the session was resumed, and what was
// spent in the session it was forked from. Usage that a server does not report, such as that of an
// interrupted answer, is estimated for the cost limits.
type Limits struct {
	Steps        int             // model responses in one turn; 0 means DefaultMaxSteps
	Time         time.Duration   // of one turn, including waiting for approvals
	Cost         decimal.Decimal // USD, of one turn
	SessionSteps int             // model responses in the whole session
	SessionTime  time.Duration   // of all its turns together
	SessionCost  decimal.Decimal // USD, of the whole session
}

// ErrNoPrice means that a cost limit is set but the price of the model is unknown, so the limit cannot be
// enforced.
var ErrNoPrice = errors.New("cannot apply a cost limit: the model's price is unknown")

// Config configures an Agent. Setup and Store are required.
type Config struct {
	// Setup is called at the start of each turn, so that a change of the model, the profile or the
	// skills takes effect.
	Setup func() (Setup, error)
	// ModelName returns the model of the next turn, for a session that starts with a command. It may
	// be nil.
	ModelName func() string
	Store     session.Store
	Limits    Limits
	// SkillLoaded is called for each skill whose content reaches the model. It may be nil.
	SkillLoaded func(ctx context.Context, name string)
	// HidesAmounts reports whether a tool keeps the user's amounts from the model. Results that the
	// tool gave earlier in the session, before the amounts were hidden, are not sent again. Nil
	// hides nothing.
	HidesAmounts func(tool string) bool
	// Secrets removes known keys from what a model writes, before it is saved or shown; nil removes
	// nothing.
	Secrets SecretFilter
	// Names finds the symbols that an answer names, so that a figure of Apple is not taken for one of
	// Microsoft. It is called when the first answer is checked. It may be nil.
	Names func() *trace.Directory
	// FlushEvery is how long text is collected before it is recorded and shown. It is about one frame,
	// because writing every token to disk would cost more than drawing it.
	FlushEvery time.Duration
	Now        func() time.Time
	Log        zerolog.Logger
}

// SecretFilter removes known keys from text.
type SecretFilter interface {
	HideKnown(text string) string
	// HeldBack returns how many bytes at the end of a text may be the beginning of a key.
	HeldBack(text string) int
}

// Agent holds conversations with a model that may use tools. It is safe for
// concurrent use; each Conversation runs one turn at a time.
type Agent struct{ cfg Config }

// New makes an agent.
func New(cfg Config) (*Agent, error) {
	if cfg.Setup == nil || cfg.Store == nil {
		return nil, errors.New("agent: setup and store are required")
	}
	if cfg.Limits.Steps <= 0 {
		cfg.Limits.Steps = DefaultMaxSteps
	}
	if cfg.FlushEvery <= 0 {
		cfg.FlushEvery = DefaultFlushEvery
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Agent{cfg: cfg}, nil
}

// Conversation is a session in memory. Nothing in it is shown before it is recorded.
type Conversation struct {
	agent    *Agent
	id       string
	stored   bool
	messages []llm.Message
	sources  sourceIndex    // of the figures in its answers
	answers  []answerRecord // with figures, for Why
	turns    int            // started so far

	skills    []loadedSkill // in the order of loading
	folded    int           // messages before this one are sent without tool results
	counted   int           // tokens of the first countedAt messages, as the server reported; 0 if unknown
	countedAt int
	scale     float64 // actual tokens per estimated token at the last compaction; 0 if unknown

	withheld bool // some results from before the resume are no longer sent

	spent        spending                     // in the turns so far
	usageSummary atomic.Pointer[UsageSummary] // nil before the first use
	exposure     *tool.Exposure               // what the model has read and sent

	toolset     toolset
	shown       shownOnce
	began       time.Time // the day of the prompt
	reportedDay time.Time // the last date that was given to the model

	isSubsession bool // started by a call in another session, whose exposure and tracer it uses

	gate gate
}

// Start starts a new conversation. Its session is stored with its first message, so that opening and
// closing the chat leaves nothing behind.
func (a *Agent) Start() *Conversation {
	now := a.cfg.Now()
	return &Conversation{agent: a, id: session.NewID(now), sources: sourceIndex{names: a.cfg.Names, now: a.cfg.Now}, began: now, reportedDay: now, exposure: &tool.Exposure{}}
}

// Resume continues a stored session and returns its entries for display. An unknown ID is
// session.ErrNotFound.
func (a *Agent) Resume(ctx context.Context, id string) (*Conversation, []session.Entry, error) {
	stored, entries, err := a.cfg.Store.Load(ctx, id)
	if err != nil {
		return nil, nil, fmt.Errorf("resume session %s: %w", id, err)
	}
	begun := stored.CreatedAt.In(a.cfg.Now().Location()) // the date in the user's time zone
	withheld := a.cfg.withheldEntries(entries)
	sent := withholdEntries(entries, withheld)
	c := &Conversation{agent: a, id: id, sources: sourceIndex{names: a.cfg.Names, now: a.cfg.Now}, stored: true, messages: session.Messages(sent), withheld: len(withheld) > 0, began: begun, reportedDay: begun, exposure: &tool.Exposure{}}
	// Earlier answers are checked against all results, including those that are no longer sent.
	earlier := &c.sources
	if c.withheld {
		earlier = &sourceIndex{names: a.cfg.Names, now: a.cfg.Now}
	}
	var spent tally
	var summary UsageSummary
	calls := callsByID{}
	var answers answerReader
	for i, e := range sent {
		d := DisplayOf(e)
		c.toolset.load(d.Activates, nil, requestProfiles[0].MaxTools)
		c.shown.restore(d)
		if d.Day != "" {
			c.reportedDay, _ = time.ParseInLocation(time.DateOnly, d.Day, begun.Location())
		}
		spent.count(e, d)
		if used, ok := recordedUsage(e, d); ok {
			summary.Session.add(used)
		}
		call := calls.callFor(e.Message, d)
		c.restoreExposure(e, d, call.Arguments)
		result := tool.Result{Figures: d.Figures, ForUser: d.ForUser, Notes: d.Notes, ByModel: d.ByModel, Private: d.Private || withheld[i]}
		c.sources.addResult(call, result, e.Message.Content)
		c.sources.restore(e, d)
		if c.withheld {
			result.Private = d.Private
			earlier.addResult(call, result, entries[i].Message.Content)
			earlier.restore(e, d)
		}
		if answers.read(e, d, call) && len(entries)-i <= maxRechecked {
			c.addAnswer(answers.answer(e.Message.Content, earlier))
		}
		if d.Skill != "" {
			c.keepSkill(loadedSkill{d.Skill, d.Version, d.Section, e.Message.Content})
		}
	}
	c.spent, c.turns = spent.sum(), answers.turn
	c.usageSummary.Store(&summary)
	return c, entries, nil
}

// restoreExposure adds a saved entry to what the model has read.
func (c *Conversation) restoreExposure(e session.Entry, d Display, arguments string) {
	switch e.Kind {
	case session.KindUser:
		sent := e.Message.Content
		if d.Skill != "" && len(strings.Fields(d.Text)) > 1 {
			sent = "" // an address in it may hold the arguments
		}
		c.exposure.AddSavedMessage(cmp.Or(d.Text, e.Message.Content), sent)
	case session.KindTool:
		names := e.Message.Content
		if e.Message.IsError || d.ByModel || d.Composed {
			names = ""
		}
		c.exposure.AddSaved(arguments, e.Message.Content, d.Data, names)
	}
}

// restore adds the user's text in a recorded entry. Its numbers need no source.
func (e *sourceIndex) restore(entry session.Entry, d Display) {
	switch {
	case d.Text != "":
		e.AddText(d.Text)
	case entry.Kind == session.KindUser:
		e.AddText(entry.Message.Content)
	}
}

// LastProfile returns the profile that answered last in a session, or "".
func LastProfile(entries []session.Entry) string {
	for _, e := range slices.Backward(entries) {
		if e.Kind == session.KindUser {
			return DisplayOf(e).Profile
		}
	}
	return ""
}

// ID returns the ID of the session.
func (c *Conversation) ID() string { return c.id }

// ErrBusy means that a turn of the conversation is still running.
var ErrBusy = errors.New("a turn is still running")

// Run runs a turn: it sends the input and handles tool calls until the model has answered. The last event
// is always TurnDone; an error is only yielded with it. Ending the range early cancels the turn and keeps
// its partial answer. Run waits for a running Compact, and returns ErrBusy if another turn is running.
func (c *Conversation) Run(ctx context.Context, in Input) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		leave, err := c.gate.enterTurn(ctx)
		switch {
		case errors.Is(err, ErrBusy):
			yield(TurnDone{Reason: StopProvider}, err)
			return
		case err != nil:
			yield(TurnDone{Reason: StopCancelled}, nil)
			return
		}
		defer leave()
		setup, err := c.agent.cfg.Setup()
		if err != nil {
			yield(TurnDone{Reason: StopProvider}, fmt.Errorf("set up the turn: %w", err))
			return
		}
		limits := c.agent.cfg.Limits
		if err := limits.checkPriced(setup); err != nil {
			yield(TurnDone{Reason: StopCostLimit}, err)
			return
		}
		ctx = tool.WithExposure(tool.WithSessionID(ctx, c.id), c.exposure)
		if !c.isSubsession {
			ctx = tool.WithTracer(ctx, c.sources.trace)
		}
		ctx, cancel := limits.withTimeout(ctx, c.spent.time)
		defer cancel()
		begun := c.agent.cfg.Now()
		t := &turn{
			Conversation: c, cfg: c.agent.cfg, setup: setup, seen: map[string]int{}, refused: map[string]bool{},
			report: FiguresReport{Untraced: []string{}},
		}
		t.openTools()
		ctx = t.withSubsessions(ctx)
		t.emit = func(e Event, err error) {
			if !t.abandoned && !yield(e, err) {
				t.abandoned = true
				cancel()
			}
		}
		summary := c.UsageSummary()
		summary.Turn = Usage{}
		c.usageSummary.Store(&summary)
		done, err := t.run(ctx, in)
		c.spent.add(t.estimatedCost(), c.agent.cfg.Now().Sub(begun))
		t.emit(done, err)
	}
}
