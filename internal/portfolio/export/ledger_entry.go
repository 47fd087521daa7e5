package export

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Accounts of an entry, in addition to Assets for each account of the portfolio.
const (
	accountDividends    = "Income:Dividends"
	accountInterest     = "Income:Interest"
	accountFees         = "Expenses:Fees"
	accountInterestPaid = "Expenses:Interest"
	accountTaxes        = "Expenses:Taxes"
	accountExternal     = "Equity:External"
	accountTransfers    = "Equity:Transfers"
	accountActions      = "Equity:Corporate Actions"
	accountExchange     = "Equity:Exchange"
	accountAdjustment   = "Equity:Adjustments"
)

// ledgerPosting is a double-entry posting: a quantity of a commodity, with an optional total cost
// in a currency.
type ledgerPosting struct {
	account   string
	quantity  decimal.Decimal
	commodity string
	cost      decimal.Decimal // never negative
	currency  string          // of cost; empty if there is no cost
}

func (l ledgerPosting) amount() string {
	text := l.quantity.String() + " " + l.commodity
	if l.currency != "" {
		text += " @@ " + l.cost.String() + " " + l.currency
	}
	return text
}

// weight returns what the line contributes to the balance of its entry.
func (l ledgerPosting) weight() (decimal.Decimal, string) {
	switch {
	case l.currency == "":
		return l.quantity, l.commodity
	case l.quantity.IsNegative():
		return l.cost.Neg(), l.currency
	}
	return l.cost, l.currency
}

// ledgerEntry collects the lines of a transaction, one per account and commodity.
type ledgerEntry struct {
	lines []ledgerPosting
	names commodityNames
}

func (e *ledgerEntry) add(account, commodity string, quantity decimal.Decimal) {
	for i := range e.lines {
		if l := &e.lines[i]; l.account == account && l.commodity == commodity {
			l.quantity = l.quantity.Add(quantity)
			return
		}
	}
	e.lines = append(e.lines, ledgerPosting{account: account, commodity: commodity, quantity: quantity})
}

// newLedgerEntry returns the lines of a transaction, which add up to zero in each commodity. It
// returns none if nothing moved.
func newLedgerEntry(t portfolio.Transaction, postings []portfolio.Posting, n commodityNames) []ledgerPosting {
	e := ledgerEntry{names: n}
	var paid decimal.Decimal // for securities
	for _, p := range postings {
		assets := "Assets:" + accountSegment(p.Account)
		if p.Currency == "" {
			e.add(assets+":Securities", n.security(p.Symbol), p.Quantity)
			continue
		}
		e.add(assets+":Cash", p.Currency, p.Amount)
		if p.Category == portfolio.CategoryTrade {
			paid = paid.Add(p.Amount)
		}
		if other := counterAccount(p); other != "" {
			e.add(other, p.Currency, p.Amount.Neg())
		}
	}
	e.price(t, paid)
	e.dropZeros()
	e.balance(t.Kind)
	return e.lines
}

// counterAccount returns the account on the other side of a payment, or "" if the other side is a security
// or cash of the portfolio.
func counterAccount(p portfolio.Posting) string {
	switch p.Category {
	case portfolio.CategoryIncome:
		if p.Kind == portfolio.KindInterest {
			return accountInterest
		}
		return accountDividends + accountSuffix(p.Symbol)
	case portfolio.CategoryFee:
		if p.Kind == portfolio.KindInterestDue {
			return accountInterestPaid
		}
		return accountFees
	case portfolio.CategoryTax:
		return accountTaxes
	case portfolio.CategoryExternal:
		return accountExternal
	case portfolio.CategoryAction:
		return accountActions
	}
	return ""
}

func accountSuffix(s market.Symbol) string {
	if s == "" {
		return ""
	}
	return ":" + accountSegment(string(s))
}

// price adds the total cost to the line of the security or currency that was acquired or sold.
func (e *ledgerEntry) price(t portfolio.Transaction, paid decimal.Decimal) {
	commodity, cost, currency := e.names.security(t.Symbol), paid.Abs(), t.Currency
	switch t.Kind {
	case portfolio.KindTransferIn:
		cost = t.Amount
	case portfolio.KindExchange:
		commodity, cost = t.ToCurrency, t.Amount
	}
	if cost.IsZero() {
		return
	}
	for i := range e.lines {
		if l := &e.lines[i]; l.commodity == commodity && !l.quantity.IsZero() && l.commodity != currency {
			l.cost, l.currency = cost, currency
			return
		}
	}
}

// dropZeros removes lines with a zero quantity.
func (e *ledgerEntry) dropZeros() {
	remaining := e.lines[:0]
	for _, l := range e.lines {
		if !l.quantity.IsZero() {
			remaining = append(remaining, l)
		}
	}
	e.lines = remaining
}

// balance posts the remainder to an account for its kind, because shares from outside or from a
// split have no other side in the portfolio.
func (e *ledgerEntry) balance(kind portfolio.Kind) {
	rest := ledgerEntry{}
	for _, l := range e.lines {
		weight, commodity := l.weight()
		rest.add(balancingAccount(kind), commodity, weight.Neg())
	}
	rest.dropZeros()
	for _, l := range rest.lines {
		e.add(l.account, l.commodity, l.quantity)
	}
	e.dropZeros()
}

func balancingAccount(kind portfolio.Kind) string {
	switch kind {
	case portfolio.KindTransferIn, portfolio.KindTransferOut:
		return accountTransfers
	case portfolio.KindSplit, portfolio.KindReverseSplit, portfolio.KindSpinOff, portfolio.KindMerger, portfolio.KindReturnOfCapital:
		return accountActions
	case portfolio.KindExchange:
		return accountExchange
	}
	return accountAdjustment
}
