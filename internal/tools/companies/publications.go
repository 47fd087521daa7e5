package companies

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
)

// PublicationDeps are where publications come from. A source that is nil has no tools.
type PublicationDeps struct {
	Directory market.Directory
	Filings   market.FilingSource
	News      market.NewsSource
	// Now is the clock; nothing after it is given. Replay says that it was set
	// back: what tells no date may be of later and is left out.
	Now    func() time.Time
	Replay bool
}

// PublicationTools returns the tools for filings and news.
func PublicationTools(d PublicationDeps) []tool.Tool {
	var tools []tool.Tool
	if d.Filings != nil {
		tools = append(tools, newFilings(d), newFilingSection(d))
	}
	if d.News != nil {
		tools = append(tools, newNews(d))
	}
	return tools
}
