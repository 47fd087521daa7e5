package ledger

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// addAnswer is what was recorded, and what it did to the portfolio.
type addAnswer struct {
	Recorded     portfolio.Transaction `json:"recorded"`
	Booking      string                `json:"booking"`
	AccountsMade []string              `json:"accounts_made,omitempty"`
	transactionEffect
	Remarks []string `json:"remarks,omitempty"`
	toolkit.Origin
}

// addHidden is the answer for a model from which amounts are hidden.
type addHidden struct {
	ID           string           `json:"id"`
	Recorded     string           `json:"recorded"`
	AccountsMade []string         `json:"accounts_made,omitempty"`
	GainPct      *decimal.Decimal `json:"gain_pct,omitempty"`
	Remarks      []string         `json:"remarks,omitempty"`
	Amounts      string           `json:"amounts"`
	toolkit.Origin
}

func (a addAnswer) result(hide bool) (tool.Result, error) {
	t := a.Recorded
	res := tool.Result{Value: a, Title: toolkit.Abbreviate(fmt.Sprintf("%s %s · %s", positions.KindText(t.Kind), t.Symbol, toolkit.FormatDate(t.Date))), Summary: "recorded"}
	lines := append([]string{"Recorded: " + a.Booking}, a.AccountsMade...)
	lines = append(append(lines, a.Remarks...), a.lines()...)
	for i, line := range lines {
		lines[i] = "- " + toolkit.TableCell(line)
	}
	res.ForUser = fmt.Sprintf("%s\n\n`%s` in %s; to take it back: remove_transaction\n", strings.Join(lines, "\n"), t.ID, positions.LedgerSource)
	var shown any = a
	if hide {
		shown = addHidden{t.ID, positions.TransactionLabel(t), a.AccountsMade, a.gainPct, a.Remarks, toolkit.AmountsHiddenNote, a.Origin}
	} else {
		res.Figures = a.figures()
	}
	if a.gainPct != nil {
		res.Figures = append(res.Figures, a.figure("gain_pct", "gain on cost", *a.gainPct, "%", "gain / cost * 100"))
	}
	var err error
	res.ForModel, err = toolkit.EncodeResult(shown)
	return res, err
}

func (a addAnswer) figure(id, label string, v decimal.Decimal, unit, formula string) tool.Figure {
	return tool.Figure{ID: id, Label: label, Value: v, Unit: unit, AsOf: a.Recorded.Date, Source: positions.LedgerSource, Formula: formula}
}

func (a addAnswer) figures() []tool.Figure {
	t := a.Recorded
	out := transactionFigures(t, "")
	for _, l := range a.Lots {
		out = append(out, a.figure("lot_"+l.Lot+".quantity", "taken of lot "+l.Lot, l.Quantity, string(t.Symbol), ""))
		out = append(out, a.figure("lot_"+l.Lot+".proceeds", "proceeds of lot "+l.Lot, l.Proceeds, l.Currency, "amount - fee - tax, by quantity"))
		if l.Gain != nil {
			out = append(out, a.figure("lot_"+l.Lot+".cost", "cost of lot "+l.Lot, *l.Cost, l.Currency, "of the quantity taken"))
			out = append(out, a.figure("lot_"+l.Lot+".gain", "gain of lot "+l.Lot, *l.Gain, l.Currency, "proceeds - cost"))
		}
	}
	if a.Gain != nil {
		out = append(out, a.figure("gain", "gain in all", *a.Gain, a.GainCurrency, "sum of proceeds - cost of the lots"))
	}
	for _, h := range a.Holds {
		out = append(out, a.figure("holds."+h.Account+"."+string(h.Symbol), h.Account+" holds "+string(h.Symbol), h.Quantity, "units", "sum of all transactions"))
	}
	for _, c := range a.Cash {
		out = append(out, a.figure("cash."+c.Account+"."+c.Currency, "cash of "+c.Account, c.Amount, c.Currency, "sum of all transactions"))
	}
	return out
}

// transactionFigures are the numbers of a transaction as figures; prefix goes before their IDs.
func transactionFigures(t portfolio.Transaction, prefix string) []tool.Figure {
	var out []tool.Figure
	for _, n := range []struct {
		id, unit string
		value    decimal.Decimal
	}{
		{"quantity", "units", t.Quantity}, {"price", t.Currency, t.Price.Decimal}, {"amount", t.Currency, t.Amount}, {"fee", t.Currency, t.Fee},
		{"tax", t.Currency, t.Tax}, {"to_amount", t.ToCurrency, t.ToAmount}, {"new", "shares", t.New}, {"old", "shares", t.Old},
	} {
		if n.value.IsZero() {
			continue
		}
		label := fmt.Sprintf("%s of the %s %s on %s", n.id, positions.KindText(t.Kind), t.Symbol, toolkit.FormatDate(t.Date))
		out = append(out, tool.Figure{ID: prefix + n.id, Label: label, Value: n.value, Unit: n.unit, AsOf: t.Date, Source: positions.LedgerSource})
	}
	return out
}
