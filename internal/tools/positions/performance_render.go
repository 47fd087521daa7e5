package positions

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func (a performanceAnswer) result(hide bool) (tool.Result, error) {
	text, err := toolkit.FitToLimit(maxContributions, func(n int) any { return a.forModel(n, hide) })
	if err != nil {
		return tool.Result{}, err
	}
	return tool.Result{
		Value: a, ForModel: text, ForUser: a.markdown(), Title: "performance · " + a.To, Summary: toolkit.WithWarningCount(a.summary(), a.Warnings, JoinFlagText(a.Prices)), Figures: a.figures(), Chart: a.chart,
	}, nil
}

// summary is the time-weighted return of the longest window, by its name.
func (a performanceAnswer) summary() string {
	for _, w := range slices.Backward(a.Windows) {
		for _, r := range w.Returns {
			if r.Pct != nil {
				return fmt.Sprintf("%s %s %% %s", strings.ReplaceAll(r.Method, "_", "-"), toolkit.FormatChange(r.Pct), w.Name)
			}
		}
	}
	return "no return is known"
}

// maxContributions is how many contributions a table or a model is shown; the others are one
// line.
const maxContributions = 20

func (a performanceAnswer) forModel(n int, hide bool) any {
	a.Windows = slices.Clone(a.Windows)
	for i := range a.Windows {
		w := &a.Windows[i]
		w.Parts = slices.Clone(largestContributions(w.Parts, n, a.Currency))
		w.Flows = slices.Clone(w.Flows[len(w.Flows)-min(len(w.Flows), maxFlows*n/maxContributions):])
		if hide {
			w.hideAmounts(a.maskExempt)
		}
	}
	a.Prices, a.Gaps = a.Prices[:min(len(a.Prices), 2*n)], a.Gaps[:min(len(a.Gaps), n)]
	if hide {
		a.Warnings, a.Notes = toolkit.MaskEach(a.Warnings, toolkit.KeepMessageNumbers, a.maskExempt...), append(toolkit.MaskEach(a.Notes, toolkit.KeepMessageNumbers, a.maskExempt...), toolkit.AmountsHiddenNote)
		a.Gaps = slices.Clone(a.Gaps)
		for i := range a.Gaps {
			a.Gaps[i].Why = toolkit.MaskNumbers(a.Gaps[i].Why, toolkit.KeepMessageNumbers, a.maskExempt...)
		}
	}
	return a
}

// maxFlows is how many of the newest flows a model is shown.
const maxFlows = 40

// hideAmounts takes the amounts out. Parts and Flows are the window's own already.
func (w *windowAnswer) hideAmounts(exemptions []string) {
	w.Start, w.End, w.NetFlow = nil, nil, nil
	for i := range w.Flows {
		w.Flows[i].Amount = nil
	}
	w.Why, w.ValueWhy, w.Returns = toolkit.MaskNumbers(w.Why, toolkit.KeepMessageNumbers, exemptions...), toolkit.MaskNumbers(w.ValueWhy, toolkit.KeepMessageNumbers, exemptions...), hiddenReturns(w.Returns, exemptions)
	for i := range w.Parts {
		w.Parts[i].Start, w.Parts[i].End, w.Parts[i].Gain = nil, nil, nil
	}
	if w.Divided != nil {
		at := *w.Divided
		at.Why, at.Effects = toolkit.MaskNumbers(at.Why, toolkit.KeepMessageNumbers, exemptions...), slices.Clone(at.Effects)
		for i := range at.Effects {
			at.Effects[i].Amount = nil
		}
		w.Divided = &at
	}
	if w.Benchmark != nil {
		c := *w.Benchmark
		c.End, c.Ahead, c.Why, c.Returns = nil, nil, toolkit.MaskNumbers(c.Why, toolkit.KeepMessageNumbers, exemptions...), hiddenReturns(c.Returns, exemptions)
		w.Benchmark = &c
	}
	w.Realised, w.Unrealised = nil, nil
}

func hiddenReturns(returns []returnLine, exemptions []string) []returnLine {
	out := slices.Clone(returns)
	for i := range out {
		out[i].Why, out[i].Notes = toolkit.MaskNumbers(out[i].Why, toolkit.KeepMessageNumbers, exemptions...), toolkit.MaskEach(out[i].Notes, toolkit.KeepMessageNumbers, exemptions...)
	}
	return out
}

