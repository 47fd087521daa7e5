// Package personal holds the tools about the user themself: the investor profile
// with its interview, the watchlist, and the journal of decisions with its review.
// What they write is asked for first and said in words. A new one is a file of its
// own and a line in Tools.
package personal

import (
	"time"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// Deps are what the user has said and what it is priced with.
type Deps struct {
	question.Prices
	Quotes market.QuoteSource // nil leaves the closes of Bars
	// Investor keeps the profile; nil leaves its tool out.
	Investor investor.Store
	// Journal keeps watchlist and decisions; nil leaves both tools out.
	Journal journal.Store
	// NewID names a decision as no other is: letters, digits, - and _. Where it is nil
	// there is no decision journal.
	NewID func() (string, error)
	// Benchmark is what decisions are held against where a call names none, or "".
	Benchmark string
	// HideAmounts keeps the sums of the profile from a model, and the numbers in the
	// user's own words except per cents. Prices of the market and targets among them
	// are no amounts of the user's.
	HideAmounts bool
}

// Tools lists the tools of the room, one line each.
func Tools(d Deps) []tool.Tool {
	var tools []tool.Tool
	if d.Investor != nil {
		tools = append(tools, newInvestorProfile(d))
	}
	if d.Journal != nil {
		tools = append(tools, newWatchlist(d))
	}
	if d.Journal != nil && d.NewID != nil {
		tools = append(tools, newDecisionJournal(d))
	}
	return tools
}

func (d Deps) today() market.Date { return question.Today(d.Now()) }

// now is a moment as it is kept: what is smaller than a second does not last.
func (d Deps) now() time.Time { return d.Now().UTC().Truncate(time.Second) }
