package positions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type performanceAnswer struct {
	Currency  string                  `json:"currency"`
	To        string                  `json:"to"`
	Accounts  []string                `json:"accounts"`
	Without   []string                `json:"without,omitempty"`
	Warnings  toolkit.Notes           `json:"warnings"`
	Windows   []windowAnswer          `json:"windows" table:"-"`
	Gaps      []gapLine               `json:"gaps" max:"20 first"`
	Notes     toolkit.BackgroundNotes `json:"notes"`
	Prices    []PriceOrigin           `json:"prices" table:"-" max:"40 first"`
	RatesFrom []pairOrigin            `json:"rates" table:"-"`

	// The key figures repeat those of the longest period that has a value.
	TimeWeighted  *decimal.Decimal `json:"-" label:"time-weighted return" as:"change" in:"percent" key:"1"`
	MoneyWeighted *decimal.Decimal `json:"-" label:"money-weighted return" as:"change" in:"percent" key:"2"`
	Gain          *decimal.Decimal `json:"-" label:"gain" as:"gain" key:"3"`
	End           *decimal.Decimal `json:"-" label:"value at end" as:"money" key:"4"`

	day   market.Date
	chart *chart.Spec
}

type windowAnswer struct {
	Name       string            `json:"name" label:"period"`
	Why        toolkit.OwnWords  `json:"why,omitempty"` // why the figures are missing
	From       string            `json:"from,omitempty"`
	To         string            `json:"to,omitempty"`
	Days       int               `json:"days,omitempty" label:"days" unit:"days"`
	Start      *decimal.Decimal  `json:"start,omitempty" label:"value at start" as:"money" sensitive:"amount"`
	End        *decimal.Decimal  `json:"end,omitempty" label:"value at end" as:"money" sensitive:"amount"`
	NetFlow    *decimal.Decimal  `json:"net_flow,omitempty" label:"deposits minus withdrawals" as:"gain" sensitive:"amount"`
	FlowDays   int               `json:"flow_days" label:"days with deposits or withdrawals" unit:"days"`
	Flows      []flowLine        `json:"flows,omitempty" max:"40 last"` // of the last window, which includes the flows of the others
	ValueWhy   toolkit.OwnWords  `json:"value_why,omitempty"`
	Returns    []returnLine      `json:"returns,omitempty"`
	Drawdown   *decimal.Decimal  `json:"drawdown_pct,omitempty" label:"drawdown at the end" as:"percent" in:"percent" row:"-" formula:"1 - time-weighted growth at the end / highest time-weighted growth"`
	Peak       string            `json:"drawdown_peak,omitempty"`
	Divided    *attributionLine  `json:"attribution,omitempty"`
	Parts      []contribution    `json:"contributions,omitempty" max:"20 first"`
	Others     *contribution     `json:"other_contributions,omitempty" label:"other"` // the sum of those withheld from the model by the limit above
	Benchmark  *comparisonAnswer `json:"benchmark,omitempty"`
	Realized   *gainLine         `json:"realised,omitempty" label:"realized" sensitive:"amount"`
	Unrealized *gainLine         `json:"unrealised,omitempty" label:"unrealized" sensitive:"amount"`

	report performance.Report
}

// maxContributions and maxFlows limit the rows shown to people. The tags above limit those sent to
// the model.
const (
	maxContributions = 20
	maxFlows         = 40
)

// flowLine is the net deposit of a day, negative for a withdrawal.
type flowLine struct {
	Date   string           `json:"date" label:"date"`
	Amount *decimal.Decimal `json:"amount,omitempty" label:"deposit or withdrawal" as:"gain" formula:"amount * rate of the day; securities at the close of the day" sensitive:"amount"`
}

type gapLine struct {
	What string `json:"what"`
	From string `json:"from"`
	To   string `json:"to"`
	Why  string `json:"why"`
}

// pairOrigin is the source of the exchange rates of a pair.
type pairOrigin struct {
	Pair string `json:"pair" label:"exchange rate"`
	toolkit.Origin
}

// returnLine is the return computed with one method.
type returnLine struct {
	Method    string             `json:"method"`
	Name      string             `json:"-" label:"method"` // for display
	Pct       *decimal.Decimal   `json:"pct,omitempty" label:"return" as:"change" in:"percent"`
	AnnualPct *decimal.Decimal   `json:"annual_pct,omitempty" label:"annual return" as:"change" in:"percent"`
	Formula   string             `json:"formula" model:"-"`
	Why       toolkit.OwnWords   `json:"why,omitempty"`
	Notes     []toolkit.OwnWords `json:"notes,omitempty"`

	inputs []string
}