func (a performanceAnswer) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**Performance** up to %s in %s · %s\n\n", a.To, a.Currency, toolkit.TableCell(strings.Join(a.Accounts, ", ")))
	if len(a.Without) > 0 {
		fmt.Fprintf(&b, "without %s\n\n", toolkit.TableCell(strings.Join(a.Without, ", ")))
	}
	for _, w := range a.Warnings {
		fmt.Fprintf(&b, "**!** %s\n\n", toolkit.TableCell(toolkit.TextForUser(w)))
	}
	for _, t := range []string{a.returnsTable(), a.moneyTable(), a.partsTable(), a.benchmarkTable(), a.flowsTable()} {
		if t != "" {
			b.WriteString(t + "\n")
		}
	}
	for _, line := range a.remarks() {
		b.WriteString("- " + toolkit.TableCell(toolkit.TextForUser(line)) + "\n")
	}
	b.WriteString("\n" + a.footers())
	return b.String()
}

// columns are the headings of a table: a first column, then a column for each window.
func (a performanceAnswer) columns(first string) []string {
	out := []string{first}
	for _, w := range a.Windows {
		out = append(out, w.Name+":")
	}
	return out
}

// tableRow is one row of all windows; one that is absent has none of its cells.
func (a performanceAnswer) tableRow(first string, cell func(w windowAnswer) string) []string {
	row := []string{first}
	for _, w := range a.Windows {
		if w.Why != "" {
			row = append(row, toolkit.Absent)
			continue
		}
		row = append(row, cell(w))
	}
	return row
}

func (a performanceAnswer) returnsTable() string {
	var rows [][]string
	for _, method := range returnMethods() {
		find := func(w windowAnswer) returnLine { return findReturn(w.Returns, method) }
		name := strings.ReplaceAll(method, "_", "-")
		if !slices.ContainsFunc(a.Windows, func(w windowAnswer) bool { return find(w).Method != "" }) {
			continue
		}
		rows = append(rows, a.tableRow(name+" %", func(w windowAnswer) string { return toolkit.FormatChange(find(w).Pct) }))
		if slices.ContainsFunc(a.Windows, func(w windowAnswer) bool { return find(w).AnnualPct != nil }) {
			rows = append(rows, a.tableRow(name+", a year %", func(w windowAnswer) string { return toolkit.FormatChange(find(w).AnnualPct) }))
		}
	}
	rows = append(rows, a.tableRow("days", func(w windowAnswer) string { return toolkit.FormatCount(w.Days) }))
	return toolkit.MarkdownTable(a.columns("return"), rows)
}

// findReturn is the return of a method, empty where there is none.
func findReturn(returns []returnLine, method string) returnLine {
	for _, r := range returns {
		if r.Method == method {
			return r
		}
	}
	return returnLine{}
}

func (a performanceAnswer) moneyTable() string {
	sum := func(v *decimal.Decimal) string { return FormatMoney(v, a.Currency) }
	rows := [][]string{
		a.tableRow("value at start", func(w windowAnswer) string { return sum(w.Start) }),
		a.tableRow("paid in less taken out", func(w windowAnswer) string { return FormatMoneyChange(w.NetFlow, a.Currency) }),
	}
	for i, name := range []string{"price", "income", "currency", "fees", "taxes", "gain"} {
		rows = append(rows, a.tableRow(name, func(w windowAnswer) string {
			if i >= len(w.Divided.Effects) {
				return toolkit.Absent
			}
			return FormatMoneyChange(w.Divided.Effects[i].Amount, a.Currency)
		}))
	}
	rows = append(rows,
		a.tableRow("value at end", func(w windowAnswer) string { return sum(w.End) }),
		a.tableRow("realised, by lot", func(w windowAnswer) string { return gainCell(w.Realised, a.Currency) }),
		a.tableRow("unrealised, by lot", func(w windowAnswer) string { return gainCell(w.Unrealised, a.Currency) }))
	return toolkit.MarkdownTable(a.columns(a.Currency), rows)
}

func gainCell(g *gainLine, currency string) string {
	switch {
	case g == nil:
		return toolkit.Absent
	case g.Unknown > 0:
		return fmt.Sprintf("%s (%d of %d lots not known)", FormatMoneyChange(g.Amount, currency), g.Unknown, g.Lots)
	}
	return FormatMoneyChange(g.Amount, currency)
}

