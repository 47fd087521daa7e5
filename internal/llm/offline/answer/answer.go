// Package answer tells what the results of tools say, in Markdown: the finding first,
// then what went wrong, then where the numbers come from and how old they are.
//
// Its surface: an Outcome is what a tool gave, Write tells the outcomes of a turn as
// the answer to what was Asked, Workflow those of a skill's steps, Problem one that
// failed, and Sums names what is left to be calculated before. An Object is JSON,
// read field by field. No number is told that neither a tool nor the user gave; where
// one is missing stands n/a.
package answer

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm/offline/quoted"
)

// Asked is what an answer must know of its question.
type Asked struct {
	Symbols  []string // of which alone it is told what the book holds; all without any
	Day      string   // whose close is asked for, YYYY-MM-DD, or empty
	Currency string   // in which the answer is wanted, or empty
	Amount   string   // the digits of what would have been put in, or empty
	Holdings []Holding
}

// Holding is a number of shares that the question names, as a term of calculate:
// "10", or "(10 + 5)" where it is named twice.
type Holding struct{ Symbol, Shares string }

// Outcome is the result of a tool.
type Outcome struct {
	Tool   string
	Result Object
	Err    string // what went wrong, in the tool's words
	Code   string // of the error
}

// OutcomeOf reads what a tool gave. What cannot be read is an error, too.
func OutcomeOf(tool, content string, isError bool) Outcome {
	o := Outcome{Tool: tool, Result: Decode(content)}
	o.Err, o.Code = o.Result.Text("error"), o.Result.Text("code")
	const unreadable = 80 // bytes of it that are shown
	switch {
	case o.Err != "":
	case isError:
		o.Err = quoted.Line(content, quoted.Longest)
	case len(o.Result.fields) == 0:
		o.Err = "the result cannot be read: " + quoted.Line(content, unreadable)
	}
	return o
}

// Write tells outcomes as the answer to what was asked, below the paragraphs of first.
// It is never empty.
func Write(a Asked, outcomes []Outcome, first ...string) string {
	return joined(slices.Concat(first, a.report(outcomes)))
}

// Sums are the expressions that are to be calculated from outcomes before they are
// told: what an amount became, or what holdings are worth. Write finds their results
// among the outcomes.
func (a Asked) Sums(outcomes []Outcome) []string {
	if a.Amount != "" {
		return a.growing(outcomes)
	}
	return a.valuing(outcomes)
}

// Problem tells an outcome that failed, in the tool's own words, with the next move.
func Problem(o Outcome) string { return alike([]Outcome{o})[0].told() }

// joined makes paragraphs of parts. An answer is never empty: the loop would
// take that for a broken model.
func joined(parts []string) string {
	text := strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "\n\n")
	if text == "" {
		return "The tools gave no result, so there is nothing that I can say."
	}
	return text
}