// attributionLine is one source of a window's gain. Percentages are of the average capital and add
// up to the Modified Dietz return.
type attributionLine struct {
	Effects []effect         `json:"effects,omitempty"`
	Formula string           `json:"formula" model:"-"`
	Why     toolkit.OwnWords `json:"why,omitempty"`
}

type effect struct {
	Name   string           `json:"name" label:"source"`
	Amount *decimal.Decimal `json:"amount,omitempty" label:"gain by source" as:"gain" sensitive:"amount"`
	Pct    *decimal.Decimal `json:"pct,omitempty" label:"gain by source" as:"change" in:"percent"`
}

// contribution is what a position, the cash of a currency, or currency exchanges added to the gain.
type contribution struct {
	Of    string           `json:"of" label:"position"`
	Start *decimal.Decimal `json:"start,omitempty" label:"value at start" as:"money" sensitive:"amount"`
	End   *decimal.Decimal `json:"end,omitempty" label:"value at end" as:"money" sensitive:"amount"`
	Gain  *decimal.Decimal `json:"gain,omitempty" label:"contribution" as:"gain" formula:"end - start - paid for it + received from it" sensitive:"amount"`
	Pct   *decimal.Decimal `json:"pct,omitempty" label:"contribution" as:"change" in:"percent"`
}

// gainLine is the gain of lots, each converted at the rates of its own days.
type gainLine struct {
	Amount  *decimal.Decimal `json:"amount,omitempty" label:"gain by lot" as:"gain"`
	Lots    int              `json:"lots" label:"lots" unit:"lots"`
	Unknown int              `json:"unknown,omitempty" label:"lots of unknown gain" unit:"lots"` // excluded from the sum
	Formula string           `json:"formula" model:"-"`
}

// comparisonAnswer is the result of investing the same money in a benchmark.
type comparisonAnswer struct {
	Symbol      string           `json:"symbol"`
	Kind        string           `json:"kind,omitempty"` // kind of return
	Why         toolkit.OwnWords `json:"why,omitempty"`
	End         *decimal.Decimal `json:"end,omitempty" label:"benchmark value at end" as:"money" sensitive:"amount"`
	Ahead       *decimal.Decimal `json:"ahead,omitempty" label:"portfolio minus benchmark" as:"gain" formula:"end of the portfolio - end of the benchmark" sensitive:"amount"`
	Returns     []returnLine     `json:"returns,omitempty" label:"benchmark"`
	AheadTimePP *decimal.Decimal `json:"ahead_time_weighted_pp,omitempty" label:"time-weighted return minus benchmark" as:"points" in:"percent" formula:"return of the portfolio - return of the benchmark"`
	AheadMoney  *decimal.Decimal `json:"ahead_money_weighted_pp,omitempty" label:"money-weighted return minus benchmark" as:"points" in:"percent" formula:"return of the portfolio - return of the benchmark"`
	Formula     string           `json:"formula" model:"-"`
}

func newPerformanceAnswer(m performanceRequest, k marketPast, h *performance.History, windows []performance.Window, notes toolkit.BackgroundNotes) (performanceAnswer, error) {
	a := performanceAnswer{
		Currency: m.base, To: toolkit.FormatDate(m.to), day: m.to, Accounts: m.accounts, Gaps: []gapLine{},
		Notes: notes, Prices: []PriceOrigin{}, RatesFrom: []pairOrigin{},
	}
	for _, text := range h.Notes() {
		a.Notes.Add("unchecked", "%s", toolkit.OwnWords(text))
	}
	for _, sym := range m.without {
		a.Without = append(a.Without, string(sym))
	}
	if m.baseChosen != "" {
		a.Notes.Add("base_currency", "%s", m.baseChosen)
	}
	a.Warnings.WarnEach("later_transactions", m.portfolio.LaterWarnings...)
	for _, d := range h.Disagreements() {
		m.portfolio.WarnOfSplit(d, &a.Warnings)
	}
	a.Warnings = append(a.Warnings, k.missing...)
	for _, w := range windows {
		window, err := newWindowAnswer(w, m, k, h)
		if err != nil {
			return a, err
		}
		a.Windows = append(a.Windows, window)
	}
	if a.chart = benchmarkChart(h, a.Windows, k.benchmark); a.chart == nil {
		a.chart = valueChart(h, a.Windows, m.base)
	}
	if n := len(a.Windows); n > 0 {
		last := &a.Windows[n-1]
		for _, f := range last.report.Flows {
			last.Flows = append(last.Flows, flowLine{toolkit.FormatDate(f.Date), &f.Amount})
		}
	}
	for _, g := range h.Gaps() {
		what := cmp.Or(string(g.Symbol), "rate of "+g.Currency)
		a.Gaps = append(a.Gaps, gapLine{what, toolkit.FormatDate(g.From), toolkit.FormatDate(g.To), g.Reason})
	}
	if len(a.Gaps) > 0 {
		a.Notes.Add("without_unpriced", "To exclude a symbol that has no price, list it in without. The returns then cover the rest.")
	}
	a.setOrigins(m, k)
	a.setKeys()
	a.addReasons()
	return a, nil
}

