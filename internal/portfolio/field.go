package portfolio

import "strings"

// field is a set of a Transaction's fields.
type field uint32

const (
	symbol field = 1 << iota
	isin
	name
	quantity
	price
	currency
	amount
	fee
	tax
	costUnknown
	acquired
	toAccount
	toSymbol
	toCurrency
	toAmount
	newShares
	oldShares
	costPart
	short
	lots
)

// String lists the fields as they are called in JSON.
func (f field) String() string {
	all := []string{
		"symbol", "isin", "name", "quantity", "price", "currency", "amount", "fee", "tax", "cost_unknown", "acquired",
		"to_account", "to_symbol", "to_currency", "to_amount", "new", "old", "cost_part", "short", "lots",
	}
	var names []string
	for i, n := range all {
		if f&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, ", ")
}

// set are the fields that say something. A price of zero says that the amount is.
func (t *Transaction) set() field {
	return symbol.when(t.Symbol != "") | isin.when(t.ISIN != "") | name.when(t.Name != "") |
		quantity.when(!t.Quantity.IsZero()) | price.when(t.Price.Valid) |
		currency.when(t.Currency != "") | amount.when(!t.Amount.IsZero()) | fee.when(!t.Fee.IsZero()) | tax.when(!t.Tax.IsZero()) |
		costUnknown.when(t.CostUnknown) | acquired.when(!t.Acquired.IsZero()) |
		toAccount.when(t.ToAccount != "") | toSymbol.when(t.ToSymbol != "") |
		toCurrency.when(t.ToCurrency != "") | toAmount.when(!t.ToAmount.IsZero()) |
		newShares.when(!t.New.IsZero()) | oldShares.when(!t.Old.IsZero()) | costPart.when(t.CostPart.Valid) |
		short.when(t.Short) | lots.when(len(t.Lots) > 0)
}

func (f field) when(set bool) field {
	if set {
		return f
	}
	return 0
}

// fields are those that the transaction must have, and those that it may have
// beside them; none at all for a kind that there is not.
func (t *Transaction) fields() (must, may field) {
	const (
		money    = currency | amount
		costs    = fee | tax
		security = symbol | isin | name // a symbol may come with its number and its name
		names    = isin | name
	)
	switch t.Kind {
	case KindBuy:
		return symbol | quantity | currency | t.worth(), names | amount | price | costs
	case KindSell:
		return symbol | quantity | currency | t.worth(), names | amount | price | costs | short | lots
	case KindReinvest:
		return symbol | quantity | money, names | price | costs
	case KindDividend, KindReturnOfCapital:
		return symbol | money, names | costs
	case KindInterest:
		return money, security | costs
	case KindFee, KindTax, KindInterestDue, KindFeeRefund, KindTaxRefund:
		return money, security
	case KindDeposit, KindWithdrawal:
		return money, costs
	case KindExchange:
		return money | toCurrency | toAmount, costs
	case KindSplit, KindReverseSplit:
		return symbol | newShares | oldShares, names
	case KindSpinOff:
		return symbol | toSymbol | quantity, names | costPart
	}
	return t.fieldsOfMove()
}

// fieldsOfMove are of kinds whose fields depend on one another.
func (t *Transaction) fieldsOfMove() (must, may field) {
	paying := t.currencyOf(fee | tax)
	switch {
	case t.Kind == KindTransferIn && t.CostUnknown:
		return symbol | quantity | paying, isin | name | price | currency | fee | tax | costUnknown | acquired
	case t.Kind == KindTransferIn:
		return symbol | quantity | currency | t.worth(), isin | name | amount | price | fee | tax | acquired
	case t.Kind == KindTransferOut && t.Symbol == "":
		return currency | amount | toAccount, fee | tax
	case t.Kind == KindTransferOut:
		return symbol | quantity | paying, isin | name | currency | fee | tax | toAccount | lots
	case t.Kind == KindMerger && t.ToSymbol == "":
		return symbol | currency | amount, isin | name | fee | tax
	case t.Kind == KindMerger && t.Amount.IsZero():
		return symbol | toSymbol | newShares | oldShares | paying, isin | name | currency | fee | tax
	case t.Kind == KindMerger:
		return symbol | toSymbol | newShares | oldShares | currency | amount, isin | name | fee | tax | costPart
	}
	return 0, 0
}

// worth is the amount, unless a price of zero says that nothing was paid: shares
// that are worth nothing leave a book in this way.
func (t *Transaction) worth() field {
	if t.Price.Valid && t.Price.Decimal.IsZero() {
		return price
	}
	return amount
}

func (t *Transaction) currencyOf(sums field) field {
	if t.set()&sums != 0 {
		return currency
	}
	return 0
}
