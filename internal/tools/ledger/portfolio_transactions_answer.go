package ledger

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// listedTransaction is one entry of the list.
type listedTransaction struct {
	N int `json:"n"` // of the matching ones, from the oldest
	portfolio.Transaction
	Held *decimal.Decimal `json:"held,omitempty"` // of the symbol in the account, after it
}

type listAnswer struct {
	Recorded     int                 `json:"recorded"` // in the whole ledger
	Matched      int                 `json:"matched"`
	Shown        int                 `json:"shown"`
	Transactions []listedTransaction `json:"transactions"`
	Outside      string              `json:"outside"`
	Warnings     []string            `json:"warnings,omitempty"`
	toolkit.Origin

	laterWarnings []string // what the clock hides
	fault         error    // of the ledger
}

// hiddenEntry is a transaction for a model from which amounts are hidden.
type hiddenEntry struct {
	N          int            `json:"n"`
	ID         string         `json:"id"`
	Date       string         `json:"date"`
	Kind       portfolio.Kind `json:"kind"`
	Account    string         `json:"account"`
	Symbol     market.Symbol  `json:"symbol,omitempty"`
	Name       string         `json:"name,omitempty"`
	Currency   string         `json:"currency,omitempty"`
	ToAccount  string         `json:"to_account,omitempty"`
	ToSymbol   market.Symbol  `json:"to_symbol,omitempty"`
	ToCurrency string         `json:"to_currency,omitempty"`
	Note       string         `json:"note,omitempty"`
	Source     string         `json:"source,omitempty"`
}

type listHidden struct {
	listAnswer
	Transactions []hiddenEntry `json:"transactions"`
	Amounts      string        `json:"amounts"`
}

func (a listAnswer) hidden(d Deps) listHidden {
	h := listHidden{listAnswer: a, Transactions: []hiddenEntry{}, Amounts: toolkit.AmountsHiddenNote}
	for _, t := range a.Transactions {
		h.Transactions = append(h.Transactions, hiddenEntry{
			t.N, t.ID, toolkit.FormatDate(t.Date), t.Kind, t.Account, t.Symbol, d.MaskText(t.Name), t.Currency,
			t.ToAccount, t.ToSymbol, t.ToCurrency, d.MaskText(t.Note), t.Source,
		})
	}
	return h
}

func (a listAnswer) result(d Deps) (tool.Result, error) {
	res := tool.Result{
		Value: a, ForUser: a.markdown(), Title: "transactions",
		Summary: fmt.Sprintf("%s of %s that match, of %s", toolkit.FormatCount(a.Shown), toolkit.FormatCount(a.Matched), toolkit.FormatCount(a.Recorded)),
	}
	// What is long for a model is cut between entries, not within one.
	for {
		var shown any = a
		if d.HideAmounts {
			shown = a.hidden(d)
		}
		text, err := toolkit.EncodeResult(shown)
		if err != nil {
			return res, err
		}
		res.ForModel = text
		if len(text) <= toolkit.MaxEncodedBytes || len(a.Transactions) == 0 {
			break
		}
		a.Transactions = a.Transactions[:len(a.Transactions)/2]
		a.Shown = len(a.Transactions)
	}
	res.Figures = a.figures(d)
	return res, nil
}

func (a listAnswer) figures(d Deps) []tool.Figure {
	var out []tool.Figure
	for _, n := range []struct {
		id, label string
		value     int
	}{{"recorded", "transactions in the book", a.Recorded}, {"matched", "transactions that match", a.Matched}, {"shown", "transactions shown", a.Shown}} {
		out = append(out, tool.Figure{ID: n.id, Label: n.label, Value: decimal.NewFromInt(int64(n.value)), Unit: "transactions", AsOf: d.Today(), Source: positions.LedgerSource})
	}
	if d.HideAmounts {
		return out
	}
	for _, t := range a.Transactions {
		out = append(out, transactionFigures(t.Transaction, t.ID+".")...)
		if t.Held != nil {
			out = append(out, tool.Figure{
				ID: t.ID + ".held", Label: fmt.Sprintf("%s held by %s after %s", t.Symbol, t.Account, toolkit.FormatDate(t.Date)), Value: *t.Held,
				Unit: "units", AsOf: t.Date, Source: positions.LedgerSource, Formula: "sum of all transactions up to it",
			})
		}
	}
	return out
}

func (a listAnswer) markdown() string {
	rows := make([][]string, len(a.Transactions))
	for i, t := range a.Transactions {
		held := ""
		if t.Held != nil {
			held = t.Held.String()
		}
		rows[i] = []string{
			fmt.Sprint(t.N), toolkit.FormatDate(t.Date), positions.KindText(t.Kind), t.Account, string(t.Symbol), amountUnlessZero(t.Quantity, ""),
			amountUnlessZero(t.Amount, t.Currency), amountUnlessZero(t.Fee, ""), amountUnlessZero(t.Tax, ""), held, t.ID,
		}
	}
	var b strings.Builder
	for _, w := range a.laterWarnings {
		fmt.Fprintf(&b, "! %s\n\n", w)
	}
	if a.fault != nil {
		fmt.Fprintf(&b, "! the book does not hold as it is: %s\n\n", toolkit.TableCell(a.fault.Error()))
	}
	if len(rows) > 0 {
		b.WriteString(toolkit.MarkdownTable([]string{"n:", "date", "kind", "account", "symbol", "quantity:", "amount:", "fee:", "tax:", "held:", "id"}, rows) + "\n")
	}
	fmt.Fprintf(&b, "%s shown of %s that match; %s are recorded. %s\n", toolkit.FormatCount(a.Shown), toolkit.FormatCount(a.Matched), toolkit.FormatCount(a.Recorded), a.Footer())
	return b.String()
}

// amountUnlessZero is a number with its unit, and nothing for zero.
func amountUnlessZero(n decimal.Decimal, unit string) string {
	if n.IsZero() {
		return ""
	}
	return strings.TrimSpace(n.String() + " " + unit)
}