// setOrigins lists the sources of all prices and rates.
func (a *performanceAnswer) setOrigins(m performanceRequest, k marketPast) {
	add := func(sym market.Symbol, p market.Provenance) {
		if !slices.ContainsFunc(a.Prices, func(have PriceOrigin) bool { return have.Symbol == sym }) {
			a.Prices = append(a.Prices, PriceOrigin{Symbol: sym, Origin: toolkit.OriginOf(p)})
		}
	}
	for _, sym := range m.symbols() {
		if s, ok := k.market.Series[sym]; ok {
			add(sym, s.Provenance)
		}
	}
	if k.benchmark != nil {
		add(k.benchmark.Symbol, k.benchmark.Provenance)
	}
	if flags := JoinFlagText(a.Prices); flags != "" {
		a.Warnings.Warn("flagged_prices", "Some prices are %s.", flags)
	}
	for _, r := range k.market.Rates {
		a.RatesFrom = append(a.RatesFrom, pairOrigin{r.Pair.String(), toolkit.OriginOf(r.Provenance).WithoutAdjustment()})
	}
}

func newWindowAnswer(w performance.Window, m performanceRequest, k marketPast, h *performance.History) (windowAnswer, error) {
	out := windowAnswer{Name: w.Name, Why: toolkit.OwnWords(w.Reason), report: w.Report}
	if w.Reason != "" {
		return out, nil
	}
	r := w.Report
	out.From, out.To, out.Days, out.FlowDays = toolkit.FormatDate(r.From), toolkit.FormatDate(r.To), r.Days, len(r.Flows)
	out.Start, out.End, out.NetFlow = toolkit.Known(r.Start.Value), toolkit.Known(r.End.Value), toolkit.Known(r.NetFlow)
	out.ValueWhy = toolkit.OwnWords(cmp.Or(r.Start.Reason, r.End.Reason, r.FlowReason))
	for i, measured := range []performance.Return{r.TimeWeighted, r.MoneyWeighted, r.ModifiedDietz, r.LinkedDietz} {
		if name := returnMethods()[i]; m.method == "" || m.method == name {
			out.Returns = append(out.Returns, newReturnLine(name, measured))
		}
	}
	drawdown, peak, err := h.Drawdown(r.From, r.To)
	if err != nil {
		return out, fmt.Errorf("drawdown: %w", err)
	}
	if out.Drawdown = toolkit.PercentOfFraction(drawdown); out.Drawdown != nil {
		out.Peak = toolkit.FormatDate(peak)
	}
	out.Divided = newAttribution(r)
	out.setContributions(r.Attribution)
	if err := out.compare(m, k, h); err != nil {
		return out, err
	}
	gains, err := h.Gains(r.From)
	if err != nil {
		return out, fmt.Errorf("gains by lot: %w", err)
	}
	out.Realized = newGainLine(gains.Realized)
	if r.To.Equal(h.Last()) {
		out.Unrealized = newGainLine(gains.Unrealized)
	}
	return out, nil
}

func newReturnLine(method string, m performance.Return) returnLine {
	l := returnLine{
		Method: method, Name: strings.ReplaceAll(method, "_", "-"), Pct: toolkit.PercentOfFraction(m.Value), AnnualPct: toolkit.PercentOfFraction(m.Annual), Formula: m.Formula,
		Why: toolkit.OwnWords(m.Reason),
	}
	for _, text := range m.Notes {
		l.Notes = append(l.Notes, toolkit.OwnWords(text))
	}
	for _, in := range m.Inputs {
		unit := in.Unit
		if !in.Date.IsZero() {
			unit += " on " + toolkit.FormatDate(in.Date)
		}
		l.inputs = append(l.inputs, strings.TrimSpace(fmt.Sprintf("%s %s %s", in.Name, toolkit.Format(in.Value, toolkit.Number, ""), strings.TrimSpace(unit))))
	}
	return l
}

