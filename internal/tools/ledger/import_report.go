package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// importReport is what an import does, before it is done and after.
type importReport struct {
	File         string      `json:"file"`
	Format       string      `json:"format"`
	Encoding     string      `json:"encoding"`
	Accounts     []string    `json:"accounts"`
	AccountsMade []string    `json:"accounts_made,omitempty"`
	Added        int         `json:"added"`
	AlreadyThere int         `json:"already_there"`
	First        string      `json:"first,omitempty"` // day of what was added
	Last         string      `json:"last,omitempty"`
	Totals       []kindTotal `json:"totals"` // of what was added
	// Openings are transactions in addition to those of the file: what was held before it
	// begins.
	Openings []openingPosition `json:"openings,omitempty"`

	IgnoredCount int             `json:"ignored"`
	Ignored      []ignoredReason `json:"ignored_reasons"`
	ProblemCount int             `json:"problems"`
	Problems     []rejectedLine  `json:"problem_lines"`

	Symbols     []string `json:"symbols,omitempty"`  // numbers of securities that were found
	Settings    []string `json:"settings,omitempty"` // from nfa's own file, in addition to the new accounts
	Questions   []string `json:"questions,omitempty"`
	Warnings    []string `json:"warnings,omitempty"`
	OutsideText string   `json:"outside"` // what to make of reasons and names
	toolkit.Origin

	day market.Date
}

// kindTotal sums one kind in one currency.
type kindTotal struct {
	Kind     portfolio.Kind   `json:"kind"`
	Count    int              `json:"count"`
	Currency string           `json:"currency,omitempty"`
	Amount   *decimal.Decimal `json:"amount,omitempty"`
	Fee      *decimal.Decimal `json:"fee,omitempty"`
	Tax      *decimal.Decimal `json:"tax,omitempty"`
}

// openingPosition is what was held before a file begins.
type openingPosition struct {
	ID       string           `json:"id"`
	Account  string           `json:"account"`
	Symbol   market.Symbol    `json:"symbol"`
	Date     string           `json:"date"`
	Quantity *decimal.Decimal `json:"quantity,omitempty"`
}

func (r *importReport) addOpenings(held []portfolio.Transaction) {
	for _, t := range held { // at most maxOpenings
		r.Openings = append(r.Openings, openingPosition{t.ID, t.Account, t.Symbol, toolkit.FormatDate(t.Date), &t.Quantity})
	}
}

// ignoredReason is why lines were ignored.
type ignoredReason struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
	Lines  string `json:"lines"`
}

// rejectedLine is a line that was not taken.
type rejectedLine struct {
	Line   int    `json:"line"`
	Text   string `json:"text,omitempty"`
	Reason string `json:"reason"`
}

// Bounds of what a report lists; counts are of all.
const (
	maxProblems = 25
	maxReasons  = 12
	maxNames    = 25 // accounts, symbols, questions
	maxTotals   = 60
)

// capList are the first of a list, with how many more there are: a hostile file can
// name thousands.
func capList(list []string) []string {
	if len(list) <= maxNames {
		return list
	}
	return append(slices.Clone(list[:maxNames]), fmt.Sprintf("and %d more", len(list)-maxNames))
}

func (d ImportDeps) newReport(l portfolio.Ledger, in *parsedFile, s sortedEntries, set fileSettings, c portfolio.Change) importReport {
	r := importReport{
		File: in.file.Name, Format: in.format.Name, Encoding: in.file.Encoding, Added: len(s.added), AlreadyThere: s.existing,
		IgnoredCount: len(in.statement.Ignored), ProblemCount: len(s.problems), Problems: []rejectedLine{}, Accounts: []string{},
		Symbols: capList(in.names.found), OutsideText: toolkit.OutsideTextNote, Origin: d.LedgerOrigin(), day: d.Today(),
	}
	for _, p := range s.problems[:min(len(s.problems), maxProblems)] {
		r.Problems = append(r.Problems, rejectedLine{p.Line, p.Text, p.Reason})
	}
	r.Ignored = groupReasons(in.statement.Ignored)
	why := ""
	if in.cash == "" {
		why = "the file has no deposits"
	}
	if in.statement.Settings != nil {
		why = "" // it is as in the exported ledger
	}
	for _, a := range positions.MissingAccounts(l, c.Accounts) {
		if a.Cash == portfolio.CashUntracked {
			r.AccountsMade = append(r.AccountsMade, positions.DescribeNewAccount(a, why))
			continue
		}
		r.AccountsMade = append(r.AccountsMade, positions.DescribeNewAccount(a, ""))
	}
	r.AccountsMade = capList(r.AccountsMade)
	r.Settings = capList(set.lines)
	r.Questions = capList(slices.Concat(in.names.questions, set.questions, s.conflicts))
	r.countAdded(s.added)
	return r
}

