package lots

import (
	"errors"
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Openings returns the shares that a ledger sells, moves or converts without having acquired them,
// each as a transfer in at unknown cost. Its date is the day on which the shares are first needed,
// because an earlier one could precede a split; for a corporate action, which comes first on its
// day, it is the day before. Cash is not checked.
//
// held gives, by ID of the transaction, the quantity that a file says was held at a corporate
// action. Without it, the quantity is what later sales need. If they need nothing, the action has
// nothing to act on, and its ID is in idle.
func Openings(l portfolio.Ledger, held map[string]decimal.Decimal) (openings []portfolio.Transaction, idle []string, err error) {
	e, err := New(l)
	if err != nil {
		return nil, nil, err
	}
	for ; e.next < len(e.ordered); e.next++ {
		t := e.ordered[e.next]
		err := e.apply(t)
		if errors.Is(err, portfolio.ErrNotHeld) && len(t.Lots) == 0 {
			missing := e.missingShares(t, held[t.ID])
			if !missing.IsPositive() {
				idle = append(idle, t.ID)
				continue
			}
			opening := portfolio.Transaction{
				ID: fmt.Sprintf("opening-%d", len(openings)), Date: t.Date, Time: t.Time, Kind: portfolio.KindTransferIn, Account: t.Account,
				Symbol: t.Symbol, ISIN: t.ISIN, Name: t.Name, Quantity: missing, CostUnknown: true,
			}
			if rank(t) <= lastActionRank {
				opening.Date, opening.Time = t.Date.AddDate(0, 0, -1), time.Time{}
			}
			openings = append(openings, opening)
			if err = e.transferIn(&openings[len(openings)-1]); err == nil {
				err = e.apply(t)
			}
		}
		if err != nil {
			return openings, idle, &portfolio.TransactionError{Transaction: *t, Err: err}
		}
		e.postOffsets(t)
		e.updateName(t)
	}
	return openings, idle, nil
}

// missingShares returns how many shares t needs beyond those held.
func (e *Engine) missingShares(t *portfolio.Transaction, held decimal.Decimal) decimal.Decimal {
	h := e.position(t.Account, t.Symbol)
	switch t.Kind {
	case portfolio.KindSell, portfolio.KindTransferOut:
		return t.Quantity.Sub(h.available())
	case portfolio.KindSplit, portfolio.KindReverseSplit:
		return held // without it, a later sale states the quantity after the split
	case portfolio.KindMerger:
		if held.IsZero() && t.ToSymbol != "" {
			return e.laterNeed(t, t.ToSymbol).Mul(t.Old).DivRound(t.New, costPlaces)
		}
	default:
		if held.IsZero() {
			return e.laterNeed(t, t.Symbol)
		}
	}
	return held
}

// laterNeed returns how many shares of a symbol the transactions after t take from its account
// beyond what they bring, up to the next action that changes the number of shares.
func (e *Engine) laterNeed(t *portfolio.Transaction, sym market.Symbol) decimal.Decimal {
	var sum, need decimal.Decimal
	for _, later := range e.ordered[e.next+1:] {
		if later.Account != t.Account || later.Symbol != sym {
			continue
		}
		switch later.Kind {
		case portfolio.KindBuy, portfolio.KindReinvest, portfolio.KindTransferIn:
			sum = sum.Add(later.Quantity)
		case portfolio.KindSell, portfolio.KindTransferOut:
			sum = sum.Sub(later.Quantity)
		case portfolio.KindSplit, portfolio.KindReverseSplit, portfolio.KindMerger:
			return need
		}
		need = decimal.Max(need, sum.Neg())
	}
	return need
}
