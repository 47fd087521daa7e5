package lots

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// apply applies one transaction completely or not at all: each kind runs its checks before it
// changes anything.
func (e *Engine) apply(t *portfolio.Transaction) error {
	switch t.Kind {
	case portfolio.KindBuy:
		e.buy(t)
	case portfolio.KindSell:
		return e.sell(t)
	case portfolio.KindReinvest:
		return e.reinvest(t)
	case portfolio.KindDividend, portfolio.KindInterest, portfolio.KindFee, portfolio.KindTax, portfolio.KindInterestDue, portfolio.KindFeeRefund, portfolio.KindTaxRefund:
		e.postIncome(t)
	case portfolio.KindDeposit, portfolio.KindWithdrawal, portfolio.KindExchange:
		e.postCashMove(t)
	case portfolio.KindTransferIn:
		return e.transferIn(t)
	case portfolio.KindTransferOut:
		return e.transferOut(t)
	case portfolio.KindSplit, portfolio.KindReverseSplit:
		return e.split(t)
	case portfolio.KindSpinOff:
		return e.spinOff(t)
	case portfolio.KindMerger:
		return e.merge(t)
	case portfolio.KindReturnOfCapital:
		return e.returnCapital(t)
	}
	return nil
}

// position returns the position, which is created if missing.
func (e *Engine) position(account string, sym market.Symbol) *position {
	at := positionKey{account, sym}
	h, ok := e.positions[at]
	if !ok {
		h = &position{account: e.accountsByName[account], symbol: sym}
		h.queue.method = h.account.Method
		e.positions[at], e.positionList, e.sorted = h, append(e.positionList, h), false
	}
	return h
}

// updateName stores the most recently recorded name and ISIN of a security.
func (e *Engine) updateName(t *portfolio.Transaction) {
	if t.Name == "" && t.ISIN == "" {
		return
	}
	for _, account := range []string{t.Account, t.ToAccount} {
		if h, ok := e.positions[positionKey{account, t.Symbol}]; ok {
			h.name, h.isin = cmp.Or(t.Name, h.name), cmp.Or(t.ISIN, h.isin)
		}
	}
}

func (e *Engine) post(p portfolio.Posting) {
	if e.posts {
		e.postings = append(e.postings, p)
	}
}

// postSecurity records a change of quantity.
func (e *Engine) postSecurity(t *portfolio.Transaction, account string, sym market.Symbol, quantity decimal.Decimal, part portfolio.PostingCategory) {
	if quantity.IsZero() {
		return
	}
	e.post(portfolio.Posting{
		Transaction: t.ID, Kind: t.Kind, Date: t.Date, Account: account, Symbol: sym, Quantity: quantity, Category: part,
	})
}

// postCash records a payment in the transaction's account and currency.
func (e *Engine) postCash(t *portfolio.Transaction, amount decimal.Decimal, part portfolio.PostingCategory) {
	e.postCashTo(t, cashKey{t.Account, t.Currency}, amount, part)
}

func (e *Engine) postCashTo(t *portfolio.Transaction, in cashKey, amount decimal.Decimal, part portfolio.PostingCategory) {
	if amount.IsZero() {
		return
	}
	e.post(portfolio.Posting{
		Transaction: t.ID, Kind: t.Kind, Date: t.Date, Account: in.account, Symbol: t.Symbol,
		Currency: in.currency, Amount: amount, Category: part,
	})
	m := e.balance(in)
	if m.policy == portfolio.CashUntracked {
		e.addOffset(in, amount)
		return
	}
	m.amount = m.amount.Add(amount)
	if !m.changed {
		m.changed, e.changedBalances = true, append(e.changedBalances, m)
	}
}

// postCosts records the fee and the tax of a transaction.
func (e *Engine) postCosts(t *portfolio.Transaction) {
	e.postCash(t, t.Fee.Neg(), portfolio.CategoryFee)
	e.postCash(t, t.Tax.Neg(), portfolio.CategoryTax)
}

func (e *Engine) balance(in cashKey) *balance {
	m, ok := e.balances[in]
	if !ok {
		m = &balance{cashKey: in, policy: e.accountsByName[in.account].Cash}
		e.balances[in] = m
	}
	return m
}

// offset is the balancing deposit or withdrawal of an untracked account.
type offset struct {
	cashKey
	sum decimal.Decimal
}

func (e *Engine) addOffset(in cashKey, amount decimal.Decimal) {
	i := slices.IndexFunc(e.offsets, func(o offset) bool { return o.cashKey == in })
	if i < 0 {
		e.offsets = append(e.offsets, offset{in, amount})
		return
	}
	e.offsets[i].sum = e.offsets[i].sum.Add(amount)
}

// postOffsets balances a transaction in untracked accounts: its cost counts as a deposit, its
// proceeds as a withdrawal.
func (e *Engine) postOffsets(t *portfolio.Transaction) {
	for _, o := range e.offsets {
		if o.sum.IsZero() {
			continue
		}
		e.post(portfolio.Posting{
			Transaction: t.ID, Kind: t.Kind, Date: t.Date, Account: o.account,
			Currency: o.currency, Amount: o.sum.Neg(), Category: portfolio.CategoryExternal,
		})
	}
	e.offsets = e.offsets[:0]
}
