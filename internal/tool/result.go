package tool

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/humanize"
)

// Codes of failed results, for callers that branch on them.
const (
	CodeValidation  = "validation_error" // the arguments do not match the schema
	CodeUnknownTool = "unknown_tool"
	CodeRefused     = "refused" // not approved, or outside the user's own limits
	CodeTimeout     = "timeout"
	CodeCancelled   = "cancelled"
	CodeNoData      = "no_data"
	CodeCrashed     = "crashed"
)

// Result is the result of a tool, in one form each for the program, the model and people.
type Result struct {
	// Value is the structured result, as `nfa tools call --json` prints it.
	Value any
	// ForModel is what the model reads; empty means Value as JSON.
	ForModel string
	// ForUser is Markdown without the source and the notes; UserText returns all.
	ForUser string
	// Body is ForUser without what Keys show.
	Body string
	// Redacted is ForModel without the user's amounts; empty if ForModel has none. The Router
	// sends it instead of ForModel if the user hides amounts.
	Redacted string
	// Headline is the result in one plain sentence, HeadlineZH the same in Chinese; optional.
	Headline, HeadlineZH string
	// Keys are the key figures, at most four. About describes what they refer to.
	Keys  []KeyFigure
	About KeyAbout
	// Source says where the numbers are from.
	Source Source
	// Notes explain or qualify the numbers, in the tool's order.
	Notes []Note
	// Title is the request in a few words ("^GSPC · 2008 to 2020 · daily"), Summary the result
	// ("3,095 bars"). Together they fill the card's one line.
	Title, Summary string
	// Figures are the numbers that an answer may quote.
	Figures []Figure
	// Chart shows the result to people, downsampled by the Router with [chart.Downsample]; nil for
	// none. The model does not receive it.
	Chart *chart.Spec
	// Opened shows the result with its card expanded.
	Opened bool
	// Private means that the model may read only ForModel: Value, ForUser, Figures, Chart and the
	// ErrorText contain the user's private data.
	Private bool
	// Data is the private data that the result may contain. If it is empty, the Router sets it to the Data
	// of the tool. A tool that runs other tools combines theirs.
	Data string
	// ByModel means that another model composed the text.
	ByModel bool
	// Composed means that the text is composed of arguments and of the results of other calls, so that an
	// address in it may hold private data. Template is the text before it was filled in: only its addresses
	// count as named, and only its words as public.
	Composed bool
	Template string
	// Skill names the skill that this result loaded, if any. SkillVersion identifies its text, and
	// Section the part that was loaded; empty for the whole skill or its outline.
	Skill, SkillVersion, Section string
	// Activates names tools that the model may call from its next step on.
	Activates []string
	// Fence limits the other calls of the turn; nil for none.
	Fence *Fence
	// IsError marks a failure that the model can correct; Code says which.
	IsError bool
	Code    string
}

// KeyFigure is one of the main figures of a result, formatted for people.
type KeyFigure struct {
	Label string `json:"label"` // "annual return"; "" for a figure that needs none, such as a price
	Text  string `json:"text"`  // "+5.7%"
	Sign  int    `json:"sign"`  // -1 for a loss, 1 for a gain, 0 for neither
}

// KeyAbout describes what key figures refer to.
type KeyAbout struct {
	Subject string `json:"subject,omitempty"` // "S&P 500 (^GSPC)"
	Detail  string `json:"detail,omitempty"`  // "Apple Inc."
	Dated   string `json:"dated,omitempty"`   // "2026-11-20 close", if the figures are of one moment
	Old     bool   `json:"old,omitempty"`     // older than the last session
}

// CodeNotice marks the notice on advice and projections, which is shown once in a session.
const CodeNotice = "notice"

// Note is one sentence about a result. A warning says that the result may mislead; every other
// note is background.
type Note struct {
	Code    string `json:"code"` // the same for all sentences with one meaning
	Text    string `json:"text"`
	Warning bool   `json:"warning,omitempty"`
	// Subject is what the note is about, if the text begins with it: "AAPL".
	Subject string `json:"subject,omitempty"`
	// Public is the sentence without the user's amounts.
	Public string `json:"-"`
}

// Figure is one number with its unit, date and source.
type Figure struct {
	ID      string          `json:"id"`             // unique in its result: "annual_return"
	Label   string          `json:"label"`          // "annual return"
	Value   decimal.Decimal `json:"value"`          // in Unit
	Unit    string          `json:"unit"`           // "USD", "%", "index points", "bars"
	AsOf    time.Time       `json:"as_of,omitzero"` // the date the figure is for
	Source  string          `json:"source"`         // source of the figure or of its inputs
	Formula string          `json:"formula,omitempty"`
	Inputs  []string        `json:"inputs,omitempty"` // "first close 1447.16 on 2008-01-02"
}

