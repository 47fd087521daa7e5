package trace

import (
	"slices"

	"github.com/shopspring/decimal"
)

// isCoincidence reports whether a coarse number, or a small bare one, lies near a fact
// that it does not name: 3 funds are not the 2.71 of something, nor is a rule of
// 2 % a change of 2.149 %.
func (p *textContext) isCoincidence(n *Number, f *fact, shift int32) bool {
	size := n.Value.Abs()
	off := size.Shift(shift).Sub(f.value.Abs()).Abs()
	if off.IsZero() {
		return false
	}
	small := n.Kind == UnitPlain && n.Currency == "" && n.Unit.Equal(decimal.New(1, 0)) && n.Significant() <= 2
	if small && (n.Paired || f.kind == UnitPercent || f.currency != "") {
		return true
	}
	// A coarse number that is nearly right is one that was rounded: 0.1 % of 0.097 %.
	nearly := off.Mul(decimal.New(25, 0)).LessThanOrEqual(size.Shift(shift))
	coarse := n.Unit.GreaterThan(size.Shift(-1)) && !nearly && !(n.Sign != 0 && isChange(f))
	return (coarse || small) && p.overlap(n, f) == 0
}

// shifts are the powers of ten between a number and the facts that may state it:
// 98.6 % may be 0.986, 25 bp may be 0.25 %.
func shifts(n *Number) []int32 {
	switch {
	case n.Kind == UnitPercent || n.Kind == UnitPoints:
		return []int32{0, -2, 2}
	case n.Kind == UnitBasisPoints:
		return []int32{0, -2, -4}
	case n.Scaled:
		return []int32{0, -n.Power}
	case n.Currency == "GBP" || n.Currency == "GBp":
		return []int32{0, 2, -2}
	}
	return []int32{0}
}

// fits reports whether the unit of a number, times ten to the power of shift, can
// be that of a fact.
func fits(n *Number, f *fact, shift int32) bool {
	if f.open {
		return shift == 0 || n.Scaled && shift == -n.Power
	}
	switch n.Kind {
	case UnitPercent, UnitPoints:
		switch shift {
		case 0:
			return f.kind == UnitPercent || f.kind == UnitPoints || f.bare
		case 2:
			return f.kind == UnitBasisPoints
		}
		return f.bare && !isNeverPercent(f)
	case UnitBasisPoints:
		switch shift {
		case 0:
			return f.kind == UnitBasisPoints
		case -2:
			return f.kind == UnitPercent || f.kind == UnitPoints
		}
		return f.bare && !isNeverPercent(f)
	case UnitMultiple, UnitRatio:
		return f.kind == UnitMultiple || f.bare || f.kind == UnitPlain && f.currency == "" && f.span == ""
	}
	if n.Scaled && shift == -n.Power && shift != 0 {
		return f.bare && f.Unit == "" // calculated in millions
	}
	if n.Currency != "" {
		return inCurrency(n, f, shift)
	}
	if span := TimeUnit(n.Noun); span != "" {
		return f.span == span || f.bare || f.daily && span == "day"
	}
	return !(f.currency != "" && isCounted(n.Noun))
}

// isNeverPercent reports whether a bare figure is of a measure that nobody gives
// in per cent.
func isNeverPercent(f *fact) bool {
	for _, w := range f.words {
		switch w {
		case "sharpe", "sortino", "calmar", "treynor", "beta", "rsi", "correlation", "p/e", "p/b", "p/s", "peg", "multiple", "skewness", "kurtosis", "z-score":
			return true
		}
	}
	return false
}

// inCurrency reports whether an amount can be that of a fact. Pence are pounds by
// a hundred.
func inCurrency(n *Number, f *fact, shift int32) bool {
	if f.kind != UnitPlain || f.span != "" || f.bare && f.Unit != "" {
		return false
	}
	switch shift {
	case 2:
		return n.Currency == "GBP" && f.currency == "GBp"
	case -2:
		return n.Currency == "GBp" && f.currency == "GBP"
	}
	return SameCurrency(n.Currency, f.currency)
}

// isCounted reports whether a noun names things, so that the number before it is
// no amount of money.
func isCounted(noun string) bool {
	return slices.Contains([]string{"share", "bar", "employee", "store", "contract", "company", "companie", "fund", "stock", "股", "家", "只", "手"}, noun)
}

// hasOppositeSign reports whether the sign of a number, or the verb before it, says the
// opposite of a fact. What names a loss may leave its sign out.
func hasOppositeSign(n *Number, f *fact) bool {
	direction := n.Sign
	if direction == 0 {
		direction = n.Direction
	}
	if direction == 0 || f.value.IsZero() || f.Input {
		return false
	}
	if int(direction) == f.value.Sign() {
		return false
	}
	for _, w := range f.words {
		switch w {
		case "drawdown", "loss", "losses", "decline", "fall", "cost", "costs", "fee", "fees", "expense", "expenses", "outflow", "outflows", "shortfall", "capex", "var",
			"dividends", "repayment", "repurchases", "tax", "taxes", "debt", "回撤", "最大回撤", "亏损", "跌幅":
			return false
		}
	}
	// Amounts and levels have no direction: "fell 5.20" states a change, "fell 184" none.
	return n.Sign != 0 && f.value.Sign() < 0 || n.Sign < 0 || isChange(f)
}

// isChange reports whether a fact is one whose sign is a direction.
func isChange(f *fact) bool {
	for _, w := range f.words {
		switch w {
		case "return", "change", "growth", "gain", "performance", "pct", "difference", "revision", "surprise", "收益", "涨跌幅", "涨幅", "增长", "增长率", "总收益", "年化收益", "收益率":
			return true
		}
	}
	return false
}
