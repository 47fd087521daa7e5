package portfolio

import "github.com/shopspring/decimal"

// CashIn returns how much the transaction changes an account's cash in one currency.
func (t *Transaction) CashIn(account, currency string) decimal.Decimal {
	change := decimal.Zero
	if t.Account == account && t.Currency == currency {
		costs := t.Fee.Add(t.Tax)
		switch t.Kind {
		case KindReinvest, KindTransferIn:
		case KindBuy, KindFee, KindTax, KindInterestDue, KindWithdrawal, KindExchange, KindTransferOut:
			change = t.Amount.Add(costs).Neg()
		default:
			change = t.Amount.Sub(costs)
		}
	}
	if t.Kind == KindExchange && t.Account == account && t.ToCurrency == currency {
		change = change.Add(t.ToAmount)
	}
	if t.Kind == KindTransferOut && t.ToAccount == account && t.Currency == currency && t.Symbol == "" {
		change = change.Add(t.Amount)
	}
	return change
}