// Errorf returns an error result: the message says what failed and what to do next. It also returns
// a nil error, so that a tool can `return tool.Errorf(...)`.
func Errorf(format string, args ...any) (Result, error) {
	return Failed("", fmt.Sprintf(format, args...)), nil
}

// Failed returns an error result with a code that callers may branch on.
func Failed(code, message string) Result {
	value := map[string]any{"error": message}
	if code != "" {
		value["code"] = code
	}
	return Result{Value: value, ForUser: message, Summary: cmp.Or(shortReasons[code], firstLine(message)), IsError: true, Code: code}
}

// shortReasons are the summaries of failures by their codes.
var shortReasons = map[string]string{
	"offline": "no internet", "unknown_symbol": "no such symbol", "rate_limited": "limit reached", "unauthorized": "no access",
	"malformed": "unusable data", "unavailable": "no response", CodeNoData: "no data",
}

// Redactor is a value or an error with a separate text for the model if the user hides amounts.
type Redactor interface{ Redacted() string }

// FailedError returns the error result for err. Redacted is set if err is a [Redactor] or wraps one. The
// Details of an error, such as what each source answered, become notes.
func FailedError(code string, err error) Result {
	res := Failed(code, humanize.ErrorText(err))
	var detailed interface{ Details() []string }
	if errors.As(err, &detailed) {
		for _, text := range detailed.Details() {
			res.Notes = append(res.Notes, Note{Code: "tried", Text: text})
		}
	}
	if public, ok := RedactedText(err); ok {
		res.Redacted = Failed(code, public).ModelText()
	}
	return res
}

// RedactedText returns the text of an error without the user's amounts; ok is false if it has none.
func RedactedText(err error) (text string, ok bool) {
	var r Redactor
	if !errors.As(err, &r) {
		return "", false
	}
	// Keep the text of the errors wrapped around it.
	inner, isError := r.(error)
	if !isError || !strings.Contains(err.Error(), inner.Error()) {
		return r.Redacted(), true
	}
	return strings.Replace(err.Error(), inner.Error(), r.Redacted(), 1), true
}

// ErrorText returns the message of a failed result, or "".
func (r Result) ErrorText() string {
	if !r.IsError {
		return ""
	}
	if e, ok := r.Value.(interface{ ErrorText() string }); ok {
		return e.ErrorText()
	}
	if m, ok := r.Value.(map[string]any); ok {
		if s, ok := m["error"].(string); ok {
			return s
		}
	}
	return r.ForUser
}

// names returns the part of the result that may name addresses; see [Exposure.AddResult].
func (r Result) names() string {
	switch {
	case r.IsError || r.ByModel:
		return ""
	case r.Composed:
		return r.Template
	}
	return r.ForModel
}

// UserText returns what people read: ForUser with the source, the warnings and the notes below.
func (r Result) UserText() string {
	source := r.Source.Line(0, 0)
	if source == "" && len(r.Notes) == 0 {
		return r.ForUser
	}
	var notes []string
	for _, warning := range MergeWarnings(r.Notes) {
		notes = append(notes, "- ! "+warning)
	}
	for _, note := range r.Notes {
		if !note.Warning {
			notes = append(notes, "- "+strings.Join(strings.Fields(note.Text), " "))
		}
	}
	parts := []string{strings.TrimRight(r.ForUser, "\n"), source, strings.Join(notes, "\n")}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "\n\n") + "\n"
}

// BodyText returns what people read below the key figures, or everything if there are none.
func (r Result) BodyText() string {
	if len(r.Keys) > 0 {
		return r.Body
	}
	return r.ForUser
}

// ModelText returns what the model reads.
func (r Result) ModelText() string {
	if r.ForModel != "" {
		return r.ForModel
	}
	if r.Value == nil {
		return r.ForUser
	}
	b, err := json.Marshal(r.Value)
	if err != nil {
		return fmt.Sprintf(`{"error":%q}`, "encode result: "+err.Error())
	}
	return string(b)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// Fence limits the calls of a turn to the tools that an active skill allows.
type Fence struct {
	Skill   string
	Tools   []string
	Reading bool // every tool that only reads is allowed, too
}

// Check returns why a call is outside the fence, or nil. Tools that load skills and find tools are
// always allowed.
func (f *Fence) Check(name string, effect Effect) error {
	switch {
	case f == nil, name == "Skill", name == "read_skill_file", name == "find_tools":
		return nil
	case slices.Contains(f.Tools, name), f.Reading && effect == Reads:
		return nil
	}
	return fmt.Errorf("%s is not among the allowed-tools of the active skill %s: %s", name, f.Skill, strings.Join(f.Tools, ", "))
}