func groupReasons(ignored []importer.SkippedLine) []ignoredReason {
	at := map[string]int{}
	all := []ignoredReason{}
	var lines [][]int
	for _, i := range ignored {
		k, seen := at[i.Reason]
		if !seen {
			k = len(all)
			at[i.Reason] = k
			all, lines = append(all, ignoredReason{Reason: i.Reason}), append(lines, nil)
		}
		all[k].Count++
		lines[k] = append(lines[k], i.Line)
	}
	for k := range all {
		all[k].Lines = lineNumbers(lines[k])
	}
	slices.SortStableFunc(all, func(a, b ignoredReason) int { return b.Count - a.Count })
	return all[:min(len(all), maxReasons)]
}

// countAdded sums what is added by kind and currency, and finds its days and accounts.
func (r *importReport) countAdded(added []portfolio.Transaction) {
	type key struct {
		kind     portfolio.Kind
		currency string
	}
	type sum struct {
		count            int
		amount, fee, tax decimal.Decimal
	}
	sums, seen := map[key]*sum{}, map[string]bool{}
	var first, last market.Date
	for i := range added {
		t := &added[i]
		k := key{t.Kind, t.Currency}
		if sums[k] == nil {
			sums[k] = &sum{}
		}
		s := sums[k]
		s.count++
		s.amount, s.fee, s.tax = s.amount.Add(t.Amount), s.fee.Add(t.Fee), s.tax.Add(t.Tax)
		if first.IsZero() || t.Date.Before(first) {
			first = t.Date
		}
		if t.Date.After(last) {
			last = t.Date
		}
		if !seen[t.Account] {
			seen[t.Account], r.Accounts = true, append(r.Accounts, t.Account)
		}
	}
	r.Totals = []kindTotal{}
	for k, s := range sums {
		row := kindTotal{Kind: k.kind, Count: s.count, Currency: k.currency}
		for _, n := range []struct {
			sum  *decimal.Decimal
			into **decimal.Decimal
		}{{&s.amount, &row.Amount}, {&s.fee, &row.Fee}, {&s.tax, &row.Tax}} {
			if !n.sum.IsZero() {
				*n.into = n.sum
			}
		}
		r.Totals = append(r.Totals, row)
	}
	slices.SortFunc(r.Totals, func(a, b kindTotal) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Currency, b.Currency))
	})
	r.Totals = r.Totals[:min(len(r.Totals), maxTotals)]
	slices.Sort(r.Accounts)
	r.Accounts = capList(r.Accounts)
	if len(added) > 0 {
		r.First, r.Last = toolkit.FormatDate(first), toolkit.FormatDate(last)
	}
}

// problemsError is the report of a file with problems, of which nothing was written.
// It is what a model reads.
func (d ImportDeps) problemsError(r importReport) error {
	var b strings.Builder
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "\n- line %d: %s (%s)", p.Line, d.MaskText(p.Reason), d.MaskText(p.Text))
	}
	if remaining := r.ProblemCount - len(r.Problems); remaining > 0 {
		fmt.Fprintf(&b, "\n- and %d more", remaining)
	}
	return fmt.Errorf("%w: nothing was written: %s has %s that cannot be recorded; %s could, %s in the book already, %s nothing to record. Mend the file, or leave out what cannot with skip_problems true (the %s):%s",
		errImport, r.File, humanize.Count(r.ProblemCount, "line", "lines"), humanize.Count(r.Added, "entry", "entries"), humanize.Count(r.AlreadyThere, "is", "are"),
		humanize.Count(r.IgnoredCount, "line is", "lines are"), toolkit.OutsideTextNote, b.String())
}
