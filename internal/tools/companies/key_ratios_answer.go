package companies

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/fundamental"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

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

	asOf time.Time
}

type absentRatio struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`

	label string
}

type ratioPrice struct {
	Value decimal.Decimal `json:"value"`
	toolkit.Origin
}

type ratiosAnswer struct {
	Symbol   market.Symbol   `json:"symbol"`
	Name     string          `json:"name"`
	Template market.Template `json:"template"`
	Period   statementPeriod `json:"period"`
	Span     market.Span     `json:"span"`
	// Begin is the day of the balances at the beginning of the period, "" where
	// they are not known.
	Begin string `json:"balances_from,omitempty"`
	toolkit.Origin
	Price    *ratioPrice   `json:"price,omitempty"`
	Ratios   []ratioLine   `json:"ratios"`
	Absent   []absentRatio `json:"absent"`
	Warnings []string      `json:"warnings"`

	company fundamental.Company
	all     []fundamental.Ratio
}

func newRatiosAnswer(c fundamental.Company, p statementPrice, groups []fundamental.Group) ratiosAnswer {
	s := c.Period
	a := ratiosAnswer{
		Symbol: s.Symbol, Name: s.Name, Template: s.Template, Period: newStatementPeriod(s, s.Provenance.Currency), Span: s.Span, Begin: toolkit.FormatDate(c.Begin.PeriodEnd),
		Origin: toolkit.OriginOf(s.Provenance).WithoutAdjustment(), Ratios: []ratioLine{}, Absent: []absentRatio{}, Warnings: []string{}, company: c, all: fundamental.Ratios(c),
	}
	a.Unit = "as each ratio says"
	if p.price != nil {
		a.Price = &ratioPrice{Value: p.price.Value, Origin: toolkit.OriginOf(p.from)}
	}
	for _, r := range a.all {
		switch {
		case !slices.Contains(groups, r.Group):
		case r.Missing != "":
			a.Absent = append(a.Absent, absentRatio{ID: r.ID, Reason: r.Missing, label: r.Label})
		default:
			a.Ratios = append(a.Ratios, newRatioLine(r))
		}
	}
	for _, w := range slices.Concat(c.Warnings(), s.Warnings, c.ShareCount.Warnings) {
		if !slices.Contains(a.Warnings, w) {
			a.Warnings = append(a.Warnings, w)
		}
	}
	return a
}

func newRatioLine(r fundamental.Ratio) ratioLine {
	l := ratioLine{ID: r.ID, Label: r.Label, Group: r.Group, Value: r.Value.Decimal, Unit: r.Unit, Formula: r.Formula, AsOf: toolkit.FormatDate(r.AsOf), Flags: r.Flags, asOf: r.AsOf}
	for _, t := range r.Inputs {
		l.Inputs = append(l.Inputs, termInput(t))
	}
	return l
}

// termInput is an input by the id of its figure.
func termInput(t fundamental.Input) string {
	text := t.ID + " " + t.Value.String() + " " + t.Unit
	if t.ID == "price" {
		text += " on " + toolkit.FormatDate(t.AsOf)
	}
	return text
}

func (a ratiosAnswer) result() (tool.Result, error) {
	if len(a.Ratios) == 0 {
		return tool.Failed(tool.CodeNoData, a.noRatiosText()), nil
	}
	forModel, err := a.forModel()
	if err != nil {
		return tool.Result{}, err
	}
	summary := fmt.Sprintf("%d ratios, %d without a value", len(a.Ratios), len(a.Absent))
	return tool.Result{
		Value: a, ForModel: forModel, ForUser: a.markdown(), Title: fmt.Sprintf("%s · %s", a.Symbol, a.Period.Period),
		Summary: strings.TrimSpace(summary + " " + a.FlagText()), Figures: a.figures(),
	}, nil
}

// forModel leaves the inputs out where they would make it too long; the figures
// have them.
func (a ratiosAnswer) forModel() (string, error) {
	text, err := toolkit.EncodeResult(a)
	if err != nil || len(text) <= toolkit.MaxEncodedBytes {
		return text, err
	}
	a.Ratios = slices.Clone(a.Ratios)
	for i := range a.Ratios {
		a.Ratios[i].Inputs = nil
	}
	a.Warnings = append(slices.Clone(a.Warnings), "inputs are left out here for length; ask for fewer groups to see them")
	return toolkit.EncodeResult(a)
}

func (a ratiosAnswer) noRatiosText() string {
	reasons := make([]string, 0, len(a.Absent))
	for _, r := range a.Absent[:min(len(a.Absent), maxItemNotes)] {
		reasons = append(reasons, r.ID+": "+r.Reason)
	}
	return fmt.Sprintf("no ratio of %s can be computed: %s", a.Symbol, strings.Join(reasons, "; "))
}

func (a ratiosAnswer) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s · %s, ended %s", toolkit.InstrumentHeading(market.Instrument{Symbol: a.Symbol, Name: a.Name}), a.Period.Period, a.Period.End)
	if a.Price != nil {
		fmt.Fprintf(&b, " · price %s %s of %s (%s)", a.Price.Value, a.Price.Currency, a.Price.AsOf, strings.TrimSpace(a.Price.FlagText()+" "+toolkit.TableCell(a.Price.Source)))
	}
	b.WriteString("\n")
	for _, group := range fundamental.Groups() {
		var rows [][]string
		for _, l := range a.Ratios {
			if l.Group == group {
				rows = append(rows, []string{l.Label, strings.TrimSpace(a.ratioText(l) + " " + toolkit.Origin{Flags: l.Flags}.FlagText()), l.Formula})
			}
		}
		if len(rows) > 0 {
			b.WriteString("\n" + toolkit.MarkdownTable([]string{strings.ReplaceAll(string(group), "_", " "), "value:", "formula"}, rows))
		}
	}
	b.WriteString(a.absentRatiosText())
	for _, w := range a.Warnings {
		b.WriteString("\n! " + toolkit.TableCell(w) + "\n")
	}
	b.WriteString("\n" + a.Footer() + "\n")
	return b.String()
}

// ratioText is a ratio as people read it; the figure has every digit.
func (a ratiosAnswer) ratioText(l ratioLine) string {
	switch l.Unit {
	case a.Currency:
		s := scaleFor([]decimal.Decimal{l.Value})
		return strings.Join(strings.Fields(s.format(l.Value)+" "+strings.TrimSuffix(s.name, "s")+" "+l.Unit), " ")
	case fundamental.UnitDays:
		return formatGrouped(l.Value, 1) + " " + l.Unit
	}
	return formatGrouped(l.Value, 2) + " " + l.Unit
}

// absentRatiosText gathers the ratios without a value by their reason.
func (a ratiosAnswer) absentRatiosText() string {
	var order []string
	labels := make(map[string][]string)
	for _, r := range a.Absent {
		if labels[r.Reason] == nil {
			order = append(order, r.Reason)
		}
		labels[r.Reason] = append(labels[r.Reason], r.label)
	}
	var b strings.Builder
	for _, reason := range order {
		fmt.Fprintf(&b, "\n- no %s: %s", strings.Join(labels[reason], ", "), toolkit.TableCell(reason))
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

// figures are the ratios that are given, and all that they are made of.
func (a ratiosAnswer) figures() []tool.Figure {
	g := ratioFigures{answer: a, seen: make(map[string]bool)}
	for _, l := range a.Ratios {
		g.addRatio(l.ID)
	}
	return g.figures
}

// ratioFigures puts each figure after those that it is made of, once.
type ratioFigures struct {
	answer  ratiosAnswer
	seen    map[string]bool
	figures []tool.Figure
}

func (g *ratioFigures) addRatio(id string) {
	if g.seen[id] {
		return
	}
	g.seen[id] = true
	i := slices.IndexFunc(g.answer.all, func(r fundamental.Ratio) bool { return r.ID == id })
	r := g.answer.all[i]
	for _, t := range r.Inputs {
		g.addTerm(t)
	}
	l := newRatioLine(r)
	g.figures = append(g.figures, tool.Figure{
		ID: r.ID, Label: fmt.Sprintf("%s %s", g.answer.Symbol, r.Label), Value: r.Value.Decimal, Unit: r.Unit, AsOf: r.AsOf,
		Source: g.answer.sources(r), Formula: r.Formula, Inputs: l.Inputs,
	})
}

func (g *ratioFigures) addTerm(t fundamental.Input) {
	if slices.ContainsFunc(g.answer.all, func(r fundamental.Ratio) bool { return r.ID == t.ID }) {
		g.addRatio(t.ID)
		return
	}
	if g.seen[t.ID] {
		return
	}
	g.seen[t.ID] = true
	source := g.answer.Source
	switch {
	case t.ID == "price" && g.answer.Price != nil:
		source = g.answer.Price.Source
	case t.From != "":
		// Some sources name the filing of a statement, which need not be that of the item.
		source, _, _ = strings.Cut(source, ",")
		source += ", " + t.From
	}
	g.figures = append(g.figures, tool.Figure{
		ID: t.ID, Label: fmt.Sprintf("%s %s", g.answer.Symbol, t.Label), Value: t.Value, Unit: t.Unit, AsOf: t.AsOf, Source: source, Formula: t.Formula,
	})
}

// sources are those of the statements, and of the price where it went in.
func (a ratiosAnswer) sources(r fundamental.Ratio) string {
	priced := slices.ContainsFunc(r.Inputs, func(t fundamental.Input) bool {
		return t.ID == "price" || t.ID == "market_cap" || t.ID == "enterprise_value"
	})
	if priced && a.Price != nil && a.Price.Source != a.Source {
		return a.Source + " and " + a.Price.Source
	}
	return a.Source
}
