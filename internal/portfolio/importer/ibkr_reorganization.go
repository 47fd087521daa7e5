package importer

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

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
	fresh, errNew := ParseNumber(ratio[1], DecimalPoint)
	old, errOld := ParseNumber(ratio[2], DecimalPoint)
	if errNew != nil || errOld != nil || !fresh.IsPositive() || !old.IsPositive() {
		g.rejectLegs(legs, "a split whose ratio cannot be read: record it by hand")
		return
	}
	x := legs[0].transaction
	if len(legs) > 1 {
		out, in, ok := ibkrOutAndIn(legs)
		if !ok || !ibkrInRatio(out.quantity.Neg(), in.quantity, fresh, old) {
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
		x.Kind = portfolio.KindSplit
		if fresh.LessThan(old) {
			x.Kind = portfolio.KindReverseSplit
		}
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

// ibkrInRatio allows for a fraction of a share that was paid out.
func ibkrInRatio(from, to, fresh, old decimal.Decimal) bool {
	return from.Mul(fresh).Sub(to.Mul(old)).Abs().LessThanOrEqual(old)
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
		for _, a := range legs {
			g.Ignore(a.row, "only the security's number changed")
		}
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
