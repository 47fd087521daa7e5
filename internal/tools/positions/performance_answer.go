package positions

import (
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type performanceAnswer struct {
	Currency  string         `json:"currency"`
	To        string         `json:"to"`
	Accounts  []string       `json:"accounts"`
	Without   []string       `json:"without,omitempty"`
	Warnings  []string       `json:"warnings"`
	Windows   []windowAnswer `json:"windows"`
	Gaps      []gapLine      `json:"gaps"`
	Notes     []string       `json:"notes"`
	Prices    []PriceOrigin  `json:"prices"`
	RatesFrom []pairOrigin   `json:"rates"`

	day        market.Date
	maskExempt []string // words with digits that are no amounts
	chart      *chart.Spec
}

type windowAnswer struct {
	Name       string            `json:"name"`
	Why        string            `json:"why,omitempty"` // it is absent
	From       string            `json:"from,omitempty"`
	To         string            `json:"to,omitempty"`
	Days       int               `json:"days,omitempty"`
	Start      *decimal.Decimal  `json:"start,omitempty"`
	End        *decimal.Decimal  `json:"end,omitempty"`
	NetFlow    *decimal.Decimal  `json:"net_flow,omitempty"`
	FlowDays   int               `json:"flow_days"`       // on which something came from outside or went there
	Flows      []flowLine        `json:"flows,omitempty"` // of the last window, which holds those of the others
	ValueWhy   string            `json:"value_why,omitempty"`
	Returns    []returnLine      `json:"returns,omitempty"`
	Divided    *attributionLine  `json:"attribution,omitempty"`
	Parts      []contribution    `json:"contributions,omitempty"`
	Benchmark  *comparisonAnswer `json:"benchmark,omitempty"`
	Realised   *gainLine         `json:"realised,omitempty"`
	Unrealised *gainLine         `json:"unrealised,omitempty"`

	id     string
	report performance.Report
	dietz  *float64 // the capital that contributions are of
}

// flowLine is what came from outside on a day, or went there where it is below zero.
type flowLine struct {
	Date   string           `json:"date"`
	Amount *decimal.Decimal `json:"amount,omitempty"`
}

type gapLine struct {
	What string `json:"what"`
	From string `json:"from"`
	To   string `json:"to"`
	Why  string `json:"why"`
}

// pairOrigin is where the rates of a pair are from.
type pairOrigin struct {
	Pair string `json:"pair"`
	toolkit.Origin
}

func newPerformanceAnswer(m performanceRequest, k marketPast, h *performance.History, windows []performance.Window, notes []string) (performanceAnswer, error) {
	a := performanceAnswer{
		Currency: m.base, To: toolkit.FormatDate(m.to), day: m.to, Accounts: m.accounts, Warnings: []string{}, Gaps: []gapLine{},
		Notes: append(append([]string{}, notes...), h.Notes()...), Prices: []PriceOrigin{}, RatesFrom: []pairOrigin{},
		maskExempt: m.portfolio.MaskExemptions(slices.Collect(maps.Values(k.market.Series))...),
	}
	for _, sym := range m.without {
		a.Without = append(a.Without, string(sym))
	}
	a.Warnings = append(a.Warnings, m.portfolio.LaterWarnings...)
	for _, d := range h.Disagreements() {
		a.Warnings = append(a.Warnings, m.portfolio.FixInstructions(d))
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
		for _, f := range a.Windows[n-1].report.Flows {
			a.Windows[n-1].Flows = append(a.Windows[n-1].Flows, flowLine{toolkit.FormatDate(f.Date), RoundMoney(decimal.NewNullDecimal(f.Amount), m.base)})
		}
	}
	for _, g := range h.Gaps() {
		a.Gaps = append(a.Gaps, newGapLine(g))
	}
	if len(a.Gaps) > 0 {
		a.Notes = append(a.Notes, "where something has no price, without leaves it out: the returns are then of the rest")
	}
	a.origins(m, k)
	return a, nil
}

func newGapLine(g performance.Gap) gapLine {
	subject := string(g.Symbol)
	if subject == "" {
		subject = "rate of " + g.Currency
	}
	return gapLine{subject, toolkit.FormatDate(g.From), toolkit.FormatDate(g.To), g.Reason}
}

// origins say where all prices and rates are from.
func (a *performanceAnswer) origins(m performanceRequest, k marketPast) {
	for _, sym := range m.symbols() {
		if s, ok := k.market.Series[sym]; ok {
			a.Prices = append(a.Prices, PriceOrigin{Symbol: sym, Origin: toolkit.OriginOf(s.Provenance)})
		}
	}
	if k.benchmark != nil && !slices.ContainsFunc(a.Prices, func(p PriceOrigin) bool { return p.Symbol == k.benchmark.Symbol }) {
		a.Prices = append(a.Prices, PriceOrigin{Symbol: k.benchmark.Symbol, Origin: toolkit.OriginOf(k.benchmark.Provenance)})
	}
	for _, r := range k.market.Rates {
		a.RatesFrom = append(a.RatesFrom, pairOrigin{r.Pair.String(), toolkit.OriginOf(r.Provenance).WithoutAdjustment()})
	}
	loud := map[string]bool{}
	for _, p := range a.Prices {
		if flags := p.FlagText(); flags != "" && !loud[flags] {
			loud[flags] = true
			a.Warnings = append(a.Warnings, fmt.Sprintf("%s prices are among those that this is computed from", flags))
		}
	}
}

// windowID is short for a window's name.
func windowID(name string) string {
	switch name {
	case "1 year":
		return "1y"
	case "3 years":
		return "3y"
	case "5 years":
		return "5y"
	case "since inception":
		return "inception"
	}
	return "window"
}

func newWindowAnswer(w performance.Window, m performanceRequest, k marketPast, h *performance.History) (windowAnswer, error) {
	out := windowAnswer{Name: w.Name, Why: w.Reason, id: windowID(w.Name), report: w.Report}
	if w.Reason != "" {
		return out, nil
	}
	r := w.Report
	out.From, out.To, out.Days, out.FlowDays = toolkit.FormatDate(r.From), toolkit.FormatDate(r.To), r.Days, len(r.Flows)
	out.Start, out.End, out.NetFlow = RoundMoney(r.Start.Value, m.base), RoundMoney(r.End.Value, m.base), RoundMoney(r.NetFlow, m.base)
	for _, why := range []string{r.Start.Reason, r.End.Reason, r.FlowReason} {
		if why != "" && out.ValueWhy == "" {
			out.ValueWhy = why
		}
	}
	out.Returns = newReturnLines(r.TimeWeighted, r.MoneyWeighted, r.ModifiedDietz, r.LinkedDietz, m.method)
	out.dietz = averageCapital(r.ModifiedDietz)
	out.Divided = out.newAttribution(m.base)
	out.Parts = newContributions(r.Attribution, m.base)
	if err := out.compare(m, k, h); err != nil {
		return out, err
	}
	gains, err := h.Gains(r.From)
	if err != nil {
		return out, fmt.Errorf("gains by lot: %w", err)
	}
	out.Realised = newGainLine(gains.Realised, m.base)
	if r.To.Equal(h.Last()) {
		out.Unrealised = newGainLine(gains.Unrealised, m.base)
	}
	return out, nil
}
