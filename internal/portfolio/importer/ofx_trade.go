package importer

import (
	"errors"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

var errOFXReversed = errors.New("its sums have the signs of a correction that takes another one back; remove that one by hand")

// trade is what was bought or sold. TOTAL is what the cash changed by; what is left
// of it without the costs has to be the units at their price.
func (s *ofxStatement) trade(e *ofxElement, kind portfolio.Kind) ([]portfolio.Transaction, error) {
	t, err := s.newTransaction(e, kind)
	if err != nil {
		return nil, err
	}
	if err := s.setSecurity(e, &t); err != nil {
		return nil, err
	}
	n, err := ofxNumbers(e, "UNITS", "UNITPRICE", "MARKUP", "MARKDOWN", "TOTAL", "ACCRDINT")
	if err != nil {
		return nil, err
	}
	costs, err := ofxCostsOf(e)
	if err != nil {
		return nil, err
	}
	cash, units := n["TOTAL"], n["UNITS"]
	if kind == portfolio.KindBuy {
		cash = cash.Neg()
		t.Amount = cash.Sub(costs.fee).Sub(costs.tax)
	} else {
		units = units.Neg()
		t.Amount = cash.Add(costs.fee).Add(costs.tax)
		t.Short = e.text("SELLTYPE") == "SELLSHORT"
	}
	if !cash.IsPositive() || !units.IsPositive() || !t.Amount.IsPositive() {
		return nil, errOFXReversed
	}
	t.Quantity, t.Fee, t.Tax = units, costs.fee, costs.tax
	if e.text("UNITPRICE") != "" {
		t.Price = decimal.NewNullDecimal(n["UNITPRICE"])
	}
	return s.priced(e, t, n)
}

// priced compares the amount with the price, and takes interest that was paid with
// a bond out of it.
func (s *ofxStatement) priced(e *ofxElement, t portfolio.Transaction, n map[string]decimal.Decimal) ([]portfolio.Transaction, error) {
	price := n["UNITPRICE"].Add(n["MARKUP"]).Sub(n["MARKDOWN"])
	bond := e.name == "BUYDEBT" || e.name == "SELLDEBT"
	interest := n["ACCRDINT"].Abs()
	clean := t.Amount.Sub(interest)
	switch {
	case !t.Price.Valid && interest.IsZero():
		return []portfolio.Transaction{t}, nil
	case interest.IsZero() && ofxAmountAgrees(t.Quantity, price, t.Amount, bond):
		return []portfolio.Transaction{t}, nil
	case interest.IsPositive() && clean.IsPositive() && ofxAmountAgrees(t.Quantity, price, clean, bond) && !ofxAmountAgrees(t.Quantity, price, t.Amount, bond):
		t.Amount = clean
		due := portfolio.Transaction{
			Date: t.Date, Time: t.Time, Account: t.Account, Kind: portfolio.KindInterestDue,
			Symbol: t.Symbol, ISIN: t.ISIN, Name: t.Name, Currency: t.Currency, Amount: interest,
			Note: "accrued interest", SourceID: "/interest",
		}
		if t.Kind == portfolio.KindSell {
			due.Kind = portfolio.KindInterest
		}
		return []portfolio.Transaction{t, due}, nil
	}
	return nil, fmt.Errorf("%s units at %s are not %s, the total without costs; enter it by hand as the broker's statement has it",
		t.Quantity, price, t.Amount)
}

// ofxAmountAgrees allows for what rounding of the price, the units and the cent may make.
// Prices of bonds are often per cent of their face value.
func ofxAmountAgrees(units, price, amount decimal.Decimal, bond bool) bool {
	product := units.Mul(price)
	slack := units.Mul(ofxHalfOfLastDigit(price, 2)).Add(price.Abs().Mul(ofxHalfOfLastDigit(units, 3)))
	near := func(scale int32) bool {
		off := product.Shift(scale).Sub(amount).Abs()
		return off.LessThanOrEqual(slack.Shift(scale).Add(decimal.New(1, -2)))
	}
	return near(0) || bond && near(-2)
}

// ofxHalfOfLastDigit is half of the last digit that was written, of at least so many after the
// point: brokers leave zeros at the end out.
func ofxHalfOfLastDigit(d decimal.Decimal, least int32) decimal.Decimal {
	return decimal.New(5, -max(-d.Exponent(), least)-1)
}

// ofxCosts are what a booking cost beside the price.
type ofxCosts struct{ fee, tax decimal.Decimal }

func ofxCostsOf(e *ofxElement) (ofxCosts, error) {
	var c ofxCosts
	n, err := ofxNumbers(e, "COMMISSION", "FEES", "LOAD", "PENALTY", "TAXES", "WITHHOLDING", "STATEWITHHOLDING")
	if err != nil {
		return c, err
	}
	for name, sum := range n {
		if sum.IsNegative() {
			return c, fmt.Errorf("%s is below zero, which may be a refund or another way to write a cost; enter it by hand", name)
		}
	}
	c.fee = n["COMMISSION"].Add(n["FEES"]).Add(n["LOAD"]).Add(n["PENALTY"])
	c.tax = n["TAXES"].Add(n["WITHHOLDING"]).Add(n["STATEWITHHOLDING"])
	return c, nil
}

// ofxNumbers reads amounts by their names; those that are not there are zero.
func ofxNumbers(e *ofxElement, names ...string) (map[string]decimal.Decimal, error) {
	n := make(map[string]decimal.Decimal, len(names))
	for _, name := range names {
		d, _, err := e.number(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		n[name] = d
	}
	return n, nil
}
