package ledger_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// The balance of a file that begins in the middle shows the cash from before it. Importing the file again
// adds nothing; an older file explains the cash, fully or in part; a newer one changes nothing.
func TestOpeningCash_OfTheOldestFile(t *testing.T) {
	const header = "Date,Type,Symbol,Quantity,Price,Amount,Currency,Balance\n"
	y2022 := header + "2022-03-01,Deposit,,,,400.00,USD,400.00\n2022-03-02,Interest,,,,2.00,USD,402.00\n"
	y2023 := header + "2023-03-01,Deposit,,,,4000.00,USD,4402.00\n2023-05-01,Deposit,,,,500.00,USD,4902.00\n"
	y2024 := header + "2024-01-15,Buy,AAPL,10,172.50,-1725.00,USD,3275.00\n2024-03-01,Dividend,AAPL,,,1.44,USD,3276.44\n"
	y2024b := header + "2024-04-01,Dividend,AAPL,,,2.00,USD,3278.44\n"
	w := newFixture(t)
	for _, step := range []struct {
		name, file string
		want       []string // deposits of cash from before a file
	}{
		{"2024", y2024, []string{"2024-01-15 5000"}},
		{"again", y2024, []string{"2024-01-15 5000"}},
		{"newer", y2024b, []string{"2024-01-15 5000"}},
		{"older, and 98 are still unexplained", y2023, []string{"2023-03-01 402", "2024-01-15 98"}},
		{"oldest", y2022, []string{"2024-01-15 98"}},
	} {
		w.Files["f.csv"] = []byte(step.file)
		w.MustCall("import_transactions", args{"path": "f.csv", "account": "a"})
		var got []string
		for _, x := range w.Ledger().Transactions {
			if x.Source == "" && x.Kind == portfolio.KindDeposit {
				got = append(got, fmt.Sprint(x.Date.Format("2006-01-02"), " ", x.Amount))
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, step.want) {
			t.Errorf("%s: cash from before %q, want %q", step.name, got, step.want)
		}
	}
	if cash := w.Ledger().Accounts[0].Cash; cash != portfolio.CashTracked {
		t.Errorf("cash of the account is %s, want tracked", cash)
	}
}

// Without --opening and in an account whose cash is not tracked, nothing is added.
func TestOpeningCash_IsNotRecordedAgainstTheUser(t *testing.T) {
	for _, with := range []args{{"opening": false}, {"cash": "untracked"}} {
		w := newFixture(t)
		w.Files["f.csv"] = []byte("Date,Type,Symbol,Quantity,Price,Amount,Currency,Balance\n2024-03-01,Deposit,,,,100.00,USD,300.00\n")
		with["path"] = "f.csv"
		w.MustCall("import_transactions", with)
		if n := len(w.Ledger().Transactions); n != 1 {
			t.Errorf("%v: %d transactions, want 1", with, n)
		}
	}
}
