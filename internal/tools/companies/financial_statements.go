package companies

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/fundamental"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type financialStatementsInput struct {
	Symbol    string `json:"symbol" jsonschema:"One symbol such as AAPL."`
	Statement string `json:"statement,omitempty" jsonschema:"income, balance, cash_flow, per_share or all. Default all."`
	Span      string `json:"span,omitempty" jsonschema:"annual, quarterly or ttm (last four quarters). Default annual."`
	Periods   int    `json:"periods,omitempty" jsonschema:"Number of periods, at most 12. Default 4."`
}

const financialStatementsDescription = `Reported income statement, balance sheet, cash flow and per-share figures of one company, newest first. Use for "revenue of X" or "how much debt"; for margins, growth or P/E use key_ratios. null means that no figure was found, not zero. Read every warning.`

const financialStatementsDetails = `Figures are by fiscal year, by quarter, or for the four quarters up to the end of each quarter (ttm). values are exact and in the order of periods; unit USD means dollars, not millions. Costs and outflows are positive. Fiscal labels are those of the company; start and end have the dates. Banks and insurers have different lines. For the text of a report use filing_section.
Each period names the form, accession number and filing date of its newest figures; from lists figures that come from other filings. restated lists figures that a later filing changed, with the first reported value. derived lists computed figures and their formula, since fourth quarters are rarely filed separately; a warning names quarters that do not add up to their year. doubtful lists figures that may be wrong.
Figures per share and share counts are on the basis of the newest filing: earlier ones are adjusted for splits, with a formula. A warning marks figures that may or may not be adjusted.`

const financialStatementsKeywords = `financial statements income balance sheet cash flow revenue sales profit net earnings eps debt assets liabilities equity capex expenses quarterly annual reported ttm results inventory 财报 营收 收入 利润 净利润 资产负债表 利润表 现金流量表 负债 每股收益 财务报表`

var financialStatementsPhrasings = []string{
	"revenue of <sym> over the last <num> years",
	"how much debt does <sym> have",
	"net income of <sym> by quarter",
	"balance sheet of <sym>",
	"free cash flow and capital spending of <sym>",
	"<sym>最近<num>年的营收和净利润",
	"<sym>的资产负债表",
	"<sym>去年赚了多少钱",
}

const (
	defaultPeriods = 4
	maxPeriods     = 12
)

// newFinancialStatements returns the tool for reported statements.
func newFinancialStatements(d FundamentalDeps) tool.Tool {
	return tool.New("financial_statements", financialStatementsDescription, tool.Reads, func(ctx context.Context, in financialStatementsInput) (tool.Result, error) {
		in, span, err := in.withDefaults()
		if err != nil {
			return toolkit.InvalidResult(err)
		}
		found, err := toolkit.LookUp(ctx, d.Directory, in.Symbol, func(sym market.Symbol) ([]market.Statement, error) {
			return d.knownStatements(ctx, sym, span, in.Periods)
		})
		if err != nil {
			return toolkit.SourceErrorResult(toolkit.WithContext(err, "statements of %s", in.Symbol))
		}
		a := newStatementsAnswer(found, in.Statement)
		if len(a.Lines) == 0 {
			return tool.Failed(tool.CodeNoData, fmt.Sprintf("%s has no %s figures for %s; other statements may be available", found[0].Provenance.Source, in.Statement, found[0].Symbol)), nil
		}
		return a.result(), nil
	}).WithOutput(toolkit.OutputSchema[statementsAnswer]()).WithDetails(financialStatementsDetails).Find("company", financialStatementsKeywords, financialStatementsPhrasings...)
}

// withDefaults fills in the defaults and validates the arguments.
func (in financialStatementsInput) withDefaults() (financialStatementsInput, market.Span, error) {
	in.Statement = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(in.Statement)), " ", "_")
	if in.Statement == "" {
		in.Statement = allStatements
	}
	kinds := []string{incomeStatement, balanceSheet, cashFlow, perShareData, allStatements}
	if !slices.Contains(kinds, in.Statement) {
		return in, "", fmt.Errorf("unknown statement %.30q; use one of %s", in.Statement, strings.Join(kinds, ", "))
	}
	if in.Periods == 0 {
		in.Periods = defaultPeriods
	}
	if in.Periods < 1 || in.Periods > maxPeriods {
		return in, "", fmt.Errorf("periods %d is out of range; use 1 to %d", in.Periods, maxPeriods)
	}
	switch span := market.Span(strings.ToLower(strings.TrimSpace(in.Span))); span {
	case "":
		return in, market.SpanAnnual, nil
	case market.SpanAnnual, market.SpanQuarterly, market.SpanTrailing:
		return in, span, nil
	}
	return in, "", fmt.Errorf("unknown span %.30q; use annual, quarterly or ttm", in.Span)
}

