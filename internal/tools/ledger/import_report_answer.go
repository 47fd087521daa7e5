package ledger

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// importHidden is the report without its sums, and without the lines of the file.
type importHidden struct {
	importReport
	Totals   []kindTotal       `json:"totals"`
	Openings []openingPosition `json:"openings,omitempty"`
	Ignored  []ignoredReason   `json:"ignored_reasons"`
	Problems []rejectedLine    `json:"problem_lines"`
	Amounts  string            `json:"amounts"`
}

func (r importReport) hidden(d ImportDeps) importHidden {
	h := importHidden{importReport: r, Totals: []kindTotal{}, Ignored: []ignoredReason{}, Problems: []rejectedLine{}, Amounts: toolkit.AmountsHiddenNote}
	for _, t := range r.Totals {
		h.Totals = append(h.Totals, kindTotal{Kind: t.Kind, Count: t.Count, Currency: t.Currency})
	}
	for _, o := range r.Openings {
		o.Quantity = nil
		h.Openings = append(h.Openings, o)
	}
	for _, i := range r.Ignored {
		h.Ignored = append(h.Ignored, ignoredReason{d.MaskText(i.Reason), i.Count, i.Lines})
	}
	for _, p := range r.Problems {
		h.Problems = append(h.Problems, rejectedLine{Line: p.Line, Reason: d.MaskText(p.Reason)})
	}
	return h
}

// summary is what the import comes to in one line.
func (r importReport) summary() string {
	news := len(r.Settings) + len(r.AccountsMade)
	switch {
	case r.Added == 0 && r.AlreadyThere > 0 && news > 0:
		return fmt.Sprintf("no new entries in %s, %s, and settings of the book that are new", r.File, r.allExisting())
	case r.Added == 0 && r.AlreadyThere > 0:
		return fmt.Sprintf("nothing new in %s: %s", r.File, r.allExisting())
	case r.Added == 0 && news > 0:
		return fmt.Sprintf("no entries in %s, and settings of the book that are new", r.File)
	case r.Added == 0:
		return fmt.Sprintf("%s has nothing to record", r.File)
	}
	return fmt.Sprintf("%s of %s to %s from %s, read as %s (%s); %s in the book already",
		humanize.Count(r.Added, "entry", "entries"), r.First, r.Last, r.File, r.Format, r.Encoding, humanize.Count(r.AlreadyThere, "is", "are"))
}

// allExisting says that every transaction of a file is already in the ledger.
func (r importReport) allExisting() string {
	if r.AlreadyThere == 1 {
		return "its one entry is in the book already"
	}
	return fmt.Sprintf("all %s entries are in the book already", toolkit.FormatCount(r.AlreadyThere))
}

// lines are the plan for the user.
func (r importReport) lines() []string {
	out := []string{"records " + r.summary()}
	if r.Added == 0 {
		out[0] = r.summary()
	}
	out = append(out, r.AccountsMade...)
	for _, t := range r.Totals {
		out = append(out, "  "+strings.TrimSpace(strings.Join(t.cells(), "  ")))
	}
	for _, o := range r.Openings {
		out = append(out, o.text())
	}
	for _, s := range r.Symbols {
		out = append(out, "names "+s)
	}
	out = append(out, r.Settings...)
	if r.ProblemCount > 0 {
		out = append(out, fmt.Sprintf("leaves out %s that cannot be recorded:", humanize.Count(r.ProblemCount, "line", "lines")))
		for _, p := range r.Problems {
			out = append(out, fmt.Sprintf("  line %d: %s", p.Line, p.Reason))
		}
	}
	if r.IgnoredCount > 0 {
		out = append(out, fmt.Sprintf("ignores %s to record", humanize.Count(r.IgnoredCount, "line that is nothing", "lines that are nothing")))
	}
	for _, q := range r.Questions {
		out = append(out, "? "+q)
	}
	return out
}

func (o openingPosition) text() string {
	return fmt.Sprintf("%s %s, held before the file begins, are transferred in to %q on %s at a cost that is not known", o.Quantity, o.Symbol, o.Account, o.Date)
}

func (t kindTotal) cells() []string {
	row := []string{strings.ReplaceAll(string(t.Kind), "_", " "), toolkit.FormatCount(t.Count)}
	for _, n := range []*decimal.Decimal{t.Amount, t.Fee, t.Tax} {
		text := ""
		if n != nil {
			text = n.String() + " " + t.Currency
		}
		row = append(row, text)
	}
	return row
}

