package trace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// operand is a figure that another number of the sentence may be computed from.
type operand struct {
	fact   *fact
	exact  decimal.Decimal
	shown  decimal.Decimal // as the text rounds it; exact if it does not show it
	stated bool
}

// operation is a computation that words in a sentence indicate: "beat MSFT by 3.1 points".
type operation struct {
	sign    string // in the formula
	english string
	han     string
	stated  bool   // only uses figures that the text states
	joins   string // words that indicate it only for figures that the text states
	// fits reports whether the result of two operands has the unit of a number.
	fits    func(n *Number, a, b *fact) bool
	compute func(a, b decimal.Decimal) (decimal.Decimal, bool)
}

// Indices in operations.
const (
	opDifference = 0
	opShare      = 2
)

var operations = []operation{
	{
		sign: "-", han: "差 高 低 高出 高于 低于 领先 落后 跑赢 跑输 多 少 超过 相差 扩大 缩小 提高 下降 增加 减少 上升 净",
		english: "edge advantage shortfall beat outperform outperformed underperform underperformed ahead behind higher lower more less above below exceed exceeded gap difference spread between than minus net differ differed lead led trail trailed " +
			"lag lagged up down rose fell increase increased decrease decreased widened narrowed change changed improved grew left remaining by gained gain lost lose climbed dropped declined added came",
		fits: func(n *Number, a, b *fact) bool {
			if a.kind == UnitPercent && b.kind == UnitPercent {
				return n.Kind == UnitPoints || n.Kind == UnitBasisPoints || n.Kind == UnitPercent || n.Kind == UnitPlain && n.noun == "point"
			}
			return n.Kind == a.kind && a.kind == b.kind && sameCurrency(n.Currency, a.currency) && sameCurrency(a.currency, b.currency) && (n.Currency == "") == (a.currency == "")
		},
		compute: func(a, b decimal.Decimal) (decimal.Decimal, bool) { return a.Sub(b), true },
	},
	{
		sign: "/", english: "p/e pe multiple time x as ratio double twice triple half per cover covered multiplied fold tripled quadrupled", han: "倍 之比 比率 每",
		fits: func(n *Number, a, b *fact) bool {
			return (n.Kind == UnitMultiple || n.Kind == UnitRatio || n.Kind == UnitPlain && n.Currency == "" && !n.scaled && n.Unit.LessThan(decimalOne)) && a.kind == b.kind && sameCurrency(a.currency, b.currency)
		},
		compute: quotient,
	},
	{
		sign: "/", english: "of share proportion percentage percent portion margin ratio account accounted represent represented", han: "占 比例 比重 率",
		fits: func(n *Number, a, b *fact) bool {
			return n.Kind == UnitPercent && a.kind == UnitPlain && b.kind == UnitPlain && sameCurrency(a.currency, b.currency)
		},
		compute: func(a, b decimal.Decimal) (decimal.Decimal, bool) {
			q, ok := quotient(a, b)
			return q.Mul(decimalHundred), ok
		},
	},
	{
		sign: "/ - 1", han: "增长 下降 上涨 下跌 增加 减少 高 低 多 少 增 降 涨 跌",
		english: "grew grow grown growth rose rise risen fell fall fallen up down increase increased decrease decreased gain gained lost drop dropped decline declined change changed higher lower more less above below than climbed jumped upside downside",
		fits: func(n *Number, a, b *fact) bool {
			return n.Kind == UnitPercent && a.kind == b.kind && a.kind != UnitPercent && sameCurrency(a.currency, b.currency)
		},
		compute: func(a, b decimal.Decimal) (decimal.Decimal, bool) {
			q, ok := quotient(a, b)
			return q.Sub(decimalOne).Mul(decimalHundred), ok
		},
	},
	{
		sign: "*", english: "of", han: "的", stated: true,
		fits: func(n *Number, a, b *fact) bool {
			return n.Kind == UnitPlain && a.kind == UnitPercent && b.kind == UnitPlain && (n.Currency == "" || sameCurrency(n.Currency, b.currency))
		},
		compute: func(a, b decimal.Decimal) (decimal.Decimal, bool) { return a.Mul(b).Shift(-2), true },
	},
	{
		sign: "+", english: "sum total together combined plus both add added altogether", joins: "and", han: "合计 总计 共 加起来 之和 总和",
		fits: sameUnit, compute: func(a, b decimal.Decimal) (decimal.Decimal, bool) { return a.Add(b), true },
	},
	{
		sign: "+ / 2", english: "average mean averaging averaged midpoint", han: "平均 均值",
		fits: sameUnit, compute: func(a, b decimal.Decimal) (decimal.Decimal, bool) { return a.Add(b).Mul(decimalHalf), true },
	},
}

