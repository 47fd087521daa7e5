package ibkr

import (
	"regexp"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// action is one leg of a corporate action: shares of one security that came or
// went, with the cash paid for them.
type action struct {
	record
	transaction portfolio.Transaction // its account, day and security
	quantity    decimal.Decimal
	proceeds    decimal.Decimal
}

// action gathers a leg, or reports what is wrong with it.
func (g *gatherer) action(r record) {
	a := action{record: r}
	if err := a.read(); err != nil {
		g.Problem(r.row, "%s", err)
		return
	}
	a.transaction.Account = g.account(r)
	g.actions = append(g.actions, a)
}

func (a *action) read() error {
	// A contract on a share is split as the share is, and is not held.
	if err := a.countable(); err != nil {
		return err
	}
	if err := a.numbers(figure{"quantity", &a.quantity}, figure{"proceeds", &a.proceeds}); err != nil {
		return err
	}
	x := &a.transaction
	var err error
	// An action takes effect before the open of its report date; the time it was
	// booked is of the evening before.
	if x.Date, err = a.day("reportdate", "datetime", "date"); err != nil {
		return err
	}
	if x.Symbol, x.ISIN, err = a.security(); err != nil {
		return err
	}
	ticker, company, isin := leg(a.words())
	if x.Symbol == "" && ticker != "" {
		if x.Symbol, x.ISIN, err = broker.Security(ticker, isin); err != nil {
			return err
		}
	}
	x.Name = company
	return a.inCurrency(x)
}

// words is the description of the action, whose end names the security of the leg.
func (a *action) words() string { return strings.ToUpper(a.first("actiondescription", "description")) }

// leg reads the end of a description: "(ACME, ACME CORP, US0000000000)".
func leg(words string) (ticker, company, isin string) {
	i := strings.LastIndexByte(words, '(')
	if i < 0 || !strings.HasSuffix(words, ")") {
		return "", "", ""
	}
	parts := strings.Split(words[i+1:len(words)-1], ", ")
	if len(parts) < 3 {
		return "", "", ""
	}
	if last := parts[len(parts)-1]; broker.ValidISIN(last) {
		isin = last
	}
	return parts[0], strings.Join(parts[1:len(parts)-1], ", "), isin
}

// head is a description without its last parentheses: equal for all legs.
func head(words string) string {
	if i := strings.LastIndexByte(words, '('); i > 0 && strings.HasSuffix(words, ")") {
		return strings.TrimSpace(words[:i])
	}
	return words
}

// settleActions records corporate actions, whose legs come together by the
// broker's number or by their description.
func (g *gatherer) settleActions() {
	groups := map[string][]action{}
	var order []string
	for _, a := range g.actions {
		key := a.get("actionid")
		if key == "" {
			key = a.transaction.Date.String() + head(a.words())
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
		words := head(legs[0].words())
		switch {
		case strings.Contains(words, "SPLIT"):
			g.split(legs, ratio.FindStringSubmatch(words))
		case strings.Contains(words, "SPINOFF"), strings.Contains(words, "SPIN-OFF"):
			g.spinOff(legs)
		case strings.Contains(words, "MERGED"), strings.Contains(words, "CUSIP/ISIN CHANGE"):
			g.merger(legs)
		case strings.Contains(words, "MATURITY"), strings.Contains(words, "REDEMPTION"), strings.Contains(words, "FULL CALL"):
			g.redemption(legs)
		default:
			g.refuse(legs, "a corporate action that is not read: record it by hand, with the broker's notice beside you")
		}
	}
}

func (g *gatherer) refuse(legs []action, reason string) { g.Refuse(legRows(legs), "%s", reason) }

func legRows(legs []action) []sheet.Row {
	rows := make([]sheet.Row, len(legs))
	for i, a := range legs {
		rows[i] = a.row
	}
	return rows
}

func (g *gatherer) actionID(a action) string {
	return g.id(a.record, "action-", []string{"transactionid", "actionid"},
		[]string{"type", "reportdate", "datetime", "currency", "description", "quantity"})
}

// outAndIn tells the legs apart: what went, and what came in its place.
func outAndIn(legs []action) (out, in *action, ok bool) {
	if len(legs) != 2 {
		return nil, nil, false
	}
	out, in = &legs[0], &legs[1]
	if out.quantity.IsPositive() {
		out, in = in, out
	}
	return out, in, out.quantity.IsNegative() && in.quantity.IsPositive()
}

// was is the symbol that a security had before its action: the broker marks what
// is replaced.
func was(symbol market.Symbol) market.Symbol {
	return market.Symbol(strings.TrimSuffix(string(symbol), ".OLD"))
}
