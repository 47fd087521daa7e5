package positions

import (
	"context"

	"github.com/nfa-cli/nfa/internal/tool"
)

// TaxLotDeps are the book, what it is priced with, and what is known of its owner.
type TaxLotDeps struct {
	Deps
	// Jurisdiction names the tax rules that hold for the user, by the names of
	// package tax; "" where they have not said. Nil knows of none.
	Jurisdiction func(ctx context.Context) (string, error)
}

// TaxLotTools lists the tools of the room, one line each.
func TaxLotTools(d TaxLotDeps) []tool.Tool {
	return []tool.Tool{
		newTaxLots(d),
	}
}
