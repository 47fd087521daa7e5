package importer

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// income is cash that a security paid. TOTAL is what arrived, after taxes.
func (s *ofxStatement) income(e *ofxElement) ([]portfolio.Transaction, error) {
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
	t, err := s.newTransaction(e, kind)
	if err != nil {
		return nil, err
	}
	t.Note = joinNotes(note, t.Note)
	// Interest of cash names no security.
	if err := s.setSecurity(e, &t); err != nil && (kind != portfolio.KindInterest || e.find("SECID") != nil) {
		return nil, err
	}
	total, _, err := e.number("TOTAL")
	if err != nil {
		return nil, fmt.Errorf("TOTAL: %w", err)
	}
	costs, err := ofxCostsOf(e)
	if err != nil {
		return nil, err
	}
	if !total.IsPositive() {
		return nil, errOFXReversed
	}
	t.Amount, t.Fee, t.Tax = total.Add(costs.fee).Add(costs.tax), costs.fee, costs.tax
	return []portfolio.Transaction{t}, nil
}

// reinvestment is income that became units at once; TOTAL is what they cost.
func (s *ofxStatement) reinvestment(e *ofxElement) ([]portfolio.Transaction, error) {
	t, err := s.newTransaction(e, portfolio.KindReinvest)
	if err != nil {
		return nil, err
	}
	if err := s.setSecurity(e, &t); err != nil {
		return nil, err
	}
	n, err := ofxNumbers(e, "UNITS", "UNITPRICE", "TOTAL")
	if err != nil {
		return nil, err
	}
	costs, err := ofxCostsOf(e)
	if err != nil {
		return nil, err
	}
	total := n["TOTAL"].Abs()
	if !n["UNITS"].IsPositive() || !total.IsPositive() || n["TOTAL"].IsPositive() {
		return nil, errOFXReversed
	}
	// A tax on the purchase, unlike one withheld, is a part of what the units cost.
	t.Quantity, t.Amount, t.Fee = n["UNITS"], total, costs.fee.Add(costs.tax)
	if price := n["UNITPRICE"]; e.text("UNITPRICE") != "" {
		t.Price = decimal.NewNullDecimal(price)
		if !ofxAmountAgrees(t.Quantity, price, t.Amount.Sub(t.Fee), false) {
			return nil, fmt.Errorf("%s units at %s are not %s; enter it by hand as the broker's statement has it", t.Quantity, price, t.Amount)
		}
	}
	return []portfolio.Transaction{t}, nil
}

// payment is a sum that was taken for a security or the account, or given back of what
// it cost.
func (s *ofxStatement) payment(e *ofxElement, kind portfolio.Kind) ([]portfolio.Transaction, error) {
	t, err := s.newTransaction(e, kind)
	if err != nil {
		return nil, err
	}
	needed := kind == portfolio.KindReturnOfCapital || e.find("SECID") != nil
	if err := s.setSecurity(e, &t); err != nil && needed {
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
		return nil, errOFXReversed
	}
	t.Amount = total
	return []portfolio.Transaction{t}, nil
}