func (a performanceAnswer) partsTable() string {
	shown := map[string]bool{}
	var order []string
	parts := make([]map[string]contribution, len(a.Windows))
	for i, w := range slices.Backward(a.Windows) {
		parts[i] = map[string]contribution{}
		for _, c := range largestContributions(w.Parts, maxContributions, a.Currency) {
			parts[i][c.Of] = c
			if !shown[c.Of] {
				shown[c.Of] = true
				order = append(order, c.Of)
			}
		}
	}
	if len(order) == 0 {
		return ""
	}
	var rows [][]string
	for _, name := range order {
		row := []string{name}
		for i := range a.Windows {
			c, ok := parts[i][name]
			if !ok {
				row = append(row, toolkit.Absent)
				continue
			}
			row = append(row, fmt.Sprintf("%s (%s)", FormatMoneyChange(c.Gain, a.Currency), toolkit.FormatChange(c.Pct)))
		}
		rows = append(rows, row)
	}
	return toolkit.MarkdownTable(a.columns("contribution "+a.Currency+" (%)"), rows)
}

func (a performanceAnswer) benchmarkTable() string {
	if len(a.Windows) == 0 || !slices.ContainsFunc(a.Windows, func(w windowAnswer) bool { return w.Benchmark != nil }) {
		return ""
	}
	symbol := ""
	cell := func(show func(c comparisonAnswer) string) func(w windowAnswer) string {
		return func(w windowAnswer) string {
			if w.Benchmark == nil {
				return toolkit.Absent
			}
			symbol = w.Benchmark.Symbol
			return show(*w.Benchmark)
		}
	}
	method := func(name string) func(c comparisonAnswer) string {
		return func(c comparisonAnswer) string { return toolkit.FormatChange(findReturn(c.Returns, name).Pct) }
	}
	rows := [][]string{
		a.tableRow("value at end "+a.Currency, cell(func(c comparisonAnswer) string { return FormatMoney(c.End, a.Currency) })),
		a.tableRow("the book has more by "+a.Currency, cell(func(c comparisonAnswer) string { return FormatMoneyChange(c.Ahead, a.Currency) })),
		a.tableRow("time-weighted %", cell(method("time_weighted"))),
		a.tableRow("money-weighted %", cell(method("money_weighted"))),
		a.tableRow("plain return of the series %", cell(method("series"))),
		a.tableRow("book ahead, time-weighted points", cell(func(c comparisonAnswer) string { return toolkit.FormatChange(c.AheadTimePP) })),
		a.tableRow("book ahead, money-weighted points", cell(func(c comparisonAnswer) string { return toolkit.FormatChange(c.AheadMoney) })),
	}
	return toolkit.MarkdownTable(a.columns("same money in "+symbol), rows)
}

// flowsTable lists the newest flows of the last window.
func (a performanceAnswer) flowsTable() string {
	var rows [][]string
	for _, w := range a.Windows {
		rows = nil
		for _, f := range w.Flows[len(w.Flows)-min(len(w.Flows), maxFlows):] {
			rows = append(rows, []string{f.Date, FormatMoneyChange(f.Amount, a.Currency)})
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return toolkit.MarkdownTable([]string{"paid in, or taken out, " + a.Windows[len(a.Windows)-1].Name, a.Currency + ":"}, rows)
}

// remarks are the reasons of what is absent, the gaps, and the notes, once each.
func (a performanceAnswer) remarks() []string {
	var out []string
	add := func(line string) {
		if !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	for _, w := range a.Windows {
		if w.Why != "" {
			add(w.Name + ": " + w.Why)
		}
		for _, r := range w.Returns {
			differs := func(o returnLine) bool { return o.Why != r.Why }
			switch {
			case r.Why == "":
			case len(w.Returns) > 1 && !slices.ContainsFunc(w.Returns, differs):
				add(fmt.Sprintf("%s, all returns: %s", w.Name, r.Why))
			default:
				add(fmt.Sprintf("%s, %s: %s", w.Name, strings.ReplaceAll(r.Method, "_", "-"), r.Why))
			}
			for _, n := range r.Notes {
				add(w.Name + ": " + n)
			}
		}
		if w.Benchmark != nil && w.Benchmark.Why != "" {
			add(fmt.Sprintf("%s, benchmark: %s", w.Name, w.Benchmark.Why))
		}
	}
	for _, g := range a.Gaps {
		add(fmt.Sprintf("no value of %s from %s to %s: %s", g.What, g.From, g.To, g.Why))
	}
	for _, n := range a.Notes {
		add(n)
	}
	add("price, income, currency, fees and taxes add up to the gain, contributions likewise; each is rounded by itself. The benchmark, where there is one, is hypothetical: without costs and taxes.")
	return out
}

func (a performanceAnswer) footers() string {
	lines := PriceFooters(a.Prices)
	for _, r := range a.RatesFrom {
		if line := r.Pair + " " + r.Footer(); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n\n") + "\n"
}
