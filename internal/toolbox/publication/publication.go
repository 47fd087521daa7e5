// Package publication holds the tools that find and read what companies file and
// papers publish, none of it of after the clock. Its texts are others': they are
// handed on as outside material. A new one is a file of its own and a line in
// Tools.
package publication

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Deps are where publications come from. A source that is nil has no tools.
type Deps struct {
	Directory market.Directory
	Filings   market.FilingSource
	News      market.NewsSource
	// Now is the clock; nothing after it is given. Replay says that it was set
	// back: what tells no date may be of later and is left out.
	Now    func() time.Time
	Replay bool
}

// Tools lists the tools of the room, one line each.
func Tools(d Deps) []tool.Tool {
	var tools []tool.Tool
	if d.Filings != nil {
		tools = append(tools, newFilings(d), newFilingSection(d))
	}
	if d.News != nil {
		tools = append(tools, newNews(d))
	}
	return tools
}
