package portfolio

import "strings"

// field is a set of a Transaction's fields.
type field uint32

const (
	fieldSymbol field = 1 << iota
	fieldISIN
	fieldName
	fieldQuantity
	fieldPrice
	fieldCurrency
	fieldAmount
	fieldFee
	fieldTax
	fieldCostUnknown
	fieldAcquired
	fieldToAccount
	fieldToSymbol
	fieldToCurrency
	fieldToAmount
	fieldNew
	fieldOld
	fieldCostPart
	fieldShort
	fieldLots
)

// String lists the fields by their JSON names.
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

// presentFields returns the fields that are set. A price counts as set even if it is zero.
func (t *Transaction) presentFields() field {
	return fieldSymbol.when(t.Symbol != "") | fieldISIN.when(t.ISIN != "") | fieldName.when(t.Name != "") |
		fieldQuantity.when(!t.Quantity.IsZero()) | fieldPrice.when(t.Price.Valid) |
		fieldCurrency.when(t.Currency != "") | fieldAmount.when(!t.Amount.IsZero()) | fieldFee.when(!t.Fee.IsZero()) | fieldTax.when(!t.Tax.IsZero()) |
		fieldCostUnknown.when(t.CostUnknown) | fieldAcquired.when(!t.Acquired.IsZero()) |
		fieldToAccount.when(t.ToAccount != "") | fieldToSymbol.when(t.ToSymbol != "") |
		fieldToCurrency.when(t.ToCurrency != "") | fieldToAmount.when(!t.ToAmount.IsZero()) |
		fieldNew.when(!t.New.IsZero()) | fieldOld.when(!t.Old.IsZero()) | fieldCostPart.when(t.CostPart.Valid) |
		fieldShort.when(t.Short) | fieldLots.when(len(t.Lots) > 0)
}

func (f field) when(set bool) field {
	if set {
		return f
	}
	return 0
}

// allowedFields returns the fields that the transaction must have and those that it may have. Both
// are empty for an unknown kind.
func (t *Transaction) allowedFields() (required, optional field) {
	const (
		money    = fieldCurrency | fieldAmount
		costs    = fieldFee | fieldTax
		security = fieldSymbol | fieldISIN | fieldName // a symbol may come with its ISIN and name
		names    = fieldISIN | fieldName
	)
	switch t.Kind {
	case KindBuy:
		return fieldSymbol | fieldQuantity | fieldCurrency | t.amountOrZeroPrice(), names | fieldAmount | fieldPrice | costs
	case KindSell:
		return fieldSymbol | fieldQuantity | fieldCurrency | t.amountOrZeroPrice(), names | fieldAmount | fieldPrice | costs | fieldShort | fieldLots
	case KindReinvest:
		return fieldSymbol | fieldQuantity | money, names | fieldPrice | costs
	case KindDividend, KindReturnOfCapital:
		return fieldSymbol | money, names | costs
	case KindInterest:
		return money, security | costs
	case KindFee, KindTax, KindInterestDue, KindFeeRefund, KindTaxRefund:
		return money, security
	case KindDeposit, KindWithdrawal:
		return money, costs
	case KindExchange:
		return money | fieldToCurrency | fieldToAmount, costs
	case KindSplit, KindReverseSplit:
		return fieldSymbol | fieldNew | fieldOld, names
	case KindSpinOff:
		return fieldSymbol | fieldToSymbol | fieldQuantity, names | fieldCostPart
	}
	return t.transferFields()
}

// transferFields returns the fields of transfers and mergers, whose fields depend on one another.
func (t *Transaction) transferFields() (required, optional field) {
	paying := t.currencyIfAny(fieldFee | fieldTax)
	switch {
	case t.Kind == KindTransferIn && t.CostUnknown:
		return fieldSymbol | fieldQuantity | paying, fieldISIN | fieldName | fieldPrice | fieldCurrency | fieldFee | fieldTax | fieldCostUnknown | fieldAcquired
	case t.Kind == KindTransferIn:
		return fieldSymbol | fieldQuantity | fieldCurrency | t.amountOrZeroPrice(), fieldISIN | fieldName | fieldAmount | fieldPrice | fieldFee | fieldTax | fieldAcquired
	case t.Kind == KindTransferOut && t.Symbol == "":
		return fieldCurrency | fieldAmount | fieldToAccount, fieldFee | fieldTax
	case t.Kind == KindTransferOut:
		return fieldSymbol | fieldQuantity | paying, fieldISIN | fieldName | fieldCurrency | fieldFee | fieldTax | fieldToAccount | fieldLots
	case t.Kind == KindMerger && t.ToSymbol == "":
		return fieldSymbol | fieldCurrency | fieldAmount, fieldISIN | fieldName | fieldFee | fieldTax
	case t.Kind == KindMerger && t.Amount.IsZero():
		return fieldSymbol | fieldToSymbol | fieldNew | fieldOld | paying, fieldISIN | fieldName | fieldCurrency | fieldFee | fieldTax
	case t.Kind == KindMerger:
		return fieldSymbol | fieldToSymbol | fieldNew | fieldOld | fieldCurrency | fieldAmount, fieldISIN | fieldName | fieldFee | fieldTax | fieldCostPart
	}
	return 0, 0
}

// amountOrZeroPrice returns the amount field, or the price field if a price of zero states that
// nothing was paid. A sale of worthless shares is recorded this way.
func (t *Transaction) amountOrZeroPrice() field {
	if t.Price.Valid && t.Price.Decimal.IsZero() {
		return fieldPrice
	}
	return fieldAmount
}

func (t *Transaction) currencyIfAny(sums field) field {
	if t.presentFields()&sums != 0 {
		return fieldCurrency
	}
	return 0
}