// noteMapping notes whether a mapping was kept.
func (r *importReport) noteMapping(err error, name string) {
	if err != nil {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the mapping %.60q was not saved: %v", name, err))
		return
	}
	r.Warnings = append(r.Warnings, fmt.Sprintf("the mapping is saved as %q: name it with mapping for the next file", name))
}

func (r importReport) result(d ImportDeps) (tool.Result, error) {
	res := tool.Result{Value: r, ForUser: r.markdown(), Title: toolkit.Abbreviate(r.File), Summary: fmt.Sprintf("%s added, %s there already", toolkit.FormatCount(r.Added), toolkit.FormatCount(r.AlreadyThere))}
	var shown any = r
	if d.HideAmounts {
		shown = r.hidden(d)
	}
	res.Figures = r.figures(d.HideAmounts)
	var err error
	res.ForModel, err = toolkit.EncodeResult(shown)
	return res, err
}

func (r importReport) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n", toolkit.TableCell(r.summary()))
	if len(r.Totals) > 0 {
		rows := make([][]string, len(r.Totals))
		for i, t := range r.Totals {
			rows[i] = t.cells()
		}
		b.WriteString(toolkit.MarkdownTable([]string{"kind", "count:", "amount:", "fee:", "tax:"}, rows) + "\n")
	}
	for _, o := range r.Openings {
		b.WriteString("- " + toolkit.TableCell(o.text()) + "\n")
	}
	for _, list := range [][]string{r.AccountsMade, r.Symbols, r.Settings, r.Questions, r.Warnings} {
		for _, line := range list {
			b.WriteString("- " + toolkit.TableCell(line) + "\n")
		}
	}
	if r.ProblemCount > 0 {
		rows := make([][]string, len(r.Problems))
		for i, p := range r.Problems {
			rows[i] = []string{fmt.Sprint(p.Line), p.Reason, p.Text}
		}
		fmt.Fprintf(&b, "\n%s left out:\n\n%s", humanize.Count(r.ProblemCount, "line was", "lines were"), toolkit.MarkdownTable([]string{"line:", "reason", "text"}, rows))
	}
	if r.IgnoredCount > 0 {
		rows := make([][]string, len(r.Ignored))
		for i, n := range r.Ignored {
			rows[i] = []string{fmt.Sprint(n.Count), n.Reason, n.Lines}
		}
		fmt.Fprintf(&b, "\n%s nothing to record:\n\n%s", humanize.Count(r.IgnoredCount, "line is", "lines are"), toolkit.MarkdownTable([]string{"lines:", "reason", "which"}, rows))
	}
	b.WriteString("\n" + r.Footer() + "\n")
	return b.String()
}

func (r importReport) figures(hide bool) []tool.Figure {
	figure := func(id, label string, v decimal.Decimal, unit string) tool.Figure {
		return tool.Figure{ID: id, Label: label, Value: v, Unit: unit, AsOf: r.day, Source: positions.LedgerSource, Inputs: []string{r.File, r.Format}}
	}
	counted := func(id, label string, n int) tool.Figure {
		return figure(id, label, decimal.NewFromInt(int64(n)), "entries")
	}
	out := []tool.Figure{
		counted("added", "entries added", r.Added), counted("already_there", "entries there already", r.AlreadyThere),
		counted("openings", "entries for what was held before", len(r.Openings)), counted("ignored", "lines ignored", r.IgnoredCount), counted("problems", "lines with problems", r.ProblemCount),
	}
	for _, o := range r.Openings {
		if !hide {
			f := figure("opening."+o.ID, fmt.Sprintf("%s of %s held before the file", o.Symbol, o.Account), *o.Quantity, "units")
			f.Formula = "sold - held on " + o.Date
			out = append(out, f)
		}
	}
	for _, t := range r.Totals {
		id := string(t.Kind) + "." + t.Currency
		out = append(out, counted(id+".count", fmt.Sprintf("%s in %s", t.Kind, t.Currency), t.Count))
		for _, n := range []struct {
			name  string
			value *decimal.Decimal
		}{{"amount", t.Amount}, {"fee", t.Fee}, {"tax", t.Tax}} {
			if n.value == nil || hide {
				continue
			}
			f := figure(id+"."+n.name, fmt.Sprintf("%s of %s in %s", n.name, t.Kind, t.Currency), *n.value, t.Currency)
			f.Formula = "sum of what was added"
			out = append(out, f)
		}
	}
	return out
}
