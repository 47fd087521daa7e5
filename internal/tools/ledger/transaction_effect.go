package ledger

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// transactionEffect is what one transaction does to the portfolio.
type transactionEffect struct {
	Lots []lotSale `json:"lots,omitempty"` // that it gives away, or closes
	// Gain is that of all of them; nil where it is not known or in several currencies.
	Gain         *decimal.Decimal `json:"gain,omitempty"`
	GainCurrency string           `json:"gain_currency,omitempty"`
	// What the accounts it touches hold with everything that is recorded.
	Holds []resultingPosition `json:"holds,omitempty"`
	Cash  []portfolio.Balance `json:"cash,omitempty"`

	gainPct *decimal.Decimal // of cost
}

type lotSale struct {
	Lot      string           `json:"lot"`
	Acquired string           `json:"acquired,omitempty"`
	Quantity decimal.Decimal  `json:"quantity"`
	Proceeds decimal.Decimal  `json:"proceeds"`
	Cost     *decimal.Decimal `json:"cost,omitempty"`
	Gain     *decimal.Decimal `json:"gain,omitempty"`
	Currency string           `json:"currency"`
}

type resultingPosition struct {
	Account  string          `json:"account"`
	Symbol   market.Symbol   `json:"symbol"`
	Quantity decimal.Decimal `json:"quantity"`
}

// newTransactionEffect reads what the transaction did from the ledger after the change.
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
			e.Holds = append(e.Holds, resultingPosition{h.Account, h.Symbol, h.Quantity})
			delete(securities, at)
		}
	}
	for at := range securities { // nothing is left of these
		e.Holds = append(e.Holds, resultingPosition{at.account, market.Symbol(at.what), decimal.Zero})
	}
	slices.SortFunc(e.Holds, func(a, engine resultingPosition) int {
		return cmp.Or(cmp.Compare(a.Account, engine.Account), cmp.Compare(a.Symbol, engine.Symbol))
	})
	for _, c := range engine.Balances() {
		if cash[place{c.Account, c.Currency}] {
			e.Cash = append(e.Cash, c)
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
		pct := gain.Shift(2).DivRound(cost, 2)
		e.gainPct = &pct
	}
}

// lines say it in words, one for each lot and each account.
func (e transactionEffect) lines() []string {
	const limit = 8
	var out []string
	for _, l := range e.Lots[:min(len(e.Lots), limit)] {
		line := fmt.Sprintf("takes %s of lot %s", l.Quantity, l.Lot)
		if l.Acquired != "" {
			line += " of " + l.Acquired
		}
		if l.Gain == nil {
			out = append(out, fmt.Sprintf("%s: brings %s %s; its gain is not known", line, l.Proceeds, l.Currency))
			continue
		}
		out = append(out, fmt.Sprintf("%s: brings %s %s, cost %s, gain %s", line, l.Proceeds, l.Currency, l.Cost, l.Gain))
	}
	if remaining := len(e.Lots) - limit; remaining > 0 {
		out = append(out, fmt.Sprintf("and takes %d more lots", remaining))
	}
	if e.Gain != nil {
		out = append(out, fmt.Sprintf("gain in all: %s %s, by the cost in the book", e.Gain, e.GainCurrency))
	}
	for _, h := range e.Holds {
		out = append(out, fmt.Sprintf("%q then holds %s %s", h.Account, h.Quantity, h.Symbol))
	}
	for _, c := range e.Cash {
		out = append(out, fmt.Sprintf("%q then has %s %s in cash", c.Account, c.Amount, c.Currency))
	}
	return out
}
