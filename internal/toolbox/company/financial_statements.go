package company

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/ratio"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

type financialStatementsInput struct {
	Symbol    string `json:"symbol" jsonschema:"one ticker symbol such as AAPL, in any case"`
	Statement string `json:"statement,omitempty" jsonschema:"income, balance, cash_flow, per_share or all; all when left out"`
	Span      string `json:"span,omitempty" jsonschema:"annual, quarterly or ttm (the last four quarters); annual when left out"`
	Periods   int    `json:"periods,omitempty" jsonschema:"how many periods, newest first; 4 when left out, at most 12"`
}

const financialStatementsDescription = `Gives what a company reported: income statement, balance sheet, cash flows, figures per share, for fiscal years, quarters, or the four quarters up to each quarter's end (ttm), newest first.
Use it for revenue, profit, debt, cash flow and the like, also over years. For margins, returns, growth and valuation use key_ratios, which computes them; for the words of a report filing_section.
values stand in the order of periods and are exact, in unit (USD is dollars, not millions); null is not reported, never zero. Costs and outflows are positive. Fiscal labels are the company's own: see start and end. Banks and insurers have other lines. Each period says form, accession and day of filing of its newest figures; from says which figures are of other filings.
restated lists what a later filing changed (first_reported is what it said at first), derived what was computed and how (fourth quarters are hardly ever filed on their own), doubtful what may be wrong. Read every warning: figures per share from before a split must not be compared with those after it.`

const (
	standardPeriods = 4
	mostPeriods     = 12
)

// newFinancialStatements is the tool that shows what a company reported.
func newFinancialStatements(d Deps) tool.Tool {
	return tool.New("financial_statements", financialStatementsDescription, tool.Reads, func(ctx context.Context, in financialStatementsInput) (tool.Result, error) {
		in, span, err := in.read()
		if err != nil {
			return present.Invalid(err)
		}
		found, err := question.LookUp(ctx, d.Directory, in.Symbol, func(sym market.Symbol) ([]market.Statement, error) {
			return d.statements(ctx, sym, span, in.Periods)
		})
		if err != nil {
			return present.Mendable(fmt.Errorf("statements of %s: %w", in.Symbol, err))
		}
		a := statementsAnswerOf(found, in.Statement)
		if len(a.Lines) == 0 {
			return tool.Failed(tool.CodeNoData, fmt.Sprintf("%s has no %s figures of %s; other statements may be there", found[0].Provenance.Source, in.Statement, found[0].Symbol)), nil
		}
		return a.result()
	})
}

// read fills in what was left out, and refuses what is none of the choices.
func (in financialStatementsInput) read() (financialStatementsInput, market.Span, error) {
	in.Statement = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(in.Statement)), " ", "_")
	if in.Statement == "" {
		in.Statement = allStatements
	}
	kinds := []string{incomeStatement, balanceSheet, cashFlow, perShare, allStatements}
	if !slices.Contains(kinds, in.Statement) {
		return in, "", fmt.Errorf("statement %.30q: it is one of %s", in.Statement, strings.Join(kinds, ", "))
	}
	if in.Periods == 0 {
		in.Periods = standardPeriods
	}
	if in.Periods < 1 || in.Periods > mostPeriods {
		return in, "", fmt.Errorf("periods %d; it is from 1 to %d", in.Periods, mostPeriods)
	}
	switch span := market.Span(strings.ToLower(strings.TrimSpace(in.Span))); span {
	case "":
		return in, market.SpanAnnual, nil
	case market.SpanAnnual, market.SpanQuarterly, market.SpanTrailing:
		return in, span, nil
	}
	return in, "", fmt.Errorf("span %.30q: it is annual, quarterly or ttm", in.Span)
}

type statementPeriod struct {
	Period    string `json:"period"` // "FY2025"
	Start     string `json:"start,omitempty"`
	End       string `json:"end"`
	Form      string `json:"form,omitempty"`
	Accession string `json:"accession,omitempty"`
	Filed     string `json:"filed,omitempty"`
	Currency  string `json:"currency,omitempty"` // where it is not that of the answer
}

type statementRow struct {
	Item      string             `json:"item"`
	Label     string             `json:"label"`
	Statement string             `json:"statement"`
	Unit      string             `json:"unit"`
	Values    []*decimal.Decimal `json:"values"`

	items []*market.Item
}

// remark says something of some items in some periods.
type remark struct {
	Items   []string         `json:"items"`
	Periods []string         `json:"periods"`
	First   *decimal.Decimal `json:"first_reported,omitempty"`
	Formula string           `json:"formula,omitempty"`
	Filing  string           `json:"filing,omitempty"`
}

type statementsAnswer struct {
	Symbol    market.Symbol   `json:"symbol"`
	Name      string          `json:"name"`
	CIK       string          `json:"cik,omitempty"`
	Statement string          `json:"statement"`
	Span      market.Span     `json:"span"`
	Template  market.Template `json:"template"`
	present.Origin
	Periods  []statementPeriod `json:"periods"`
	Lines    []statementRow    `json:"lines"`
	From     []remark          `json:"from,omitempty"`
	Restated []remark          `json:"restated,omitempty"`
	Derived  []remark          `json:"derived,omitempty"`
	Doubtful []remark          `json:"doubtful,omitempty"`
	Missing  []string          `json:"not_reported,omitempty"`
	Warnings []string          `json:"warnings"`

	statements []market.Statement
}

