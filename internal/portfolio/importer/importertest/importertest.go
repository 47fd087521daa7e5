package importertest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/recordings"
)

// Account is the account that files are read for.
const Account = "account"

// Recorded returns a real broker file from next to the project, or from the folder in NFA_FIXTURES.
// The test is skipped if the file is missing.
func Recorded(t testing.TB, name string) importer.File {
	t.Helper()
	raw := recordings.Read(t, "market", "broker", name)
	f, err := importer.Decode(name, raw)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// File returns a file with these lines.
func File(lines ...string) importer.File {
	return importer.File{Name: "test.csv", Text: strings.Join(lines, "\n") + "\n", Encoding: "UTF-8"}
}

// Read reads a table for Account. It makes the checks of ReadWhole, and checks that every line is accounted
// for.
func Read(t testing.TB, format importer.Format, f importer.File, o importer.Options) importer.Statement {
	t.Helper()
	o.Account = Account
	s := ReadWhole(t, format, f, o)
	if missing := MissingLines(f, s); len(missing) > 0 {
		t.Errorf("lines %v of %s are neither recorded, ignored nor a problem", missing, f.Name)
	}
	return s
}

// ReadWhole reads a file for any account, also one whose lines are not rows. It checks that every
// transaction is valid, that sources are distinct, and that reading the file again gives the same result.
func ReadWhole(t testing.TB, format importer.Format, f importer.File, o importer.Options) importer.Statement {
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

// CheckRefused fails if a format recognizes a file of another format, or reading it does not return
// ErrFormat.
func CheckRefused(t testing.TB, format importer.Format, f importer.File) {
	t.Helper()
	if format.Recognizes(f) {
		t.Errorf("%s recognizes %s, want not", format.Name, f.Name)
	}
	if s, err := format.Read(f, importer.Options{Account: Account}); !errors.Is(err, importer.ErrFormat) {
		t.Errorf("Read = %v, %v; want ErrFormat", s, err)
	}
}

// checkEntries checks the transactions. An empty account stands for the accounts in the file.
func checkEntries(t testing.TB, format importer.Format, s importer.Statement, account string) {
	t.Helper()
	seen, linesByLine := map[portfolio.Origin]bool{}, map[int][]int{}
	for _, e := range s.Entries {
		x := e.Transaction
		origin, _ := x.Origin()
		if seen[origin] || x.SourceID == "" || x.Source != format.Name || account != "" && x.Account != account {
			t.Errorf("line %v: source %q %q of account %q is empty, wrong or repeated", e.Lines, x.Source, x.SourceID, x.Account)
		}
		seen[origin] = true
		if err := x.Validate(); err != nil {
			t.Errorf("line %v: %v", e.Lines, err)
		}
		for _, line := range e.Lines {
			if first, shared := linesByLine[line]; shared && !slices.Equal(first, e.Lines) {
				t.Errorf("line %d is in a transaction of lines %v and in one of lines %v; transactions that share a line must have the same lines", line, first, e.Lines)
			}
			linesByLine[line] = e.Lines
		}
	}
}

// MissingLines returns non-empty lines after the first mentioned one that the statement does not
// mention. Line numbers are those of rows, because a cell may span several lines.
func MissingLines(f importer.File, s importer.Statement) []int {
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

// Describe formats each transaction on one line: lines, date, kind, and the other fields that are
// set.
func Describe(s importer.Statement) []string {
	lines := make([]string, 0, len(s.Entries))
	for _, e := range s.Entries {
		lines = append(lines, fmt.Sprint(e.Lines)+" "+describe(e.Transaction))
	}
	return lines
}

func describe(t portfolio.Transaction) string {
	fields := []string{t.Date.Format("2006-01-02"), string(t.Kind)}
	add := func(parts bool, format string, args ...any) {
		if parts {
			fields = append(fields, fmt.Sprintf(format, args...))
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
	return strings.Join(fields, " ")
}

// Reasons formats problems or ignored lines with the first characters of their reasons.
func Reasons(remarks []importer.SkippedLine, characters int) []string {
	lines := make([]string, 0, len(remarks))
	for _, r := range remarks {
		lines = append(lines, fmt.Sprintf("%d %s", r.Line, r.Reason[:min(len(r.Reason), characters)]))
	}
	return lines
}

// IDs returns the SourceIDs of the transactions, sorted.
func IDs(s importer.Statement) []string {
	var ids []string
	for _, e := range s.Entries {
		ids = append(ids, e.Transaction.SourceID)
	}
	slices.Sort(ids)
	return ids
}

// Cash returns the change in cash by all transactions, by currency.
func Cash(s importer.Statement) map[string]string {
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
	return formatSums(sums)
}

// Shares returns the change in shares by all transactions, by security. It ignores splits and mergers.
func Shares(s importer.Statement) map[market.Symbol]string {
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
	return formatSums(sums)
}

// Sum adds up the amounts of a kind, by currency.
func Sum(s importer.Statement, kinds ...portfolio.Kind) map[string]string {
	sums := map[string]decimal.Decimal{}
	for _, e := range s.Entries {
		if slices.Contains(kinds, e.Transaction.Kind) {
			sums[e.Transaction.Currency] = sums[e.Transaction.Currency].Add(e.Transaction.Amount)
		}
	}
	return formatSums(sums)
}

func formatSums[K comparable](sums map[K]decimal.Decimal) map[K]string {
	out := make(map[K]string, len(sums))
	for key, sum := range sums {
		out[key] = sum.String()
	}
	return out
}

// Fuzz reads any text and checks that nothing panics and every line is accounted for.
func Fuzz(t *testing.T, format importer.Format, text string) {
	f := importer.File{Name: "fuzz.csv", Text: text, Encoding: "UTF-8"}
	s, err := format.Read(f, importer.Options{Account: Account, Currency: "EUR"})
	if err != nil {
		return
	}
	if missing := MissingLines(f, s); len(missing) > 0 {
		t.Errorf("lines %v of %q are neither recorded, ignored nor a problem", missing, text)
	}
	checkEntries(t, format, s, Account)
}
