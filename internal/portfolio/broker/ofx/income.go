package ofx

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// income is cash that a security paid. TOTAL is what arrived, after taxes.
func (s *statement) income(e *element) ([]portfolio.Transaction, error) {
	kind := portfolio.KindDividend
	note := ""
	switch what := e.text("INCOMETYPE"); what {
	case "DIV":
	case "CGLONG":
		note = "long-term capital gain"
	case "CGSHORT":
		note = "short-term capital gain"
	case "INTEREST":
		kind = portfolio.KindInterest
	default:
		return nil, fmt.Errorf("income of the type %.20q is not said to be a dividend or interest; enter it by hand", what)
	}
	t, err := s.begin(e, kind)
	if err != nil {
		return nil, err
	}
	t.Note = joined(note, t.Note)
	// Interest of cash names no security.
	if err := s.identify(e, &t); err != nil && (kind != portfolio.KindInterest || e.find("SECID") != nil) {
		return nil, err
	}
	total, _, err := e.number("TOTAL")
	if err != nil {
		return nil, fmt.Errorf("TOTAL: %w", err)
	}
	costs, err := costsOf(e)
	if err != nil {
		return nil, err
	}
	if !total.IsPositive() {
		return nil, errReversed
	}
	t.Amount, t.Fee, t.Tax = total.Add(costs.fee).Add(costs.tax), costs.fee, costs.tax
	return []portfolio.Transaction{t}, nil
}

// reinvested is income that became units at once; TOTAL is what they cost.
func (s *statement) reinvested(e *element) ([]portfolio.Transaction, error) {
	t, err := s.begin(e, portfolio.KindReinvest)
	if err != nil {
		return nil, err
	}
	if err := s.identify(e, &t); err != nil {
		return nil, err
	}
	n, err := numbersOf(e, "UNITS", "UNITPRICE", "TOTAL")
	if err != nil {
		return nil, err
	}
	costs, err := costsOf(e)
	if err != nil {
		return nil, err
	}
	total := n["TOTAL"].Abs()
	if !n["UNITS"].IsPositive() || !total.IsPositive() || n["TOTAL"].IsPositive() {
		return nil, errReversed
	}
	// A tax on the purchase, unlike one withheld, is a part of what the units cost.
	t.Quantity, t.Amount, t.Fee = n["UNITS"], total, costs.fee.Add(costs.tax)
	if price := n["UNITPRICE"]; e.text("UNITPRICE") != "" {
		t.Price = decimal.NewNullDecimal(price)
		if !agrees(t.Quantity, price, t.Amount.Sub(t.Fee), false) {
			return nil, fmt.Errorf("%s units at %s are not %s; enter it by hand as the broker's statement has it", t.Quantity, price, t.Amount)
		}
	}
	return []portfolio.Transaction{t}, nil
}

// paid is a sum that was taken for a security or the account, or given back of what
// it cost.
func (s *statement) paid(e *element, kind portfolio.Kind) ([]portfolio.Transaction, error) {
	t, err := s.begin(e, kind)
	if err != nil {
		return nil, err
	}
	needed := kind == portfolio.KindReturnOfCapital || e.find("SECID") != nil
	if err := s.identify(e, &t); err != nil && needed {
		return nil, err
	}
	total, found, err := e.number("TOTAL")
	if err != nil {
		return nil, fmt.Errorf("TOTAL: %w", err)
	}
	if kind != portfolio.KindReturnOfCapital {
		total = total.Neg()
	}
	if !found || !total.IsPositive() {
		return nil, errReversed
	}
	t.Amount = total
	return []portfolio.Transaction{t}, nil
}
