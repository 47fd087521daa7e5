package agent

import (
	"encoding/json"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Input is what the user sends: shown as Text, sent to the model as ForModel.
type Input struct {
	Text     string
	ForModel string // empty means Text
	// Pasted is true if part of Text was pasted. The text then counts as material from elsewhere, not as
	// typed.
	Pasted bool
	// Skill is the skill that this input activated. ForModel contains its text, and the transcript shows
	// that it was loaded.
	Skill string
	// Template is the skill's text before the arguments were filled in.
	Template string
	// SkillVersion identifies the text of the skill; "" if unknown.
	SkillVersion string
	// SkillNotes warn the user about the skill.
	SkillNotes []string
	// Tools are the tools that the skill needs. The model may call them from the start.
	Tools []string
	// Fence limits the calls of the turn to those that the skill allows; nil means no limit.
	Fence *tool.Fence
	// Data are the read-only calls in the skill's text. They run before Call and before the model is asked.
	Data []llm.ToolCall
	// Call is a call that the user requested. It runs before the model is asked, so that the model sees its
	// result.
	Call *llm.ToolCall
}

// Event is something that happened in a turn. It is one of the types below.
type Event interface{ event() }

// TextDelta is a piece of the answer, as unsanitized Markdown.
type TextDelta struct {
	Text string
	// Result is the ID of the call whose result the text repeats, so that a screen may draw that
	// result instead. Only the built-in assistant sets it.
	Result string
}

// ReasoningDelta is a piece of the model's reasoning.
type ReasoningDelta struct{ Text string }

// ToolStarted is a call that is about to be checked and run.
type ToolStarted struct {
	Call  llm.ToolCall
	Label string // of the tool, for people: "Prices"
}

// ToolRunning reports that an approved call is running, and what it is doing. It is not recorded.
type ToolRunning struct {
	CallID string
	Doing  string // "asking Yahoo Finance", or "" at the start
}

// ToolFinished is a call with its result.
type ToolFinished struct {
	Outcome tool.Outcome
	Label   string // of the tool
	// SampleNotice is set for the first result of the session that uses sample data.
	SampleNotice string
}

// SkillLoaded is a skill whose content has reached the model.
type SkillLoaded struct {
	Name  string
	Notes []string // warnings for the user, if the user activated it
}

// Retrying reports that the request is repeated, with the reason and the wait.
type Retrying struct {
	Err  error
	Wait time.Duration
	// Restarted is true if text of the answer was already shown. The new answer replaces it.
	Restarted bool
}

// StepDone ends a step: a model response and its calls.
type StepDone struct{ Usage llm.Usage }

// TurnDone is always the last event of a turn. If Reason is StopProvider or StopStorage, an error is
// yielded with it.
type TurnDone struct {
	Reason StopReason
	Answer string // the whole text of the last step
	Usage  llm.Usage
	// CostUSD is the cost of the turn; nil if the model's price is unknown.
	CostUSD *decimal.Decimal
	Steps   int
	// Figures reports which numbers of the answer come from a tool's result.
	Figures FiguresReport
	// Attribution is the text around the answer.
	Attribution Attribution
	// Outcome is the outcome of the question, if the built-in assistant answered.
	Outcome *llm.Outcome
}

func (TextDelta) event()      {}
func (ReasoningDelta) event() {}
func (ToolStarted) event()    {}
func (ToolRunning) event()    {}
func (ToolFinished) event()   {}
func (SkillLoaded) event()    {}
func (Retrying) event()       {}
func (StepDone) event()       {}
func (TurnDone) event()       {}

// StopReason is the reason why a turn ended.
type StopReason string

// Stop reasons.
const (
	StopAnswered     StopReason = "answered"
	StopCancelled    StopReason = "cancelled"
	StopStepLimit    StopReason = "step_limit"
	StopRepeatedCall StopReason = "repeated_call"
	StopTimeLimit    StopReason = "time_limit"
	StopCostLimit    StopReason = "cost_limit"
	StopSessionSteps StopReason = "session_step_limit"
	StopSessionTime  StopReason = "session_time_limit"
	StopSessionCost  StopReason = "session_cost_limit"
	StopProvider     StopReason = "provider_error"
	StopStorage      StopReason = "storage_error" // the transcript could not be saved
)

// Display holds what is needed to draw a recorded entry again. It is the JSON in session.Entry.Display.
type Display struct {
	Text      string   `json:"text,omitempty"` // what the user typed, if the model received something else
	Skill     string   `json:"skill,omitempty"`
	Version   string   `json:"skill_version,omitempty"` // of its text
	Section   string   `json:"section,omitempty"`       // of the skill, if only a section was loaded
	Activates []string `json:"activates,omitempty"`     // tools that the model may call from here on
	Day       string   `json:"day,omitempty"`           // date that the model received with the user's message
	Profile   string   `json:"profile,omitempty"`       // that answered the user's message
	Title     string   `json:"title,omitempty"`
	Summary   string   `json:"summary,omitempty"`
	Outline   bool     `json:"outline,omitempty"`  // of a summary, as in Compacted
	ForUser   string   `json:"for_user,omitempty"` // in entries before 2026-11-23 with the source and notes
	Body      string   `json:"body,omitempty"`
	Label     string   `json:"label,omitempty"` // of the tool

	Headline   string           `json:"headline,omitempty"`
	HeadlineZH string           `json:"headline_zh,omitempty"`
	Keys       []tool.KeyFigure `json:"keys,omitempty"`
	About      *tool.KeyAbout   `json:"about,omitempty"`
	Source     *tool.Source     `json:"source,omitempty"`
	Notes      []tool.Note      `json:"notes,omitempty"`
	// SampleNotice was shown with this result.
	SampleNotice string `json:"sample_notice,omitempty"`
	// Attribution is the text around an answer. Own is the answer without the parts that repeat results, and
	// Shows lists the calls of these results. If Shows is empty, the answer repeats no result.
	Attribution *Attribution `json:"attribution,omitempty"`
	Own         string       `json:"own,omitempty"`
	Shows       []string     `json:"shows,omitempty"`

	Figures    []tool.Figure `json:"figures,omitempty"`
	Chart      *chart.Spec   `json:"chart,omitempty"`
	Opened     bool          `json:"opened,omitempty"` // the card is expanded from the start
	Code       string        `json:"code,omitempty"`
	DurationMS float64       `json:"duration_ms,omitempty"`
	Arguments  string        `json:"arguments,omitempty"` // of the call of a workflow step, which is in no message
	Stop       StopReason    `json:"stop,omitempty"`      // why the message is incomplete or the turn ended
	Error      string        `json:"error,omitempty"`
	Data       string        `json:"data,omitempty"` // tool.Result.Data; empty in older entries
	ByModel    bool          `json:"by_model,omitempty"`
	Composed   bool          `json:"composed,omitempty"`
	Command    string        `json:"command,omitempty"` // a slash command: the line that the user sent
	Output     string        `json:"output,omitempty"`  // of the command, as Markdown
	Private    bool          `json:"private,omitempty"` // ForUser, Figures, Chart and Error are hidden from the model
	// CostUSD is the cost of the model's message or of a summary, if known.
	CostUSD *decimal.Decimal `json:"cost_usd,omitempty"`
	// Usage is the usage that the server reported for it.
	Usage *llm.Usage `json:"usage,omitempty"`
	// UncountedUSD estimates the cost that the server did not report. It counts toward the cost limits
	// and is never shown.
	UncountedUSD *decimal.Decimal `json:"uncounted_usd,omitempty"`
	// Answers is the number of model responses that a tool needed in a subsession.
	Answers int `json:"answers,omitempty"`
	// Report is the report on the answer of the turn; nil without figures.
	Report *FiguresReport `json:"report,omitempty"`
}

// View returns the view of a recorded command; nil if no tool ran.
func (d Display) View() *CommandView {
	if d.Command == "" || d.About == nil || d.Attribution == nil {
		return nil
	}
	return &CommandView{Keys: d.Keys, About: *d.About, Body: d.Body, SampleNotice: d.SampleNotice, Attribution: *d.Attribution}
}

// TurnDone returns the recorded end of the turn with this answer.
func (d Display) TurnDone(answer string) TurnDone {
	done := TurnDone{Reason: d.Stop, Answer: answer}
	if d.Report != nil {
		done.Figures = *d.Report
	}
	if d.Attribution != nil {
		done.Attribution = *d.Attribution
	}
	return done
}

// DisplayOf returns the Display of an entry, or a zero Display if it has none.
func DisplayOf(e session.Entry) Display {
	var d Display
	if len(e.Display) > 0 {
		// If another version wrote an incompatible Display, the entry is drawn from its message.
		_ = json.Unmarshal(e.Display, &d)
	}
	return d
}
