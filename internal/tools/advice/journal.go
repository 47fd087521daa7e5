package advice

import (
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// JournalDeps are the journal and what its decisions are priced with.
type JournalDeps struct {
	toolkit.LatestPrices
	// Journal keeps the decisions; nil leaves the tool out.
	Journal investor.Decisions
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

// JournalTools returns the tools of the decision journal.
func JournalTools(d JournalDeps) []tool.Tool {
	if d.Journal == nil || d.NewID == nil {
		return nil
	}
	return []tool.Tool{newDecisionJournal(d)}
}

// maskNote are words of the user as a model may read them.
func (d JournalDeps) maskNote(text string) string {
	if d.HideAmounts {
		return toolkit.MaskNumbers(text, toolkit.KeepPercents)
	}
	return text
}
