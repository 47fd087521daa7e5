package earnings

import (
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

type performanceAnswer struct {
	Currency  string             `json:"currency"`
	To        string             `json:"to"`
	Accounts  []string           `json:"accounts"`
	Without   []string           `json:"without,omitempty"`
	Warnings  []string           `json:"warnings"`
	Windows   []windowAnswer     `json:"windows"`
	Gaps      []gapLine          `json:"gaps"`
	Notes     []string           `json:"notes"`
	Prices    []book.PriceOrigin `json:"prices"`
	RatesFrom []pairOrigin       `json:"rates"`

	day    market.Date
	spared []string // words with digits that are no amounts
	chart  *chart.Spec
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
	present.Origin
}

func answerOf(m measured, k known, h *performance.History, windows []performance.Window, notes []string) (performanceAnswer, error) {
	a := performanceAnswer{
		Currency: m.base, To: present.Dated(m.to), day: m.to, Accounts: m.accounts, Warnings: []string{}, Gaps: []gapLine{},
		Notes: append(append([]string{}, notes...), h.Notes()...), Prices: []book.PriceOrigin{}, RatesFrom: []pairOrigin{},
		spared: m.opened.Spared(slices.Collect(maps.Values(k.market.Series))...),
	}
	for _, sym := range m.without {
		a.Without = append(a.Without, string(sym))
	}
	a.Warnings = append(a.Warnings, m.opened.Ahead...)
	for _, d := range h.Disagreements() {
		a.Warnings = append(a.Warnings, m.opened.Mend(d))
	}
	a.Warnings = append(a.Warnings, k.missing...)
	for _, w := range windows {
		one, err := windowOf(w, m, k, h)
		if err != nil {
			return a, err
		}
		a.Windows = append(a.Windows, one)
	}
	if a.chart = against(h, a.Windows, k.benchmark); a.chart == nil {
		a.chart = charted(h, a.Windows, m.base)
	}
	if n := len(a.Windows); n > 0 {
		for _, f := range a.Windows[n-1].report.Flows {
			a.Windows[n-1].Flows = append(a.Windows[n-1].Flows, flowLine{present.Dated(f.Date), book.Money(decimal.NewNullDecimal(f.Amount), m.base)})
		}
	}
	for _, g := range h.Gaps() {
		a.Gaps = append(a.Gaps, gapOf(g))
	}
	if len(a.Gaps) > 0 {
		a.Notes = append(a.Notes, "where something has no price, without leaves it out: the returns are then of the rest")
	}
	a.origins(m, k)
	return a, nil
}

func gapOf(g performance.Gap) gapLine {
	what := string(g.Symbol)
	if what == "" {
		what = "rate of " + g.Currency
	}
	return gapLine{what, present.Dated(g.From), present.Dated(g.To), g.Why}
}

// origins say where all prices and rates are from.
func (a *performanceAnswer) origins(m measured, k known) {
	for _, sym := range m.symbols() {
		if s, ok := k.market.Series[sym]; ok {
			a.Prices = append(a.Prices, book.PriceOrigin{Symbol: sym, Origin: present.OriginOf(s.Provenance)})
		}
	}
	if k.benchmark != nil && !slices.ContainsFunc(a.Prices, func(p book.PriceOrigin) bool { return p.Symbol == k.benchmark.Symbol }) {
		a.Prices = append(a.Prices, book.PriceOrigin{Symbol: k.benchmark.Symbol, Origin: present.OriginOf(k.benchmark.Provenance)})
	}
	for _, r := range k.market.Rates {
		a.RatesFrom = append(a.RatesFrom, pairOrigin{r.Pair.String(), present.OriginOf(r.Provenance).WithoutAdjustment()})
	}
	loud := map[string]bool{}
	for _, p := range a.Prices {
		if flags := p.Loud(); flags != "" && !loud[flags] {
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

func windowOf(w performance.Window, m measured, k known, h *performance.History) (windowAnswer, error) {
	out := windowAnswer{Name: w.Name, Why: w.Why, id: windowID(w.Name), report: w.Report}
	if w.Why != "" {
		return out, nil
	}
	r := w.Report
	out.From, out.To, out.Days, out.FlowDays = present.Dated(r.From), present.Dated(r.To), r.Days, len(r.Flows)
	out.Start, out.End, out.NetFlow = book.Money(r.Start.Value, m.base), book.Money(r.End.Value, m.base), book.Money(r.NetFlow, m.base)
	for _, why := range []string{r.Start.Why, r.End.Why, r.FlowWhy} {
		if why != "" && out.ValueWhy == "" {
			out.ValueWhy = why
		}
	}
	out.Returns = returnsOf(r.TimeWeighted, r.MoneyWeighted, r.ModifiedDietz, r.LinkedDietz, m.method)
	out.dietz = capitalOf(r.ModifiedDietz)
	out.Divided = out.attributed(m.base)
	out.Parts = contributionsOf(r.Attribution, m.base)
	if err := out.compare(m, k, h); err != nil {
		return out, err
	}
	gains, err := h.Gains(r.From)
	if err != nil {
		return out, fmt.Errorf("gains by lot: %w", err)
	}
	out.Realised = gainOf(gains.Realised, m.base)
	if r.To.Equal(h.Last()) {
		out.Unrealised = gainOf(gains.Unrealised, m.base)
	}
	return out, nil
}
