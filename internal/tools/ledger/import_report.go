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

// importReport describes an import, both before and after it is written.
type importReport struct {
	File         string      `json:"file" input:"file"`
	Format       string      `json:"format" label:"format" input:"format"`
	Encoding     string      `json:"encoding" label:"encoding"`
	Accounts     []string    `json:"accounts"`
	AccountsMade []string    `json:"accounts_made,omitempty"`
	Added        int         `json:"added" label:"transactions added" unit:"transactions" key:"1"`
	AlreadyThere int         `json:"already_there" label:"already in the ledger" unit:"transactions" key:"2"`
	First        string      `json:"first,omitempty" label:"first day"` // of the added transactions
	Last         string      `json:"last,omitempty" label:"last day"`
	Totals       []kindTotal `json:"totals" table:"Transactions added"`
	// Openings are positions from before the file begins, recorded in addition to its
	// transactions.
	Openings        []openingPosition `json:"openings,omitempty" table:"Opening positions, at unknown cost" max:"25"`
	OpeningsRemoved []openingPosition `json:"openings_removed,omitempty" table:"Opening positions that this file replaces" max:"25"`
	OpeningCash     []openingCash     `json:"opening_cash,omitempty" table:"Cash from before the file begins" max:"25"`

	ProblemCount int             `json:"problems" label:"lines left out" unit:"lines" key:"3"`
	Problems     []rejectedLine  `json:"problem_lines" table:"-"`
	LeftOut      []ignoredReason `json:"-" table:"Lines left out"`
	Doubts       []ignoredReason `json:"doubts,omitempty" table:"Lines that contradict the file's own balances"`
	IgnoredCount int             `json:"ignored" label:"lines ignored" unit:"lines" key:"4"`
	Ignored      []ignoredReason `json:"ignored_reasons" table:"Lines with nothing to record"`

	Mapping     []string      `json:"columns,omitempty"`  // how a table of an unknown format was read
	Symbols     []string      `json:"symbols,omitempty"`  // listings found for ISINs
	Settings    []string      `json:"settings,omitempty"` // from an nfa export, in addition to the new accounts
	Questions   []string      `json:"questions,omitempty"`
	Warnings    toolkit.Notes `json:"warnings,omitempty"`
	OutsideText string        `json:"outside"` // how to treat reasons and names from the file
	toolkit.Origin

	examples ownLines // of lines of such a table
}

// kindTotal is the total of one kind in one currency.
type kindTotal struct {
	Kind     kindName        `json:"kind" label:"kind"`
	Count    int             `json:"count" label:"transactions" unit:"transactions"`
	Currency string          `json:"currency,omitempty"`
	Amount   decimal.Decimal `json:"amount,omitzero" label:"amount" as:"money" formula:"sum of added transactions" sensitive:"amount" sparse:"true"`
	Fee      decimal.Decimal `json:"fee,omitzero" label:"fee" as:"money" formula:"sum of added transactions" sensitive:"amount" sparse:"true"`
	Tax      decimal.Decimal `json:"tax,omitzero" label:"tax" as:"money" formula:"sum of added transactions" sensitive:"amount" sparse:"true"`
}

// openingPosition is a position from before the file begins.
type openingPosition struct {
	ID       string          `json:"id" label:"id"`
	Account  string          `json:"account" label:"account"`
	Symbol   market.Symbol   `json:"symbol" label:"symbol"`
	Date     string          `json:"date" label:"transferred in"`
	Quantity decimal.Decimal `json:"quantity" label:"quantity" as:"exact" unit:"units" formula:"sold - held on that day" sensitive:"amount"`
}

func (r *importReport) addOpenings(o openings) {
	r.OpeningCash = o.cash
	for _, t := range o.added {
		r.Openings = append(r.Openings, newOpeningPosition(t))
	}
	for _, t := range o.removed {
		r.OpeningsRemoved = append(r.OpeningsRemoved, newOpeningPosition(t))
	}
	if len(o.added) > 0 {
		r.Warnings.Warn("unknown_cost", "The cost basis of the opening positions is unknown, and so are their gains. Import older files.")
	}
}

func newOpeningPosition(t portfolio.Transaction) openingPosition {
	return openingPosition{t.ID, t.Account, t.Symbol, toolkit.FormatDate(t.Date), t.Quantity}
}

