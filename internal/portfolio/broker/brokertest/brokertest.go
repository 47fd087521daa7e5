// Package brokertest checks what formats of brokers read: that no line of a file is
// lost, that reading it twice gives the same, and what it comes to in cash and shares.
package brokertest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// Account is the one that files are read for.
const Account = "account"

// Recorded is a broker's own file beside the project, or in the folder that
// NFA_FIXTURES names. The test is skipped where there is none.
func Recorded(t testing.TB, name string) sheet.File {
	t.Helper()
	root := os.Getenv("NFA_FIXTURES")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "..", "shared")
	}
	raw, err := os.ReadFile(filepath.Join(root, "fixtures", "market", "broker", name))
	if err != nil {
		t.Skipf("no recording: %v; NFA_FIXTURES may name the folder that holds fixtures/market", err)
	}
	f, err := sheet.Decode(name, raw)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Written is a file of the lines, of which the first stand above those that count.
func Written(lines ...string) sheet.File {
	return sheet.File{Name: "test.csv", Text: strings.Join(lines, "\n") + "\n", Encoding: "UTF-8"}
}

// Read reads a table for Account and checks what all formats promise: every line is
// accounted for, and what ReadWhole checks.
func Read(t testing.TB, format broker.Format, f sheet.File, o broker.Options) broker.Statement {
	t.Helper()
	o.Account = Account
	s := ReadWhole(t, format, f, o)
	if missing := Unaccounted(f, s); len(missing) > 0 {
		t.Errorf("lines %v of %s are neither read nor ignored nor a problem", missing, f.Name)
	}
	return s
}

// ReadWhole is Read for any account, and for files whose lines are not rows: every
// transaction is one that a book takes, sources are told apart, and what is read the
// second time is as the first.
func ReadWhole(t testing.TB, format broker.Format, f sheet.File, o broker.Options) broker.Statement {
	t.Helper()
	if !format.Recognizes(f) {
		t.Fatalf("%s does not recognize %s", format.Name, f.Name)
	}
	s, err := format.Read(f, o)
	if err != nil {
		t.Fatalf("reading %s: %v", f.Name, err)
	}
	checkEntries(t, format, s, o.Account)
	again, err := format.Read(f, o)
	if diff := cmp.Diff(s, again); err != nil || diff != "" {
		t.Errorf("reading %s again = %v and differs:\n%s", f.Name, err, diff)
	}
	return s
}

// Refuses fails where a format recognizes a file of another one, or reads it with
// anything but ErrFormat.
func Refuses(t testing.TB, format broker.Format, f sheet.File) {
	t.Helper()
	if format.Recognizes(f) {
		t.Errorf("%s recognizes %s, want not", format.Name, f.Name)
	}
	if s, err := format.Read(f, broker.Options{Account: Account}); !errors.Is(err, broker.ErrFormat) {
		t.Errorf("Read = %v, %v; want ErrFormat", s, err)
	}
}

// checkEntries holds entries to what they promise; an empty account is that of the
// file.
func checkEntries(t testing.TB, format broker.Format, s broker.Statement, account string) {
	t.Helper()
	seen, of := map[portfolio.Origin]bool{}, map[int][]int{}
	for _, e := range s.Entries {
		x := e.Transaction
		origin, _ := x.Origin()
		if seen[origin] || x.SourceID == "" || x.Source != format.Name || account != "" && x.Account != account {
			t.Errorf("line %v: source %q %q of account %q is empty, another's, or there twice", e.Lines, x.Source, x.SourceID, x.Account)
		}
		seen[origin] = true
		if err := x.Validate(); err != nil {
			t.Errorf("line %v: %v", e.Lines, err)
		}
		for _, line := range e.Lines {
			if first, shared := of[line]; shared && !slices.Equal(first, e.Lines) {
				t.Errorf("line %d is in a transaction of the lines %v and in one of %v; those that share a line are of the same lines", line, first, e.Lines)
			}
			of[line] = e.Lines
		}
	}
}

// Unaccounted are the lines with something on them, below the first of which
// anything is said, that no part of the statement names. Lines are those of rows: a
// cell may span several.
func Unaccounted(f sheet.File, s broker.Statement) []int {
	named := map[int]bool{}
	for _, e := range s.Entries {
		for _, line := range e.Lines {
			named[line] = true
		}
	}
	for _, r := range slices.Concat(s.Problems, s.Ignored) {
		named[r.Line] = true
	}
	rows, err := f.Rows(0)
	if err != nil {
		return nil
	}
	var missing []int
	below := false
	for _, row := range rows {
		below = below || named[row.Line]
		if below && !row.Empty() && !named[row.Line] {
			missing = append(missing, row.Line)
		}
	}
	return missing
}

