package export

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Accounts of an entry, besides Assets of each account of the book.
const (
	dividends  = "Income:Dividends"
	interest   = "Income:Interest"
	fees       = "Expenses:Fees"
	owed       = "Expenses:Interest"
	taxes      = "Expenses:Taxes"
	external   = "Equity:External"
	transfers  = "Equity:Transfers"
	actions    = "Equity:Corporate Actions"
	exchange   = "Equity:Exchange"
	adjustment = "Equity:Adjustments"
)

// line is a posting of double entry: a quantity of a commodity, or what it cost all
// together in another.
type line struct {
	account   string
	quantity  decimal.Decimal
	commodity string
	cost      decimal.Decimal // never below zero
	currency  string          // of cost; empty where there is none
}

func (l line) amount() string {
	text := l.quantity.String() + " " + l.commodity
	if l.currency != "" {
		text += " @@ " + l.cost.String() + " " + l.currency
	}
	return text
}

// weight is what the line counts for in the balance of its entry.
func (l line) weight() (decimal.Decimal, string) {
	switch {
	case l.currency == "":
		return l.quantity, l.commodity
	case l.quantity.IsNegative():
		return l.cost.Neg(), l.currency
	}
	return l.cost, l.currency
}

// entry gathers the lines of a transaction, each account and commodity once.
type entry struct {
	lines []line
	names names
}

func (e *entry) add(account, commodity string, quantity decimal.Decimal) {
	for i := range e.lines {
		if l := &e.lines[i]; l.account == account && l.commodity == commodity {
			l.quantity = l.quantity.Add(quantity)
			return
		}
	}
	e.lines = append(e.lines, line{account: account, commodity: commodity, quantity: quantity})
}

// entryOf makes the lines of a transaction, which add up to zero in each commodity.
// There are none where nothing moved.
func entryOf(t portfolio.Transaction, postings []portfolio.Posting, n names) []line {
	e := entry{names: n}
	var paid decimal.Decimal // for securities
	for _, p := range postings {
		assets := "Assets:" + part(p.Account)
		if p.Currency == "" {
			e.add(assets+":Securities", n.security(p.Symbol), p.Quantity)
			continue
		}
		e.add(assets+":Cash", p.Currency, p.Amount)
		if p.Part == portfolio.PartTrade {
			paid = paid.Add(p.Amount)
		}
		if other := against(p); other != "" {
			e.add(other, p.Currency, p.Amount.Neg())
		}
	}
	e.price(t, paid)
	e.drop()
	e.balance(t.Kind)
	return e.lines
}

// against is the account on the other side of a payment, or "" where it is a
// security or cash of the book.
func against(p portfolio.Posting) string {
	switch p.Part {
	case portfolio.PartIncome:
		if p.Kind == portfolio.KindInterest {
			return interest
		}
		return dividends + symbolPart(p.Symbol)
	case portfolio.PartFee:
		if p.Kind == portfolio.KindInterestDue {
			return owed
		}
		return fees
	case portfolio.PartTax:
		return taxes
	case portfolio.PartExternal:
		return external
	case portfolio.PartAction:
		return actions
	}
	return ""
}

func symbolPart(s market.Symbol) string {
	if s == "" {
		return ""
	}
	return ":" + part(string(s))
}

// price says what a security, or another currency, was had for.
func (e *entry) price(t portfolio.Transaction, paid decimal.Decimal) {
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

// drop leaves out what came to nothing.
func (e *entry) drop() {
	kept := e.lines[:0]
	for _, l := range e.lines {
		if !l.quantity.IsZero() {
			kept = append(kept, l)
		}
	}
	e.lines = kept
}

// balance puts what is left over into an account for its kind: shares that came
// from outside or of a split have no other side in a book.
func (e *entry) balance(kind portfolio.Kind) {
	rest := entry{}
	for _, l := range e.lines {
		weight, commodity := l.weight()
		rest.add(leftover(kind), commodity, weight.Neg())
	}
	rest.drop()
	for _, l := range rest.lines {
		e.add(l.account, l.commodity, l.quantity)
	}
	e.drop()
}

func leftover(kind portfolio.Kind) string {
	switch kind {
	case portfolio.KindTransferIn, portfolio.KindTransferOut:
		return transfers
	case portfolio.KindSplit, portfolio.KindReverseSplit, portfolio.KindSpinOff, portfolio.KindMerger, portfolio.KindReturnOfCapital:
		return actions
	case portfolio.KindExchange:
		return exchange
	}
	return adjustment
}
