package intake

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/wording"
)

// report is what an import does, before it is done and after.
type report struct {
	File         string   `json:"file"`
	Format       string   `json:"format"`
	Encoding     string   `json:"encoding"`
	Accounts     []string `json:"accounts"`
	AccountsMade []string `json:"accounts_made,omitempty"`
	Added        int      `json:"added"`
	AlreadyThere int      `json:"already_there"`
	First        string   `json:"first,omitempty"` // day of what was added
	Last         string   `json:"last,omitempty"`
	Totals       []total  `json:"totals"` // of what was added
	// Openings are entries beside those of the file: what was held before it begins.
	Openings []opening `json:"openings,omitempty"`

	IgnoredCount int       `json:"ignored"`
	Ignored      []reason  `json:"ignored_reasons"`
	ProblemCount int       `json:"problems"`
	Problems     []trouble `json:"problem_lines"`

	Symbols     []string `json:"symbols,omitempty"`  // numbers of securities that were found
	Settings    []string `json:"settings,omitempty"` // that nfa's own file brings, beside the accounts that are made
	Questions   []string `json:"questions,omitempty"`
	Warnings    []string `json:"warnings,omitempty"`
	OutsideText string   `json:"outside"` // what to make of reasons and names
	present.Origin

	day market.Date
}

// total sums one kind in one currency.
type total struct {
	Kind     portfolio.Kind   `json:"kind"`
	Count    int              `json:"count"`
	Currency string           `json:"currency,omitempty"`
	Amount   *decimal.Decimal `json:"amount,omitempty"`
	Fee      *decimal.Decimal `json:"fee,omitempty"`
	Tax      *decimal.Decimal `json:"tax,omitempty"`
}

// opening is what was held before a file begins.
type opening struct {
	ID       string           `json:"id"`
	Account  string           `json:"account"`
	Symbol   market.Symbol    `json:"symbol"`
	Date     string           `json:"date"`
	Quantity *decimal.Decimal `json:"quantity,omitempty"`
}

func (r *report) open(held []portfolio.Transaction) {
	for _, t := range held { // at most mostOpenings
		r.Openings = append(r.Openings, opening{t.ID, t.Account, t.Symbol, present.Dated(t.Date), &t.Quantity})
	}
}

// reason is why lines were ignored.
type reason struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
	Lines  string `json:"lines"`
}

// trouble is a line that was not taken.
type trouble struct {
	Line   int    `json:"line"`
	Text   string `json:"text,omitempty"`
	Reason string `json:"reason"`
}

// Bounds of what a report lists; counts are of all.
const (
	mostProblems = 25
	mostReasons  = 12
	mostNames    = 25 // accounts, symbols, questions
	mostTotals   = 60
)

// capped are the first of a list, with how many more there are: a hostile file can
// name thousands.
func capped(list []string) []string {
	if len(list) <= mostNames {
		return list
	}
	return append(slices.Clone(list[:mostNames]), fmt.Sprintf("and %d more", len(list)-mostNames))
}

func (d Deps) report(l portfolio.Ledger, in *reading, s sorted, set settings, c portfolio.Change) report {
	r := report{
		File: in.file.Name, Format: in.format.Name, Encoding: in.file.Encoding, Added: len(s.added), AlreadyThere: s.already,
		IgnoredCount: len(in.statement.Ignored), ProblemCount: len(s.problems), Problems: []trouble{}, Accounts: []string{},
		Symbols: capped(in.names.found), OutsideText: present.Outside, Origin: d.Origin(), day: d.Today(),
	}
	for _, p := range s.problems[:min(len(s.problems), mostProblems)] {
		r.Problems = append(r.Problems, trouble{p.Line, p.Text, p.Reason})
	}
	r.Ignored = reasons(in.statement.Ignored)
	why := ""
	if in.cash == "" {
		why = "the file has no deposits"
	}
	if in.statement.Settings != nil {
		why = "" // it is as in the book that was exported
	}
	for _, a := range book.Missing(l, c.Accounts) {
		if a.Cash == portfolio.CashUntracked {
			r.AccountsMade = append(r.AccountsMade, book.Making(a, why))
			continue
		}
		r.AccountsMade = append(r.AccountsMade, book.Making(a, ""))
	}
	r.AccountsMade = capped(r.AccountsMade)
	r.Settings = capped(set.said)
	r.Questions = capped(slices.Concat(in.names.questions, set.questions, s.otherwise))
	r.count(s.added)
	return r
}

func reasons(ignored []broker.Remark) []reason {
	at := map[string]int{}
	all := []reason{}
	var lines [][]int
	for _, i := range ignored {
		k, seen := at[i.Reason]
		if !seen {
			k = len(all)
			at[i.Reason] = k
			all, lines = append(all, reason{Reason: i.Reason}), append(lines, nil)
		}
		all[k].Count++
		lines[k] = append(lines[k], i.Line)
	}
	for k := range all {
		all[k].Lines = numbers(lines[k])
	}
	slices.SortStableFunc(all, func(a, b reason) int { return b.Count - a.Count })
	return all[:min(len(all), mostReasons)]
}

// count sums what is added by kind and currency, and finds its days and accounts.
func (r *report) count(added []portfolio.Transaction) {
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
	r.Totals = []total{}
	for k, s := range sums {
		row := total{Kind: k.kind, Count: s.count, Currency: k.currency}
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
	slices.SortFunc(r.Totals, func(a, b total) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Currency, b.Currency)) })
	r.Totals = r.Totals[:min(len(r.Totals), mostTotals)]
	slices.Sort(r.Accounts)
	r.Accounts = capped(r.Accounts)
	if len(added) > 0 {
		r.First, r.Last = present.Dated(first), present.Dated(last)
	}
}

// refusal is the report of a file with problems, of which nothing was written.
// It is what a model reads.
func (d Deps) refusal(r report) error {
	var b strings.Builder
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "\n- line %d: %s (%s)", p.Line, d.VeilText(p.Reason), d.VeilText(p.Text))
	}
	if more := r.ProblemCount - len(r.Problems); more > 0 {
		fmt.Fprintf(&b, "\n- and %d more", more)
	}
	return fmt.Errorf("%w: nothing was written: %s has %s that cannot be recorded; %s could, %s in the book already, %s nothing to record. Mend the file, or leave out what cannot with skip_problems true (the %s):%s",
		errImport, r.File, wording.Counted(r.ProblemCount, "line", "lines"), wording.Counted(r.Added, "entry", "entries"), wording.Counted(r.AlreadyThere, "is", "are"),
		wording.Counted(r.IgnoredCount, "line is", "lines are"), present.Outside, b.String())
}
