package ledger

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// openingCashNote is the note on deposits and withdrawals that record cash from before a file begins.
// Imports recognize their own records by it.
const openingCashNote = "cash from before the file begins, by its balance"

// openingCash is the cash of an account before the first line of a file.
type openingCash struct {
	ID       string          `json:"id" label:"id"`
	Account  string          `json:"account" label:"account"`
	Date     string          `json:"date" label:"deposited"`
	Currency string          `json:"currency"`
	Amount   decimal.Decimal `json:"amount" label:"cash" as:"money" formula:"balance after the first line - its change" sensitive:"amount"`
}

// addOpeningCash completes a change with the cash that accounts had before the file begins, as the balances
// of the file show. Only the oldest file of an account decides: an amount recorded by an earlier import is
// reduced by the cash that an older file explains.
func (d Deps) addOpeningCash(l portfolio.Ledger, in *parsedFile, c portfolio.Change) (portfolio.Change, []openingCash, error) {
	var shown []openingCash
	if in.refuseOpenings || len(c.Add) == 0 {
		return c, nil, nil
	}
	recorded, levels := l.Transactions, []portfolio.Transaction{}
	for i := range recorded {
		t := &recorded[i]
		if !isOpeningCash(t) || !slices.ContainsFunc(c.Add, func(n portfolio.Transaction) bool { return n.Account == t.Account && n.Date.Before(t.Date) }) {
			continue
		}
		level := *t
		level.Amount = signedCash(t).Add(cashBefore(recorded, t.Account, t.Currency, t.Date))
		levels, c.Remove = append(levels, level), append(slices.Clip(c.Remove), t.ID)
	}
	for _, b := range in.statement.CashBefore {
		// Another file, or the user, already recorded what came before.
		known := slices.ContainsFunc(recorded, func(t portfolio.Transaction) bool { return t.Account == b.Account && !t.Date.After(b.Date) })
		if !known && in.tracksCash(l, b.Account) {
			levels = append(levels, portfolio.Transaction{Date: b.Date, Account: b.Account, Currency: b.Currency, Amount: b.Amount})
		}
	}
	slices.SortStableFunc(levels, func(a, b portfolio.Transaction) int { return a.Date.Compare(b.Date) })
	ids, err := d.NewIDs(len(levels))
	if err != nil {
		return c, nil, err
	}
	after := slices.DeleteFunc(slices.Concat(recorded, c.Add), func(t portfolio.Transaction) bool { return slices.Contains(c.Remove, t.ID) })
	for i, level := range levels {
		missing := level.Amount.Sub(cashBefore(after, level.Account, level.Currency, level.Date))
		if missing.IsZero() {
			continue
		}
		t := portfolio.Transaction{
			ID: ids[i], Date: level.Date, Kind: portfolio.KindDeposit, Account: level.Account, Currency: level.Currency, Amount: missing.Abs(), Note: openingCashNote,
		}
		if missing.IsNegative() {
			t.Kind = portfolio.KindWithdrawal
		}
		after, c.Add = append(after, t), append(slices.Clip(c.Add), t)
		shown = append(shown, openingCash{t.ID, t.Account, toolkit.FormatDate(t.Date), t.Currency, missing})
	}
	return c, shown, nil
}

func isOpeningCash(t *portfolio.Transaction) bool {
	return t.Source == "" && t.Note == openingCashNote && (t.Kind == portfolio.KindDeposit || t.Kind == portfolio.KindWithdrawal)
}

func signedCash(t *portfolio.Transaction) decimal.Decimal { return t.CashIn(t.Account, t.Currency) }

// cashBefore returns the cash of an account before a day.
func cashBefore(ts []portfolio.Transaction, account, currency string, day market.Date) decimal.Decimal {
	sum := decimal.Zero
	for i := range ts {
		if ts[i].Date.Before(day) {
			sum = sum.Add(ts[i].CashIn(account, currency))
		}
	}
	return sum
}

// tracksCash reports whether the cash of an account is recorded.
func (in *parsedFile) tracksCash(l portfolio.Ledger, account string) bool {
	if i := slices.IndexFunc(l.Accounts, func(a portfolio.Account) bool { return a.Name == account }); i >= 0 {
		return l.Accounts[i].Cash != portfolio.CashUntracked
	}
	return in.cash != portfolio.CashUntracked
}

// openingCashLines describes the cash for the approval.
func openingCashLines(cash []openingCash) []string {
	var out []string
	for _, o := range cash {
		out = append(out, fmt.Sprintf("records %s in %q as of %s as a deposit, because the file's first balance includes it", toolkit.Format(o.Amount, toolkit.Money, o.Currency), o.Account, o.Date))
	}
	return out
}