// ignoredReason is a reason for which lines were ignored or left out, or are doubtful, with those lines.
type ignoredReason struct {
	Reason toolkit.OwnWords `json:"reason" label:"reason"`
	Count  int              `json:"count" label:"lines" unit:"lines"`
	Lines  string           `json:"lines" label:"line numbers"`
	Text   toolkit.OwnWords `json:"text,omitempty" label:"first line" sparse:"true"`
}

// rejectedLine is a line that was not imported.
type rejectedLine struct {
	Line   int              `json:"line" label:"line"`
	Reason toolkit.OwnWords `json:"reason" label:"reason"`
	Text   toolkit.OwnWords `json:"text,omitempty" label:"text" sparse:"true"`
}

// These bounds limit what a report lists; counts cover everything.
const (
	maxProblems = 25
	maxReasons  = 25
	maxNames    = 25 // accounts, symbols, questions
	maxTotals   = 60
)

// capList returns the first items of a list and the number of others, because a hostile file can
// name thousands.
func capList(list []string) []string {
	if len(list) <= maxNames {
		return list
	}
	return append(slices.Clone(list[:maxNames]), fmt.Sprintf("and %d more", len(list)-maxNames))
}

func (d Deps) newReport(l portfolio.Ledger, in *parsedFile, s sortedEntries, set fileSettings, c portfolio.Change, o openings) importReport {
	r := importReport{
		File: in.file.Name, Format: in.format.Name, Encoding: in.file.Encoding, Added: len(s.added), AlreadyThere: s.existing,
		IgnoredCount: len(in.statement.Ignored), ProblemCount: len(s.problems), Problems: []rejectedLine{}, Accounts: []string{},
		examples: in.examples, Symbols: capList(in.names.found), OutsideText: toolkit.OutsideTextNote, Origin: d.LedgerOrigin(),
	}
	for _, line := range in.columns {
		r.Mapping = append(r.Mapping, line.Text)
	}
	for _, p := range s.problems[:min(len(s.problems), maxProblems)] {
		r.Problems = append(r.Problems, rejectedLine{p.Line, toolkit.OwnWords(p.Reason), toolkit.OwnWords(p.Text)})
	}
	r.LeftOut, r.Ignored, r.Doubts = groupReasons(s.problems), groupReasons(in.statement.Ignored), groupReasons(in.statement.Doubts)
	for i := range r.Ignored {
		r.Ignored[i].Text = ""
	}
	if len(r.Doubts) > 0 {
		r.Warnings.Warn("file_does_not_fit", "%s not match the file's own balances.", humanize.Count(len(in.statement.Doubts), "line does", "lines do"))
	}
	why := ""
	if in.cash == "" {
		why = "the file has no deposits"
	}
	if in.statement.Settings != nil {
		why = "" // unchanged from the exported ledger
	}
	for _, a := range positions.MissingAccounts(l, c.Accounts) {
		reason := ""
		switch {
		case o.margin[a.Name] != "":
			a.Cash, reason = portfolio.CashMargin, o.margin[a.Name]
		case a.Cash == portfolio.CashUntracked:
			reason = why
		}
		r.AccountsMade = append(r.AccountsMade, positions.DescribeNewAccount(a, reason))
	}
	r.AccountsMade = capList(r.AccountsMade)
	r.Settings = capList(set.lines)
	r.Questions = capList(slices.Concat(in.names.questions, set.questions, s.conflicts))
	r.countAdded(s.added)
	r.addOpenings(o)
	return r
}

