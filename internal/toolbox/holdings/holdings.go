// Package holdings holds the tools that look at what the user has: what is held and
// worth, and how it is divided. Nothing here writes. A new one is a file of its own
// and a line in Tools.
package holdings

import (
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
)

// Deps are the book and what it is priced with.
type Deps struct{ book.Deps }

// Tools lists the tools of the room, one line each.
func Tools(d Deps) []tool.Tool {
	return []tool.Tool{
		newPositions(d),
		newAllocation(d),
	}
}