func sameUnit(n *Number, a, b *fact) bool {
	return n.Kind == a.kind && a.kind == b.kind && (n.Currency == "") == (a.currency == "") && sameCurrency(n.Currency, a.currency) && sameCurrency(a.currency, b.currency)
}

func quotient(a, b decimal.Decimal) (decimal.Decimal, bool) {
	if b.IsZero() {
		return decimal.Zero, false
	}
	return a.DivRound(b, 16), true
}

// maxOperands limits the work for a sentence with very many figures.
const maxOperands = 12

// derive looks for two figures that the number i was computed from by an operation that its sentence
// names, or its row and column. It returns f if there are none.
func (e *Sources) derive(x *tokenIndex, i int, found []finding, f finding) finding {
	n := &x.numbers[i]
	at := x.at[i]
	if at < 0 || f.reversed || f.rejected {
		return f
	}
	first, last := x.sentenceAt(at)
	if d := e.defined(n, &f.claim); d.status == Traced {
		return d
	}
	for _, from := range []func(*tokenIndex, int, int, *Number, *claim) finding{e.complement, e.compounded, e.regained, e.priceOfAPoint, e.amountOfShares} {
		if d := from(x, first, last, n, &f.claim); d.status == Traced {
			return d
		}
	}
	if named := f.claim.direct && slices.ContainsFunc(f.claim.meanings, meaning.specific); !named && x.isAssumed(n, first, last) {
		return finding{}
	}
	if d := e.summed(x, n, first, last, &f.claim); d.status == Traced {
		return d
	}
	operands := e.operands(x, i, first, last, found, &f.claim)
	if len(operands) < 2 {
		return f
	}
	sentence := x.d.text[x.endBefore(first):x.startOf(last)]
	if cell := x.d.cellAt(n.from); cell != nil {
		sentence = cell.row + " " + cell.head
	}
	words := wordsIn(sentence)
	for _, op := range operations {
		says := func(list string) bool {
			return slices.ContainsFunc(words, func(w word) bool { return isOneOf(w.text, list) })
		}
		stated := op.stated
		if !says(op.english) && !containsOne(sentence, op.han) && !(op.sign == "/" && n.Kind == UnitMultiple) {
			if !says(op.joins) {
				continue
			}
			stated = true
		}
		for j := range operands {
			for k := range operands {
				if a, b := &operands[j], &operands[k]; j != k && (!stated || a.stated && b.stated) && (a.stated || f.claim.suitsTime(a.fact) || op.sign == "/" && a.fact.newest && f.claim.suitsTime(b.fact)) && (a.stated || b.stated || a.fact.comparable(b.fact, len(f.claim.periods) > 0)) && op.fits(n, a.fact, b.fact) && op.gives(n, a, b, &f.claim) && e.ordered(x, op, &f.claim, a, b, first) {
					return finding{status: Traced, fact: a.fact, claim: f.claim, computed: op.result(n, a.fact, b.fact)}
				}
			}
		}
	}
	return f
}