func newAttribution(r performance.Report) *attributionLine {
	out := &attributionLine{Formula: performance.FormulaGain, Why: toolkit.OwnWords(r.Attribution.Reason)}
	if out.Why != "" {
		return out
	}
	capital, total := averageCapital(r.ModifiedDietz), r.Attribution.Total
	for _, e := range []struct {
		name   string
		amount decimal.Decimal
	}{{"price", total.Price}, {"income", total.Income}, {"currency", total.Currency}, {"fees", total.Fees}, {"taxes", total.Taxes}, {"gain", total.Gain}} {
		line := effect{Name: e.name, Amount: &e.amount}
		if capital != nil {
			line.Pct = toolkit.PercentOfFraction(new(e.amount.InexactFloat64() / *capital))
		}
		out.Effects = append(out.Effects, line)
	}
	return out
}

// averageCapital returns the average capital that a Modified Dietz return divides by, nil if
// absent.
func averageCapital(m performance.Return) *float64 {
	i := slices.IndexFunc(m.Inputs, func(in performance.ReturnInput) bool { return in.Name == "average capital" })
	if m.Value == nil || i < 0 || !m.Inputs[i].Value.IsPositive() {
		return nil
	}
	return new(m.Inputs[i].Value.InexactFloat64())
}

// setContributions sorts the contributions by size, regardless of sign.
func (w *windowAnswer) setContributions(at performance.Attribution) {
	lines := slices.Clone(at.Lines)
	name := func(l performance.Contribution) string {
		switch {
		case l.Symbol != "":
			return string(l.Symbol)
		case l.Cash != "":
			return "cash in " + l.Cash
		}
		return "currency exchanges"
	}
	slices.SortStableFunc(lines, func(a, b performance.Contribution) int {
		return cmp.Or(b.Gain.Abs().Cmp(a.Gain.Abs()), cmp.Compare(name(a), name(b)))
	})
	var sum decimal.Decimal
	var fraction *float64
	for i, l := range lines {
		w.Parts = append(w.Parts, contribution{Of: name(l), Start: &l.Start, End: &l.End, Gain: &l.Gain, Pct: toolkit.PercentOfFraction(l.Return)})
		if i < maxContributions {
			continue
		}
		sum = sum.Add(l.Gain)
		if l.Return != nil {
			if fraction == nil {
				fraction = new(float64)
			}
			*fraction += *l.Return
		}
	}
	if n := len(lines) - maxContributions; n > 0 {
		w.Others = &contribution{Of: fmt.Sprintf("%d others", n), Gain: &sum, Pct: toolkit.PercentOfFraction(fraction)}
	}
}

func newGainLine(g performance.GainSum) *gainLine {
	out := &gainLine{Lots: g.Lots, Unknown: g.Unknown, Formula: g.Formula}
	if g.Unknown == 0 || g.Unknown < g.Lots {
		out.Amount = &g.Sum
	}
	return out
}

func (w *windowAnswer) compare(m performanceRequest, k marketPast, h *performance.History) error {
	if m.benchmark == "" {
		return nil
	}
	w.Benchmark = &comparisonAnswer{Symbol: m.benchmark, Why: toolkit.OwnWords(k.benchmarkMissing), Formula: performance.FormulaBenchmark}
	if k.benchmark == nil {
		return nil
	}
	c, err := h.Compare(*k.benchmark, w.report.From, w.report.To)
	if err != nil {
		return fmt.Errorf("compare with %s: %w", k.benchmark.Symbol, err)
	}
	w.Benchmark = &comparisonAnswer{
		Symbol: string(c.Symbol), Kind: "total return, dividends reinvested; hypothetical, before costs and taxes", Why: toolkit.OwnWords(c.Reason),
		End: toolkit.Known(c.End), Ahead: toolkit.Known(c.EndDifference), Formula: c.Formula,
		AheadTimePP: toolkit.PercentOfFraction(c.TimeWeightedDifference), AheadMoney: toolkit.PercentOfFraction(c.MoneyWeightedDifference),
	}
	for _, line := range []struct {
		method string
		result performance.Return
	}{{"time_weighted", c.TimeWeighted}, {"money_weighted", c.MoneyWeighted}, {"series", c.Series}} {
		if c.Reason != "" && line.method != "series" || line.result.Formula == "" || m.method != "" && line.method != m.method && line.method != "series" {
			continue
		}
		w.Benchmark.Returns = append(w.Benchmark.Returns, newReturnLine(line.method, line.result))
	}
	return nil
}
