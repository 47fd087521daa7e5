// Package taxlots holds the tool that shows the user's lots as taxes see them.
// Nothing here writes. A new one is a file of its own and a line in Tools.
package taxlots

import (
	"context"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
)

// Deps are the book, what it is priced with, and what is known of its owner.
type Deps struct {
	book.Deps
	// Jurisdiction names the tax rules that hold for the user, by the names of
	// package tax; "" where they have not said. Nil knows of none.
	Jurisdiction func(ctx context.Context) (string, error)
}

// Tools lists the tools of the room, one line each.
func Tools(d Deps) []tool.Tool {
	return []tool.Tool{
		newTaxLots(d),
	}
}
