package ledger

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/tools/positions"
)

// These bounds keep an import from waiting for hundreds of lookups.
const (
	maxLookups           = 100
	maxConcurrentLookups = 4
	lookupTimeout        = 15 * time.Second
)

// symbolNames maps the securities of a file to their symbols in the ledger.
type symbolNames struct {
	aliases   map[market.Symbol]market.Symbol // to be added
	found     []string                        // descriptions of the matches
	questions []string                        // for the user to answer, now or later
}

// nameSymbols finds the symbols of securities that a file identifies only by ISIN. The user's
// choice wins. Otherwise a single listing is used, and several become a question. Without a symbol,
// the ISIN is recorded.
func (d Deps) nameSymbols(ctx context.Context, l portfolio.Ledger, userSymbols map[string]string, s importer.Statement) (symbolNames, error) {
	n := symbolNames{aliases: map[market.Symbol]market.Symbol{}}
	for from, to := range userSymbols {
		name, err := market.ParseSymbol(from)
		if err != nil {
			return n, fmt.Errorf("%w: symbols: %w", errImport, err)
		}
		symbol, err := market.ParseSymbol(to)
		if err != nil {
			return n, fmt.Errorf("%w: symbols: %s: %w", errImport, name, err)
		}
		if name != symbol {
			n.aliases[name] = symbol
		}
	}
	if s.Settings != nil {
		return n, nil // securities without an alias in an nfa export had none in its ledger
	}
	unnamed := n.unnamed(l, s)
	listings, unasked, err := d.allListings(ctx, unnamed)
	if err != nil {
		return n, err
	}
	for _, isin := range unnamed {
		switch found := listings[isin]; len(found) {
		case 0:
		case 1:
			n.aliases[isin] = found[0].Symbol
			n.found = append(n.found, fmt.Sprintf("%s is %s", isin, positions.FormatListings(found)))
		default:
			n.questions = append(n.questions, fmt.Sprintf("%s is listed as %s; which one do you mean", isin, positions.FormatListings(found)))
		}
	}
	if unasked != "" {
		n.questions = append(n.questions, unasked)
	}
	return n, nil
}

// unnamed returns the ISINs recorded as symbols that have no alias, sorted.
func (n symbolNames) unnamed(l portfolio.Ledger, s importer.Statement) []market.Symbol {
	seen := map[market.Symbol]bool{}
	var out []market.Symbol
	for _, e := range s.Entries {
		for _, sym := range []market.Symbol{e.Transaction.Symbol, e.Transaction.ToSymbol} {
			if seen[sym] {
				continue
			}
			seen[sym] = true
			_, known := l.Aliases[sym]
			_, named := n.aliases[sym]
			if !known && !named && importer.ValidISIN(string(sym)) {
				out = append(out, sym)
			}
		}
	}
	slices.Sort(out)
	return out
}

// allListings looks up all listings within a time limit. A failed lookup is reported and does not
// affect the others; only a canceled context is an error.
func (d Deps) allListings(ctx context.Context, isins []market.Symbol) (map[market.Symbol][]market.Instrument, string, error) {
	answers := make([][]market.Instrument, min(len(isins), maxLookups))
	asking, stop := context.WithTimeout(ctx, lookupTimeout)
	defer stop()
	group, asking := crash.WithContext(asking)
	group.SetLimit(maxConcurrentLookups)
	for i := range answers {
		group.Go(func() (err error) {
			answers[i], err = d.listings().ByISIN(asking, string(isins[i]))
			return err
		})
	}
	failed := group.Wait()
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	listings := make(map[market.Symbol][]market.Instrument, len(isins))
	for i, found := range answers {
		listings[isins[i]] = found
	}
	switch {
	case failed != nil:
		return listings, fmt.Sprintf("some ISINs could not be looked up (%v); they are used as symbols until you set an alias", failed), nil
	case len(isins) > maxLookups:
		return listings, fmt.Sprintf("%d of %d ISINs were looked up; the others are used as symbols until you set an alias", maxLookups, len(isins)), nil
	}
	return listings, "", nil
}
