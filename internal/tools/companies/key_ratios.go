package companies

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/fundamental"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type keyRatiosInput struct {
	Symbol string   `json:"symbol" jsonschema:"One symbol such as AAPL."`
	Span   string   `json:"span,omitempty" jsonschema:"annual or ttm (last four quarters). Default: the more recent one."`
	Groups []string `json:"groups,omitempty" jsonschema:"profitability, strength, activity, growth, per_share or valuation."`
}

const keyRatiosDescription = `Margins, returns on capital, leverage, liquidity, growth and valuation ratios (P/E, EV/EBITDA) of one company. Use for "is X expensive"; for reported figures use financial_statements. State the dates of price and statements; never fill in absent ratios.`

const keyRatiosDetails = `The tool fetches the statements and the price itself. It computes margins, returns on equity, assets and invested capital, leverage, interest cover, liquidity, turnover days, growth over 1, 3 and 5 fiscal years, per-share figures, P/E, P/B, P/S, EV/EBITDA, free cash flow yield, dividend yield, payout and more. To compare companies, call it for each with the same span.
Ratios with unit % are in percent (26.92 is 26.92%); those with unit x are multiples. Each ratio has its formula and its inputs with their periods; a balance divided by a flow is the mean of its values at the beginning and end. derived lists inputs that are computed from reported figures, with their formula. absent lists ratios without a value and the reason: an input was not found, or the result has no meaning, such as the P/E of a loss. Growth is by fiscal year. Banks and insurers have no ratios based on operating income, debt or enterprise value.
Valuation ratios are as old as the older of price and statements. Figures per share are adjusted for splits. They exist only for common shares and for depositary receipts with a known ratio, not for preferred shares, warrants, units, rights or notes. Figures are not combined across currencies. A single ratio means little: compare it with the company's past and its peers.`

const keyRatiosKeywords = `ratio ratios pe p/e pb ps margin margins roe roa roic valuation expensive cheap overvalued profitable leverage debt-to-equity liquidity solvency growth payout ev/ebitda multiple yield 市盈率 市净率 利润率 毛利率 估值 净资产收益率 负债率 增长率 比率 贵不贵 盈利能力`

var keyRatiosPhrasings = []string{
	"p/e ratio of <sym>",
	"is <sym> expensive at <num> times earnings",
	"gross and operating margin of <sym>",
	"how fast is <sym> growing its earnings",
	"is <sym> too deep in debt",
	"<sym>的市盈率是多少",
	"<sym>的毛利率和净资产收益率",
	"<sym>估值贵不贵",
}

// yearsNeeded and quartersNeeded are the numbers of periods needed for growth over five years and for
// averages with the previous year's balance.
const (
	yearsNeeded    = 7
	quartersNeeded = 6
)

// newKeyRatios returns the tool that computes ratios.
func newKeyRatios(d FundamentalDeps) tool.Tool {
	return tool.New("key_ratios", keyRatiosDescription, tool.Reads, func(ctx context.Context, in keyRatiosInput) (tool.Result, error) {
		span, groups, err := in.parse()
		if err != nil {
			return toolkit.InvalidResult(err)
		}
		known, err := toolkit.LookUp(ctx, d.Directory, in.Symbol, func(sym market.Symbol) (reportedStatements, error) {
			return d.allStatements(ctx, sym)
		})
		if err != nil {
			return toolkit.SourceErrorResult(toolkit.WithContext(err, "ratios of %s", in.Symbol))
		}
		c, ok := fundamental.NewCompany(known.Statements, span)
		if !ok {
			return tool.Failed(tool.CodeNoData, fmt.Sprintf("no %s statements for %s; omit span", span, in.Symbol)), nil
		}
		p, err := d.priceFor(ctx, c.Period)
		if err != nil {
			return tool.Result{}, err
		}
		c.Price, c.NoPriceReason, c.Security = p.price, p.missing, securityOf(c.Period.Instrument, p.name)
		if !d.Replay && p.name != "" { // today's name may state a ratio that differed then
			c.Security.Name = p.name
		}
		a := newRatiosAnswer(c, p, groups)
		a.Warnings.WarnEach("statements_unavailable", known.warnings...)
		if len(a.Ratios) == 0 {
			return tool.Failed(tool.CodeNoData, a.noRatiosText()), nil
		}
		return a.result(), nil
	}).WithOutput(toolkit.OutputSchema[ratiosAnswer]()).WithDetails(keyRatiosDetails).Find("company", keyRatiosKeywords, keyRatiosPhrasings...)
}

