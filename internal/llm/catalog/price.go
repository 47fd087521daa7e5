package catalog

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
)

// millionExponent is what prices are for.
const millionExponent = 6 // as a power of ten

// Cost is what a usage costs in US dollars, exactly. The cached tokens of a usage
// are among its input tokens; a server that claims more of them than that is
// believed no further than its input.
func (p Price) Cost(u llm.Usage) decimal.Decimal {
	cached := min(max(u.CachedTokens, 0), u.InputTokens)
	rate := p.Input
	if p.Cached.Valid {
		rate = p.Cached.Decimal
	}
	return p.Input.Mul(decimalTokens(u.InputTokens - cached)).
		Add(rate.Mul(decimalTokens(cached))).
		Add(p.Output.Mul(decimalTokens(u.OutputTokens))).
		Shift(-millionExponent)
}

func decimalTokens(n int) decimal.Decimal { return decimal.NewFromInt(int64(max(n, 0))) }
