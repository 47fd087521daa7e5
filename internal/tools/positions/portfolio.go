package positions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Errors that prevent the portfolio from being shown.
var (
	// ErrEmptyLedger means that nothing is recorded yet. The message names the next step.
	ErrEmptyLedger = errors.New("the portfolio is empty")
	// ErrNoBaseCurrency means that amounts in several currencies have no common currency.
	ErrNoBaseCurrency = errors.New("no base currency")
)

// Deps holds the portfolio store and the price sources that value it.
type Deps struct {
	toolkit.Prices
	Store  portfolio.Store
	Quotes market.QuoteSource
	Rates  market.RateSource // nil leaves other currencies unconverted
	// Base is the user's preferred currency for totals, or "".
	Base string
	// Benchmark is the default benchmark of a call, or "".
	Benchmark string

	byHolder bool // separate positions for each holder, see Portfolio
}

// Portfolio is the ledger as it was at the end of a day.
type Portfolio struct {
	portfolio.Ledger // only with transactions up to Day
	Engine           *lots.Engine
	Day              market.Date // today by the clock
	LaterWarnings    []string    // set if the clock hides recorded transactions
	byHolder         bool        // several people who hold a security have separate positions
}

// Load opens the ledger as of the clock. A ledger without a transaction is an ErrEmptyLedger. Later
// transactions are omitted, so that a clock set back shows the portfolio of that day.
func (d Deps) Load(ctx context.Context) (Portfolio, error) {
	ledger, err := d.Store.Ledger(ctx)
	if err != nil {
		return Portfolio{}, err
	}
	o := Portfolio{Day: d.Today(), byHolder: d.byHolder}
	o.Ledger, o.LaterWarnings = d.LedgerToDate(ledger)
	if len(o.Transactions) == 0 {
		if len(ledger.Transactions) > 0 {
			return o, fmt.Errorf("%w on %s: its first transaction is later", ErrEmptyLedger, o.Day.Format("2006-01-02"))
		}
		return o, fmt.Errorf("%w; record a purchase with add_transaction (nfa portfolio add), or import a broker file with import_transactions (nfa portfolio import FILE)", ErrEmptyLedger)
	}
	if o.Engine, err = lots.New(o.Ledger); err != nil {
		return o, fmt.Errorf("open the portfolio: %w", err)
	}
	if err := o.Engine.Advance(market.Date{}); err != nil {
		return o, fmt.Errorf("open the portfolio: %w", err)
	}
	return o, nil
}

// LedgerToDate returns a ledger without transactions dated after the clock, and a warning about
// them. If the clock was set back on purpose, there is no warning.
func (d Deps) LedgerToDate(l portfolio.Ledger) (portfolio.Ledger, []string) {
	all, today := len(l.Transactions), d.Today()
	isLater := func(t portfolio.Transaction) bool { return t.Date.After(today) }
	if !slices.ContainsFunc(l.Transactions, isLater) {
		return l, nil
	}
	l.Transactions = slices.DeleteFunc(slices.Clone(l.Transactions), isLater)
	later := all - len(l.Transactions)
	if d.Replay {
		return l, nil
	}
	return l, []string{fmt.Sprintf("%d of %d transactions are not shown: they are dated after %s (today, by this computer's clock)",
		later, all, toolkit.FormatDate(today))}
}

// CheckAccounts checks the accounts that a call names. None means all.
func (o Portfolio) CheckAccounts(requested []string) ([]string, error) {
	var names []string
	for _, a := range o.Ledger.Accounts {
		names = append(names, a.Name)
	}
	if len(requested) == 0 {
		return names, nil
	}
	known := setOf(names)
	for _, name := range requested {
		if !known[name] {
			return nil, fmt.Errorf("%w %.60q; choose from %s", portfolio.ErrUnknownAccount, name, strings.Join(names, ", "))
		}
	}
	return requested, nil
}

// setOf returns the names as a set, because a portfolio can have thousands of accounts.
func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// UntrackedCash returns the names of accounts whose cash is not tracked, among the given ones. Nil means
// all accounts.
func (o Portfolio) UntrackedCash(among []string) []string {
	var names []string
	given := setOf(among)
	for _, a := range o.Ledger.Accounts {
		if a.Cash == portfolio.CashUntracked && (among == nil || given[a.Name]) {
			names = append(names, a.Name)
		}
	}
	return names
}

// SecurityFacts returns what the user recorded for a security.
func (o Portfolio) SecurityFacts(sym market.Symbol) portfolio.Security {
	for _, s := range o.Securities {
		if s.Symbol == sym {
			return s
		}
	}
	return portfolio.Security{Symbol: sym}
}

// BaseCurrency returns the currency of totals: the requested one, else the user's setting, else the
// only one in use.
func (d Deps) BaseCurrency(requested string, used []string) (string, error) {
	if requested != "" {
		return toolkit.ParseCurrency(requested)
	}
	if d.Base != "" {
		return d.Base, nil
	}
	slices.Sort(used)
	switch used = slices.Compact(used); len(used) {
	case 1:
		return used[0], nil
	case 0:
		return "", fmt.Errorf("%w: no position has a price; set currency", ErrNoBaseCurrency)
	}
	return "", fmt.Errorf("%w: the portfolio has %s; set currency, or set a default with nfa config set base_currency %s", ErrNoBaseCurrency, strings.Join(used, ", "), used[0])
}

// baseOf works like BaseCurrency, but without a setting it chooses, for a portfolio in several currencies, the
// currency of most transactions; chosen then says so.
func (d Deps) baseOf(o Portfolio, requested string, used []string) (base, chosen string, err error) {
	base, err = d.BaseCurrency(requested, used)
	if !errors.Is(err, ErrNoBaseCurrency) || len(used) == 0 {
		return base, "", err
	}
	count := map[string]int{}
	for i := range o.Transactions {
		count[o.Transactions[i].Currency]++
	}
	base = slices.MaxFunc(used, func(a, b string) int { return cmp.Or(count[a]-count[b], strings.Compare(b, a)) })
	return base, fmt.Sprintf("Totals are in %s, the currency of most transactions. Change it with nfa config set base_currency CODE.", base), nil
}
