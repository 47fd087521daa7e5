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

// ibkrAction is one leg of a corporate action: shares of one security that came or
// went, with the cash paid for them.
type ibkrAction struct {
	ibkrRecord
	transaction portfolio.Transaction // its account, day and security
	quantity    decimal.Decimal
	proceeds    decimal.Decimal
}

// addAction gathers a leg, or reports what is wrong with it.
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
	// A contract on a share is split as the share is, and is not held.
	if err := a.checkAssetClass(); err != nil {
		return err
	}
	if err := a.numbers(map[string]*decimal.Decimal{"quantity": &a.quantity, "proceeds": &a.proceeds}); err != nil {
		return err
	}
	x := &a.transaction
	var err error
	// An action takes effect before the open of its report date; the time it was
	// booked is of the evening before.
	if x.Date, err = a.firstDay("reportdate", "datetime", "date"); err != nil {
		return err
	}
	if x.Symbol, x.ISIN, err = a.security(); err != nil {
		return err
	}
	ticker, company, isin := parseIBKRLeg(a.description())
	if x.Symbol == "" && ticker != "" {
		if x.Symbol, x.ISIN, err = ParseSecurity(ticker, isin); err != nil {
			return err
		}
	}
	x.Name = company
	return a.setCurrency(x)
}

// description is the description of the action, whose end names the security of the leg.
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

// ibkrActionKey is a description without its last parentheses: equal for all legs.
func ibkrActionKey(description string) string {
	if i := strings.LastIndexByte(description, '('); i > 0 && strings.HasSuffix(description, ")") {
		return strings.TrimSpace(description[:i])
	}
	return description
}

var ibkrRatioPattern = lazyregexp.New(`\b([0-9][0-9.,]*) FOR ([0-9][0-9.,]*)\b`)

// settleActions records corporate actions, whose legs come together by the
// broker's number or by their description.
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
			g.rejectLegs(legs, "a corporate action that is not read: record it by hand, with the broker's notice beside you")
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

// ibkrOutAndIn tells the legs apart: what went, and what came in its place.
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

// ibkrPreviousSymbol is the symbol that a security had before its action: the broker marks what
// is replaced.
func ibkrPreviousSymbol(symbol market.Symbol) market.Symbol {
	return market.Symbol(strings.TrimSuffix(string(symbol), ".OLD"))
}

// split reads "SPLIT 4 FOR 1". It has one leg with the change, or two where the
// ISIN or the ticker changed with it.
func (g *ibkrGatherer) split(legs []ibkrAction, ratio []string) {
	if !ibkrHasNoCash(legs) {
		g.rejectLegs(legs, "a split that paid cash: record it by hand")
		return
	}
	if len(ratio) != 3 {
		g.rejectLegs(legs, "a split without its ratio: record it by hand")
		return
	}
	// What is no number is zero.
	fresh, _ := ParseNumber(ratio[1], DecimalPoint)
	old, _ := ParseNumber(ratio[2], DecimalPoint)
	if !fresh.IsPositive() || !old.IsPositive() {
		g.rejectLegs(legs, "a split whose ratio cannot be read: record it by hand")
		return
	}
	x := legs[0].transaction
	if len(legs) > 1 {
		out, in, ok := ibkrOutAndIn(legs)
		// A fraction of a share may have been paid out.
		if !ok || out.quantity.Neg().Mul(fresh).Sub(in.quantity.Mul(old)).Abs().GreaterThan(old) {
			g.rejectLegs(legs, "a split whose shares do not come out at its ratio: record it by hand")
			return
		}
		x = in.transaction
		if from := ibkrPreviousSymbol(out.transaction.Symbol); from != x.Symbol {
			x.Symbol, x.ToSymbol, x.Kind, x.ISIN = from, x.Symbol, portfolio.KindMerger, out.transaction.ISIN
		}
	} else if up := fresh.GreaterThan(old); up != legs[0].quantity.IsPositive() {
		g.rejectLegs(legs, "a split whose shares go the other way than its ratio: record it by hand")
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

// spinOff reads "ACME(US...) SPINOFF 1 FOR 5": the leg is of the shares that came.
// What part of the cost went with them no export tells.
func (g *ibkrGatherer) spinOff(legs []ibkrAction) {
	ticker, isin := parseIBKRSecurity(legs[0].description())
	parent, number, err := ParseSecurity(ticker, isin)
	if len(legs) != 1 || err != nil || !ibkrHasNoCash(legs) || !legs[0].quantity.IsPositive() || legs[0].transaction.Symbol == "" {
		g.rejectLegs(legs, "a spin-off that cannot be read: record it by hand")
		return
	}
	x := legs[0].transaction
	x.Kind, x.Symbol, x.ToSymbol, x.ISIN, x.Currency = portfolio.KindSpinOff, parent, x.Symbol, number, ""
	x.Quantity, x.Note = legs[0].quantity, x.Name
	x.Name = ""
	g.Add(x, g.actionID(legs[0]), legs[0].row)
}

// merger reads shares that became others, or cash, or the same under another
// number.
func (g *ibkrGatherer) merger(legs []ibkrAction) {
	if len(legs) == 1 && legs[0].quantity.IsNegative() && legs[0].proceeds.IsPositive() {
		// So many shares and no others: who took up an offer for a part keeps the rest.
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
		g.rejectLegs(legs, "a merger that is not one security for another or for cash: record it by hand")
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
			g.rejectLegs(legs, "an exchange of shares for others of the same ticker: record it as a split by hand")
			return
		}
		g.Skip(IgnoreReason("only the security's number changed"), ibkrLegRows(legs)...)
		return
	}
	x.Note = strings.TrimSpace(in.transaction.Name)
	g.Add(x, g.actionID(*out), ibkrLegRows(legs)...)
}

// redemption reads a bond that was paid back: a sale at what was paid.
func (g *ibkrGatherer) redemption(legs []ibkrAction) {
	for _, a := range legs {
		if !a.quantity.IsNegative() || !a.proceeds.IsPositive() {
			g.Problem(a.row, "a redemption without what was paid: record it by hand")
			continue
		}
		x := a.transaction
		x.Kind, x.Quantity, x.Amount = portfolio.KindSell, a.quantity.Neg(), a.proceeds
		g.Add(x, g.actionID(a), a.row)
	}
}

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
		return x, fmt.Errorf("no direction: %q is neither IN nor OUT", Shorten(r.get("direction")))
	}
	if err := r.checkAssetClass(); err != nil {
		return x, err
	}
	if quantity.IsZero() || strings.EqualFold(r.get("assetcategory"), "CASH") {
		if cash.IsZero() || in == cash.IsNegative() {
			return x, fmt.Errorf("a transfer of %s in cash in the direction %q: one of them is wrong", cash, Shorten(r.get("direction")))
		}
		x.Amount, x.Kind = cash.Abs(), kindBySign(cash, portfolio.KindDeposit, portfolio.KindWithdrawal)
		return x, r.setCurrency(&x)
	}
	if !cash.IsZero() {
		return x, errors.New("a transfer of both shares and cash: record it by hand")
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