func (in keyRatiosInput) parse() (market.Span, []fundamental.Group, error) {
	span := market.Span(strings.ToLower(strings.TrimSpace(in.Span)))
	if span != "" && span != market.SpanAnnual && span != market.SpanTrailing {
		return "", nil, fmt.Errorf("unknown span %.30q; use annual or ttm", in.Span)
	}
	var groups []fundamental.Group
	for _, name := range in.Groups {
		group := fundamental.Group(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), " ", "_"))
		if !slices.Contains(fundamental.Groups(), group) {
			return "", nil, fmt.Errorf("unknown group %.30q; use any of %v", name, fundamental.Groups())
		}
		groups = append(groups, group)
	}
	if len(groups) == 0 {
		groups = fundamental.Groups()
	}
	return span, groups, nil
}

// reportedStatements holds the statements of a company, and warnings about unavailable ones.
type reportedStatements struct {
	fundamental.Statements
	warnings []string
}

// allStatements fetches all spans in parallel. Only annual statements are required; if others exist but are
// unavailable, it adds a warning.
func (d FundamentalDeps) allStatements(ctx context.Context, sym market.Symbol) (reportedStatements, error) {
	var out reportedStatements
	requests := []struct {
		span  market.Span
		limit int
		into  *[]market.Statement
	}{{market.SpanAnnual, yearsNeeded, &out.Annual}, {market.SpanQuarterly, quartersNeeded, &out.Quarterly}, {market.SpanTrailing, quartersNeeded, &out.Trailing}}
	causes := make([]error, len(requests))
	var asking crash.WaitGroup
	for i, w := range requests {
		asking.Go(func() { *w.into, causes[i] = d.knownStatements(ctx, sym, w.span, w.limit) })
	}
	asking.Wait()
	if err := ctx.Err(); err != nil {
		return out, err
	}
	if years := causes[0]; years != nil && (!errors.Is(years, market.ErrNoData) || len(out.Trailing) == 0) {
		return out, years
	}
	unavailable := map[string][]string{} // spans by cause
	for i, err := range causes {
		if err != nil && !errors.Is(err, market.ErrNoData) {
			unavailable[err.Error()] = append(unavailable[err.Error()], string(requests[i].span))
		}
	}
	for _, cause := range slices.Sorted(maps.Keys(unavailable)) {
		out.warnings = append(out.warnings, fmt.Sprintf("no %s statements, so the latest figures may be missing: %s", strings.Join(unavailable[cause], " or "), cause))
	}
	return out, nil
}

type ratioLine struct {
	ID      string            `json:"id"`
	Label   string            `json:"label"`
	Group   fundamental.Group `json:"group"`
	Value   decimal.Decimal   `json:"value"`
	Unit    string            `json:"unit"`
	Formula string            `json:"formula"`
	Inputs  []string          `json:"inputs,omitempty"`
	AsOf    string            `json:"as_of"`
	Flags   []market.Flag     `json:"flags,omitempty"`

	derived bool // from inputs that are themselves derived
}