// Say tells each transaction in one line: the lines it is of, its day, its kind, and
// of the rest what is there.
func Say(s broker.Statement) []string {
	said := make([]string, 0, len(s.Entries))
	for _, e := range s.Entries {
		said = append(said, fmt.Sprint(e.Lines)+" "+say(e.Transaction))
	}
	return said
}

func say(t portfolio.Transaction) string {
	words := []string{t.Date.Format("2006-01-02"), string(t.Kind)}
	add := func(there bool, format string, args ...any) {
		if there {
			words = append(words, fmt.Sprintf(format, args...))
		}
	}
	add(t.Symbol != "", "%s", t.Symbol)
	add(!t.Quantity.IsZero(), "%s", t.Quantity)
	add(t.Price.Valid, "@%s", t.Price.Decimal)
	add(!t.Amount.IsZero(), "%s %s", t.Amount, t.Currency)
	add(!t.Fee.IsZero(), "fee %s", t.Fee)
	add(!t.Tax.IsZero(), "tax %s", t.Tax)
	add(t.CostUnknown, "cost unknown")
	add(!t.New.IsZero(), "%s for %s", t.New, t.Old)
	add(t.ToSymbol != "", "to %s", t.ToSymbol)
	add(!t.ToAmount.IsZero(), "to %s %s", t.ToAmount, t.ToCurrency)
	return strings.Join(words, " ")
}

// Reasons tells problems and what was ignored by line, each with the beginning of its
// reason, of so many characters.
func Reasons(remarks []broker.Remark, characters int) []string {
	said := make([]string, 0, len(remarks))
	for _, r := range remarks {
		said = append(said, fmt.Sprintf("%d %s", r.Line, r.Reason[:min(len(r.Reason), characters)]))
	}
	return said
}

// IDs are the broker's names of the transactions, sorted.
func IDs(s broker.Statement) []string {
	var ids []string
	for _, e := range s.Entries {
		ids = append(ids, e.Transaction.SourceID)
	}
	slices.Sort(ids)
	return ids
}

// Cash is what all transactions together leave of each currency.
func Cash(s broker.Statement) map[string]string {
	sums := map[string]decimal.Decimal{}
	for _, e := range s.Entries {
		t := e.Transaction
		costs := t.Fee.Add(t.Tax)
		switch t.Kind {
		case portfolio.KindBuy, portfolio.KindFee, portfolio.KindTax, portfolio.KindInterestDue, portfolio.KindWithdrawal:
			sums[t.Currency] = sums[t.Currency].Sub(t.Amount).Sub(costs)
		case portfolio.KindSell, portfolio.KindDividend, portfolio.KindReturnOfCapital, portfolio.KindInterest, portfolio.KindDeposit,
			portfolio.KindFeeRefund, portfolio.KindTaxRefund:
			sums[t.Currency] = sums[t.Currency].Add(t.Amount).Sub(costs)
		case portfolio.KindExchange:
			sums[t.Currency] = sums[t.Currency].Sub(t.Amount).Sub(costs)
			sums[t.ToCurrency] = sums[t.ToCurrency].Add(t.ToAmount)
		}
	}
	return written(sums)
}

// Shares is what all transactions together leave of each security; splits and mergers
// are not counted.
func Shares(s broker.Statement) map[market.Symbol]string {
	sums := map[market.Symbol]decimal.Decimal{}
	for _, e := range s.Entries {
		t := e.Transaction
		switch t.Kind {
		case portfolio.KindBuy, portfolio.KindReinvest, portfolio.KindTransferIn:
			sums[t.Symbol] = sums[t.Symbol].Add(t.Quantity)
		case portfolio.KindSell, portfolio.KindTransferOut:
			sums[t.Symbol] = sums[t.Symbol].Sub(t.Quantity)
		}
	}
	return written(sums)
}

// Sum adds up the amounts of a kind, by currency.
func Sum(s broker.Statement, kinds ...portfolio.Kind) map[string]string {
	sums := map[string]decimal.Decimal{}
	for _, e := range s.Entries {
		if slices.Contains(kinds, e.Transaction.Kind) {
			sums[e.Transaction.Currency] = sums[e.Transaction.Currency].Add(e.Transaction.Amount)
		}
	}
	return written(sums)
}

func written[K comparable](sums map[K]decimal.Decimal) map[K]string {
	out := make(map[K]string, len(sums))
	for key, sum := range sums {
		out[key] = sum.String()
	}
	return out
}

// Fuzz has any text read: without a panic, and with every line accounted for.
func Fuzz(t *testing.T, format broker.Format, text string) {
	f := sheet.File{Name: "fuzz.csv", Text: text, Encoding: "UTF-8"}
	s, err := format.Read(f, broker.Options{Account: Account, Currency: "EUR"})
	if err != nil {
		return
	}
	if missing := Unaccounted(f, s); len(missing) > 0 {
		t.Errorf("lines %v of %q are neither read nor ignored nor a problem", missing, text)
	}
	checkEntries(t, format, s, Account)
}