type statementPeriod struct {
	Period    string `json:"period"` // "FY2025"
	Start     string `json:"start,omitempty"`
	End       string `json:"end"`
	Form      string `json:"form,omitempty"`
	Accession string `json:"accession,omitempty"`
	Filed     string `json:"filed,omitempty"`
	Currency  string `json:"currency,omitempty"` // if it differs from that of the answer
}

type statementRow struct {
	Item      string             `json:"item"`
	Label     string             `json:"label"`
	Statement string             `json:"statement"`
	Unit      string             `json:"unit"`
	Values    []*decimal.Decimal `json:"values" model:"exact"`

	items []*market.Item
}

// itemNote is a note on items in some periods.
type itemNote struct {
	Items   []string         `json:"items"`
	Periods []string         `json:"periods"`
	First   *decimal.Decimal `json:"first_reported,omitempty" model:"exact"`
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
	toolkit.Origin
	Periods  []statementPeriod `json:"periods"`
	Lines    []statementRow    `json:"lines"`
	From     []itemNote        `json:"from,omitempty"`
	Restated []itemNote        `json:"restated,omitempty"`
	Derived  []itemNote        `json:"derived,omitempty"`
	Doubtful []itemNote        `json:"doubtful,omitempty"`
	Missing  []string          `json:"not_reported,omitempty"`
	Warnings toolkit.Notes     `json:"warnings"`

	statements []market.Statement
}

func newStatementsAnswer(found []market.Statement, statement string) statementsAnswer {
	newest := found[0]
	a := statementsAnswer{
		Symbol: newest.Symbol, Name: newest.Name, CIK: newest.CIK, Statement: statement, Span: newest.Span, Template: newest.Template,
		Origin: toolkit.OriginOf(newest.Provenance).WithoutAdjustment(), statements: found,
	}
	a.Unit = "units of " + a.Currency + ", not thousands or millions, unless the line says otherwise"
	for i, s := range found {
		a.Periods = append(a.Periods, newStatementPeriod(s, a.Currency))
		// A company that changes its fiscal year may have two periods with one name.
		if i > 0 && a.Periods[i].Period == a.Periods[i-1].Period {
			a.Periods[i].Period += " to " + a.Periods[i].End
		}
	}
	for _, l := range statementLines(statement, newest.Template) {
		if row, ok := a.row(l); ok {
			a.Lines = append(a.Lines, row)
			continue
		}
		a.Missing = append(a.Missing, l.item)
	}
	for _, row := range a.Lines {
		a.addNotes(row)
	}
	for _, remarks := range []*[]itemNote{&a.From, &a.Restated, &a.Derived, &a.Doubtful} {
		*remarks = groupItemNotes(*remarks)
	}
	a.warn()
	return a
}

func newStatementPeriod(s market.Statement, currency string) statementPeriod {
	p := statementPeriod{Period: fundamental.PeriodName(s), Start: toolkit.FormatDate(s.PeriodStart), End: toolkit.FormatDate(s.PeriodEnd), Form: s.Form, Filed: toolkit.FormatDate(s.Filed)}
	if s.Provenance.Currency != currency {
		p.Currency = s.Provenance.Currency
	}
	// The statement has only the form and date of its newest filing.
	for _, item := range s.Items {
		if item.Form == s.Form && item.Filed.Equal(s.Filed) && item.Accession > p.Accession {
			p.Accession = item.Accession
		}
	}
	return p
}

