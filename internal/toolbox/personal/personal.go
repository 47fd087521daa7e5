// Package personal holds the tools about the user themself: the investor profile
// with its interview, and the watchlist. What they write is asked for first and said
// in words. A new one is a file of its own and a line in Tools.
package personal

import (
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// Deps are what the user has said and what it is priced with.
type Deps struct {
	question.Newest
	// Investor keeps the profile; nil leaves its tool out.
	Investor investor.Store
	// Watchlist keeps what is watched; nil leaves its tool out.
	Watchlist journal.Watchlist
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
	if d.Watchlist != nil {
		tools = append(tools, newWatchlist(d))
	}
	return tools
}

// ownWords are words of the user as a model may read them.
func (d Deps) ownWords(text string) string {
	if d.HideAmounts {
		return present.Masked(text, present.KeptPerCents)
	}
	return text
}
