package ledger

import (
	"errors"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// openingNote is the note on transactions that record positions from before a file begins.
const openingNote = "held before the file begins; its cost is unknown"

// maxOpenings bounds how often a ledger is replayed to find missing openings;
// maxReplayedTransactions bounds the transactions replayed in total.
const (
	maxOpenings             = 200
	maxReplayedTransactions = 2_000_000
)

// findOpenings returns positions that a file sells but never buys, each as a transfer in at unknown
// cost, on the day on which it is first needed. An earlier day could precede a split, which would
// change the quantity. The error reports other faults of the ledger.
func findOpenings(l portfolio.Ledger, c portfolio.Change) ([]portfolio.Transaction, error) {
	var found []portfolio.Transaction
	limit := min(max(maxReplayedTransactions/(len(l.Transactions)+len(c.Add)+1), 5), maxOpenings)
	change := c
	for {
		b, err := positions.ApplyChange(l, change)
		var refused *portfolio.TransactionError
		if b == nil || !errors.As(err, &refused) || !errors.Is(err, portfolio.ErrNotHeld) || len(found) == limit {
			return found, err
		}
		t := refused.Transaction
		if t.Kind != portfolio.KindSell && t.Kind != portfolio.KindTransferOut || len(t.Lots) > 0 {
			return found, err
		}
		missing := t.Quantity
		for h := range b.OpenPositions() {
			if h.Account == t.Account && h.Symbol == t.Symbol {
				missing = missing.Sub(decimal.Max(h.Quantity, decimal.Zero))
			}
		}
		if !missing.IsPositive() {
			return found, err
		}
		found = append(found, portfolio.Transaction{
			ID: fmt.Sprintf("opening-%d", len(found)), Date: t.Date, Kind: portfolio.KindTransferIn, Account: t.Account,
			Symbol: t.Symbol, ISIN: t.ISIN, Name: t.Name, Quantity: missing, CostUnknown: true, Note: openingNote,
		})
		change.Add = append(append([]portfolio.Transaction{}, c.Add...), found...)
	}
}

// addOpenings adds the opening positions to the change if the user agreed; otherwise the error
// names all of them at once.
func (d Deps) addOpenings(l portfolio.Ledger, in *parsedFile, s sortedEntries, c portfolio.Change) (portfolio.Change, []portfolio.Transaction, error) {
	if len(c.Add)+len(c.Accounts)+len(c.Aliases)+len(c.Securities)+len(c.Targets) == 0 {
		return c, nil, nil // the ledger is unchanged, whether it is valid or not
	}
	_, err := positions.ApplyChange(l, c)
	switch {
	case err == nil:
		return c, nil, nil
	case !errors.Is(err, portfolio.ErrNotHeld):
		return c, nil, ledgerError(err, s, c)
	}
	found, replayErr := findOpenings(l, c)
	switch {
	case len(found) == 0:
		return c, nil, ledgerError(err, s, c)
	case !in.addOpenings:
		return c, nil, toolkit.Errorf("%w: nothing was written; %s sells or transfers shares that were never bought:\n%s\nimport the older files of the account first or, if there are none, call again with opening true: each is then recorded as a transfer in on that day, at unknown cost: %w",
			errImport, in.file.Name, missingOpenings(found), positions.Redact(err))
	case replayErr != nil:
		return c, nil, ledgerError(replayErr, s, c)
	}
	ids, err := d.NewIDs(len(found))
	if err != nil {
		return c, nil, err
	}
	for i := range found {
		found[i].ID = ids[i]
	}
	c.Add = append(append([]portfolio.Transaction{}, c.Add...), found...)
	return c, found, nil
}

// missingOpenings lists positions that the file sells but never buys.
func missingOpenings(found []portfolio.Transaction) ownLines {
	var out ownLines
	for i, t := range found {
		if i == maxProblems {
			out.add("- and %d more", len(found)-i)
			break
		}
		out.add("- %s %s on %s in %q", toolkit.Amount(t.Quantity.String()), t.Symbol, toolkit.FormatDate(t.Date), t.Account)
	}
	return out
}
