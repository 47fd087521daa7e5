package replay

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// apply does one transaction whole or not at all: each kind looks whether it can
// be done before it changes anything.
func (b *Book) apply(t *portfolio.Transaction) error {
	switch t.Kind {
	case portfolio.KindBuy:
		b.buy(t)
	case portfolio.KindSell:
		return b.sell(t)
	case portfolio.KindReinvest:
		return b.reinvest(t)
	case portfolio.KindDividend, portfolio.KindInterest, portfolio.KindFee, portfolio.KindTax, portfolio.KindInterestDue, portfolio.KindFeeRefund, portfolio.KindTaxRefund:
		b.receive(t)
	case portfolio.KindDeposit, portfolio.KindWithdrawal, portfolio.KindExchange:
		b.carry(t)
	case portfolio.KindTransferIn:
		return b.bringIn(t)
	case portfolio.KindTransferOut:
		return b.takeOut(t)
	case portfolio.KindSplit, portfolio.KindReverseSplit:
		return b.split(t)
	case portfolio.KindSpinOff:
		return b.spinOff(t)
	case portfolio.KindMerger:
		return b.merge(t)
	case portfolio.KindReturnOfCapital:
		return b.payBack(t)
	}
	return nil
}

// holding is made where there is none.
func (b *Book) holding(account string, sym market.Symbol) *holding {
	at := place{account, sym}
	h, ok := b.holdings[at]
	if !ok {
		h = newHolding(b.named[account], sym)
		b.holdings[at], b.listed, b.sorted = h, append(b.listed, h), false
	}
	return h
}

// label keeps what was recorded last of a security's name.
func (b *Book) label(t *portfolio.Transaction) {
	if t.Name == "" && t.ISIN == "" {
		return
	}
	for _, account := range []string{t.Account, t.ToAccount} {
		if h, ok := b.holdings[place{account, t.Symbol}]; ok {
			h.name, h.isin = cmp.Or(t.Name, h.name), cmp.Or(t.ISIN, h.isin)
		}
	}
}

// security books a change of quantity.
func (b *Book) security(t *portfolio.Transaction, account string, sym market.Symbol, quantity decimal.Decimal, part portfolio.Part) {
	if quantity.IsZero() {
		return
	}
	b.postings = append(b.postings, portfolio.Posting{
		Transaction: t.ID, Kind: t.Kind, Date: t.Date, Account: account, Symbol: sym, Quantity: quantity, Part: part,
	})
}

// cash books a payment in the transaction's account and currency.
func (b *Book) cash(t *portfolio.Transaction, amount decimal.Decimal, part portfolio.Part) {
	b.cashIn(t, purse{t.Account, t.Currency}, amount, part)
}

func (b *Book) cashIn(t *portfolio.Transaction, in purse, amount decimal.Decimal, part portfolio.Part) {
	if amount.IsZero() {
		return
	}
	b.postings = append(b.postings, portfolio.Posting{
		Transaction: t.ID, Kind: t.Kind, Date: t.Date, Account: in.account, Symbol: t.Symbol,
		Currency: in.currency, Amount: amount, Part: part,
	})
	m := b.balance(in)
	if m.policy == portfolio.CashUntracked {
		b.addOffset(in, amount)
		return
	}
	m.amount.add(amount)
	if !m.marked {
		m.marked, b.moved = true, append(b.moved, m)
	}
}

// costs books the fee and the tax of a transaction.
func (b *Book) costs(t *portfolio.Transaction) {
	if !t.Fee.IsZero() {
		b.cash(t, neg(t.Fee), portfolio.PartFee)
	}
	if !t.Tax.IsZero() {
		b.cash(t, neg(t.Tax), portfolio.PartTax)
	}
}

// balance is most often the one that was asked for before: amount, fee and tax
// are of one purse.
func (b *Book) balance(in purse) *balance {
	if b.last != nil && b.last.purse == in {
		return b.last
	}
	m, ok := b.balances[in]
	if !ok {
		m = &balance{purse: in, policy: b.named[in.account].Cash}
		b.balances[in] = m
	}
	b.last = m
	return m
}

// offset is cash of an untracked account that was paid in or taken out.
type offset struct {
	purse
	sum decimal.Decimal
}

func (b *Book) addOffset(in purse, amount decimal.Decimal) {
	i := slices.IndexFunc(b.offsets, func(o offset) bool { return o.purse == in })
	if i < 0 {
		b.offsets = append(b.offsets, offset{in, amount})
		return
	}
	b.offsets[i].sum = add(b.offsets[i].sum, amount)
}

// offset closes a transaction of untracked accounts: what it cost came from
// outside, what it brought went there.
func (b *Book) offset(t *portfolio.Transaction) {
	for _, o := range b.offsets {
		if o.sum.IsZero() {
			continue
		}
		b.postings = append(b.postings, portfolio.Posting{
			Transaction: t.ID, Kind: t.Kind, Date: t.Date, Account: o.account,
			Currency: o.currency, Amount: neg(o.sum), Part: portfolio.PartExternal,
		})
	}
	b.offsets = b.offsets[:0]
}
