package importer

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// setAmounts puts the numbers of a line where they belong. The amount is that of the file
// before fee and tax; where the file has none it is quantity times price, and where
// it has both they have to agree within what rounding explains. A fee in another
// currency is a transaction of its own.
func (r *mappedReader) setAmounts(x portfolio.Transaction, n mappedNumbers) ([]portfolio.Transaction, error) {
	fee, tax := n.fee.Decimal.Abs(), n.tax.Decimal.Abs()
	var apart []portfolio.Transaction
	if n.feeCurrency != "" && n.feeCurrency != x.Currency && !fee.IsZero() {
		if !ValidCurrency(n.feeCurrency) {
			return nil, fmt.Errorf("a fee in %q, which is no currency", Shorten(n.feeCurrency))
		}
		apart = append(apart, portfolio.Transaction{
			Kind: portfolio.KindFee, Date: x.Date, Time: x.Time, Account: x.Account, Symbol: x.Symbol, ISIN: x.ISIN,
			Currency: n.feeCurrency, Amount: fee, SourceID: "-fee",
		})
		fee = decimal.Decimal{}
	}
	if !movesShares(x.Kind) {
		x.Amount, x.Fee, x.Tax = r.amountBeforeCosts(x.Kind, n.amount.Decimal.Abs(), fee.Add(tax)), fee, tax
		return append([]portfolio.Transaction{x}, apart...), nil
	}
	x.Quantity = n.quantity.Decimal.Abs()
	gross, err := r.grossAmount(x.Kind, n, fee.Add(tax))
	if err != nil {
		return nil, err
	}
	if x.Kind == portfolio.KindDividend || x.Kind == portfolio.KindReturnOfCapital {
		x.Quantity = decimal.Decimal{} // shares held, not shares that came
	} else if n.price.Valid {
		x.Price = decimal.NewNullDecimal(n.price.Decimal.Abs())
	}
	x.Amount, x.Fee, x.Tax = gross, fee, tax
	switch {
	case x.Kind == portfolio.KindTransferIn && gross.IsZero():
		x.CostUnknown, x.Price = true, decimal.NullDecimal{}
	case x.Kind == portfolio.KindTransferOut:
		x.Amount, x.Price = decimal.Decimal{}, decimal.NullDecimal{}
	}
	if x.Fee.IsZero() && x.Tax.IsZero() && x.Amount.IsZero() && !x.Price.Valid {
		x.Currency = ""
	}
	return append([]portfolio.Transaction{x}, apart...), nil
}

// movesShares tells kinds whose amount is that of shares.
func movesShares(kind portfolio.Kind) bool {
	switch kind {
	case portfolio.KindBuy, portfolio.KindSell, portfolio.KindReinvest, portfolio.KindTransferIn, portfolio.KindTransferOut,
		portfolio.KindDividend, portfolio.KindReturnOfCapital:
		return true
	}
	return false
}

// grossAmount is the amount before costs.
func (r *mappedReader) grossAmount(kind portfolio.Kind, n mappedNumbers, costs decimal.Decimal) (decimal.Decimal, error) {
	product, ok := mappedProduct(n)
	if !n.amount.Valid {
		return product, nil
	}
	amount := r.amountBeforeCosts(kind, n.amount.Decimal.Abs(), costs)
	if ok && amount.Sub(product).Abs().GreaterThan(mappedRoundingSlack(n)) {
		return amount, fmt.Errorf("%s at %s is %s and not %s: check the line, its currency, and whether amounts are gross or net",
			n.quantity.Decimal.Abs(), n.price.Decimal.Abs(), product, amount)
	}
	return amount, nil
}

func (r *mappedReader) amountBeforeCosts(kind portfolio.Kind, amount, costs decimal.Decimal) decimal.Decimal {
	if r.Totals != TotalsNet {
		return amount
	}
	return amountBeforeCosts(kind, amount, costs)
}

// amountBeforeCosts is what moved in cash without costs, which have made it more where it was
// paid and less where it was received.
func amountBeforeCosts(kind portfolio.Kind, amount, costs decimal.Decimal) decimal.Decimal {
	switch kind {
	case portfolio.KindBuy, portfolio.KindTransferIn, portfolio.KindWithdrawal:
		return amount.Sub(costs)
	}
	return amount.Add(costs)
}

func mappedProduct(n mappedNumbers) (decimal.Decimal, bool) {
	if !n.quantity.Valid || !n.price.Valid {
		return decimal.Decimal{}, false
	}
	return n.quantity.Decimal.Mul(n.price.Decimal).Abs(), true
}

// mappedRoundingSlack is what rounding explains: half of the last digit of the price for each
// share, half of that of a quantity in fractions at the price, and two of that of
// the amount, of which fees may have been rounded by themselves; half a unit where
// the amount is whole, as of currencies without cents.
func mappedRoundingSlack(n mappedNumbers) decimal.Decimal {
	half := decimal.New(5, -1)
	last := func(d decimal.Decimal) decimal.Decimal { return decimal.New(1, min(d.Exponent(), -2)) }
	q, p, a := n.quantity.Decimal, n.price.Decimal, n.amount.Decimal
	s := q.Abs().Mul(last(p)).Mul(half)
	if !q.IsInteger() {
		s = s.Add(p.Abs().Mul(decimal.New(1, min(q.Exponent(), 0))).Mul(half))
	}
	if a.IsInteger() {
		return s.Add(half)
	}
	return s.Add(last(a).Mul(decimal.NewFromInt(2)))
}
