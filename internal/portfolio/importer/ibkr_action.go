package importer

import (
	"errors"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// ibkrAction is one leg of a corporate action: shares of one security received or removed, and the
// cash for them.
type ibkrAction struct {
	ibkrRecord
	transaction portfolio.Transaction // account, date and security
	quantity    decimal.Decimal
	proceeds    decimal.Decimal
}

// addAction adds a leg, or reports why it cannot.
func (g *ibkrGatherer) addAction(r ibkrRecord) {
	a := ibkrAction{ibkrRecord: r}
	if err := a.read(); err != nil {
		g.Problem(r.row, "%s", err)
		return
	}
	a.transaction.Account = g.account(r)
	g.actions = append(g.actions, a)
}

func (a *ibkrAction) read() error {
	// Options on a share are split with it, but are not supported.
	if err := a.checkAssetClass(); err != nil {
		return err
	}
	if err := a.numbers(map[string]*decimal.Decimal{"quantity": &a.quantity, "proceeds": &a.proceeds}); err != nil {
		return err
	}
	x := &a.transaction
	var err error
	// An action takes effect before the open of its report date. It is booked on the evening
	// before.
	if x.Date, err = a.firstDay("reportdate", "datetime", "date"); err != nil {
		return err
	}
	if x.Symbol, x.ISIN, err = a.security(); err != nil {
		return err
	}
	ticker, company, isin := parseIBKRLeg(a.description())
	if x.Symbol == "" && ticker != "" {
		if x.Symbol, x.ISIN, err = a.identify(Listing{Ticker: ticker, ISIN: isin}); err != nil {
			return err
		}
	}
	x.Name = company
	return a.setCurrency(x)
}

// description returns the description of the action; its end names the security of the leg.
func (a *ibkrAction) description() string {
	return strings.ToUpper(a.first("actiondescription", "description"))
}

// parseIBKRLeg reads the end of a description: "(ACME, ACME CORP, US0000000000)".
func parseIBKRLeg(description string) (ticker, company, isin string) {
	i := strings.LastIndexByte(description, '(')
	if i < 0 || !strings.HasSuffix(description, ")") {
		return "", "", ""
	}
	parts := strings.Split(description[i+1:len(description)-1], ", ")
	if len(parts) < 3 {
		return "", "", ""
	}
	if last := parts[len(parts)-1]; ValidISIN(last) {
		isin = last
	}
	return parts[0], strings.Join(parts[1:len(parts)-1], ", "), isin
}

// ibkrActionKey returns a description without its last parentheses: equal for all legs.
func ibkrActionKey(description string) string {
	if i := strings.LastIndexByte(description, '('); i > 0 && strings.HasSuffix(description, ")") {
		return strings.TrimSpace(description[:i])
	}
	return description
}

var ibkrRatioPattern = lazyregexp.New(`\b([0-9][0-9.,]*) FOR ([0-9][0-9.,]*)\b`)

// settleActions records corporate actions. Legs are grouped by the broker's number or their
// description.
func (g *ibkrGatherer) settleActions() {
	groups := map[string][]ibkrAction{}
	var order []string
	for _, a := range g.actions {
		key := a.get("actionid")
		if key == "" {
			key = a.transaction.Date.String() + ibkrActionKey(a.description())
		}
		key = a.transaction.Account + "\x00" + key
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], a)
	}
	for _, key := range order {
		legs := groups[key]
		description := ibkrActionKey(legs[0].description())
		switch {
		case strings.Contains(description, "SPLIT"):
			g.split(legs, ibkrRatioPattern().FindStringSubmatch(description))
		case strings.Contains(description, "SPINOFF"), strings.Contains(description, "SPIN-OFF"):
			g.spinOff(legs)
		case strings.Contains(description, "MERGED"), strings.Contains(description, "CUSIP/ISIN CHANGE"):
			g.merger(legs)
		case strings.Contains(description, "MATURITY"), strings.Contains(description, "REDEMPTION"), strings.Contains(description, "FULL CALL"):
			g.redemption(legs)
		default:
			g.rejectLegs(legs, "unsupported corporate action: enter the transaction by hand from the broker's notice")
		}
	}
}

func (g *ibkrGatherer) rejectLegs(legs []ibkrAction, reason string) {
	g.RejectAll(ibkrLegRows(legs), "%s", reason)
}

func ibkrLegRows(legs []ibkrAction) []Row {
	rows := make([]Row, len(legs))
	for i, a := range legs {
		rows[i] = a.row
	}
	return rows
}

func (g *ibkrGatherer) actionID(a ibkrAction) string {
	return g.id(a.ibkrRecord, "action-", []string{"transactionid", "actionid"},
		[]string{"type", "reportdate", "datetime", "currency", "description", "quantity"})
}

