package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart"
)

// Codes of failed results, for those who branch on them.
const (
	CodeValidation  = "validation_error" // the arguments do not fit the schema
	CodeUnknownTool = "unknown_tool"
	CodeRefused     = "refused" // approval was not given, or the user's own limits say no
	CodeTimeout     = "timeout"
	CodeCancelled   = "cancelled"
	CodeNoData      = "no_data"
	CodeCrashed     = "crashed"
)

// Result is what a tool answers: once for the program, once for the model, once
// for people.
type Result struct {
	// Value is the structured answer, as `nfa tools call --json` prints it.
	Value any
	// ForModel is what the model reads; empty means Value as JSON.
	ForModel string
	// ForUser is Markdown, made by the tool, drawn the same for every tool. Notes are not in it:
	// UserText has both.
	ForUser string
	// Redacted is ForModel without the user's amounts; empty means that it has none. The Router
	// sends it in the place of ForModel if the user hides amounts.
	Redacted string
	// Headline is the answer in one plain sentence, HeadlineZH in Chinese; empty where a tool
	// has none.
	Headline, HeadlineZH string
	// Keys are the figures that people see first, at most four.
	Keys []KeyFigure
	// Notes are what the answer says about its numbers, in the order it gives them.
	Notes []Note
	// Title says in a few words what was asked ("^GSPC · 2008 to 2020 · daily"),
	// Summary what came of it ("3,095 bars"). Both stand on the card's one line.
	Title, Summary string
	// Figures are the numbers of this result that an answer may quote.
	Figures []Figure
	// Chart shows people the same; nil where nothing is to be seen. No model gets it.
	// The Router keeps of it what [chart.Downsample] leaves.
	Chart *chart.Spec
	// Opened says that the result is what was asked for, to be seen at once and not
	// only once its card is opened.
	Opened bool
	// Private marks a result of whose numbers a model may know no more than ForModel
	// tells: Value, ForUser, Figures, Chart and an ErrorText hold what the user keeps.
	Private bool
	// Skill names the skill that this result loaded, if it did, SkillVersion tells its
	// text from an older one, and Section the part of it that this is, where it is not the
	// whole or its outline.
	Skill, SkillVersion, Section string
	// Activates names tools that the model may call from its next step on.
	Activates []string
	// IsError marks a failure that the model can mend; Code says which.
	IsError bool
	Code    string
}

// KeyFigure is a number that people see first, as they read it.
type KeyFigure struct {
	Label string `json:"label"` // "annual return"
	Text  string `json:"text"`  // "+5.7%"
	Sign  int    `json:"sign"`  // -1 for a loss, 1 for a gain, 0 for what is no change
}

// Note is one sentence about a result. A warning says that the result may mislead; every other
// note is background.
type Note struct {
	Code    string `json:"code"` // the same for all sentences of one meaning
	Text    string `json:"text"`
	Warning bool   `json:"warning,omitempty"`
	// Public is the sentence without the user's amounts.
	Public string `json:"-"`
}

// Figure is one number with all that is needed to trust it.
type Figure struct {
	ID      string          `json:"id"`             // unique in its result: "annual_return"
	Label   string          `json:"label"`          // "annual return"
	Value   decimal.Decimal `json:"value"`          // in Unit
	Unit    string          `json:"unit"`           // "USD", "%", "index points", "bars"
	AsOf    time.Time       `json:"as_of,omitzero"` // when it was true
	Source  string          `json:"source"`         // where it, or its inputs, came from
	Formula string          `json:"formula,omitempty"`
	Inputs  []string        `json:"inputs,omitempty"` // "first close 1447.16 on 2008-01-02"
}

// Errorf is a result that tells the model what went wrong and offers the next
// move. It returns a pair so that a tool can `return tool.Errorf(...)`.
func Errorf(format string, args ...any) (Result, error) {
	return Failed("", fmt.Sprintf(format, args...)), nil
}

// Failed is an error result with a code that callers may branch on.
func Failed(code, message string) Result {
	value := map[string]any{"error": message}
	if code != "" {
		value["code"] = code
	}
	return Result{Value: value, ForUser: message, Summary: firstLine(message), IsError: true, Code: code}
}

// Redactor is a value, or an error, that reads differently to a model if the user hides amounts.
type Redactor interface{ Redacted() string }

// FailedError is the result of an error. Redacted is its text without the user's amounts, if the
// error is a [Redactor] or wraps one.
func FailedError(code string, err error) Result {
	res := Failed(code, err.Error())
	if public, ok := RedactedText(err); ok {
		res.Redacted = Failed(code, public).ModelText()
	}
	return res
}

// RedactedText is the text of an error without the user's amounts; ok is false if it names none.
func RedactedText(err error) (text string, ok bool) {
	var r Redactor
	if !errors.As(err, &r) {
		return "", false
	}
	// What other errors wrapped around it stays in front of and behind it.
	inner, isError := r.(error)
	if !isError || !strings.Contains(err.Error(), inner.Error()) {
		return r.Redacted(), true
	}
	return strings.Replace(err.Error(), inner.Error(), r.Redacted(), 1), true
}

// ErrorText is the message of a failed result, or "".
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

// UserText is what people read: ForUser and the notes below it.
func (r Result) UserText() string { return r.WithNotes(r.Notes) }

// WithNotes is ForUser with some of the notes below it, the warnings first.
func (r Result) WithNotes(notes []Note) string {
	var b strings.Builder
	warningsFirst := slices.Clone(notes)
	slices.SortStableFunc(warningsFirst, func(a, b Note) int {
		switch {
		case a.Warning == b.Warning:
			return 0
		case a.Warning:
			return -1
		}
		return 1
	})
	for _, n := range warningsFirst {
		mark := "- "
		if n.Warning {
			mark = "- ! "
		}
		b.WriteString("\n" + mark + strings.Join(strings.Fields(n.Text), " "))
	}
	if b.Len() == 0 {
		return r.ForUser
	}
	return strings.TrimRight(r.ForUser, "\n") + "\n" + b.String() + "\n"
}

// ModelText is what the model reads.
func (r Result) ModelText() string {
	if r.ForModel != "" {
		return r.ForModel
	}
	if r.Value == nil {
		return r.ForUser
	}
	b, err := json.Marshal(r.Value)
	if err != nil {
		return fmt.Sprintf(`{"error":%q}`, "encoding the result: "+err.Error())
	}
	return string(b)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
