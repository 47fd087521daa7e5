package advice

import (
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// ProfileDeps are what the user has said and what it is priced with.
type ProfileDeps struct {
	toolkit.LatestPrices
	// Investor keeps the profile; nil leaves its tool out.
	Investor investor.ProfileStore
	// Watchlist keeps what is watched; nil leaves its tool out.
	Watchlist investor.Watchlist
}

// ProfileTools returns the tools that read and change the profile and the watchlist.
func ProfileTools(d ProfileDeps) []tool.Tool {
	var tools []tool.Tool
	if d.Investor != nil {
		tools = append(tools, newInvestorProfile(d))
	}
	if d.Watchlist != nil {
		tools = append(tools, newWatchlist(d))
	}
	return tools
}
