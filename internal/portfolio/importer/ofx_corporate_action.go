package importer

import (
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// transfer is units that came from another broker, or went there. OFX does not say
// whether its average cost is of a unit or of all, so the cost is not known.
func (s *ofxStatement) transfer(e *ofxElement) ([]portfolio.Transaction, error) {
	kind := portfolio.KindTransferIn
	switch e.text("TFERACTION") {
	case "IN":
	case "OUT":
		kind = portfolio.KindTransferOut
	default:
		return nil, errors.New("it does not say whether the units came or went; enter it by hand")
	}
	if e.text("POSTYPE") == "SHORT" {
		return nil, errors.New("a short position was transferred, which is not kept; enter it by hand as a sale or purchase")
	}
	t, err := s.newTransaction(e, kind)
	if err != nil {
		return nil, err
	}
	if err := s.setSecurity(e, &t); err != nil {
		return nil, err
	}
	units, _, err := e.number("UNITS")
	if err != nil {
		return nil, fmt.Errorf("UNITS: %w", err)
	}
	t.Quantity = units.Abs()
	if t.Quantity.IsZero() {
		return nil, errors.New("no units are said to be transferred; enter it by hand")
	}
	if kind == portfolio.KindTransferOut {
		return []portfolio.Transaction{t}, nil
	}
	t.CostUnknown = true
	if text := e.text("DTPURCHASE"); text != "" {
		if t.Acquired, _, err = parseOFXTime(text, s.zone); err != nil {
			return nil, err
		}
	}
	return []portfolio.Transaction{t}, nil
}

// split is new units for old ones, in the ratio that the record gives.
func (s *ofxStatement) split(e *ofxElement) ([]portfolio.Transaction, error) {
	t, err := s.newTransaction(e, portfolio.KindSplit)
	if err != nil {
		return nil, err
	}
	if err := s.setSecurity(e, &t); err != nil {
		return nil, err
	}
	n, err := ofxNumbers(e, "NUMERATOR", "DENOMINATOR", "FRACCASH")
	if err != nil {
		return nil, err
	}
	t.New, t.Old = n["NUMERATOR"], n["DENOMINATOR"]
	switch {
	case !t.New.IsPositive() || !t.Old.IsPositive():
		return nil, errors.New("the ratio of the split is missing; enter it by hand")
	case !n["FRACCASH"].IsZero():
		return nil, fmt.Errorf("the split paid %s for a part of a unit; enter the split by hand, and the sale of that part", n["FRACCASH"])
	case t.New.LessThan(t.Old):
		t.Kind = portfolio.KindReverseSplit
	}
	t.Currency = ""
	return []portfolio.Transaction{t}, nil
}
