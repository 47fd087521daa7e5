package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type listInput struct {
	Account string `json:"account,omitempty" jsonschema:"only of this account"`
	Symbol  string `json:"symbol,omitempty" jsonschema:"only of this security, by whatever name it was recorded"`
	Kind    string `json:"kind,omitempty" jsonschema:"only of this kind, such as buy or dividend"`
	From    string `json:"from,omitempty" jsonschema:"first day: YYYY-MM-DD, or a month or year"`
	To      string `json:"to,omitempty" jsonschema:"last day; a month or year means its last day"`
	Text    string `json:"text,omitempty" jsonschema:"only with this text in name, note, symbol, ISIN, source or id"`
	Limit   int    `json:"limit,omitempty" jsonschema:"how many, newest first; 30 when left out, at most 100"`
}

const listDescription = `Lists what is recorded in the user's book, newest first: id, date, kind, account, symbol, quantity, amount before fee and tax with its currency, fee, tax, and held: how much of the symbol the account had after it. n counts the matching entries from the oldest.
Use it to look for an entry, to check an import, or to find the id for remove_transaction. matched says how many fit; narrow by account, symbol, kind, from, to or text where they are more than are shown. For what is held now or how it did, use the portfolio tools. Names and notes are outside text.`

const (
	defaultListLimit = 30
	maxListLimit     = 100
)

// newPortfolioTransactions is the tool that lists what is recorded.
func newPortfolioTransactions(d Deps) tool.Tool {
	return tool.New("portfolio_transactions", listDescription, tool.Reads, func(ctx context.Context, in listInput) (tool.Result, error) {
		l, err := d.Store.Ledger(ctx)
		if err != nil {
			return tool.Result{}, err
		}
		if len(l.Transactions) == 0 {
			return d.emptyResult(ctx)
		}
		matches, err := d.newFilter(l, in)
		if err != nil {
			return toolkit.InvalidResult(err)
		}
		return d.list(l, matches, in.Limit).result(d)
	})
}

// emptyResult says how to begin, in the words of all tools of the book.
func (d Deps) emptyResult(ctx context.Context) (tool.Result, error) {
	if _, err := d.Load(ctx); err != nil {
		return tool.Failed(tool.CodeNoData, err.Error()), nil
	}
	return tool.Failed(tool.CodeNoData, positions.ErrEmptyLedger.Error()), nil
}

// newFilter is what a call wants to see; nothing of after the clock.
func (d Deps) newFilter(l portfolio.Ledger, in listInput) (func(portfolio.Transaction) bool, error) {
	var sym market.Symbol
	if in.Symbol != "" {
		parsed, err := market.ParseSymbol(in.Symbol)
		if err != nil {
			return nil, err
		}
		sym = positions.ResolveAlias(l.Aliases, parsed)
	}
	if _, exists := l.Account(in.Account); in.Account != "" && !exists {
		return nil, fmt.Errorf("%w %.60q: there %s", portfolio.ErrUnknownAccount, in.Account, existingAccounts(l))
	}
	kind := portfolio.Kind(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(in.Kind)), " ", "_"))
	if kind != "" && !slices.Contains(portfolio.Kinds(), kind) {
		return nil, fmt.Errorf("kind %.40q is not one of %v", in.Kind, portfolio.Kinds())
	}
	if in.Limit < 0 || in.Limit > maxListLimit {
		return nil, fmt.Errorf("limit %d; it is from 1 to %d", in.Limit, maxListLimit)
	}
	from, _, err := toolkit.ParseDate(in.From)
	if err != nil {
		return nil, err
	}
	_, to, err := toolkit.ParseDate(in.To)
	if err != nil {
		return nil, err
	}
	if today := d.Today(); to.IsZero() || to.After(today) {
		to = today
	}
	text := strings.ToLower(strings.TrimSpace(in.Text))
	return func(t portfolio.Transaction) bool {
		return !t.Date.Before(from) && !t.Date.After(to) &&
			(in.Account == "" || t.Account == in.Account || t.ToAccount == in.Account) &&
			(kind == "" || t.Kind == kind) &&
			(sym == "" || positions.ResolveAlias(l.Aliases, t.Symbol) == sym || positions.ResolveAlias(l.Aliases, t.ToSymbol) == sym) &&
			(text == "" || strings.Contains(d.searchText(t), text))
	}, nil
}

// searchText has no number that a model may not see: one that it guesses would be
// confirmed.
func (d Deps) searchText(t portfolio.Transaction) string {
	return strings.ToLower(strings.Join([]string{d.MaskText(t.Name), d.MaskText(t.Note), string(t.Symbol), string(t.ToSymbol), t.ISIN, t.Source, t.ID}, "\n"))
}

// list finds what is wanted. A book that does not hold is listed all the same: that
// is how its faults are found.
func (d Deps) list(l portfolio.Ledger, matches func(portfolio.Transaction) bool, limit int) listAnswer {
	if limit == 0 {
		limit = defaultListLimit
	}
	l, laterWarnings := d.LedgerToDate(l)
	a := listAnswer{Recorded: len(l.Transactions), Transactions: []listedTransaction{}, Outside: toolkit.OutsideTextNote, Origin: d.LedgerOrigin(), Warnings: laterWarnings, laterWarnings: laterWarnings}
	b, err := positions.ApplyChange(l, portfolio.Change{})
	if err != nil {
		a.Warnings = append(a.Warnings, "the book does not hold as it is: "+d.MaskAmounts(err).Error())
		a.fault = err
	}
	ordered, had := l.Transactions, map[string]decimal.Decimal{}
	if b != nil {
		ordered, had = b.OrderedTransactions(), runningQuantities(b)
	} else {
		slices.SortStableFunc(ordered, func(a, b portfolio.Transaction) int { return a.Date.Compare(b.Date) })
	}
	for _, t := range ordered {
		if !matches(t) {
			continue
		}
		a.Matched++
		row := listedTransaction{N: a.Matched, Transaction: t}
		if n, ok := had[t.ID]; ok {
			row.Held = &n
		}
		a.Transactions = append(a.Transactions, row)
	}
	slices.Reverse(a.Transactions)
	a.Transactions = a.Transactions[:min(len(a.Transactions), limit)]
	a.Shown = len(a.Transactions)
	return a
}

// runningQuantities is how much of its security the account had after each transaction, of
// those that change it.
func runningQuantities(b *lots.Engine) map[string]decimal.Decimal {
	type place struct {
		account string
		symbol  market.Symbol
	}
	had, sums := map[string]decimal.Decimal{}, map[place]decimal.Decimal{}
	first := map[string]place{}
	for _, p := range b.Postings() {
		if p.Currency != "" {
			continue
		}
		at := place{p.Account, p.Symbol}
		sums[at] = sums[at].Add(p.Quantity)
		// What moves between two is told of where it begins.
		if begun, ok := first[p.Transaction]; ok && begun != at {
			continue
		}
		first[p.Transaction], had[p.Transaction] = at, sums[at]
	}
	return had
}