// ibkrOutAndIn returns the legs of removed and received shares.
func ibkrOutAndIn(legs []ibkrAction) (out, in *ibkrAction, ok bool) {
	if len(legs) != 2 {
		return nil, nil, false
	}
	out, in = &legs[0], &legs[1]
	if out.quantity.IsPositive() {
		out, in = in, out
	}
	return out, in, out.quantity.IsNegative() && in.quantity.IsPositive()
}

// ibkrPreviousSymbol returns the symbol before the action; the broker marks replaced symbols.
func ibkrPreviousSymbol(symbol market.Symbol) market.Symbol {
	return market.Symbol(strings.TrimSuffix(string(symbol), ".OLD"))
}

// split reads "SPLIT 4 FOR 1". It has one leg with the change, or two if the ISIN or ticker
// changed.
func (g *ibkrGatherer) split(legs []ibkrAction, ratio []string) {
	if !ibkrHasNoCash(legs) {
		g.rejectLegs(legs, "split with cash: enter the transaction by hand")
		return
	}
	if len(ratio) != 3 {
		g.rejectLegs(legs, "split without a ratio: enter the transaction by hand")
		return
	}
	// An invalid number is zero.
	fresh, _ := ParseNumber(ratio[1], DecimalPoint)
	old, _ := ParseNumber(ratio[2], DecimalPoint)
	if !fresh.IsPositive() || !old.IsPositive() {
		g.rejectLegs(legs, "unreadable split ratio: enter the split by hand")
		return
	}
	x := legs[0].transaction
	if len(legs) > 1 {
		out, in, ok := ibkrOutAndIn(legs)
		// A fraction of a share may have been paid in cash.
		if !ok || out.quantity.Neg().Mul(fresh).Sub(in.quantity.Mul(old)).Abs().GreaterThan(old) {
			g.rejectLegs(legs, "shares do not match the split ratio: enter the split by hand")
			return
		}
		x = in.transaction
		if from := ibkrPreviousSymbol(out.transaction.Symbol); from != x.Symbol {
			x.Symbol, x.ToSymbol, x.Kind, x.ISIN = from, x.Symbol, portfolio.KindMerger, out.transaction.ISIN
		}
	} else if up := fresh.GreaterThan(old); up != legs[0].quantity.IsPositive() {
		g.rejectLegs(legs, "shares changed in the opposite direction of the split ratio: enter the split by hand")
		return
	}
	x.Currency, x.New, x.Old = "", fresh, old
	if x.Kind == "" {
		x.Kind = splitKind(fresh, old)
	}
	g.Add(x, g.actionID(legs[0]), ibkrLegRows(legs)...)
}

// ibkrHasNoCash reports whether no leg has cash, which would be lost.
func ibkrHasNoCash(legs []ibkrAction) bool {
	for _, a := range legs {
		if !a.proceeds.IsZero() {
			return false
		}
	}
	return true
}

// spinOff reads "ACME(US...) SPINOFF 1 FOR 5": the leg has the shares received. Exports do not
// state their part of the cost.
func (g *ibkrGatherer) spinOff(legs []ibkrAction) {
	ticker, isin := parseIBKRSecurity(legs[0].description())
	parent, number, err := g.Identify(Listing{Ticker: ticker, ISIN: isin})
	if len(legs) != 1 || err != nil || !ibkrHasNoCash(legs) || !legs[0].quantity.IsPositive() || legs[0].transaction.Symbol == "" {
		g.rejectLegs(legs, "unreadable spin-off: enter the transaction by hand")
		return
	}
	x := legs[0].transaction
	x.Kind, x.Symbol, x.ToSymbol, x.ISIN, x.Currency = portfolio.KindSpinOff, parent, x.Symbol, number, ""
	x.Quantity, x.Note = legs[0].quantity, x.Name
	x.Name = ""
	g.Add(x, g.actionID(legs[0]), legs[0].row)
}

