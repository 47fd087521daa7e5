package earnings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

func (a performanceAnswer) result(hide bool) (tool.Result, error) {
	text, err := present.Fitted(mostParts, func(n int) any { return a.forModel(n, hide) })
	if err != nil {
		return tool.Result{}, err
	}
	return tool.Result{
		Value: a, ForModel: text, ForUser: a.markdown(), Title: "performance · " + a.To, Summary: present.Warned(a.summary(), a.Warnings, book.LoudOf(a.Prices)), Figures: a.figures(), Chart: a.chart,
	}, nil
}

// summary is the time-weighted return of the longest window, by its name.
func (a performanceAnswer) summary() string {
	for _, w := range slices.Backward(a.Windows) {
		for _, r := range w.Returns {
			if r.Pct != nil {
				return fmt.Sprintf("%s %s %% %s", strings.ReplaceAll(r.Method, "_", "-"), present.Change(r.Pct), w.Name)
			}
		}
	}
	return "no return is known"
}

// mostParts is how many contributions a table or a model is shown; the others are one
// line.
const mostParts = 20

func (a performanceAnswer) forModel(n int, hide bool) any {
	a.Windows = slices.Clone(a.Windows)
	for i := range a.Windows {
		w := &a.Windows[i]
		w.Parts = slices.Clone(largest(w.Parts, n, a.Currency))
		w.Flows = slices.Clone(w.Flows[len(w.Flows)-min(len(w.Flows), mostFlows*n/mostParts):])
		if hide {
			w.hide(a.spared)
		}
	}
	a.Prices, a.Gaps = a.Prices[:min(len(a.Prices), 2*n)], a.Gaps[:min(len(a.Gaps), n)]
	if hide {
		a.Warnings, a.Notes = present.MaskedAll(a.Warnings, present.KeptSaid, a.spared...), append(present.MaskedAll(a.Notes, present.KeptSaid, a.spared...), present.AmountsHidden)
		a.Gaps = slices.Clone(a.Gaps)
		for i := range a.Gaps {
			a.Gaps[i].Why = present.Masked(a.Gaps[i].Why, present.KeptSaid, a.spared...)
		}
	}
	return a
}

// mostFlows is how many of the newest flows a model is shown.
const mostFlows = 40

// hide takes the amounts out. Parts and Flows are the window's own already.
func (w *windowAnswer) hide(spared []string) {
	w.Start, w.End, w.NetFlow = nil, nil, nil
	for i := range w.Flows {
		w.Flows[i].Amount = nil
	}
	w.Why, w.ValueWhy, w.Returns = present.Masked(w.Why, present.KeptSaid, spared...), present.Masked(w.ValueWhy, present.KeptSaid, spared...), hiddenReturns(w.Returns, spared)
	for i := range w.Parts {
		w.Parts[i].Start, w.Parts[i].End, w.Parts[i].Gain = nil, nil, nil
	}
	if w.Divided != nil {
		at := *w.Divided
		at.Why, at.Effects = present.Masked(at.Why, present.KeptSaid, spared...), slices.Clone(at.Effects)
		for i := range at.Effects {
			at.Effects[i].Amount = nil
		}
		w.Divided = &at
	}
	if w.Benchmark != nil {
		c := *w.Benchmark
		c.End, c.Ahead, c.Why, c.Returns = nil, nil, present.Masked(c.Why, present.KeptSaid, spared...), hiddenReturns(c.Returns, spared)
		w.Benchmark = &c
	}
	w.Realised, w.Unrealised = nil, nil
}

func hiddenReturns(returns []returnLine, spared []string) []returnLine {
	out := slices.Clone(returns)
	for i := range out {
		out[i].Why, out[i].Notes = present.Masked(out[i].Why, present.KeptSaid, spared...), present.MaskedAll(out[i].Notes, present.KeptSaid, spared...)
	}
	return out
}

func (a performanceAnswer) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**Performance** up to %s in %s · %s\n\n", a.To, a.Currency, present.Cell(strings.Join(a.Accounts, ", ")))
	if len(a.Without) > 0 {
		fmt.Fprintf(&b, "without %s\n\n", present.Cell(strings.Join(a.Without, ", ")))
	}
	for _, w := range a.Warnings {
		fmt.Fprintf(&b, "**!** %s\n\n", present.Cell(present.ForPeople(w)))
	}
	for _, t := range []string{a.returnsTable(), a.moneyTable(), a.partsTable(), a.benchmarkTable(), a.flowsTable()} {
		if t != "" {
			b.WriteString(t + "\n")
		}
	}
	for _, line := range a.remarks() {
		b.WriteString("- " + present.Cell(present.ForPeople(line)) + "\n")
	}
	b.WriteString("\n" + a.footers())
	return b.String()
}

// columns are the windows beside each other, after a first column.
func (a performanceAnswer) columns(first string) []string {
	out := []string{first}
	for _, w := range a.Windows {
		out = append(out, w.Name+":")
	}
	return out
}

// across is one row of all windows; one that is absent has none of its cells.
func (a performanceAnswer) across(first string, cell func(w windowAnswer) string) []string {
	row := []string{first}
	for _, w := range a.Windows {
		if w.Why != "" {
			row = append(row, present.Absent)
			continue
		}
		row = append(row, cell(w))
	}
	return row
}

