package ledger

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// transactionEffect is the effect of one transaction on the portfolio.
type transactionEffect struct {
	Lots []lotSale `json:"lots,omitempty" table:"Lots"` // that it closes or transfers out
	// Gain is the total of all lots; nil if it is unknown or in several currencies.
	Gain         *decimal.Decimal `json:"gain,omitempty" label:"gain" as:"gain" currency:"gain_currency" key:"3" sensitive:"amount" formula:"sum of proceeds - cost basis of the lots"`
	GainPct      *decimal.Decimal `json:"gain_pct,omitempty" label:"gain on cost basis" as:"change" in:"percent" key:"4" formula:"gain / cost basis"`
	GainCurrency string           `json:"gain_currency,omitempty"`
	// Holds and Cash are the positions and balances of the affected accounts after all
	// transactions.
	Holds []resultingPosition `json:"holds,omitempty" table:"Positions after all transactions"`
	Cash  []cashBalance       `json:"cash,omitempty" table:"Cash after all transactions"`
}

type lotSale struct {
	Lot      string           `json:"lot" label:"lot"`
	Acquired string           `json:"acquired,omitempty" label:"acquired"`
	Quantity decimal.Decimal  `json:"quantity" label:"quantity" as:"exact" unit:"units" sensitive:"amount"`
	Proceeds decimal.Decimal  `json:"proceeds" label:"proceeds" as:"money" sensitive:"amount" formula:"amount - fee - tax, by quantity"`
	Cost     *decimal.Decimal `json:"cost,omitempty" label:"cost basis" as:"money" sensitive:"amount"`
	Gain     *decimal.Decimal `json:"gain,omitempty" label:"gain" as:"gain" sensitive:"amount" formula:"proceeds - cost basis"`
	Currency string           `json:"currency"`
}

type resultingPosition struct {
	Symbol   market.Symbol   `json:"symbol" label:"symbol"`
	Account  string          `json:"account" label:"account"`
	Quantity decimal.Decimal `json:"quantity" label:"quantity" as:"exact" unit:"units" sensitive:"amount" formula:"sum of all transactions"`
}

type cashBalance struct {
	Account  string          `json:"account" label:"account"`
	Currency string          `json:"currency"`
	Amount   decimal.Decimal `json:"amount" label:"cash" as:"money" sensitive:"amount" formula:"sum of all transactions"`
}

// newTransactionEffect computes the effect of a transaction from the changed ledger.
func newTransactionEffect(engine *lots.Engine, id string) transactionEffect {
	var e transactionEffect
	e.addLotSales(engine, id)
	type place struct{ account, what string }
	securities, cash := map[place]bool{}, map[place]bool{}
	for _, p := range engine.Postings() {
		switch {
		case p.Transaction != id:
		case p.Currency == "":
			securities[place{p.Account, string(p.Symbol)}] = true
		default:
			cash[place{p.Account, p.Currency}] = true
		}
	}
	for h := range engine.OpenPositions() {
		at := place{h.Account, string(h.Symbol)}
		if securities[at] {
			e.Holds = append(e.Holds, resultingPosition{h.Symbol, h.Account, h.Quantity})
			delete(securities, at)
		}
	}
	for at := range securities { // the position is closed
		e.Holds = append(e.Holds, resultingPosition{market.Symbol(at.what), at.account, decimal.Zero})
	}
	slices.SortFunc(e.Holds, func(a, b resultingPosition) int {
		return cmp.Or(cmp.Compare(a.Account, b.Account), cmp.Compare(a.Symbol, b.Symbol))
	})
	for _, c := range engine.Balances() {
		if cash[place{c.Account, c.Currency}] {
			e.Cash = append(e.Cash, cashBalance(c))
		}
	}
	return e
}

func (e *transactionEffect) addLotSales(engine *lots.Engine, id string) {
	var gain, cost decimal.Decimal
	known, currency := true, ""
	for _, d := range engine.Disposals() {
		if d.Transaction != id {
			continue
		}
		l := lotSale{Lot: d.Lot, Quantity: d.Quantity, Proceeds: d.Proceeds, Currency: d.Currency}
		if !d.Acquired.IsZero() {
			l.Acquired = toolkit.FormatDate(d.Acquired)
		}
		g := d.Gain()
		if g.Valid {
			l.Cost, l.Gain = &d.Cost.Decimal, &g.Decimal
			gain, cost = gain.Add(g.Decimal), cost.Add(d.Cost.Decimal)
		}
		known = known && g.Valid && (currency == "" || currency == d.Currency)
		currency = d.Currency
		e.Lots = append(e.Lots, l)
	}
	if len(e.Lots) == 0 || !known {
		return
	}
	e.Gain, e.GainCurrency = &gain, currency
	if cost.IsPositive() {
		e.GainPct = new(gain.Shift(2).Div(cost))
	}
}

// lines describe the effect for the approval, one line for each lot and account.
func (e transactionEffect) lines() []string {
	const limit = 8
	units := func(n decimal.Decimal) string { return toolkit.Format(n, toolkit.Exact, "") }
	var out []string
	for _, l := range e.Lots[:min(len(e.Lots), limit)] {
		line := fmt.Sprintf("uses %s of lot %s", units(l.Quantity), l.Lot)
		if l.Acquired != "" {
			line += " of " + l.Acquired
		}
		proceeds := toolkit.Format(l.Proceeds, toolkit.Money, l.Currency)
		if l.Gain == nil {
			out = append(out, fmt.Sprintf("%s: proceeds %s, gain unknown", line, proceeds))
			continue
		}
		out = append(out, fmt.Sprintf("%s: proceeds %s, cost basis %s, gain %s", line, proceeds, toolkit.Format(l.Cost, toolkit.Money, l.Currency), toolkit.Format(l.Gain, toolkit.Gain, l.Currency)))
	}
	if remaining := len(e.Lots) - limit; remaining > 0 {
		out = append(out, "uses "+humanize.Count(remaining, "more lot", "more lots"))
	}
	if e.Gain != nil {
		out = append(out, fmt.Sprintf("total gain: %s, based on the cost basis in the ledger", toolkit.Format(e.Gain, toolkit.Gain, e.GainCurrency)))
	}
	for _, h := range e.Holds {
		out = append(out, fmt.Sprintf("%q then holds %s %s", h.Account, units(h.Quantity), h.Symbol))
	}
	for _, c := range e.Cash {
		out = append(out, fmt.Sprintf("%q then has %s in cash", c.Account, toolkit.Format(c.Amount, toolkit.Money, c.Currency)))
	}
	return out
}
