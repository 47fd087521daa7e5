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

// resolvedSecurity is what a text of a call stands for.
type resolvedSecurity struct {
	symbol market.Symbol
	isin   string
	note   string // what the user should know of how it was found
}

// resolveSecurity finds the security that a text names: in the ledger, in the directory, or at
// the source of prices. For any other text the error lists the candidates, unless the user
// wants it recorded anyway.
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
		return resolvedSecurity{symbol: sym, isin: isin, note: fmt.Sprintf("%s is recorded unlisted: it may have no price", sym)}, nil
	case errors.Is(err, market.ErrUnknownSymbol):
		return resolvedSecurity{}, fmt.Errorf("%w; to record %s all the same, call again with unlisted true", err, sym)
	}
	// A source that is down must not keep the user from writing down what happened.
	return resolvedSecurity{symbol: sym, note: fmt.Sprintf("whether %s is listed could not be asked: %v", sym, err)}, nil
}

// listedSecurity asks the directory and then the source of prices whether there is a symbol.
func (d Deps) listedSecurity(ctx context.Context, sym market.Symbol) (resolvedSecurity, error) {
	known, err := d.Directory.Instruments(ctx)
	if err != nil {
		return resolvedSecurity{}, fmt.Errorf("listing the known symbols: %w", err)
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

// isRecorded reports whether the ledger has a symbol, also under another name.
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

// byISIN wants exactly one listing.
func (d Deps) byISIN(ctx context.Context, isin string) (resolvedSecurity, error) {
	found, err := d.listings().ByISIN(ctx, isin)
	switch {
	case err != nil:
		return resolvedSecurity{}, err
	case len(found) == 1:
		return resolvedSecurity{found[0].Symbol, isin, fmt.Sprintf("%s is %s (%s)", isin, found[0].Symbol, found[0].Name)}, nil
	case len(found) == 0:
		return resolvedSecurity{}, fmt.Errorf("%w: no listing of %s is known; name its symbol, or call again with unlisted true to record it under its number", market.ErrUnknownSymbol, isin)
	}
	return resolvedSecurity{}, fmt.Errorf("%w: %s is listed as %s; ask the user which of them is meant", market.ErrAmbiguous, isin, positions.FormatListings(found))
}