// merger reads shares exchanged for other shares or cash, or that only changed their ISIN.
func (g *ibkrGatherer) merger(legs []ibkrAction) {
	if len(legs) == 1 && legs[0].quantity.IsNegative() && legs[0].proceeds.IsPositive() {
		// The quantity is stated because in a partial offer the remaining shares are kept.
		x := legs[0].transaction
		x.Kind, x.Quantity, x.Amount, x.Symbol = portfolio.KindSell, legs[0].quantity.Neg(), legs[0].proceeds, ibkrPreviousSymbol(x.Symbol)
		g.Add(x, g.actionID(legs[0]), legs[0].row)
		return
	}
	out, in, ok := ibkrOutAndIn(legs)
	cash := decimal.Decimal{}
	if ok {
		cash = out.proceeds.Add(in.proceeds)
	}
	if !ok || cash.IsNegative() || cash.IsPositive() && in.transaction.Currency != out.transaction.Currency {
		g.rejectLegs(legs, "merger with an unsupported combination of securities and cash: enter the transaction by hand")
		return
	}
	x := out.transaction
	x.Kind, x.Symbol, x.ToSymbol = portfolio.KindMerger, ibkrPreviousSymbol(x.Symbol), in.transaction.Symbol
	x.New, x.Old, x.Amount = in.quantity, out.quantity.Neg(), cash
	if cash.IsZero() {
		x.Currency = ""
	}
	if x.Symbol == x.ToSymbol {
		if !x.New.Equal(x.Old) || !cash.IsZero() {
			g.rejectLegs(legs, "shares exchanged for others with the same ticker: enter it as a split by hand")
			return
		}
		g.Skip(IgnoreReason("only the security's ISIN or CUSIP changed"), ibkrLegRows(legs)...)
		return
	}
	x.Note = strings.TrimSpace(in.transaction.Name)
	g.Add(x, g.actionID(*out), ibkrLegRows(legs)...)
}

// redemption reads a bond redemption, recorded as a sale.
func (g *ibkrGatherer) redemption(legs []ibkrAction) {
	for _, a := range legs {
		if !a.quantity.IsNegative() || !a.proceeds.IsPositive() {
			g.Problem(a.row, "redemption without an amount: enter the transaction by hand")
			continue
		}
		x := a.transaction
		x.Kind, x.Quantity, x.Amount = portfolio.KindSell, a.quantity.Neg(), a.proceeds
		g.Add(x, g.actionID(a), a.row)
	}
}

// settleTransfers records securities and cash transferred into or out of the account. The file does not
// state the cost of the securities. For a transfer between two accounts of the file, the outgoing side is
// recorded and the incoming one ignored.
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
			g.Ignore(r.row, "lot or total of transfers that are already recorded")
			continue
		default:
			g.Problem(r.row, "lot or total of transfers that are not in the file: select Transfers in the query")
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
			g.Ignore(r.row, "move between two accounts that are imported as one")
			continue
		case inside && (x.Kind == portfolio.KindTransferIn || x.Kind == portfolio.KindDeposit):
			g.Ignore(r.row, "other side of a move from "+Shorten(other))
			continue
		case inside:
			x.Kind, x.ToAccount = portfolio.KindTransferOut, g.AccountFor(other)
		}
		g.Add(x, g.id(r, "transfer-", []string{"transactionid"},
			[]string{"date", "datetime", "reportdate", "currency", "symbol", "isin", "quantity", "cashtransfer", "direction"}), r.row)
	}
}

// isIBKRTransfer reports whether a record is a transfer, not a lot or sum of transfers.
func isIBKRTransfer(r ibkrRecord) bool {
	level := r.level()
	return level == "" || level == "TRANSFER" || level == "DETAIL"
}

func (g *ibkrGatherer) transfer(r ibkrRecord) (portfolio.Transaction, error) {
	x := portfolio.Transaction{Account: g.account(r), Note: strings.TrimSpace(r.get("type") + " transfer " + r.get("company"))}
	var quantity, cash decimal.Decimal
	var err error
	if err = r.numbers(map[string]*decimal.Decimal{"quantity": &quantity, "cashtransfer": &cash}); err != nil {
		return x, err
	}
	if x.Date, err = r.firstDay("date", "datetime", "reportdate", "settledate"); err != nil {
		return x, err
	}
	in := strings.EqualFold(r.get("direction"), "IN")
	if !in && !strings.EqualFold(r.get("direction"), "OUT") {
		return x, fmt.Errorf("direction %q is neither IN nor OUT", Shorten(r.get("direction")))
	}
	if err := r.checkAssetClass(); err != nil {
		return x, err
	}
	if quantity.IsZero() || strings.EqualFold(r.get("assetcategory"), "CASH") {
		if cash.IsZero() || in == cash.IsNegative() {
			return x, fmt.Errorf("cash transfer of %s contradicts direction %q", cash, Shorten(r.get("direction")))
		}
		x.Amount, x.Kind = cash.Abs(), kindBySign(cash, portfolio.KindDeposit, portfolio.KindWithdrawal)
		return x, r.setCurrency(&x)
	}
	if !cash.IsZero() {
		return x, errors.New("transfer of both shares and cash: enter the transaction by hand")
	}
	if x.Symbol, x.ISIN, err = r.security(); err != nil {
		return x, err
	}
	x.Name, x.Quantity = r.get("description"), quantity.Abs()
	if in == quantity.IsNegative() {
		return x, fmt.Errorf("direction %s contradicts quantity %s", Shorten(r.get("direction")), quantity)
	}
	x.Kind = portfolio.KindTransferOut
	if in {
		x.Kind, x.CostUnknown = portfolio.KindTransferIn, true
	}
	return x, nil
}
