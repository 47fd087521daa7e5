package positions

import (
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// LedgerSource is the source of numbers that come only from the user's ledger.
const LedgerSource = "the user's book"

// Today is the day of the clock.
func (d Deps) Today() market.Date { return toolkit.Today(d.Now()) }

// LedgerOrigin is the origin of numbers that come only from the ledger.
func (d Deps) LedgerOrigin() toolkit.Origin {
	return toolkit.OriginOf(market.Provenance{Source: LedgerSource, AsOf: d.Today(), FetchedAt: d.Now()}).WithoutAdjustment()
}

// ApplyChange returns the ledger with a change made and all of it applied. Added transactions
// are checked once, by lots.New; the store makes sure that a line of a file is not recorded
// twice. If the changed ledger is invalid, the engine is returned as far as it went.
func ApplyChange(l portfolio.Ledger, c portfolio.Change) (*lots.Engine, error) {
	added := c.Add
	c.Add = nil
	changed, err := l.Apply(c)
	if err != nil {
		return nil, err
	}
	changed.Transactions = slices.Concat(changed.Transactions, added)
	engine, err := lots.New(changed)
	if err != nil {
		return nil, err
	}
	return engine, engine.Advance(market.Date{})
}
