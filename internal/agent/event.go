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
	// Pasted is true if a part of Text was pasted: it is then outside material.
	Pasted bool
	// Skill names the skill that was activated by this input, whose content
	// ForModel carries; the transcript shows that it was loaded.
	Skill string
	// Template is the skill's text before the arguments were filled in.
	Template string
	// SkillVersion tells the text of the skill from an older one; empty where that is not
	// known.
	SkillVersion string
	// SkillNotes warn the user about the skill.
	SkillNotes []string
	// Tools are those that the skill needs: the model may call them from the start.
	Tools []string
	// Fence limits the calls of the turn to those that the skill allows; nil for none.
	Fence *tool.Fence
	// Data are calls that only read and that the skill's text makes, before Call and before the model is
	// asked.
	Data []llm.ToolCall
	// Call is made before the model is asked, as though it had asked for it: what
	// the user named is run and not deliberated on. The model sees the result.
	Call *llm.ToolCall
}

// Event is something that happened in a turn. It is one of the types below.
type Event interface{ event() }

// TextDelta is more of the answer's text, unsanitised, as Markdown.
type TextDelta struct {
	Text string
	// Result is the ID of the call whose result the text repeats, so that a screen may draw that
	// result instead. Only the built-in assistant sets it.
	Result string
}

// ReasoningDelta is more of the model's thinking.
type ReasoningDelta struct{ Text string }

// ToolStarted is a call that is about to be checked and run.
type ToolStarted struct {
	Call  llm.ToolCall
	Label string // of the tool, for people: "Prices"
}

// ToolFinished is a call with its result.
type ToolFinished struct {
	Outcome tool.Outcome
	Label   string // of the tool
	// SampleNotice is shown with the first result of the session from sample data; "" with all others.
	SampleNotice string
}

// SkillLoaded is a skill whose content has reached the model.
type SkillLoaded struct {
	Name  string
	Notes []string // warnings for the user, if the user activated it
}

// Retrying says that the model is asked again, why, and after what wait.
type Retrying struct {
	Err  error
	Wait time.Duration
	// Restarted says that text of the answer had come already: what comes now begins
	// again, and stands for it.
	Restarted bool
}

// StepDone ends one answer of the model with its calls.
type StepDone struct{ Usage llm.Usage }

// TurnDone is always the last event of a turn. When the reason is
// StopProvider or StopStorage, the error is yielded beside it.
type TurnDone struct {
	Reason StopReason
	Answer string // the text of the last step, whole
	Usage  llm.Usage
	// CostUSD is what the turn cost; nil where the model's price is not known.
	CostUSD *decimal.Decimal
	Steps   int
	// Figures says which numbers of the answer go back to a tool's result.
	Figures FiguresReport
	// Attribution is the text around the answer.
	Attribution Attribution
	// Outcome is the outcome of the question, if the built-in assistant answered.
	Outcome *llm.Outcome
}

func (TextDelta) event()      {}
func (ReasoningDelta) event() {}
func (ToolStarted) event()    {}
func (ToolFinished) event()   {}
func (SkillLoaded) event()    {}
func (Retrying) event()       {}
func (StepDone) event()       {}
func (TurnDone) event()       {}

// StopReason is why a turn ended.
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
	StopStorage      StopReason = "storage_error" // the transcript could not be kept
)

// Display is what the screen needs of a recorded entry to draw it again; it is
// the JSON in session.Entry.Display.
type Display struct {
	Text      string   `json:"text,omitempty"` // what the user typed, where the model got something else
	Skill     string   `json:"skill,omitempty"`
	Version   string   `json:"skill_version,omitempty"` // of its text
	Section   string   `json:"section,omitempty"`       // of the skill, where it is not all of it
	Activates []string `json:"activates,omitempty"`     // tools that the model may call from here on
	Day       string   `json:"day,omitempty"`           // that the model was told with the user's message
	Profile   string   `json:"profile,omitempty"`       // that the user's message was for
	Title     string   `json:"title,omitempty"`
	Summary   string   `json:"summary,omitempty"`
	Outline   bool     `json:"outline,omitempty"`  // of a summary: as Compacted has it
	ForUser   string   `json:"for_user,omitempty"` // entries of before 2026-11-23 have the source and the notes in it
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
	// Attribution is the text around an answer. Own is the answer without the parts that repeat results,
	// and Shows the calls of these results; without Shows, nothing in the answer repeats a result.
	Attribution *Attribution `json:"attribution,omitempty"`
	Own         string       `json:"own,omitempty"`
	Shows       []string     `json:"shows,omitempty"`

	Figures    []tool.Figure `json:"figures,omitempty"`
	Chart      *chart.Spec   `json:"chart,omitempty"`
	Opened     bool          `json:"opened,omitempty"` // to be seen at once
	Code       string        `json:"code,omitempty"`
	DurationMS float64       `json:"duration_ms,omitempty"`
	Arguments  string        `json:"arguments,omitempty"` // of a step's call, which no message holds
	Stop       StopReason    `json:"stop,omitempty"`      // why a message was cut, or a turn ended after one
	Error      string        `json:"error,omitempty"`
	Data       string        `json:"data,omitempty"` // tool.Result.Data; empty in older entries
	ByModel    bool          `json:"by_model,omitempty"`
	Composed   bool          `json:"composed,omitempty"`
	Command    string        `json:"command,omitempty"` // a slash command: the line that the user sent
	Output     string        `json:"output,omitempty"`  // of the command, as Markdown
	Private    bool          `json:"private,omitempty"` // ForUser, Figures, Chart and Error hold what the model may not know
	// CostUSD is what the model's message, or a summary, cost, where that is known.
	CostUSD *decimal.Decimal `json:"cost_usd,omitempty"`
	// Usage is what the server counted for it, where it did.
	Usage *llm.Usage `json:"usage,omitempty"`
	// UncountedUSD is an estimate of what else it cost, where the server did not
	// count: the limits of cost go by it, and it is never shown as a cost.
	UncountedUSD *decimal.Decimal `json:"uncounted_usd,omitempty"`
	// Answers is how many answers of a model a tool's result took, in a subsession.
	Answers int `json:"answers,omitempty"`
	// Report is of the answer that ends a turn; nil when it holds no figures.
	Report *FiguresReport `json:"report,omitempty"`
}

// View returns the result of a recorded command; nil if it was not that of a tool.
func (d Display) View() *CommandView {
	if d.Command == "" || d.About == nil || d.Attribution == nil {
		return nil
	}
	return &CommandView{Keys: d.Keys, About: *d.About, Body: d.Body, SampleNotice: d.SampleNotice, Attribution: *d.Attribution}
}

// TurnDone returns the recorded end of a turn with that answer.
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

// DisplayOf reads back what an entry kept for the screen; an entry without any
// gives the zero Display.
func DisplayOf(e session.Entry) Display {
	var d Display
	if len(e.Display) > 0 {
		// A display that does not decode was written by another version: the
		// entry is drawn from its message then.
		_ = json.Unmarshal(e.Display, &d)
	}
	return d
}
