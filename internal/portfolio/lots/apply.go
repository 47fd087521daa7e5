package lots

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// apply does one transaction whole or not at all: each kind looks whether it can
// be done before it changes anything.
func (b *Engine) apply(t *portfolio.Transaction) error {
	switch t.Kind {
	case portfolio.KindBuy:
		b.buy(t)
	case portfolio.KindSell:
		return b.sell(t)
	case portfolio.KindReinvest:
		return b.reinvest(t)
	case portfolio.KindDividend, portfolio.KindInterest, portfolio.KindFee, portfolio.KindTax, portfolio.KindInterestDue, portfolio.KindFeeRefund, portfolio.KindTaxRefund:
		b.postIncome(t)
	case portfolio.KindDeposit, portfolio.KindWithdrawal, portfolio.KindExchange:
		b.postCashMove(t)
	case portfolio.KindTransferIn:
		return b.transferIn(t)
	case portfolio.KindTransferOut:
		return b.transferOut(t)
	case portfolio.KindSplit, portfolio.KindReverseSplit:
		return b.split(t)
	case portfolio.KindSpinOff:
		return b.spinOff(t)
	case portfolio.KindMerger:
		return b.merge(t)
	case portfolio.KindReturnOfCapital:
		return b.returnCapital(t)
	}
	return nil
}

// position is made where there is none.
func (b *Engine) position(account string, sym market.Symbol) *position {
	at := positionKey{account, sym}
	h, ok := b.positions[at]
	if !ok {
		h = newPosition(b.accountsByName[account], sym)
		b.positions[at], b.positionList, b.sorted = h, append(b.positionList, h), false
	}
	return h
}

// updateName keeps what was recorded last of a security's name.
func (b *Engine) updateName(t *portfolio.Transaction) {
	if t.Name == "" && t.ISIN == "" {
		return
	}
	for _, account := range []string{t.Account, t.ToAccount} {
		if h, ok := b.positions[positionKey{account, t.Symbol}]; ok {
			h.name, h.isin = cmp.Or(t.Name, h.name), cmp.Or(t.ISIN, h.isin)
		}
	}
}

// postSecurity books a change of quantity.
func (b *Engine) postSecurity(t *portfolio.Transaction, account string, sym market.Symbol, quantity decimal.Decimal, part portfolio.PostingCategory) {
	if quantity.IsZero() {
		return
	}
	b.postings = append(b.postings, portfolio.Posting{
		Transaction: t.ID, Kind: t.Kind, Date: t.Date, Account: account, Symbol: sym, Quantity: quantity, Category: part,
	})
}

// postCash books a payment in the transaction's account and currency.
func (b *Engine) postCash(t *portfolio.Transaction, amount decimal.Decimal, part portfolio.PostingCategory) {
	b.postCashTo(t, cashKey{t.Account, t.Currency}, amount, part)
}

func (b *Engine) postCashTo(t *portfolio.Transaction, in cashKey, amount decimal.Decimal, part portfolio.PostingCategory) {
	if amount.IsZero() {
		return
	}
	b.postings = append(b.postings, portfolio.Posting{
		Transaction: t.ID, Kind: t.Kind, Date: t.Date, Account: in.account, Symbol: t.Symbol,
		Currency: in.currency, Amount: amount, Category: part,
	})
	m := b.balance(in)
	if m.policy == portfolio.CashUntracked {
		b.addOffset(in, amount)
		return
	}
	m.amount.add(amount)
	if !m.changed {
		m.changed, b.changedBalances = true, append(b.changedBalances, m)
	}
}

// postCosts books the fee and the tax of a transaction.
func (b *Engine) postCosts(t *portfolio.Transaction) {
	if !t.Fee.IsZero() {
		b.postCash(t, neg(t.Fee), portfolio.CategoryFee)
	}
	if !t.Tax.IsZero() {
		b.postCash(t, neg(t.Tax), portfolio.CategoryTax)
	}
}

// balance returns the balance of one account and currency. It remembers the last one, because
// amount, fee and tax of a transaction mostly share it.
func (b *Engine) balance(in cashKey) *balance {
	if b.lastBalance != nil && b.lastBalance.cashKey == in {
		return b.lastBalance
	}
	m, ok := b.balances[in]
	if !ok {
		m = &balance{cashKey: in, policy: b.accountsByName[in.account].Cash}
		b.balances[in] = m
	}
	b.lastBalance = m
	return m
}

// offset is cash of an untracked account that was paid in or taken out.
type offset struct {
	cashKey
	sum decimal.Decimal
}

func (b *Engine) addOffset(in cashKey, amount decimal.Decimal) {
	i := slices.IndexFunc(b.offsets, func(o offset) bool { return o.cashKey == in })
	if i < 0 {
		b.offsets = append(b.offsets, offset{in, amount})
		return
	}
	b.offsets[i].sum = add(b.offsets[i].sum, amount)
}

// postOffsets closes a transaction of untracked accounts: what it cost came from
// outside, what it brought went there.
func (b *Engine) postOffsets(t *portfolio.Transaction) {
	for _, o := range b.offsets {
		if o.sum.IsZero() {
			continue
		}
		b.postings = append(b.postings, portfolio.Posting{
			Transaction: t.ID, Kind: t.Kind, Date: t.Date, Account: o.account,
			Currency: o.currency, Amount: neg(o.sum), Category: portfolio.CategoryExternal,
		})
	}
	b.offsets = b.offsets[:0]
}
