package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// resolvedSecurity is the security that a text refers to.
type resolvedSecurity struct {
	symbol market.Symbol
	isin   string
	note   string // how the security was found, for the user
}

// resolveSecurity finds a security by symbol, name or ISIN: in the ledger, in the directory, or at
// the price source. If it is not found, the error lists candidates, unless the user wants to record
// it anyway.
func (d Deps) resolveSecurity(ctx context.Context, l portfolio.Ledger, text string, unlisted bool) (resolvedSecurity, error) {
	text = strings.TrimSpace(text)
	sym, invalid := market.ParseSymbol(text)
	if invalid == nil && isRecorded(l, sym) {
		return resolvedSecurity{symbol: sym}, nil
	}
	if number := strings.ToUpper(text); importer.ValidISIN(number) && !unlisted {
		return d.byISIN(ctx, number)
	}
	found, err := toolkit.LookUp(ctx, d.Directory, text, func(sym market.Symbol) (resolvedSecurity, error) { return d.listedSecurity(ctx, sym) })
	switch {
	case err == nil:
		if string(found.symbol) != strings.ToUpper(text) && found.note == "" {
			found.note = fmt.Sprintf("%q is %s", text, found.symbol)
		}
		return found, nil
	case ctx.Err() != nil || invalid != nil || !unlisted && errors.Is(err, market.ErrAmbiguous):
		return resolvedSecurity{}, err
	case unlisted:
		isin := ""
		if importer.ValidISIN(string(sym)) {
			isin = string(sym)
		}
		return resolvedSecurity{symbol: sym, isin: isin, note: fmt.Sprintf("%s is recorded as unlisted and may have no price", sym)}, nil
	case errors.Is(err, market.ErrUnknownSymbol):
		return resolvedSecurity{}, fmt.Errorf("%w; to record %s anyway, call again with unlisted true", err, sym)
	}
	// A source that is down must not keep the user from recording a transaction.
	return resolvedSecurity{symbol: sym, note: fmt.Sprintf("could not check whether %s is listed: %v", sym, err)}, nil
}

// listedSecurity looks up a symbol in the directory, then at the price source.
func (d Deps) listedSecurity(ctx context.Context, sym market.Symbol) (resolvedSecurity, error) {
	known, err := d.Directory.Instruments(ctx)
	if err != nil {
		return resolvedSecurity{}, fmt.Errorf("list the known symbols: %w", err)
	}
	for _, i := range known {
		if i.Symbol == sym {
			return resolvedSecurity{symbol: sym}, nil
		}
	}
	if d.Quotes == nil {
		return resolvedSecurity{}, fmt.Errorf("%w %s", market.ErrUnknownSymbol, sym)
	}
	if _, err := d.Quotes.Quote(ctx, sym); err != nil {
		return resolvedSecurity{}, err
	}
	return resolvedSecurity{symbol: sym}, nil
}

// isRecorded reports whether the ledger has a symbol, including through an alias.
func isRecorded(l portfolio.Ledger, sym market.Symbol) bool {
	for from, to := range l.Aliases {
		if from == sym || to == sym {
			return true
		}
	}
	for i := range l.Transactions {
		if t := &l.Transactions[i]; t.Symbol == sym || t.ToSymbol == sym {
			return true
		}
	}
	return false
}

// byISIN returns the only listing of an ISIN, or an error.
func (d Deps) byISIN(ctx context.Context, isin string) (resolvedSecurity, error) {
	found, err := d.listings().ByISIN(ctx, isin)
	switch {
	case err != nil:
		return resolvedSecurity{}, err
	case len(found) == 1:
		return resolvedSecurity{found[0].Symbol, isin, fmt.Sprintf("%s is %s (%s)", isin, found[0].Symbol, found[0].Name)}, nil
	case len(found) == 0:
		return resolvedSecurity{}, fmt.Errorf("%w: no listing of %s found; give its symbol, or call again with unlisted true to record it under its ISIN", market.ErrUnknownSymbol, isin)
	}
	return resolvedSecurity{}, fmt.Errorf("%w: %s is listed as %s; ask the user which one", market.ErrAmbiguous, isin, positions.FormatListings(found))
}
