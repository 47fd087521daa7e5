package screens

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Portfolio is the screen of the portfolio: its value, its return and its positions. It shows what the
// tools portfolio_positions and portfolio_performance return.
type Portfolio struct{ App *app.App }

// Items of the empty portfolio.
const (
	itemImport  = "import"
	itemAdd     = "add"
	itemExample = "example"
)

// sinceInception is the longest period of portfolio_performance.
const sinceInception = "since inception"

// cashItem is the name of the row of the cash. No symbol has a space.
const cashItem = "cash balance"

// Screen returns the list for /portfolio.
func (s Portfolio) Screen() *tui.ListScreen {
	v := &portfolioView{app: s.App, period: sinceInception}
	held := func(i tui.ListItem) bool { return i.Name != cashItem && !v.isEmpty() }
	valued := func(tui.ListItem) bool { return !v.isEmpty() }
	send := func(command string) func(string) (tui.ActionResult, error) {
		return func(symbol string) (tui.ActionResult, error) {
			return tui.ActionResult{Send: strings.TrimSpace(command + " " + symbol)}, nil
		}
	}
	always := func(command string) func(string) (tui.ActionResult, error) {
		return func(string) (tui.ActionResult, error) { return tui.ActionResult{Send: command}, nil }
	}
	period := func(name string) func(string) (tui.ActionResult, error) {
		return func(symbol string) (tui.ActionResult, error) {
			v.setPeriod(name)
			return tui.ActionResult{Select: symbol}, nil
		}
	}
	return &tui.ListScreen{
		Title: "Portfolio", Items: v.items, LetterKeys: true, Frame: v.frame, Empty: "No positions and no cash.",
		Actions: []tui.ListAction{
			{Action: "screen-enter", Name: "lots", About: "show its tax lots", AppliesTo: held, Run: send("/lots")},
			{Action: "screen-enter", Name: "choose", AppliesTo: func(tui.ListItem) bool { return v.isEmpty() }, Run: v.start},
			{Action: "portfolio-chart", Name: "chart", Shown: true, AppliesTo: held, Run: send("/chart")},
			{Action: "portfolio-year", Name: "period", Shown: true, AppliesTo: valued, Run: period("1 year")},
			{Action: "portfolio-five-years", Name: "period", Shown: true, AppliesTo: valued, Run: period("5 years")},
			{Action: "portfolio-all", Name: "period", Shown: true, AppliesTo: valued, Run: period(sinceInception)},
			{Action: "portfolio-hide", Name: "hide", About: "hide or show amounts", AppliesTo: valued, Run: v.toggleAmounts},
			{Action: "portfolio-add", Name: "add", WithoutItem: true, Run: func(string) (tui.ActionResult, error) { return v.start(itemAdd) }},
			{Action: "portfolio-import", Name: "import", WithoutItem: true, Run: always("/portfolio import")},
			{Action: "portfolio-checkup", Name: "checkup", AppliesTo: valued, Run: always("/checkup")},
			{Action: "portfolio-rebalance", Name: "rebalance", AppliesTo: valued, Run: always("/portfolio rebalance")},
			{Action: "portfolio-performance", Name: "performance", AppliesTo: valued, Run: always("/performance")},
		},
	}
}

// portfolioView is the content of the screen. mu guards it, because items runs outside the update loop.
type portfolioView struct {
	app *app.App

	mu          sync.Mutex
	hidden      bool // only weights and percentages are shown
	period      string
	positions   positionsResult
	performance performanceResult
	history     []float64 // the value of the portfolio, or its growth
	empty       bool
	problem     string // why there are no figures
	source      string // of the prices
}

