package importer

import (
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// cash is a payment of the account that no trade made.
func (s *ofxStatement) cash(e *ofxElement) ([]portfolio.Transaction, error) {
	amount, _, err := e.number("TRNAMT")
	if err != nil {
		return nil, fmt.Errorf("TRNAMT: %w", err)
	}
	if amount.IsZero() {
		return nil, IgnoreReason("no money was moved")
	}
	kind, err := ofxPaymentKind(e.text("TRNTYPE"), amount.IsPositive())
	if err != nil {
		return nil, err
	}
	t, err := s.newTransaction(e, kind)
	if err != nil {
		return nil, err
	}
	t.Amount = amount.Abs()
	return []portfolio.Transaction{t}, nil
}

// ofxPaymentKind is what a type of bank transaction is in an account of securities.
func ofxPaymentKind(what string, in bool) (portfolio.Kind, error) {
	switch what {
	case "CREDIT", "DEBIT", "DEP", "DIRECTDEP", "DIRECTDEBIT", "XFER", "CHECK", "PAYMENT", "CASH", "ATM", "POS", "REPEATPMT":
		if in {
			return portfolio.KindDeposit, nil
		}
		return portfolio.KindWithdrawal, nil
	case "INT":
		if in {
			return portfolio.KindInterest, nil
		}
		return portfolio.KindInterestDue, nil
	case "FEE", "SRVCHG":
		if in {
			return portfolio.KindFeeRefund, nil
		}
		return portfolio.KindFee, nil
	case "DIV":
		return "", errors.New("a dividend that names no security; enter it by hand")
	case "HOLD":
		return "", IgnoreReason("an amount that was held, and not yet moved")
	default:
		return "", fmt.Errorf("what a payment of the type %.20q was is not said; enter it by hand as a deposit, withdrawal, interest or fee", what)
	}
}