type absentRatio struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`

	label string
}

type ratioPrice struct {
	Value decimal.Decimal `json:"value" label:"price" as:"price"`
	toolkit.Origin
}

type ratiosAnswer struct {
	Symbol   market.Symbol   `json:"symbol" input:"symbol"`
	Name     string          `json:"name"`
	Template market.Template `json:"template"`
	Period   statementPeriod `json:"period"`
	Span     market.Span     `json:"span"`
	// Begin is the date of the opening balances, or "" if they are unknown.
	Begin string `json:"balances_from,omitempty"`
	toolkit.Origin
	Price    *ratioPrice   `json:"price,omitempty"`
	Ratios   []ratioLine   `json:"ratios"`
	Derived  []itemNote    `json:"derived,omitempty"` // inputs that are computed from reported figures
	Absent   []absentRatio `json:"absent"`
	Warnings toolkit.Notes `json:"warnings"`

	all []fundamental.Ratio
}

func newRatiosAnswer(c fundamental.Company, p statementPrice, groups []fundamental.Group) ratiosAnswer {
	s := c.Period
	a := ratiosAnswer{
		Symbol: s.Symbol, Name: s.Name, Template: s.Template, Period: newStatementPeriod(s, s.Provenance.Currency), Span: s.Span, Begin: toolkit.FormatDate(c.Begin.PeriodEnd),
		Origin: toolkit.OriginOf(s.Provenance).WithoutAdjustment(), Ratios: []ratioLine{}, Absent: []absentRatio{}, all: fundamental.Ratios(c),
	}
	a.Unit = "see each ratio"
	if p.price != nil {
		a.Price = &ratioPrice{Value: p.price.Value, Origin: toolkit.OriginOf(p.from)}
	}
	derived := make(map[string]bool)
	for _, r := range a.all {
		// Inputs that are ratios come before the ratios that use them.
		derived[r.ID] = slices.ContainsFunc(r.Inputs, func(in fundamental.Input) bool { return isDerivedItem(in) || derived[in.ID] })
		switch {
		case !slices.Contains(groups, r.Group):
		case r.Missing != "":
			a.Absent = append(a.Absent, absentRatio{ID: r.ID, Reason: r.Missing, label: r.Label})
		default:
			line := newRatioLine(r)
			line.derived = derived[r.ID]
			a.Ratios = append(a.Ratios, line)
			a.addDerived(r.Inputs)
		}
	}
	a.Derived = groupItemNotes(a.Derived)
	warned := slices.Concat(c.Warnings(), s.Warnings, c.ShareCount.Warnings)
	for i, w := range warned {
		if !slices.Contains(warned[:i], w) {
			a.Warnings.Warn("statement", "%s", w)
		}
	}
	return a
}

// addDerived records the inputs that are derived figures of statements, each once.
func (a *ratiosAnswer) addDerived(inputs []fundamental.Input) {
	for _, in := range inputs {
		if !isDerivedItem(in) {
			continue
		}
		item, period, _ := strings.Cut(in.ID, ".")
		period = strings.ReplaceAll(period, ".", " ")
		known := slices.ContainsFunc(a.Derived, func(n itemNote) bool { return n.Items[0] == item && slices.Contains(n.Periods, period) })
		if !known {
			a.Derived = addItemNote(a.Derived, itemNote{Items: []string{item}, Periods: []string{period}, Formula: in.Formula})
		}
	}
}

// isDerivedItem reports whether an input is a derived figure of a statement, not a ratio.
func isDerivedItem(in fundamental.Input) bool {
	return in.Formula != "" && strings.Contains(in.ID, ".")
}

func newRatioLine(r fundamental.Ratio) ratioLine {
	l := ratioLine{ID: r.ID, Label: r.Label, Group: r.Group, Value: r.Value.Decimal, Unit: r.Unit, Formula: r.Formula, AsOf: toolkit.FormatDate(r.AsOf), Flags: r.Flags}
	for _, t := range r.Inputs {
		l.Inputs = append(l.Inputs, termInput(t))
	}
	return l
}

// termInput formats an input with the ID of its figure. Inputs that are ratios themselves are rounded.
func termInput(t fundamental.Input) string {
	const digits = 6
	text := t.ID + " " + t.Value.Round(digits).String() + " " + t.Unit
	if t.ID == "price" {
		text += " on " + toolkit.FormatDate(t.AsOf)
	}
	return text
}

// result omits the inputs from the text for the model if they would make it too long.
func (a ratiosAnswer) result() tool.Result {
	res := toolkit.Render(a)
	if len(res.ForModel) > toolkit.MaxEncodedBytes {
		a.Ratios = slices.Clone(a.Ratios)
		for i := range a.Ratios {
			a.Ratios[i].Inputs = nil
		}
		a.Warnings = slices.Clone(a.Warnings)
		a.Warnings.Warn("cut", "inputs are omitted for length; request fewer groups to see them")
		res.ForModel = toolkit.Render(a).ForModel
	}
	return res
}

func (a ratiosAnswer) noRatiosText() string {
	reasons := make([]string, 0, len(a.Absent))
	for _, r := range a.Absent[:min(len(a.Absent), maxItemNotes)] {
		reasons = append(reasons, r.ID+": "+r.Reason)
	}
	return fmt.Sprintf("no ratios for %s: %s", a.Symbol, strings.Join(reasons, "; "))
}

// mainRatios are the most important ratios, with short names in English and Chinese.
var mainRatios = [][3]string{
	{"price_to_earnings", "P/E", "市盈率"}, {"net_margin", "net margin", "净利率"}, {"return_on_equity", "return on equity", "净资产收益率"}, {"revenue_growth_1y", "revenue growth", "营收增长"},
	{"debt_to_equity", "debt to equity", "负债权益比"}, {"earnings_per_share", "earnings per share", "每股收益"},
}

// keys returns at most four of the main ratios, or the first ratios if no main ratio was requested.
func (a ratiosAnswer) keys(lang string) []tool.KeyFigure {
	var out []tool.KeyFigure
	for _, m := range mainRatios {
		i := slices.IndexFunc(a.Ratios, func(l ratioLine) bool { return l.ID == m[0] })
		if i < 0 || len(out) == 4 {
			continue
		}
		label := m[1]
		if lang == "zh" {
			label = m[2]
		}
		key := tool.KeyFigure{Label: label, Text: a.ratioText(a.Ratios[i])}
		if a.Ratios[i].Group == fundamental.Growth {
			key.Sign = a.Ratios[i].Value.Sign()
		}
		out = append(out, key)
	}
	if len(out) > 0 {
		return out
	}
	for _, l := range a.Ratios[:min(len(a.Ratios), 4)] {
		out = append(out, tool.KeyFigure{Label: l.Label, Text: a.ratioText(l)})
	}
	return out
}

func (a ratiosAnswer) Headline(lang string) string {
	var parts []string
	for _, k := range a.keys(lang) {
		parts = append(parts, k.Label+" "+k.Text)
	}
	if lang == "zh" {
		return fmt.Sprintf("%s %s：%s。", a.Symbol, a.Period.Period, strings.Join(parts, "，"))
	}
	return fmt.Sprintf("%s %s: %s.", a.Symbol, a.Period.Period, strings.Join(parts, ", "))
}

func (a ratiosAnswer) Title() string {
	return fmt.Sprintf("%s · %s, ended %s", companyTitle(a.Name, a.Symbol), a.Period.Period, a.Period.End)
}

func (a ratiosAnswer) KeyFigures() []tool.KeyFigure { return a.keys("en") }

func (a ratiosAnswer) Tables() []toolkit.Table {
	var tables []toolkit.Table
	for _, group := range fundamental.Groups() {
		if group == fundamental.Growth {
			tables = append(tables, a.growthTables()...)
			continue
		}
		t := toolkit.Table{Columns: []string{idWords.Replace(string(group)), "value:", "formula"}}
		for _, l := range a.Ratios {
			if l.Group == group {
				t.Rows = append(t.Rows, []string{l.Label, a.valueCell(l), idWords.Replace(l.Formula)})
			}
		}
		if len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	tables[0].Figures = a.figures()
	return tables
}

// idWords turns IDs of ratios and inputs into words.
var idWords = strings.NewReplacer("_", " ", "eps", "EPS", "ebitda", "EBITDA")

// growthTables returns a table with a row for each measure and a column for each number of years, or none.
func (a ratiosAnswer) growthTables() []toolkit.Table {
	t := toolkit.Table{Columns: []string{"growth by fiscal year", "1 year:", "3 years, annual:", "5 years, annual:"}}
	columns := []string{"1y", "3y", "5y"}
	row := make(map[string]int)
	for _, l := range a.Ratios {
		measure, years, _ := strings.Cut(l.ID, "_growth_")
		column := slices.Index(columns, years)
		if l.Group != fundamental.Growth || column < 0 {
			continue
		}
		i, ok := row[measure]
		if !ok {
			i = len(t.Rows)
			row[measure] = i
			t.Rows = append(t.Rows, []string{idWords.Replace(measure), "", "", ""})
		}
		t.Rows[i][column+1] = a.valueCell(l)
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []toolkit.Table{t}
}

// valueCell formats a ratio with its flags. "d" marks ratios of derived figures.
func (a ratiosAnswer) valueCell(l ratioLine) string {
	text := a.ratioText(l)
	if l.derived {
		text += " d"
	}
	return strings.TrimSpace(text + " " + toolkit.Origin{Flags: l.Flags}.FlagText())
}

// ratioText formats a ratio for people; the figure itself is not rounded.
func (a ratiosAnswer) ratioText(l ratioLine) string {
	switch l.Unit {
	case fundamental.UnitPercent:
		style := toolkit.Percent
		if l.Group == fundamental.Growth {
			style = toolkit.Change
		}
		return toolkit.Format(l.Value.Shift(-2), style, "")
	case fundamental.UnitDays:
		return toolkit.Format(l.Value.Round(1), toolkit.Number, "") + " " + l.Unit
	}
	return formatAmount(l.Value, l.Unit)
}

// Text implements [toolkit.Texter]: the derived inputs, and the ratios without a value by reason.
func (a ratiosAnswer) Text() string {
	var order []string
	labels := make(map[string][]string)
	for _, r := range a.Absent {
		if labels[r.Reason] == nil {
			order = append(order, r.Reason)
		}
		labels[r.Reason] = append(labels[r.Reason], r.label)
	}
	var b strings.Builder
	if len(a.Derived) > 0 {
		b.WriteString("d: uses derived figures\n\n")
	}
	for _, n := range a.Derived {
		fmt.Fprintf(&b, "- %s\n", toolkit.EscapeMarkdown(n.derivation()))
	}
	var notFound []string
	for _, reason := range order {
		names, why := strings.Join(labels[reason], ", "), toolkit.EscapeMarkdown(idWords.Replace(reason))
		if input, ok := strings.CutSuffix(why, " was not found"); ok {
			notFound = append(notFound, fmt.Sprintf("%s (%s)", names, input))
			continue
		}
		fmt.Fprintf(&b, "- no %s: %s\n", names, why)
	}
	if len(notFound) > 0 {
		fmt.Fprintf(&b, "- not reported, with the missing figure: %s\n", strings.Join(notFound, "; "))
	}
	return b.String()
}

// figures returns the ratios with a value, each after its inputs, and the price.
func (a ratiosAnswer) figures() []tool.Figure {
	used, seen := map[string]bool{}, map[string]bool{"price": true}
	for _, l := range a.Ratios {
		used[l.ID] = true
	}
	// A ratio comes after its inputs.
	for _, r := range slices.Backward(a.all) {
		seen[r.ID] = true
		for _, in := range r.Inputs {
			used[in.ID] = used[in.ID] || used[r.ID]
		}
	}
	var out []tool.Figure
	for _, r := range a.all {
		if !used[r.ID] {
			continue
		}
		for _, in := range r.Inputs {
			if seen[in.ID] {
				continue
			}
			seen[in.ID] = true
			source := a.Source
			if in.From != "" {
				// Some sources name the filing of the statement, which may differ from that of the item.
				source, _, _ = strings.Cut(source, ",")
				source += ", " + in.From
			}
			out = append(out, tool.Figure{ID: in.ID, Label: fmt.Sprintf("%s %s", a.Symbol, in.Label), Value: in.Value, Unit: in.Unit, AsOf: in.AsOf, Source: source, Formula: in.Formula})
		}
		out = append(out, tool.Figure{
			ID: r.ID, Label: fmt.Sprintf("%s %s", a.Symbol, r.Label), Value: r.Value.Decimal, Unit: r.Unit, AsOf: r.AsOf,
			Source: a.sources(r), Formula: r.Formula, Inputs: newRatioLine(r).Inputs,
		})
	}
	return out
}

// sources returns the source of the statements, and of the price if the ratio uses it.
func (a ratiosAnswer) sources(r fundamental.Ratio) string {
	priced := slices.ContainsFunc(r.Inputs, func(t fundamental.Input) bool {
		return t.ID == "price" || t.ID == "market_cap" || t.ID == "enterprise_value"
	})
	if priced && a.Price != nil && a.Price.Source != a.Source {
		return a.Source + " and " + a.Price.Source
	}
	return a.Source
}

// statementPrice is the price for valuation ratios, or the reason why there is none.
type statementPrice struct {
	price   *fundamental.SharePrice
	from    market.Provenance
	missing string
	name    string // of the security, as the price source writes it
}

// securityOf returns what the source of the statements, or else the built-in table, knows about a security.
// Anything neither knows is derived from the name in the price source.
func securityOf(i market.Instrument, name string) market.Instrument {
	if i.Class == market.ClassUnknown {
		known := reference.Describe(i.Symbol)
		i.Class, i.ShareClass = known.Class, known.ShareClass
	}
	if i.Class == market.ClassUnknown || i.Class == market.ClassOther {
		if class, letter := reference.ClassOfName(name); class != market.ClassUnknown {
			i.Class, i.ShareClass = class, letter
		}
	}
	return i
}

// priceFor returns the newest price known at d.Now, with the splits before it. Only cancellation is an error,
// because most ratios need no price.
func (d FundamentalDeps) priceFor(ctx context.Context, s market.Statement) (statementPrice, error) {
	if d.Replay && s.Filed.IsZero() {
		return statementPrice{missing: "these statements may include later restatements, so their share counts may not match the price on that day"}, nil
	}
	var series market.Series
	noBars := errors.New("no price source is available")
	if d.Bars != nil {
		// Two years include all splits since any filing that may be used with a price.
		series, _, noBars = d.HistoryOfSymbol(ctx, s.Symbol, toolkit.MonthsBack(24))
	}
	quote, quoted, _ := toolkit.LatestPrices{Prices: d.Prices, Quotes: d.Quotes}.KnownQuote(ctx, s.Symbol)
	last, traded := series.Latest()
	switch {
	case ctx.Err() != nil:
		return statementPrice{}, fmt.Errorf("price of %s: %w", s.Symbol, ctx.Err())
	case quoted:
		// If the bars end long before the quote, splits since then are missing.
		if !traded || last.Provenance.Currency != quote.Provenance.Currency || quote.Provenance.AsOf.Sub(last.Provenance.AsOf) > toolkit.MaxBarGap(series.Interval) {
			series.Actions = nil
		}
		return newStatementPrice(quote, series.Actions), nil
	case noBars != nil:
		return statementPrice{missing: "no price: " + noBars.Error()}, nil
	case !traded:
		return statementPrice{missing: "no price"}, nil
	}
	last, err := d.AsTraded(series, last)
	if err != nil {
		return statementPrice{missing: "no price: " + err.Error()}, nil
	}
	return newStatementPrice(last, series.Actions), nil
}

func newStatementPrice(q market.Quote, actions []market.Action) statementPrice {
	p := q.Provenance
	return statementPrice{price: &fundamental.SharePrice{Value: q.Price, Currency: p.Currency, AsOf: p.AsOf, Actions: actions}, from: p, name: q.Name}
}
