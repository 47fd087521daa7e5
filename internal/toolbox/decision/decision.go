// Package decision holds the journal of decisions: what the user decided and why,
// what would prove it wrong, and what became of it against a benchmark. What it
// writes is asked for first and said in words. A new tool is a file of its own and a
// line in Tools.
package decision

import (
	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// Deps are the journal and what its decisions are priced with.
type Deps struct {
	question.Newest
	// Journal keeps the decisions; nil leaves the tool out.
	Journal journal.Decisions
	// NewID names a decision as no other is: letters, digits, - and _. Nil leaves the
	// tool out.
	NewID func() (string, error)
	// Benchmark is what decisions are held against where a call names none, or "".
	Benchmark string
	// HideAmounts keeps the numbers in the user's own words from a model, except per
	// cents. Prices of the market and those that the user names among them are no
	// amounts of theirs.
	HideAmounts bool
}

// Tools lists the tools of the room, one line each.
func Tools(d Deps) []tool.Tool {
	if d.Journal == nil || d.NewID == nil {
		return nil
	}
	return []tool.Tool{newDecisionJournal(d)}
}

// ownWords are words of the user as a model may read them.
func (d Deps) ownWords(text string) string {
	if d.HideAmounts {
		return present.Masked(text, present.KeptPerCents)
	}
	return text
}
