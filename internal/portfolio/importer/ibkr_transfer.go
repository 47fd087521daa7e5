package importer

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// settleTransfers records securities and cash that came from elsewhere or went
// there. What securities cost before is not in the file. Between two accounts that
// are both in the file the outgoing side is a move, and the incoming one is ignored.
func (g *ibkrGatherer) settleTransfers() {
	seen, whole := map[string]bool{}, false
	for _, r := range g.transfers {
		seen[r.get("accountid")] = true
		whole = whole || isIBKRTransfer(r)
	}
	for _, r := range g.transfers {
		switch {
		case isIBKRTransfer(r):
		case whole:
			g.Ignore(r.row, "a lot or sum of transfers that are recorded themselves")
			continue
		default:
			g.Problem(r.row, "a lot or sum of transfers that are not in the file: choose Transfers in the query")
			continue
		}
		other := r.get("account")
		inside := other != "" && other != r.get("accountid") && seen[other]
		x, err := g.transfer(r)
		switch {
		case err != nil:
			g.Problem(r.row, "%s", err)
			continue
		case inside && g.AccountFor(other) == x.Account:
			g.Ignore(r.row, "between two accounts that are recorded as one")
			continue
		case inside && (x.Kind == portfolio.KindTransferIn || x.Kind == portfolio.KindDeposit):
			g.Ignore(r.row, "the other side of what left "+Shorten(other))
			continue
		case inside:
			x.Kind, x.ToAccount = portfolio.KindTransferOut, g.AccountFor(other)
		}
		g.Add(x, g.id(r, "transfer-", []string{"transactionid"},
			[]string{"date", "datetime", "reportdate", "currency", "symbol", "isin", "quantity", "cashtransfer", "direction"}), r.row)
	}
}

// isIBKRTransfer tells a transfer from lots and sums of transfers.
func isIBKRTransfer(r ibkrRecord) bool {
	level := strings.ToUpper(r.get("levelofdetail"))
	return level == "" || level == "TRANSFER" || level == "DETAIL"
}

func (g *ibkrGatherer) transfer(r ibkrRecord) (portfolio.Transaction, error) {
	x := portfolio.Transaction{Account: g.account(r), Note: strings.TrimSpace(r.get("type") + " transfer " + r.get("company"))}
	var quantity, cash decimal.Decimal
	var err error
	if err = r.numbers(ibkrNumberField{"quantity", &quantity}, ibkrNumberField{"cashtransfer", &cash}); err != nil {
		return x, err
	}
	if x.Date, err = r.firstDay("date", "datetime", "reportdate", "settledate"); err != nil {
		return x, err
	}
	in, err := isIBKRIncoming(r.get("direction"))
	if err != nil {
		return x, err
	}
	if err := r.checkAssetClass(); err != nil {
		return x, err
	}
	if quantity.IsZero() || strings.EqualFold(r.get("assetcategory"), "CASH") {
		return g.cashTransfer(r, x, cash, in)
	}
	if !cash.IsZero() {
		return x, fmt.Errorf("a transfer of both shares and cash: record it by hand")
	}
	if x.Symbol, x.ISIN, err = r.security(); err != nil {
		return x, err
	}
	x.Name, x.Quantity = r.get("description"), quantity.Abs()
	if in == quantity.IsNegative() {
		return x, fmt.Errorf("direction %s with a quantity of %s: one of them is wrong", Shorten(r.get("direction")), quantity)
	}
	x.Kind = portfolio.KindTransferOut
	if in {
		x.Kind, x.CostUnknown = portfolio.KindTransferIn, true
	}
	return x, nil
}

func (g *ibkrGatherer) cashTransfer(r ibkrRecord, x portfolio.Transaction, cash decimal.Decimal, in bool) (portfolio.Transaction, error) {
	if cash.IsZero() || in == cash.IsNegative() {
		return x, fmt.Errorf("a transfer of %s in cash in the direction %q: one of them is wrong", cash, Shorten(r.get("direction")))
	}
	x.Amount, x.Kind = cash.Abs(), portfolio.KindWithdrawal
	if in {
		x.Kind = portfolio.KindDeposit
	}
	return x, r.setCurrency(&x)
}

func isIBKRIncoming(direction string) (bool, error) {
	switch strings.ToUpper(direction) {
	case "IN":
		return true, nil
	case "OUT":
		return false, nil
	}
	return false, fmt.Errorf("no direction: %q is neither IN nor OUT", Shorten(direction))
}