// positionsResult holds what the screen shows of the result of portfolio_positions.
type positionsResult struct {
	Currency  string           `json:"currency"`
	Accounts  []string         `json:"accounts"`
	Warnings  []string         `json:"warnings"`
	Total     *decimal.Decimal `json:"total"`
	Oldest    string           `json:"oldest_price"`
	CostBase  *decimal.Decimal `json:"cost_base"`
	Gain      *decimal.Decimal `json:"gain_base"`
	GainPct   *decimal.Decimal `json:"gain_base_pct"`
	Day       *decimal.Decimal `json:"day_change_base"`
	DayPct    *decimal.Decimal `json:"day_change_pct"`
	Positions []struct {
		Symbol       string           `json:"symbol"`
		Name         string           `json:"name"`
		Owner        string           `json:"owner"` // in the portfolio of all owners
		Quantity     *decimal.Decimal `json:"quantity"`
		Price        *decimal.Decimal `json:"price"`
		ValueBase    *decimal.Decimal `json:"value_base"`
		WeightPct    *decimal.Decimal `json:"weight_pct"`
		Cost         *decimal.Decimal `json:"cost"`
		CostCurrency string           `json:"cost_currency"`
		GainBase     *decimal.Decimal `json:"gain_base"`
		GainBasePct  *decimal.Decimal `json:"gain_base_pct"`
		DayPct       *decimal.Decimal `json:"day_change_pct"`
	} `json:"positions"`
	Cash []struct {
		Currency  string           `json:"currency"`
		ValueBase *decimal.Decimal `json:"value_base"`
		WeightPct *decimal.Decimal `json:"weight_pct"`
	} `json:"cash"`
	Unvalued []struct {
		What   string `json:"what"`
		Reason string `json:"reason"`
	} `json:"unvalued"`
}

// priced reports whether the portfolio has a market value: a position has a price, or there is only cash.
func (p positionsResult) priced() bool {
	for _, position := range p.Positions {
		if position.Price != nil {
			return true
		}
	}
	return len(p.Positions) == 0 && p.Total != nil
}

// performanceResult holds what the screen shows of the result of portfolio_performance.
type performanceResult struct {
	Windows []struct {
		Name     string         `json:"name"`
		From     string         `json:"from"`
		To       string         `json:"to"`
		ValueWhy string         `json:"value_why"`
		Returns  []returnResult `json:"returns"`
		Bench    *struct {
			Symbol  string         `json:"symbol"`
			Returns []returnResult `json:"returns"`
		} `json:"benchmark"`
	} `json:"windows"`
}

type returnResult struct {
	Method string           `json:"method"`
	Pct    *decimal.Decimal `json:"pct"`
	Why    string           `json:"why"`
}

// timeWeighted returns the time-weighted return, or why it is missing.
func timeWeighted(returns []returnResult) (pct *decimal.Decimal, why string) {
	for _, r := range returns {
		if r.Method == "time_weighted" {
			return r.Pct, r.Why
		}
	}
	return nil, ""
}

func (v *portfolioView) isEmpty() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.empty
}

// toggleAmounts hides all amounts, for a screen that others see, or shows them again.
func (v *portfolioView) toggleAmounts(symbol string) (tui.ActionResult, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.hidden = !v.hidden
	return tui.ActionResult{Select: symbol}, nil
}

func (v *portfolioView) setPeriod(name string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.period = name
}

// callTool calls a tool as the user, without arguments, and decodes its result into value.
func callTool(a *app.App, name string, value any) (tool.Result, error) {
	tools, err := a.UserTools(nil)
	if err != nil {
		return tool.Result{}, err
	}
	o, err := tools.Call(context.Background(), llm.ToolCall{ID: "screen", Name: name, Arguments: "{}"})
	if err != nil {
		return tool.Result{}, err
	}
	if o.Result.IsError {
		return tool.Result{}, errors.New(cli.FailureText(o.Result))
	}
	text, err := json.Marshal(o.Result.Value)
	if err != nil {
		return tool.Result{}, err
	}
	return o.Result, json.Unmarshal(text, value)
}

