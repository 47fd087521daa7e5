package offline

import (
	"slices"
	"strings"
)

// AnswerInput is what an answer must know of its question.
type AnswerInput struct {
	Symbols     []string // the positions to show; all when empty
	Day         string   // whose close is asked for, YYYY-MM-DD, or empty
	Currency    string   // in which the answer is wanted, or empty
	Amount      string   // the digits of what would have been put in, or empty
	ShareCounts []AnswerShares
}

// AnswerShares is a number of shares that the question names, as a term of calculate:
// "10", or "(10 + 5)" where it is named twice.
type AnswerShares struct{ Symbol, Shares string }

// ToolOutcome is the result of a tool.
type ToolOutcome struct {
	Tool   string
	Result ResultObject
	Err    string // what went wrong, in the tool's words
	Code   string // of the error
}

// ParseToolOutcome reads what a tool gave. What cannot be read is an error, too.
func ParseToolOutcome(tool, content string, isError bool) ToolOutcome {
	o := ToolOutcome{Tool: tool, Result: DecodeResult(content)}
	o.Err, o.Code = o.Result.Text("error"), o.Result.Text("code")
	const unreadable = 80 // bytes of it that are shown
	switch {
	case o.Err != "":
	case isError:
		o.Err = CleanLine(content, MaxQuoteBytes)
	case len(o.Result.fields) == 0:
		o.Err = "the result cannot be read: " + CleanLine(content, unreadable)
	}
	return o
}

// WriteAnswer tells outcomes as the answer to what was asked, below the paragraphs of first.
// It is never empty.
func WriteAnswer(a AnswerInput, outcomes []ToolOutcome, first ...string) string {
	return joinParagraphs(slices.Concat(first, a.paragraphs(outcomes)))
}

// Calculations returns the expressions to calculate from outcomes before the answer is written: the
// present value of an amount, or the market value of a number of shares. WriteAnswer finds their
// results among the outcomes.
func (a AnswerInput) Calculations(outcomes []ToolOutcome) []string {
	if a.Amount != "" {
		return a.investmentExpressions(outcomes)
	}
	return a.valueExpressions(outcomes)
}

// DescribeFailure tells an outcome that failed, in the tool's own words, with the next move.
func DescribeFailure(o ToolOutcome) string { return groupFailures([]ToolOutcome{o})[0].text() }

// joinParagraphs makes paragraphs of parts. An answer is never empty: the loop would
// take that for a broken model.
func joinParagraphs(parts []string) string {
	text := strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "\n\n")
	if text == "" {
		return "The tools gave no result, so there is nothing that I can say."
	}
	return text
}
