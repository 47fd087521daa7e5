package app

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/sqlstore"
)

// Ledger returns all recorded transactions.
func (b *PortfolioStore) Ledger(ctx context.Context) (portfolio.Ledger, error) {
	return readPortfolio(ctx, b, portfolio.Ledger{}, func(s sqlstore.Portfolio) (portfolio.Ledger, error) {
		read := s.Ledger
		if b.shared.viewsAll() {
			read = b.shared.combinedLedger
		}
		l, err := read(ctx)
		b.remember(l, err)
		return l, err
	})
}

// Update changes the ledger.
func (b *PortfolioStore) Update(ctx context.Context, change func(portfolio.Ledger) (portfolio.Change, error)) error {
	return b.write(ctx, func(s sqlstore.Portfolio) error { return s.Update(ctx, change) })
}

// Mapping returns a saved column mapping for imports.
func (b *PortfolioStore) Mapping(ctx context.Context, name string) (doc json.RawMessage, ok bool, err error) {
	doc, err = readPortfolio(ctx, b, nil, func(s sqlstore.Portfolio) (json.RawMessage, error) {
		doc, found, err := s.Mapping(ctx, name)
		ok = found
		return doc, err
	})
	return doc, ok, err
}

// Mappings returns the names of all saved column mappings.
func (b *PortfolioStore) Mappings(ctx context.Context) ([]string, error) {
	return readPortfolio(ctx, b, nil, func(s sqlstore.Portfolio) ([]string, error) { return s.Mappings(ctx) })
}

// SaveMapping saves a column mapping.
func (b *PortfolioStore) SaveMapping(ctx context.Context, name string, doc json.RawMessage) error {
	return b.write(ctx, func(s sqlstore.Portfolio) error { return s.SaveMapping(ctx, name, doc) })
}

// Profile returns the investor profile.
func (b *PortfolioStore) Profile(ctx context.Context) (p investor.Profile, ok bool, err error) {
	p, err = readPortfolio(ctx, b, investor.Profile{}, func(s sqlstore.Portfolio) (investor.Profile, error) {
		p, found, err := s.Profile(ctx)
		ok = found
		return p, err
	})
	return p, ok, err
}

// SaveProfile saves the investor profile.
func (b *PortfolioStore) SaveProfile(ctx context.Context, p investor.Profile) error {
	return b.write(ctx, func(s sqlstore.Portfolio) error { return s.SaveProfile(ctx, p) })
}

// Watches returns the watchlist.
func (b *PortfolioStore) Watches(ctx context.Context) ([]investor.WatchedSymbol, error) {
	return readPortfolio(ctx, b, nil, func(s sqlstore.Portfolio) ([]investor.WatchedSymbol, error) { return s.Watches(ctx) })
}

// PutWatch adds or replaces an entry of the watchlist.
func (b *PortfolioStore) PutWatch(ctx context.Context, w investor.WatchedSymbol) error {
	return b.write(ctx, func(s sqlstore.Portfolio) error { return s.PutWatch(ctx, w) })
}

// RemoveWatch removes a symbol from the watchlist.
func (b *PortfolioStore) RemoveWatch(ctx context.Context, sym market.Symbol) error {
	return b.write(ctx, func(s sqlstore.Portfolio) error { return s.RemoveWatch(ctx, sym) })
}

// Decisions returns the decision journal.
func (b *PortfolioStore) Decisions(ctx context.Context) ([]investor.Decision, error) {
	return readPortfolio(ctx, b, nil, func(s sqlstore.Portfolio) ([]investor.Decision, error) { return s.Decisions(ctx) })
}

// PutDecision adds or replaces a decision.
func (b *PortfolioStore) PutDecision(ctx context.Context, d investor.Decision) error {
	return b.write(ctx, func(s sqlstore.Portfolio) error { return s.PutDecision(ctx, d) })
}

// RemoveDecision removes a decision.
func (b *PortfolioStore) RemoveDecision(ctx context.Context, id string) error {
	return b.write(ctx, func(s sqlstore.Portfolio) error { return s.RemoveDecision(ctx, id) })
}

// PortfolioSummary counts what the portfolio has.
type PortfolioSummary struct {
	Transactions int
	Positions    int      // securities with an open position
	Currencies   []string // of the positions and the cash
	Err          error    // why the portfolio cannot be read
}

// Summary returns a summary of the portfolio. It needs no prices.
func (b *PortfolioStore) Summary(ctx context.Context) PortfolioSummary {
	ledger, err := b.Ledger(ctx)
	if err != nil || len(ledger.Transactions) == 0 {
		return PortfolioSummary{Err: err}
	}
	s := PortfolioSummary{Transactions: len(ledger.Transactions)}
	engine, err := lots.New(ledger)
	if err == nil {
		err = engine.Advance(market.Date{})
	}
	if s.Err = err; err != nil {
		return s
	}
	symbols, currencies := map[market.Symbol]bool{}, map[string]bool{}
	for _, p := range engine.Positions() {
		symbols[p.Symbol] = true
		currencies[p.Currency] = p.Currency != ""
	}
	for _, cash := range engine.Balances() {
		currencies[cash.Currency] = currencies[cash.Currency] || !cash.Amount.IsZero()
	}
	maps.DeleteFunc(currencies, func(_ string, used bool) bool { return !used })
	s.Positions, s.Currencies = len(symbols), slices.Sorted(maps.Keys(currencies))
	return s
}
