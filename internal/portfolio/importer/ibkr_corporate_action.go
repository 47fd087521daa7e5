package importer

import (
	"regexp"
	"strings"

	"github.com/shopspring/decimal"

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
	if err := a.numbers(ibkrNumberField{"quantity", &a.quantity}, ibkrNumberField{"proceeds", &a.proceeds}); err != nil {
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
	ratio := regexp.MustCompile(`\b([0-9][0-9.,]*) FOR ([0-9][0-9.,]*)\b`)
	for _, key := range order {
		legs := groups[key]
		description := ibkrActionKey(legs[0].description())
		switch {
		case strings.Contains(description, "SPLIT"):
			g.split(legs, ratio.FindStringSubmatch(description))
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