// groupReasons groups lines by their reason, the most frequent first.
func groupReasons(skipped []importer.SkippedLine) []ignoredReason {
	at := map[string]int{}
	all := []ignoredReason{}
	var lines [][]int
	for _, i := range skipped {
		k, seen := at[i.Reason]
		if !seen {
			k = len(all)
			at[i.Reason] = k
			all, lines = append(all, ignoredReason{Reason: toolkit.OwnWords(i.Reason), Text: toolkit.OwnWords(i.Text)}), append(lines, nil)
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

// countAdded computes totals by kind and currency, and collects dates and accounts.
func (r *importReport) countAdded(added []portfolio.Transaction) {
	type key struct {
		kind     portfolio.Kind
		currency string
	}
	sums, seen := map[key]*kindTotal{}, map[string]bool{}
	var first, last market.Date
	for i := range added {
		t := &added[i]
		k := key{t.Kind, t.Currency}
		if sums[k] == nil {
			sums[k] = &kindTotal{Kind: kindName(t.Kind), Currency: t.Currency}
		}
		s := sums[k]
		s.Count++
		s.Amount, s.Fee, s.Tax = s.Amount.Add(t.Amount), s.Fee.Add(t.Fee), s.Tax.Add(t.Tax)
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
	for _, s := range sums {
		r.Totals = append(r.Totals, *s)
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

// problemsError returns the error for a file with problems of which nothing was written: either no line
// could be, or the call refuses such files.
func (r importReport) problemsError(nothing bool) error {
	var lines ownLines
	remaining := r.ProblemCount
	for _, p := range r.LeftOut {
		lines.add("- line %s: %s (%s)", p.Lines, p.Reason, p.Text)
		remaining -= p.Count
	}
	if remaining > 0 {
		lines.add("- and %d more", remaining)
	}
	if nothing {
		return toolkit.Errorf("%w: nothing was written: no line of %s can be recorded (the %s):\n%s", errImport, r.File, toolkit.OutsideTextNote, lines)
	}
	return toolkit.Errorf("%w: nothing was written: %s has %s that cannot be recorded (also %s to add, %s already recorded, %s). Fix the file, or leave these lines out with skip_problems true (the %s):\n%s",
		errImport, r.File, humanize.Count(r.ProblemCount, "line", "lines"), humanize.Count(r.Added, "transaction", "transactions"), humanize.Number(r.AlreadyThere),
		humanize.Count(r.IgnoredCount, "line with nothing to record", "lines with nothing to record"), toolkit.OutsideTextNote, lines)
}

// summary describes the import in one line.
func (r importReport) summary() string {
	news := len(r.Settings) + len(r.AccountsMade)
	switch {
	case r.Added == 0 && r.AlreadyThere > 0 && news > 0:
		return fmt.Sprintf("no new transactions in %s, %s, and new settings", r.File, r.allExisting())
	case r.Added == 0 && r.AlreadyThere > 0:
		return fmt.Sprintf("nothing new in %s: %s", r.File, r.allExisting())
	case r.Added == 0 && news > 0:
		return fmt.Sprintf("no transactions in %s, and new settings", r.File)
	case r.Added == 0:
		return fmt.Sprintf("%s has nothing to record", r.File)
	}
	return fmt.Sprintf("%s from %s (%s), %s to %s; %s already in the ledger",
		humanize.Count(r.Added, "transaction", "transactions"), r.File, r.Format, r.First, r.Last, humanize.Count(r.AlreadyThere, "is", "are"))
}

// allExisting states that the ledger already has every transaction of the file.
func (r importReport) allExisting() string {
	if r.AlreadyThere == 1 {
		return "the only transaction is already in the ledger"
	}
	return fmt.Sprintf("all %s transactions are already in the ledger", humanize.Number(r.AlreadyThere))
}

// lines describes the plan to the user.
func (r importReport) lines() []string {
	out := []string{"records " + r.summary()}
	if r.Added == 0 {
		out[0] = r.summary()
	}
	out = append(out, r.Mapping...)
	for _, line := range r.examples {
		out = append(out, line.Text)
	}
	out = append(out, r.AccountsMade...)
	for _, t := range r.Totals {
		line := fmt.Sprintf("  %s: %s", t.Kind, humanize.Count(t.Count, "transaction", "transactions"))
		for _, sum := range []struct {
			name  string
			value decimal.Decimal
		}{{"amount", t.Amount}, {"fees", t.Fee}, {"taxes", t.Tax}} {
			if !sum.value.IsZero() {
				line += ", " + sum.name + " " + toolkit.Format(sum.value, toolkit.Money, t.Currency)
			}
		}
		out = append(out, line)
	}
	out = append(out, openingLines("adds an opening position of %s %s to %q on %s at unknown cost, because the file sells or transfers it out but never buys it", r.Openings)...)
	out = append(out, openingLines("removes the opening position of %s %s in %q on %s, which this file replaces", r.OpeningsRemoved)...)
	out = append(out, openingCashLines(r.OpeningCash)...)
	for _, s := range r.Symbols {
		out = append(out, "names "+s)
	}
	out = append(out, r.Settings...)
	if r.ProblemCount > 0 {
		out = append(out, fmt.Sprintf("leaves out %s that cannot be recorded:", humanize.Count(r.ProblemCount, "line", "lines")))
		out = append(out, reasonLines(r.LeftOut, r.ProblemCount)...)
	}
	if len(r.Doubts) > 0 {
		out = append(out, "records these lines, although they do not match the file's own balances:")
		out = append(out, reasonLines(r.Doubts, 0)...)
	}
	if r.IgnoredCount > 0 {
		out = append(out, fmt.Sprintf("ignores %s to record:", humanize.Count(r.IgnoredCount, "line with nothing", "lines with nothing")))
		out = append(out, reasonLines(r.Ignored, r.IgnoredCount)...)
	}
	for _, q := range r.Questions {
		out = append(out, "? "+q)
	}
	return out
}

// openingLines describes opening positions for the approval.
func openingLines(format string, held []openingPosition) []string {
	var out []string
	for i, o := range held {
		if i == maxNames {
			return append(out, fmt.Sprintf("and %d more opening positions", len(held)-i))
		}
		out = append(out, fmt.Sprintf(format, o.Quantity, o.Symbol, o.Account, o.Date))
	}
	return out
}

// reasonLines describes grouped lines for the approval, and how many of all lines are not shown.
func reasonLines(groups []ignoredReason, all int) []string {
	var out []string
	for _, g := range groups {
		out = append(out, fmt.Sprintf("  line %s: %s", g.Lines, g.Reason))
		all -= g.Count
	}
	if all > 0 {
		out = append(out, fmt.Sprintf("  and %s more", humanize.Number(all)))
	}
	return out
}

// noteMapping notes whether a mapping was saved.
func (r *importReport) noteMapping(err error, name string) {
	if err != nil {
		r.Warnings.Warn("mapping_not_saved", "Mapping %.60q was not saved: %v", name, err)
		return
	}
	r.Warnings.Note("mapping_saved", "Columns saved as %q, for the next file with the same columns.", name)
}

// Headline implements [toolkit.Answer].
func (r importReport) Headline(lang string) string {
	file := toolkit.Abbreviate(r.File)
	switch {
	case lang == "zh" && r.Added == 0:
		return fmt.Sprintf("%s 中没有新交易，%s 笔已在账本中。", file, humanize.Number(r.AlreadyThere))
	case lang == "zh":
		return fmt.Sprintf("从 %s 导入 %s 笔交易（%s 至 %s），%s 笔已在账本中。", file, humanize.Number(r.Added), r.First, r.Last, humanize.Number(r.AlreadyThere))
	case r.Added == 0:
		return fmt.Sprintf("Nothing was added from %s; %s already in the ledger.", file, humanize.Count(r.AlreadyThere, "transaction is", "transactions are"))
	}
	return fmt.Sprintf("Added %s from %s, %s to %s; %s already in the ledger.",
		humanize.Count(r.Added, "transaction", "transactions"), file, r.First, r.Last, humanize.Count(r.AlreadyThere, "was", "were"))
}

// Title implements [toolkit.Titled].
func (r importReport) Title() string { return toolkit.Abbreviate(r.File) }

// Explain implements [toolkit.Explainer].
func (r importReport) Explain(field string) toolkit.Explanation {
	counts := map[string]int{"added": r.Added, "already_there": r.AlreadyThere, "problems": r.ProblemCount, "ignored": r.IgnoredCount}
	count, isCount := counts[field]
	return toolkit.Explanation{Silent: isCount && count == 0 && field != "added"}
}

// Summary implements [toolkit.Summarizer].
func (r importReport) Summary() string {
	return fmt.Sprintf("%s added, %s already in the ledger", humanize.Number(r.Added), humanize.Number(r.AlreadyThere))
}

// Text implements [toolkit.Texter].
func (r importReport) Text() string {
	text := bullets(r.AccountsMade, r.Mapping, r.Symbols, r.Settings, r.Questions)
	if r.Added == 0 {
		text = strings.TrimRight(r.Headline("en")+"\n\n"+text, "\n")
	}
	return text
}