// items reads the portfolio and returns its rows.
func (v *portfolioView) items() []tui.ListItem {
	var p positionsResult
	var m performanceResult
	var history []float64
	problem, source, empty := "", "", v.app.HasNoData(context.Background(), "portfolio_positions")
	if !empty {
		positions, err := callTool(v.app, "portfolio_positions", &p)
		if err != nil {
			problem = err.Error()
		} else if past, err := callTool(v.app, "portfolio_performance", &m); err == nil && past.Chart != nil && len(past.Chart.Series) > 0 {
			history = past.Chart.Series[0].Values
		}
		source = positions.Source.Line(0, 0)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.positions, v.performance, v.history, v.problem, v.source, v.empty = p, m, history, problem, source, empty
	switch {
	case empty:
		return emptyItems()
	case problem != "":
		return []tui.ListItem{{Name: cashItem, Title: "The portfolio cannot be valued", About: problem, Problem: true}}
	}
	return v.rows(p)
}

// emptyItems returns the actions for an empty portfolio, as rows.
func emptyItems() []tui.ListItem {
	return []tui.ListItem{
		{Name: itemImport, Title: "Import a broker file", About: "CSV, XML, OFX or JSON, as exported by your broker"},
		{Name: itemAdd, Title: "Add a purchase", About: "one transaction at a time"},
		{Name: itemExample, Title: "Show an example", About: "about this screen"},
	}
}

// rows returns a row for each position and one for the cash.
func (v *portfolioView) rows(p positionsResult) []tui.ListItem {
	var items []tui.ListItem
	priced := p.priced()
	for _, r := range p.Positions {
		item := tui.ListItem{Name: r.Symbol, About: r.Name}
		if r.Owner != "" {
			item.Title = r.Symbol + " " + r.Owner
		}
		weight, day := percent(r.WeightPct, toolkit.Percent), percent(r.DayPct, toolkit.DayChange)
		switch {
		case v.hidden:
			item.Columns = []string{weight, percent(r.GainBasePct, toolkit.Change), day}
		case !priced:
			item.Columns = []string{amount(r.Quantity, toolkit.Exact, ""), amount(r.Cost, toolkit.Money, r.CostCurrency), "n/a", "n/a"}
		default:
			item.Columns = []string{
				amount(r.Quantity, toolkit.Exact, ""), amount(r.Price, toolkit.Price, ""), amount(r.ValueBase, toolkit.Money, ""), weight,
				amount(r.GainBase, toolkit.Gain, ""), percent(r.GainBasePct, toolkit.Change), day,
			}
		}
		items = append(items, item)
	}
	value, weight := v.cash(p)
	if value == nil {
		return items
	}
	row := tui.ListItem{Name: cashItem, Title: "cash", Columns: []string{"", "", amount(value, toolkit.Money, ""), percent(weight, toolkit.Percent)}}
	switch {
	case v.hidden:
		row.Columns = []string{percent(weight, toolkit.Percent)}
	case !priced:
		row.Columns = []string{"", amount(value, toolkit.Money, p.Currency)}
	}
	return append(items, row)
}

// cash returns the sum of the cash and its weight, or nil without cash.
func (v *portfolioView) cash(p positionsResult) (value, weight *decimal.Decimal) {
	for _, c := range p.Cash {
		value, weight = add(value, c.ValueBase), add(weight, c.WeightPct)
	}
	return value, weight
}

func add(sum, n *decimal.Decimal) *decimal.Decimal {
	if n == nil {
		return sum
	}
	if sum == nil {
		sum = &decimal.Zero
	}
	total := sum.Add(*n)
	return &total
}

// amount formats a number, or returns n/a.
func amount(n *decimal.Decimal, style toolkit.Style, currency string) string {
	if n == nil {
		return "n/a"
	}
	return toolkit.Format(*n, style, currency)
}

// percent formats a percentage, or returns n/a.
func percent(n *decimal.Decimal, style toolkit.Style) string {
	if n == nil {
		return "n/a"
	}
	return toolkit.Format(n.Shift(-2), style, "")
}

// withPercent formats a gain with its percentage, or returns n/a.
func withPercent(gain, pct *decimal.Decimal, style toolkit.Style) string {
	if gain == nil || pct == nil {
		return amount(gain, toolkit.Gain, "")
	}
	return amount(gain, toolkit.Gain, "") + " (" + percent(pct, style) + ")"
}

// start runs a row of the empty portfolio.
func (v *portfolioView) start(item string) (tui.ActionResult, error) {
	switch item {
	case itemImport:
		return tui.ActionResult{Send: "/portfolio import"}, nil
	case itemAdd:
		return tui.ActionResult{Compose: "/portfolio add buy "}, nil
	}
	return tui.ActionResult{Show: exampleText}, nil
}

const exampleText = "Record a purchase, or import a file from your broker:\n\n" +
	"```sh\n/portfolio add buy VTI 10 --price 250.10 --date 2025-03-03\n/portfolio import statement.csv\n```\n\n" +
	"This screen then shows the market value, gain, day change, weights and return of " +
	"your portfolio, and compares it with a benchmark. Enter shows the tax lots of a position, c its chart.\n\n" +
	"Your transactions stay on this computer.\n"

// frame returns what is drawn around the positions.
func (v *portfolioView) frame(st *widget.Styles, width int, _ string) widget.BrowserFrame {
	v.mu.Lock()
	defer v.mu.Unlock()
	p := v.positions
	if v.empty || v.problem != "" || p.Currency == "" && len(p.Positions) == 0 {
		return widget.BrowserFrame{}
	}
	accounts := "all accounts"
	if len(p.Accounts) == 1 {
		accounts = p.Accounts[0]
	}
	f := widget.BrowserFrame{Right: strings.Join(nonEmpty(accounts, p.Currency, priceDay(p.Oldest)), " · ")}
	switch {
	case v.hidden:
		f.Heads = []string{"symbol", "weight", "gain", "last day"}
	case !p.priced():
		f.Heads = []string{"symbol", "quantity", "cost basis", "price", "market value"}
	default:
		f.Heads = []string{"symbol", "quantity", "price", "market value", "weight", "gain", "gain %", "last day"}
	}
	f.Top = append(f.Top, v.keyFigures(st, width)...)
	f.Top = append(f.Top, v.returnLines(st, width)...)
	if bar := v.allocation(st, width); bar != "" {
		f.Top = append(f.Top, widget.FitLine(bar, width))
	}
	f.Top = append(f.Top, "")
	f.End = nonEmpty(v.source)
	if len(p.Warnings) > 0 {
		f.End = append(f.End, "! "+p.Warnings[0])
	}
	return f
}

func priceDay(day string) string {
	if day == "" {
		return ""
	}
	return day + " close"
}

// keyFigures draws the value, the gain, the change of the day and the cash, with their labels below.
func (v *portfolioView) keyFigures(st *widget.Styles, width int) []string {
	p := v.positions
	if !p.priced() {
		why := "No prices are available, so only quantities and the cost basis are shown."
		if len(p.Unvalued) > 0 {
			why = fmt.Sprintf("No price for %s: %s.", p.Unvalued[0].What, strings.TrimSuffix(p.Unvalued[0].Reason, "."))
		}
		return append(widget.WrapProse(why, width), "")
	}
	type figure struct{ value, label string }
	figures := []figure{
		{amount(p.Total, toolkit.Money, ""), "market value"},
		{withPercent(p.Gain, p.GainPct, toolkit.Change), "unrealized gain"},
		{withPercent(p.Day, p.DayPct, toolkit.DayChange), "last day"},
	}
	if v.hidden {
		figures = []figure{{percent(p.GainPct, toolkit.Change), "unrealized gain"}, {percent(p.DayPct, toolkit.DayChange), "last day"}}
	} else if cash, _ := v.cash(p); cash != nil {
		figures = append(figures, figure{amount(cash, toolkit.Money, ""), "cash"})
	}
	values, labels := "", ""
	for _, f := range figures {
		column := max(ansi.StringWidth(f.value), ansi.StringWidth(f.label)) + 4
		if ansi.StringWidth(labels)+column-4 > width {
			break
		}
		style := st.Strong
		switch {
		case strings.HasPrefix(f.value, "+"):
			style = st.Good
		case strings.HasPrefix(f.value, "-"):
			style = st.Bad
		}
		values += style.Apply(f.value) + strings.Repeat(" ", column-ansi.StringWidth(f.value))
		labels += f.label + strings.Repeat(" ", column-ansi.StringWidth(f.label))
	}
	return []string{strings.TrimRight(values, " "), st.Dim.Apply(strings.TrimRight(labels, " ")), ""}
}

// returnLines draws the history with the time-weighted return of the period and that of the benchmark, or
// why there is none.
func (v *portfolioView) returnLines(st *widget.Styles, width int) []string {
	for _, w := range v.performance.Windows {
		if w.Name != v.period {
			continue
		}
		pct, why := timeWeighted(w.Returns)
		if pct == nil {
			return widget.WrapProse("No return "+periodText(w.Name)+": "+cmp.Or(why, w.ValueWhy, "no history")+".", width)
		}
		text := periodText(w.Name) + "  time-weighted " + signedText(st, percent(pct, toolkit.Change))
		if w.Bench != nil {
			bench, _ := timeWeighted(w.Bench.Returns)
			text += "  " + w.Bench.Symbol + " " + signedText(st, percent(bench, toolkit.Change))
		}
		line := ""
		if v.period == sinceInception {
			space := min(width-ansi.StringWidth(text)-len(w.From)-len(w.To)-6, 50)
			if spark := chart.Sparkline(v.history, max(space, 0), st.Charts); spark != "" {
				line = st.Dim.Apply(w.From) + " " + spark + " " + st.Dim.Apply(w.To) + "  "
			}
		}
		return []string{widget.FitLine(line+text, width)}
	}
	return []string{"The return is unknown: no history for this period."}
}

// periodText names a period of portfolio_performance in a sentence.
func periodText(name string) string {
	if name == sinceInception {
		return name
	}
	return "of " + name
}

func signedText(st *widget.Styles, text string) string {
	switch {
	case strings.HasPrefix(text, "+"):
		return st.Good.Apply(text)
	case strings.HasPrefix(text, "-"):
		return st.Bad.Apply(text)
	}
	return text
}

// allocation draws the weights as bars.
func (v *portfolioView) allocation(st *widget.Styles, width int) string {
	p := v.positions
	type part struct {
		name   string
		weight decimal.Decimal
	}
	var parts []part
	for _, r := range p.Positions {
		if r.WeightPct != nil && r.WeightPct.IsPositive() {
			parts = append(parts, part{strings.TrimSpace(r.Symbol + " " + r.Owner), *r.WeightPct})
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return b.weight.Cmp(a.weight) })
	const most = 4
	if len(parts) > most {
		others := part{name: fmt.Sprintf("%d others", len(parts)-most+1)}
		for _, rest := range parts[most-1:] {
			others.weight = others.weight.Add(rest.weight)
		}
		parts = append(parts[:most-1], others)
	}
	if _, weight := v.cash(p); weight != nil && weight.IsPositive() {
		parts = append(parts, part{"cash", *weight})
	}
	glyphs := []string{"█", "▓", "▒", "░"}
	if st.Charts == chart.CharsetASCII {
		glyphs = []string{"#", "=", "-", "."}
	}
	labels := 0
	for _, part := range parts {
		labels += ansi.StringWidth(part.name) + 8
	}
	space := decimal.NewFromInt(int64(max(width-labels, 10)))
	var out []string
	for i, part := range parts {
		cells := part.weight.Mul(space).Div(decimal.NewFromInt(100)).Round(0).IntPart()
		bar := strings.Repeat(glyphs[i%len(glyphs)], int(max(min(cells, space.IntPart()), 1)))
		out = append(out, bar+" "+part.name+" "+part.weight.Round(0).String()+"%")
	}
	return strings.Join(out, "  ")
}
