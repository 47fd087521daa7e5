package bookkeeping

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// security is what a text of a call stands for.
type security struct {
	symbol market.Symbol
	isin   string
	remark string // what the user should know of how it was found
}

// meant finds the security that a text names: one of the book, of the directory, or
// that the source of prices knows. Another is an error that offers what there is,
// unless the user wants it recorded all the same.
func (d Deps) meant(ctx context.Context, l portfolio.Ledger, text string, unlisted bool) (security, error) {
	text = strings.TrimSpace(text)
	sym, invalid := market.ParseSymbol(text)
	if invalid == nil && recorded(l, sym) {
		return security{symbol: sym}, nil
	}
	if number := strings.ToUpper(text); broker.ValidISIN(number) && !unlisted {
		return d.byISIN(ctx, number)
	}
	found, err := question.LookUp(ctx, d.Directory, text, func(sym market.Symbol) (security, error) { return d.listed(ctx, sym) })
	switch {
	case err == nil:
		if string(found.symbol) != strings.ToUpper(text) && found.remark == "" {
			found.remark = fmt.Sprintf("%q is %s", text, found.symbol)
		}
		return found, nil
	case ctx.Err() != nil || invalid != nil || !unlisted && errors.Is(err, market.ErrAmbiguous):
		return security{}, err
	case unlisted:
		isin := ""
		if broker.ValidISIN(string(sym)) {
			isin = string(sym)
		}
		return security{symbol: sym, isin: isin, remark: fmt.Sprintf("%s is recorded unlisted: it may have no price", sym)}, nil
	case errors.Is(err, market.ErrUnknownSymbol):
		return security{}, fmt.Errorf("%w; to record %s all the same, call again with unlisted true", err, sym)
	}
	// A source that is down must not keep the user from writing down what happened.
	return security{symbol: sym, remark: fmt.Sprintf("whether %s is listed could not be asked: %v", sym, err)}, nil
}

// listed asks the directory and then the source of prices whether there is a symbol.
func (d Deps) listed(ctx context.Context, sym market.Symbol) (security, error) {
	known, err := d.Directory.Instruments(ctx)
	if err != nil {
		return security{}, fmt.Errorf("listing the known symbols: %w", err)
	}
	for _, i := range known {
		if i.Symbol == sym {
			return security{symbol: sym}, nil
		}
	}
	if d.Quotes == nil {
		return security{}, fmt.Errorf("%w %s", market.ErrUnknownSymbol, sym)
	}
	if _, err := d.Quotes.Quote(ctx, sym); err != nil {
		return security{}, err
	}
	return security{symbol: sym}, nil
}

// recorded tells whether the book knows a symbol, also by another name.
func recorded(l portfolio.Ledger, sym market.Symbol) bool {
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
func (d Deps) byISIN(ctx context.Context, isin string) (security, error) {
	found, err := d.listings().Of(ctx, isin)
	switch {
	case err != nil:
		return security{}, err
	case len(found) == 1:
		return security{found[0].Symbol, isin, fmt.Sprintf("%s is %s (%s)", isin, found[0].Symbol, found[0].Name)}, nil
	case len(found) == 0:
		return security{}, fmt.Errorf("%w: no listing of %s is known; name its symbol, or call again with unlisted true to record it under its number", market.ErrUnknownSymbol, isin)
	}
	return security{}, fmt.Errorf("%w: %s is listed as %s; ask the user which of them is meant", market.ErrAmbiguous, isin, book.Offered(found))
}

func (d Deps) listings() book.Listings {
	return book.Listings{Directory: d.Directory, Searches: d.Searches}
}
