package positions

import (
	"context"

	"github.com/nfa-cli/nfa/internal/tool"
)

// TaxLotDeps holds the portfolio store, the price sources and the owner's jurisdiction.
type TaxLotDeps struct {
	Deps
	// Jurisdiction names the tax rules that hold for the user, by the names of
	// package tax; "" where they have not said. Nil knows of none.
	Jurisdiction func(ctx context.Context) (string, error)
}

// TaxLotTools returns the tool that lists tax lots.
func TaxLotTools(d TaxLotDeps) []tool.Tool {
	return []tool.Tool{
		newTaxLots(d),
	}
}