// row returns a line with its values, and whether any period has one.
func (a *statementsAnswer) row(l statementLine) (statementRow, bool) {
	row := statementRow{Item: l.item, Label: l.label, Statement: l.statement}
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

// addNotes adds notes on the values of a row: restated, derived, doubtful or in another currency.
func (a *statementsAnswer) addNotes(row statementRow) {
	for i, item := range row.items {
		if item == nil {
			continue
		}
		period, p := a.Periods[i].Period, a.Periods[i]
		hasFlag := market.Provenance{Flags: item.Flags}.Has
		if hasFlag(market.FlagRestated) || item.First.Valid {
			r := itemNote{Items: []string{row.Item}, Periods: []string{period}, Filing: filingReference(item.Form, item.Accession, item.Filed)}
			if item.First.Valid {
				r.First = &item.First.Decimal
			}
			a.Restated = append(a.Restated, r)
		}
		if item.Formula != "" {
			a.Derived = addItemNote(a.Derived, itemNote{Items: []string{row.Item}, Periods: []string{period}, Formula: item.Formula})
		}
		if hasFlag(market.FlagSuspect) {
			a.Doubtful = addItemNote(a.Doubtful, itemNote{Items: []string{row.Item}, Periods: []string{period}})
		}
		if item.Accession != "" && item.Accession != p.Accession {
			a.From = addItemNote(a.From, itemNote{Items: []string{row.Item}, Periods: []string{period}, Filing: filingReference(item.Form, item.Accession, item.Filed)})
		}
		if item.Unit != row.Unit {
			a.Warnings.Warn("mixed_currencies", "%s of %s is in %s, not in %s", row.Item, period, item.Unit, row.Unit)
		}
	}
}

// subject returns the items and periods of a note.
func (n itemNote) subject() string {
	return strings.ReplaceAll(strings.Join(n.Items, ", "), "_", " ") + " of " + strings.Join(n.Periods, ", ")
}

// derivation returns how the items of a note were derived.
func (n itemNote) derivation() string { return n.subject() + ": " + n.Formula }

// addItemNote adds a note, merging it with the same note for other periods.
func addItemNote(all []itemNote, r itemNote) []itemNote {
	for i := range all {
		if all[i].Items[0] == r.Items[0] && all[i].Formula == r.Formula && all[i].Filing == r.Filing {
			all[i].Periods = append(all[i].Periods, r.Periods...)
			return all
		}
	}
	return append(all, r)
}

// groupItemNotes merges notes that are the same for several items, because a derived fourth quarter would
// repeat one note for every line.
func groupItemNotes(all []itemNote) []itemNote {
	var out []itemNote
	for _, r := range all {
		i := slices.IndexFunc(out, func(o itemNote) bool {
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

// warn adds the warnings of the statements, each once with its periods.
func (a *statementsAnswer) warn() {
	periods := make(map[string][]string)
	var order []string
	for i, s := range a.statements {
		for _, w := range s.Warnings {
			if periods[w] == nil {
				order = append(order, w)
			}
			periods[w] = append(periods[w], a.Periods[i].Period)
		}
		if s.Provenance.Currency != a.Currency {
			a.Warnings.Warn("mixed_currencies", "%s is in %s, not in %s: do not compare", a.Periods[i].Period, s.Provenance.Currency, a.Currency)
		}
	}
	for _, w := range order {
		a.Warnings.Warn("statement", "%s: %s", strings.Join(periods[w], ", "), w)
	}
}

// maxItemNotes is the maximum number of notes shown below a table; the JSON has all of them.
const maxItemNotes = 10

// result omits the oldest periods if the answer is too long for a model.
func (a statementsAnswer) result() tool.Result {
	res := toolkit.Render(a)
	for statements := a.statements; len(res.ForModel) > toolkit.MaxEncodedBytes && len(a.statements) > 1; {
		count := len(a.statements) - 1
		a = newStatementsAnswer(statements[:count], a.Statement)
		a.Warnings.Warn("cut", "%d older periods are omitted for length; request one statement at a time", len(statements)-count)
		res = toolkit.Render(a)
	}
	return res
}

// mainItems are the most important figures, with their Chinese names.
var mainItems = [][2]string{
	{market.ItemRevenue, "营收"}, {market.ItemNetIncome, "净利润"}, {market.ItemFreeCashFlow, "自由现金流"}, {market.ItemOperatingCashFlow, "经营现金流"}, {market.ItemDilutedEPS, "稀释每股收益"},
	{market.ItemTotalAssets, "总资产"}, {market.ItemTotalDebt, "总债务"}, {market.ItemEquity, "股东权益"}, {market.ItemCash, "现金"},
}

// keys returns at most four figures of the newest period.
func (a statementsAnswer) keys(lang string) []tool.KeyFigure {
	var out []tool.KeyFigure
	for _, item := range mainItems {
		i := slices.IndexFunc(a.Lines, func(l statementRow) bool { return l.Item == item[0] })
		if i < 0 || a.Lines[i].Values[0] == nil || len(out) == 4 {
			continue
		}
		label, text := a.Lines[i].Label, formatAmount(*a.Lines[i].Values[0], a.Lines[i].items[0].Unit)
		if lang == "zh" {
			label, text = item[1], formatAmountZH(*a.Lines[i].Values[0], a.Lines[i].items[0].Unit)
		}
		out = append(out, tool.KeyFigure{Label: label, Text: text})
	}
	return out
}

func (a statementsAnswer) Headline(lang string) string {
	keys := a.keys(lang)
	if len(keys) == 0 {
		return a.Title() + "."
	}
	var parts []string
	for _, k := range keys[:min(len(keys), 3)] {
		parts = append(parts, k.Label+" "+k.Text)
	}
	if lang == "zh" {
		return fmt.Sprintf("%s %s：%s。", a.Symbol, a.Periods[0].Period, strings.Join(parts, "，"))
	}
	return fmt.Sprintf("%s %s: %s.", a.Symbol, a.Periods[0].Period, strings.Join(parts, ", "))
}

func (a statementsAnswer) Title() string {
	title := fmt.Sprintf("%s · %s · %s", companyTitle(a.Name, a.Symbol), strings.ReplaceAll(a.Statement, "_", " "), a.Periods[0].Period)
	if len(a.Periods) > 1 {
		title += " to " + a.Periods[len(a.Periods)-1].Period
	}
	return title
}

func (a statementsAnswer) KeyFigures() []tool.KeyFigure { return a.keys("en") }

// scale returns the scale for a unit: all amounts have one, and share counts another.
func (a statementsAnswer) scale(unit string) scale {
	var values []decimal.Decimal
	for _, row := range a.Lines {
		for _, item := range row.items {
			if item != nil && item.Unit == unit {
				values = append(values, item.Value)
			}
		}
	}
	return scaleFor(values...)
}

func (a statementsAnswer) Tables() []toolkit.Table {
	sums, shares := a.scale(a.Currency), a.scale("shares")
	t := toolkit.Table{Columns: []string{string(a.Span) + ", in " + sums.unitOf(a.Currency)}, Figures: a.figures()}
	ends, filed := []string{"ended"}, []string{"from"}
	for _, p := range a.Periods {
		t.Columns = append(t.Columns, p.Period+":")
		ends = append(ends, p.End)
		filed = append(filed, strings.TrimSpace(p.Form+" "+p.Filed))
	}
	t.Rows = [][]string{ends, filed}
	for _, row := range a.Lines {
		cells := []string{row.Label}
		if row.Unit != a.Currency && row.Unit != "shares" {
			cells[0] += ", " + row.Unit
		} else if row.Unit == "shares" && shares.name != "" {
			cells[0] += ", " + shares.name
		}
		for _, item := range row.items {
			cells = append(cells, a.cell(item, sums, shares))
		}
		t.Rows = append(t.Rows, cells)
	}
	return []toolkit.Table{t}
}

// cell formats a number with a letter that shows how it was reported.
func (a statementsAnswer) cell(item *market.Item, sums, shares scale) string {
	if item == nil {
		return toolkit.NotAvailable
	}
	text := toolkit.Format(item.Value, toolkit.Price, "")
	switch item.Unit {
	case a.Currency:
		text = sums.format(item.Value)
	case "shares":
		text = shares.format(item.Value)
	}
	flagged := market.Provenance{Flags: item.Flags}
	if flagged.Has(market.FlagRestated) || item.First.Valid {
		text += " r"
	}
	if item.Formula != "" {
		text += " d"
	}
	if flagged.Has(market.FlagSuspect) {
		text += " ?"
	}
	return text
}

// Text implements [toolkit.Texter]: it explains the letters in the table.
func (a statementsAnswer) Text() string {
	var legend, lines []string
	for _, l := range []struct {
		text string
		all  []itemNote
	}{{"r: changed by a later filing", a.Restated}, {"d: derived", a.Derived}, {"?: doubtful", a.Doubtful}} {
		if len(l.all) > 0 {
			legend = append(legend, l.text)
		}
	}
	sums := a.scale(a.Currency)
	for _, r := range a.Restated {
		if r.First == nil {
			continue
		}
		first := r.First.String()
		if a.unitOf(r.Items[0]) == a.Currency {
			first = sums.format(*r.First)
		}
		lines = append(lines, r.subject()+" was first reported as "+first)
	}
	for _, r := range a.Derived {
		lines = append(lines, r.derivation())
	}
	if hidden := len(lines) - maxItemNotes; hidden > 0 {
		lines = append(lines[:maxItemNotes], fmt.Sprintf("and %d more", hidden))
	}
	text := strings.Join(legend, " · ")
	if len(lines) > 0 {
		text += "\n"
		for _, line := range lines {
			text += "\n- " + toolkit.EscapeMarkdown(line)
		}
	}
	return text
}

func (a statementsAnswer) unitOf(item string) string {
	for _, row := range a.Lines {
		if row.Item == item {
			return row.Unit
		}
	}
	return ""
}

func (a statementsAnswer) figures() []tool.Figure {
	var out []tool.Figure
	for _, row := range a.Lines {
		for i, item := range row.items {
			if item == nil {
				continue
			}
			s, period := a.statements[i], a.Periods[i].Period
			f := tool.Figure{
				ID: strings.ReplaceAll(period, " ", ".") + "." + row.Item, Label: fmt.Sprintf("%s %s %s", a.Symbol, row.Label, period),
				Value: item.Value, Unit: item.Unit, AsOf: s.PeriodEnd, Source: itemSource(s, *item), Formula: item.Formula, Inputs: item.Inputs,
			}
			out = append(out, f)
			if item.First.Valid {
				f.ID, f.Label = f.ID+".first_reported", f.Label+", as first reported"
				f.Value, f.Formula, f.Inputs, f.Source = item.First.Decimal, "", nil, s.Provenance.Source
				out = append(out, f)
			}
		}
	}
	return out
}

// itemSource returns the source and the filing of an item.
func itemSource(s market.Statement, item market.Item) string {
	filing := filingReference(item.Form, item.Accession, item.Filed)
	if filing == "" || item.Accession != "" && strings.Contains(s.Provenance.Source, item.Accession) {
		return s.Provenance.Source
	}
	return s.Provenance.Source + ", " + filing
}

// scale divides the amounts in a table.
type scale struct {
	name   string // "millions", or "" for units
	shift  int32
	places int32
}

// scaleFor returns the scale at which the largest value has at least four digits.
func scaleFor(values ...decimal.Decimal) scale {
	var largest decimal.Decimal
	for _, v := range values {
		largest = decimal.Max(largest, v.Abs())
	}
	switch {
	case largest.GreaterThanOrEqual(decimal.New(1, 9)):
		return scale{name: "millions", shift: -6}
	case largest.GreaterThanOrEqual(decimal.New(1, 7)):
		return scale{name: "millions", shift: -6, places: 2}
	case largest.GreaterThanOrEqual(decimal.New(1, 5)):
		return scale{name: "thousands", shift: -3}
	}
	return scale{places: 2}
}

// unitOf returns the unit of scaled amounts: "millions of USD".
func (s scale) unitOf(currency string) string {
	if s.name == "" {
		return currency
	}
	return s.name + " of " + currency
}

func (s scale) format(d decimal.Decimal) string {
	return toolkit.GroupThousands(d.Shift(s.shift).StringFixed(s.places))
}

// formatAmount formats an amount with its unit: "416,161 million USD". It omits "/share", which is in
// the label.
func formatAmount(d decimal.Decimal, unit string) string {
	s := scaleFor(d)
	return strings.Join(strings.Fields(s.format(d)+" "+strings.TrimSuffix(s.name, "s")+" "+strings.TrimSuffix(unit, "/share")), " ")
}

// formatAmountZH formats an amount in Chinese units: "4,161.61 亿 USD".
func formatAmountZH(d decimal.Decimal, unit string) string {
	scaled, name := d, ""
	switch size := d.Abs(); {
	case size.GreaterThanOrEqual(decimal.New(1, 8)):
		scaled, name = d.Shift(-8), "亿 "
	case size.GreaterThanOrEqual(decimal.New(1, 4)):
		scaled, name = d.Shift(-4), "万 "
	}
	return toolkit.Format(scaled.Round(2), toolkit.Number, "") + " " + name + strings.TrimSuffix(unit, "/share")
}

// filingReference returns the filing of a figure: "10-K 0000320193-25-000079 filed 2025-10-31", or ""
// if it is unknown.
func filingReference(form, accession string, filed market.Date) string {
	text := strings.TrimSpace(form + " " + accession)
	if text != "" && !filed.IsZero() {
		text += " filed " + filed.Format("2006-01-02")
	}
	return text
}