// result describes a number as the result of the operation.
func (op operation) result(n *Number, a, b *fact) *Computed {
	v, _ := op.compute(a.value, b.value)
	c := &Computed{Value: v, Unit: string(n.Kind), Operands: []int{a.Index, b.Index}}
	if n.Kind == UnitPlain && a.kind == UnitPlain && op.sign != "/" {
		c.Unit = a.currency
	}
	left, right, _ := strings.Cut(op.sign, " ")
	c.Formula = strings.TrimSpace(short(a.value) + " " + left + " " + short(b.value) + " " + right)
	if op.sign == "+ / 2" {
		c.Formula = "(" + short(a.value) + " + " + short(b.value) + ") / 2"
	}
	return c
}

// short returns a value with at most six digits after the point.
func short(v decimal.Decimal) string {
	if -v.Exponent() > 6 {
		v = v.Round(6)
	}
	return v.String()
}

func containsOne(text, list string) bool {
	for w := range strings.FieldsSeq(list) {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// gives reports whether the operation gives the number, in the rounding shown, from the exact values or from
// those that the text shows.
func (op operation) gives(n *Number, a, b *operand, c *claim) bool {
	low, high := n.bounds()
	for _, pair := range [][2]decimal.Decimal{{a.exact, b.exact}, {a.shown, b.shown}} {
		v, ok := op.compute(pair[0], pair[1])
		if !ok {
			continue
		}
		if n.Kind == UnitBasisPoints && a.fact.kind == UnitPercent {
			v = v.Mul(decimalHundred)
		}
		direction := n.sign
		if direction == 0 {
			direction = c.direction
		}
		if op.sign == "/ - 1" && (direction == 0 && v.Sign() < 0 || direction != 0 && int(direction) != v.Sign()) || direction == 0 && n.sign < 0 {
			continue
		}
		if v = v.Abs(); v.GreaterThanOrEqual(low) && v.LessThanOrEqual(high) && !v.IsZero() {
			return true
		}
	}
	return false
}

// ordered reports whether a difference has the direction that the sentence says: in "AAPL beat MSFT
// by 3.1 points" the figure of AAPL is the larger one.
func (e *Sources) ordered(x *tokenIndex, op operation, c *claim, a, b *operand, first int) bool {
	if op.sign == "/ - 1" && slices.Equal(a.fact.symbols, b.fact.symbols) && a.fact.meaning.key() == b.fact.meaning.key() {
		return a.fact.time.after(b.fact.time)
	}
	if op.sign == "-" && c.direction != 0 && !(a.stated && b.stated) && slices.Equal(a.fact.symbols, b.fact.symbols) && a.fact.time.to != b.fact.time.to {
		change := a.fact.value.Sub(b.fact.value).Sign()
		if b.fact.time.after(a.fact.time) {
			change = -change
		}
		return change == int(c.direction)
	}
	if op.sign != "-" || len(a.fact.symbols) != 1 || len(b.fact.symbols) != 1 || a.fact.symbols[0] == b.fact.symbols[0] {
		return true
	}
	place := func(symbol string) int {
		for i := first; i < len(x.tokens) && x.tokens[i].kind != tokenEnd && x.tokens[i].kind != tokenLine; i++ {
			if x.tokens[i].kind == tokenSubject && slices.Contains(x.tokens[i].symbols, symbol) {
				return i
			}
		}
		return -1
	}
	p, q := place(a.fact.symbols[0]), place(b.fact.symbols[0])
	if p < 0 || q < 0 {
		return true
	}
	if p > q {
		p, q, a, b = q, p, b, a
	}
	between := x.d.text[x.tokens[p].end:x.tokens[q].start]
	words := wordsIn(between)
	says := func(english, han string) bool {
		return slices.ContainsFunc(words, func(w word) bool { return isOneOf(w.text, english) }) || containsOne(between, han)
	}
	switch larger := a.shown.GreaterThan(b.shown); {
	case says("beat outperform outperformed ahead higher more above exceed exceeded lead led top topped", "高于 领先 跑赢 超过 高出"):
		return larger
	case says("underperform underperformed behind lower less below trail trailed lag lagged", "低于 落后 跑输"):
		return !larger
	}
	return true
}

// comparable reports whether two figures that a text does not state may be compared. They are the same figure
// of two instruments, of two times if the text names a time, or the first and the last of a series.
func (f *fact) comparable(other *fact, dated bool) bool {
	return f.label == other.label && (dated || !slices.Equal(f.symbols, other.symbols)) || f.isLast() && !other.isLast() && other.isPlaced() || other.isLast() && !f.isLast() && f.isPlaced() || f.meaning.key() != "" && !slices.Equal(f.meaning.terms, other.meaning.terms)
}

// isLast reports whether a figure is the latest one.
func (f *fact) isLast() bool {
	return f.newest || hasDetail(f.meaning.terms, "order", "last")
}

// isPlaced reports whether a figure is the first, last, highest or lowest one.
func (f *fact) isPlaced() bool {
	return f.newest || f.highest || f.lowest || slices.ContainsFunc(f.meaning.terms, func(t term) bool { return isOneOf(t.group, "order extreme") })
}

// ratioDefinitions are ratios and differences of two figures for the same period.
var ratioDefinitions = []struct{ measure, kind, above, below string }{
	{"margin", "net", "netincome", "revenue"},
	{"margin", "operating", "operatingincome", "revenue"},
	{"margin", "gross", "grossprofit", "revenue"},
	{"margin", "free", "fcf", "revenue"},
	{"fcf", "difference", "ocf", "capex"},
	{"roe", "", "netincome", "equity"},
	{"roa", "", "netincome", "assets"},
}

// defined looks for the two figures whose ratio a number is by the name that the text gives it: the net
// margin is net income / revenue.
func (e *Sources) defined(n *Number, c *claim) finding {
	for _, m := range c.meanings {
		for _, d := range ratioDefinitions {
			op := operations[opShare]
			if d.kind == "difference" && m.has(d.measure) {
				op = operations[opDifference]
			} else if n.Kind != UnitPercent || !m.has(d.measure) || d.kind != "" && !hasDetail(m.terms, "kind", d.kind) {
				continue
			}
			for _, i := range e.byMeasure[d.above] {
				for _, k := range e.byMeasure[d.below] {
					a, b := &e.facts[i], &e.facts[k]
					same := slices.Equal(a.symbols, b.symbols) && a.time.fiscal == b.time.fiscal && a.time.to == b.time.to && a.currency == b.currency
					if same && c.suitsSubject(a) && c.suitsTime(a) && op.gives(n, &operand{fact: a, exact: a.value, shown: a.value}, &operand{fact: b, exact: b.value, shown: b.value}, c) {
						return finding{status: Traced, fact: a, claim: *c, computed: op.result(n, a, b)}
					}
				}
			}
		}
	}
	return finding{}
}

// oneFact returns the first suitable fact from whose value compute gives the number.
func (e *Sources) oneFact(n *Number, c *claim, formula string, suits func(*fact) bool, compute func(decimal.Decimal) decimal.Decimal) finding {
	low, high := n.bounds()
	for i := range e.facts {
		f := &e.facts[i]
		if !suits(f) || !c.suitsSubject(f) || !c.suitsTime(f) {
			continue
		}
		if v := compute(f.value); v.GreaterThanOrEqual(low) && v.LessThanOrEqual(high) {
			return finding{status: Traced, fact: f, claim: *c, computed: &Computed{Formula: fmt.Sprintf(formula, short(f.value)), Value: v, Unit: string(n.Kind), Operands: []int{f.Index}}}
		}
	}
	return finding{}
}

// complement looks for the probability that, with the number, adds up to 100%: a 68% chance to miss the goal.
func (e *Sources) complement(x *tokenIndex, first, last int, n *Number, c *claim) finding {
	said := x.saidIn(first, last)
	if n.Kind != UnitPercent || !said.has("miss fail failure failing not short worst lose losing chance probability var") && !(said.han && containsOne(x.d.text[x.endBefore(first):x.startOf(last)], "最差 失败 无法 不到 概率")) {
		return finding{}
	}
	chance := func(f *fact) bool {
		return !f.input && f.kind == UnitPercent && (f.meaning.has("success") || f.meaning.has("ruin") || f.hasWord("confidence"))
	}
	return e.oneFact(n, c, "100 - %s", chance, decimalHundred.Sub)
}

// compounded looks for the total return stated as the growth of an amount: 10,000 became 44,466, or 4.4 times
// as much.
func (e *Sources) compounded(x *tokenIndex, first, last int, n *Number, c *claim) finding {
	if n.Kind != UnitMultiple && n.Currency == "" || !x.says(first, last, "money investment invested invest become became grown grew turned turn worth multiplied") &&
		!containsOne(x.d.text[x.endBefore(first):x.startOf(last)], "变成 变为 增至 增长到 投入 投资") {
		return finding{}
	}
	total := func(f *fact) bool {
		return !f.input && f.kind == UnitPercent && f.meaning.has("return") && !slices.ContainsFunc(f.meaning.terms, func(t term) bool { return t.group == "basis" && t.name != "total" })
	}
	growth := func(v decimal.Decimal) decimal.Decimal { return v.Shift(-2).Add(decimalOne) }
	if n.Kind == UnitMultiple {
		return e.oneFact(n, c, "1 + %s%%", total, growth)
	}
	for i := first; i < last; i++ {
		base := &x.numbers[x.tokens[i].number]
		if t := x.tokens[i]; t.kind == tokenFigure && base != n && base.Currency != "" && x.isAssumed(base, first, last) && sameCurrency(base.Currency, n.Currency) {
			if d := e.oneFact(n, c, short(base.Value)+" * (1 + %s%%)", total, func(v decimal.Decimal) decimal.Decimal { return growth(v).Mul(base.Value) }); d.status == Traced {
				return d
			}
		}
	}
	return finding{}
}

// regained looks for a loss that the number makes up for: after a fall of 20%, a gain of 25% is needed.
func (e *Sources) regained(x *tokenIndex, first, last int, n *Number, c *claim) finding {
	if n.Kind != UnitPercent || !x.says(first, last, "need needed require required") && !containsOne(x.d.text[x.endBefore(first):x.startOf(last)], "需要 需 才能") {
		return finding{}
	}
	loss := func(f *fact) bool {
		return !f.input && f.kind == UnitPercent && f.value.IsNegative() && f.value.GreaterThan(decimalHundred.Neg()) && (f.meaning.has("return") || f.meaning.has("change") || f.meaning.has("drawdown"))
	}
	own := *c
	own.meanings = nil
	return e.oneFact(n, &own, "100 / (1 + %s%%) - 100", loss, func(v decimal.Decimal) decimal.Decimal {
		return decimalHundred.DivRound(v.Shift(-2).Add(decimalOne), 16).Sub(decimalHundred)
	})
}

// priceOfAPoint looks for a modified duration stated as the price change, in percent, for one percentage point
// of yield.
func (e *Sources) priceOfAPoint(x *tokenIndex, first, last int, n *Number, c *claim) finding {
	if text := strings.ToLower(x.d.text[x.endBefore(first):x.startOf(last)]); n.Kind != UnitPercent || !onePoint().MatchString(text) {
		return finding{}
	}
	duration := func(f *fact) bool {
		return !f.input && f.meaning.has("duration") && hasDetail(f.meaning.terms, "duration", "modified")
	}
	own := *c
	own.meanings = nil
	return e.oneFact(n, &own, "%s * 1 point", duration, func(v decimal.Decimal) decimal.Decimal { return v })
}

var onePoint = lazyregexp.New(`\b(?:one|1|a)[ -](?:full )?(?:percentage )?point\b|\b100 (?:bp|bps|basis points)\b|\b1 ?%[- ](?:point|rise|increase|move|change|fall|drop)|1个百分点|一个百分点|100个?基点`)

// isAssumed reports whether an amount is hypothetical: 10,000 in "$10,000 in Amazon would have grown".
func (x *tokenIndex) isAssumed(n *Number, first, last int) bool {
	return n.Currency != "" && len(strings.TrimRight(n.Value.Coefficient().String(), "0")) == 1 &&
		(x.says(first, last, "would if invested invest turned every each suppose assume assuming") || containsOne(x.d.text[x.endBefore(first):x.startOf(last)], "如果 若 假设 投入 投资 每"))
}

// roundNumbers are words for counts of shares.
var roundNumbers = map[string]int64{"dozen": 12, "hundred": 100, "thousand": 1000}

// amountOfShares looks for the price of a number of shares: three shares of IBM would cost 425.58.
func (e *Sources) amountOfShares(x *tokenIndex, first, last int, n *Number, c *claim) finding {
	if n.Currency == "" {
		return finding{}
	}
	var count decimal.Decimal
	for i := first; i < last; i++ {
		if k := &x.numbers[x.tokens[i].number]; x.tokens[i].kind == tokenFigure && k.Kind == UnitPlain && k.Currency == "" && isOneOf(k.noun, "share 股") {
			count = k.Value
		}
	}
	words := wordsIn(x.d.text[x.endBefore(first):x.startOf(last)])
	for i, w := range words {
		if of := words[i+1 : min(i+3, len(words))]; !slices.ContainsFunc(of, func(w word) bool { return w.text == "share" }) { // two shares, a hundred IBM shares
			continue
		}
		if at := slices.Index(numberWords, w.text); at > 0 {
			count = decimal.NewFromInt(int64(at + 1))
		} else if size := roundNumbers[w.text]; size > 0 {
			count = decimal.NewFromInt(size)
		}
	}
	if count.IsZero() {
		return finding{}
	}
	price := func(f *fact) bool {
		return !f.input && f.meaning.has("price") && f.currency != "" && sameCurrency(n.Currency, f.currency)
	}
	return e.oneFact(n, c, short(count)+" * %s", price, count.Mul)
}

// summed looks for figures of several periods or instruments whose sum is the number, such as revenue over
// three years.
func (e *Sources) summed(x *tokenIndex, n *Number, first, last int, c *claim) finding {
	if len(c.meanings) != 1 || n.Kind != UnitPlain {
		return finding{}
	}
	key, average := c.meanings[0].key(), x.says(first, last, "average mean averaged averaging")
	if c.meanings[0].has("profit") {
		key = "netincome" // earned
	} else if !c.meanings[0].specific() {
		return finding{}
	}
	if !average && !x.hasDetail(first, last, "basis", "total") {
		return finding{}
	}
	sum, out := decimal.Zero, finding{status: Traced, claim: *c, computed: &Computed{}}
	for _, i := range e.byMeasure[key] {
		f := &e.facts[i]
		if out.fact != nil && (f.currency != out.fact.currency || f.label != out.fact.label) || !c.suitsSubject(f) || len(out.computed.Operands) == maxOperands {
			return finding{}
		}
		sum, out.fact = sum.Add(f.value), f
		out.computed.Operands = append(out.computed.Operands, f.Index)
		if out.computed.Formula != "" {
			out.computed.Formula += " + "
		}
		out.computed.Formula += short(f.value)
	}
	if count := len(out.computed.Operands); average && count > 0 {
		sum, out.computed.Formula = sum.DivRound(decimal.NewFromInt(int64(count)), 16), "("+out.computed.Formula+") / "+strconv.Itoa(count)
	}
	low, high := n.bounds()
	if len(out.computed.Operands) < 3 || sum.LessThan(low) || sum.GreaterThan(high) {
		return finding{}
	}
	out.computed.Value, out.computed.Unit = sum, out.fact.currency
	return out
}

// hasDetail reports whether one of the tokens in a range names a detail.
func (x *tokenIndex) hasDetail(first, last int, group, name string) bool {
	return slices.ContainsFunc(x.tokens[first:last], func(t token) bool { return hasDetail(t.terms, group, name) })
}

// operands returns the figures that a number's sentence states, then those of the symbols and the
// measure that it names.
func (e *Sources) operands(x *tokenIndex, i, first, last int, found []finding, c *claim) []operand {
	n := &x.numbers[i]
	var out []operand
	add := func(f *fact, shown decimal.Decimal, stated bool) {
		if len(out) < maxOperands && !slices.ContainsFunc(out, func(o operand) bool { return o.fact == f }) {
			out = append(out, operand{f, f.value, shown, stated})
		}
	}
	stated := func(from, to int) {
		for k := from; k < to; k++ {
			if t := x.tokens[k]; t.kind == tokenFigure && t.number != i && found[t.number].status == Traced && found[t.number].computed == nil {
				f, n := found[t.number].fact, x.numbers[t.number]
				shown := n.Value
				if n.Kind != f.kind || !shown.Abs().Sub(f.value.Abs()).Abs().LessThanOrEqual(n.Unit) {
					shown = f.value
				}
				add(f, shown, true)
			}
		}
	}
	stated(first, last)
	stated(x.paragraphStart(first), first)
	var symbols []string
	for k := first; k < last; k++ {
		if x.tokens[k].kind == tokenSubject {
			symbols = append(symbols, x.tokens[k].symbols...)
		}
	}
	if len(symbols) == 0 {
		for _, s := range c.subjects {
			symbols = append(symbols, s...)
		}
	}
	named := func(m meaning) {
		for _, at := range e.byMeasure[m.key()] {
			f := &e.facts[at]
			if f.meaning.allows(m) && (len(symbols) == 0 || slices.ContainsFunc(f.symbols, func(s string) bool { return slices.Contains(symbols, s) })) {
				add(f, f.value, false)
			}
		}
	}
	for _, m := range c.meanings {
		named(m)
		if m.has("profit") {
			named(meaning{[]term{{kind: termMeasure, name: "netincome"}}})
		}
	}
	for k := first; k < last; k++ {
		if m := (meaning{x.tokens[k].terms}); m.specific() {
			named(m)
		}
	}
	if len(c.meanings) == 0 && (n.Currency != "" || n.Kind == UnitMultiple) {
		named(meaning{[]term{{kind: termGeneral, name: "price"}}})
	}
	if len(c.meanings) == 0 && (n.Kind == UnitPoints || n.noun == "point") {
		named(meaning{[]term{{kind: termGeneral, name: "return"}}})
		named(meaning{[]term{{kind: termGeneral, name: "change"}}})
	}
	if c.direction != 0 { // it fell 21 basis points
		specific := slices.ContainsFunc(c.meanings, meaning.specific)
		highest, lowest := x.hasDetail(first, last, "extreme", "highest"), x.hasDetail(first, last, "extreme", "lowest")
		for i := range e.labels {
			for _, k := range e.labels[i].facts {
				f := &e.facts[k]
				named := slices.ContainsFunc(f.meaning.terms, func(t term) bool {
					return t.group == "order" && t.name != "yearago" || (t.group == "order" || t.group == "extreme") && x.hasDetail(first, last, t.group, t.name)
				})
				if !named && !(f.newest && !e.latest || f.highest && highest || f.lowest && lowest) {
					continue
				}
				if c.suitsSubject(f) && (!specific || slices.ContainsFunc(c.meanings, f.allows)) {
					add(f, f.value, false)
				}
			}
		}
	}
	return out
}