func (a performanceAnswer) returnsTable() string {
	var rows [][]string
	for _, method := range methods() {
		of := func(w windowAnswer) returnLine { return returnNamed(w.Returns, method) }
		name := strings.ReplaceAll(method, "_", "-")
		if !slices.ContainsFunc(a.Windows, func(w windowAnswer) bool { return of(w).Method != "" }) {
			continue
		}
		rows = append(rows, a.across(name+" %", func(w windowAnswer) string { return present.Change(of(w).Pct) }))
		if slices.ContainsFunc(a.Windows, func(w windowAnswer) bool { return of(w).AnnualPct != nil }) {
			rows = append(rows, a.across(name+", a year %", func(w windowAnswer) string { return present.Change(of(w).AnnualPct) }))
		}
	}
	rows = append(rows, a.across("days", func(w windowAnswer) string { return present.Counted(w.Days) }))
	return present.Table(a.columns("return"), rows)
}

// returnNamed is the return of a method, empty where there is none.
func returnNamed(returns []returnLine, method string) returnLine {
	for _, r := range returns {
		if r.Method == method {
			return r
		}
	}
	return returnLine{}
}

func (a performanceAnswer) moneyTable() string {
	sum := func(v *decimal.Decimal) string { return book.Shown(v, a.Currency) }
	rows := [][]string{
		a.across("value at start", func(w windowAnswer) string { return sum(w.Start) }),
		a.across("paid in less taken out", func(w windowAnswer) string { return book.Changed(w.NetFlow, a.Currency) }),
	}
	for i, name := range []string{"price", "income", "currency", "fees", "taxes", "gain"} {
		rows = append(rows, a.across(name, func(w windowAnswer) string {
			if i >= len(w.Divided.Effects) {
				return present.Absent
			}
			return book.Changed(w.Divided.Effects[i].Amount, a.Currency)
		}))
	}
	rows = append(rows,
		a.across("value at end", func(w windowAnswer) string { return sum(w.End) }),
		a.across("realised, by lot", func(w windowAnswer) string { return gainCell(w.Realised, a.Currency) }),
		a.across("unrealised, by lot", func(w windowAnswer) string { return gainCell(w.Unrealised, a.Currency) }))
	return present.Table(a.columns(a.Currency), rows)
}

func gainCell(g *gainLine, currency string) string {
	switch {
	case g == nil:
		return present.Absent
	case g.Unknown > 0:
		return fmt.Sprintf("%s (%d of %d lots not known)", book.Changed(g.Amount, currency), g.Unknown, g.Lots)
	}
	return book.Changed(g.Amount, currency)
}

func (a performanceAnswer) partsTable() string {
	shown := map[string]bool{}
	var order []string
	parts := make([]map[string]contribution, len(a.Windows))
	for i, w := range slices.Backward(a.Windows) {
		parts[i] = map[string]contribution{}
		for _, c := range largest(w.Parts, mostParts, a.Currency) {
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
	for _, of := range order {
		row := []string{of}
		for i := range a.Windows {
			c, ok := parts[i][of]
			if !ok {
				row = append(row, present.Absent)
				continue
			}
			row = append(row, fmt.Sprintf("%s (%s)", book.Changed(c.Gain, a.Currency), present.Change(c.Pct)))
		}
		rows = append(rows, row)
	}
	return present.Table(a.columns("contribution "+a.Currency+" (%)"), rows)
}

func (a performanceAnswer) benchmarkTable() string {
	if len(a.Windows) == 0 || !slices.ContainsFunc(a.Windows, func(w windowAnswer) bool { return w.Benchmark != nil }) {
		return ""
	}
	symbol := ""
	cell := func(show func(c comparisonAnswer) string) func(w windowAnswer) string {
		return func(w windowAnswer) string {
			if w.Benchmark == nil {
				return present.Absent
			}
			symbol = w.Benchmark.Symbol
			return show(*w.Benchmark)
		}
	}
	method := func(name string) func(c comparisonAnswer) string {
		return func(c comparisonAnswer) string { return present.Change(returnNamed(c.Returns, name).Pct) }
	}
	rows := [][]string{
		a.across("value at end "+a.Currency, cell(func(c comparisonAnswer) string { return book.Shown(c.End, a.Currency) })),
		a.across("the book has more by "+a.Currency, cell(func(c comparisonAnswer) string { return book.Changed(c.Ahead, a.Currency) })),
		a.across("time-weighted %", cell(method("time_weighted"))),
		a.across("money-weighted %", cell(method("money_weighted"))),
		a.across("plain return of the series %", cell(method("series"))),
		a.across("book ahead, time-weighted points", cell(func(c comparisonAnswer) string { return present.Change(c.AheadTimePP) })),
		a.across("book ahead, money-weighted points", cell(func(c comparisonAnswer) string { return present.Change(c.AheadMoney) })),
	}
	return present.Table(a.columns("same money in "+symbol), rows)
}

// flowsTable lists the newest flows of the last window.
func (a performanceAnswer) flowsTable() string {
	var rows [][]string
	for _, w := range a.Windows {
		rows = nil
		for _, f := range w.Flows[len(w.Flows)-min(len(w.Flows), mostFlows):] {
			rows = append(rows, []string{f.Date, book.Changed(f.Amount, a.Currency)})
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return present.Table([]string{"paid in, or taken out, " + a.Windows[len(a.Windows)-1].Name, a.Currency + ":"}, rows)
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
	lines := book.FooterLines(a.Prices)
	for _, r := range a.RatesFrom {
		if line := r.Pair + " " + r.Footer(); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n\n") + "\n"
}
