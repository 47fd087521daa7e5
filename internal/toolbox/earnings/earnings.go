// Package earnings holds the tool that measures what the user's book earned. Nothing
// here writes. A new one is a file of its own and a line in Tools.
package earnings

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// Deps are the book and what it is priced with.
type Deps struct {
	book.Deps
	// Benchmark is what the book is compared with where a call names nothing, or "".
	Benchmark string
}

// Tools lists the tools of the room, one line each.
func Tools(d Deps) []tool.Tool {
	return []tool.Tool{
		newPerformance(d),
	}
}

// percentFloat is a return in per cent with two digits, nil where it is absent.
func percentFloat(v *float64) *decimal.Decimal {
	if v == nil {
		return nil
	}
	rounded := present.RoundedPercent(*v, 2)
	return &rounded
}