func statementsAnswerOf(found []market.Statement, statement string) statementsAnswer {
	newest := found[0]
	a := statementsAnswer{
		Symbol: newest.Symbol, Name: newest.Name, CIK: newest.CIK, Statement: statement, Span: newest.Span, Template: newest.Template,
		Origin: present.OriginOf(newest.Provenance).WithoutAdjustment(), Warnings: []string{}, statements: found,
	}
	a.Unit = "units of " + a.Currency + ", not thousands or millions; or as the line says"
	for i, s := range found {
		a.Periods = append(a.Periods, periodOf(s, a.Currency))
		// A company that moves its year may have two of one name.
		if i > 0 && a.Periods[i].Period == a.Periods[i-1].Period {
			a.Periods[i].Period += " to " + a.Periods[i].End
		}
	}
	for _, l := range linesOf(statement, newest.Template) {
		if row, ok := a.row(l); ok {
			a.Lines = append(a.Lines, row)
			continue
		}
		a.Missing = append(a.Missing, l.item)
	}
	for _, row := range a.Lines {
		a.remark(row)
	}
	for _, remarks := range []*[]remark{&a.From, &a.Restated, &a.Derived, &a.Doubtful} {
		*remarks = alike(*remarks)
	}
	a.warn()
	return a
}

func periodOf(s market.Statement, currency string) statementPeriod {
	p := statementPeriod{Period: ratio.Name(s), Start: present.Dated(s.PeriodStart), End: present.Dated(s.PeriodEnd), Form: s.Form, Filed: present.Dated(s.Filed)}
	if s.Provenance.Currency != currency {
		p.Currency = s.Provenance.Currency
	}
	// The statement names the newest of its filings by form and day alone.
	for _, item := range s.Items {
		if item.Form == s.Form && item.Filed.Equal(s.Filed) && item.Accession > p.Accession {
			p.Accession = item.Accession
		}
	}
	return p
}

// row is a line with its values, and whether any period has one.
func (a *statementsAnswer) row(l statementLine) (statementRow, bool) {
	row := statementRow{Item: l.item, Label: l.label, Statement: l.of}
	for _, s := range a.statements {
		item, ok := s.Items[l.item]
		if !ok {
			row.Values, row.items = append(row.Values, nil), append(row.items, nil)
			continue
		}
		if row.Unit == "" {
			row.Unit = item.Unit
		}
		row.Values, row.items = append(row.Values, &item.Value), append(row.items, &item)
	}
	return row, row.Unit != ""
}

// remark notes of a row what its numbers alone do not say.
func (a *statementsAnswer) remark(row statementRow) {
	for i, item := range row.items {
		if item == nil {
			continue
		}
		period, p := a.Periods[i].Period, a.Periods[i]
		has := market.Provenance{Flags: item.Flags}.Has
		if has(market.FlagRestated) || item.First.Valid {
			r := remark{Items: []string{row.Item}, Periods: []string{period}, Filing: fromFiling(item.Form, item.Accession, item.Filed)}
			if item.First.Valid {
				r.First = &item.First.Decimal
			}
			a.Restated = append(a.Restated, r)
		}
		if item.Formula != "" {
			a.Derived = joined(a.Derived, remark{Items: []string{row.Item}, Periods: []string{period}, Formula: item.Formula})
		}
		if has(market.FlagSuspect) {
			a.Doubtful = joined(a.Doubtful, remark{Items: []string{row.Item}, Periods: []string{period}})
		}
		if item.Accession != "" && item.Accession != p.Accession {
			a.From = joined(a.From, remark{Items: []string{row.Item}, Periods: []string{period}, Filing: fromFiling(item.Form, item.Accession, item.Filed)})
		}
		if item.Unit != row.Unit {
			a.Warnings = append(a.Warnings, fmt.Sprintf("%s of %s is in %s, not in %s", row.Item, period, item.Unit, row.Unit))
		}
	}
}

// joined adds a remark to one that says the same of the item in other periods.
func joined(all []remark, r remark) []remark {
	for i := range all {
		if all[i].Items[0] == r.Items[0] && all[i].Formula == r.Formula && all[i].Filing == r.Filing {
			all[i].Periods = append(all[i].Periods, r.Periods...)
			return all
		}
	}
	return append(all, r)
}

// alike gathers the items of which the same is said: a fourth quarter is derived
// line by line, and reading that forty times tells no more.
func alike(all []remark) []remark {
	var out []remark
	for _, r := range all {
		i := slices.IndexFunc(out, func(o remark) bool {
			return r.First == nil && o.First == nil && o.Formula == r.Formula && o.Filing == r.Filing && slices.Equal(o.Periods, r.Periods)
		})
		if i < 0 {
			out = append(out, r)
			continue
		}
		out[i].Items = append(out[i].Items, r.Items...)
	}
	return out
}

// warn gathers what the statements warn of, each once with its periods.
func (a *statementsAnswer) warn() {
	said := make(map[string][]string)
	var order []string
	for i, s := range a.statements {
		for _, w := range s.Warnings {
			if said[w] == nil {
				order = append(order, w)
			}
			said[w] = append(said[w], a.Periods[i].Period)
		}
		if s.Provenance.Currency != a.Currency {
			a.Warnings = append(a.Warnings, fmt.Sprintf("%s is in %s, not in %s: do not compare", a.Periods[i].Period, s.Provenance.Currency, a.Currency))
		}
	}
	for _, w := range order {
		a.Warnings = append(a.Warnings, strings.Join(said[w], ", ")+": "+w)
	}
}
