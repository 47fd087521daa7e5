package figures

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/figures/measure"
	"github.com/nfa-cli/nfa/internal/figures/numeral"
)

// byChance reports whether a coarse number, or a small bare one, lies near a fact
// that it does not name: 3 funds are not the 2.71 of something, nor is a rule of
// 2 % a change of 2.149 %.
func (p *surroundings) byChance(n *numeral.Number, f *fact, shift int32) bool {
	size := n.Value.Abs()
	off := size.Shift(shift).Sub(f.value.Abs()).Abs()
	if off.IsZero() {
		return false
	}
	small := n.Kind == measure.Plain && n.Currency == "" && n.Unit.Equal(decimal.New(1, 0)) && n.Significant() <= 2
	if small && (n.Paired || f.kind == measure.Percent || f.currency != "") {
		return true
	}
	// A coarse number that is nearly right is one that was rounded: 0.1 % of 0.097 %.
	nearly := off.Mul(decimal.New(25, 0)).LessThanOrEqual(size.Shift(shift))
	coarse := n.Unit.GreaterThan(size.Shift(-1)) && !nearly && !(n.Sign != 0 && isChange(f))
	return (coarse || small) && p.overlap(n, f) == 0
}

// shifts are the powers of ten between a number and the facts that may state it:
// 98.6 % may be 0.986, 25 bp may be 0.25 %.
func shifts(n *numeral.Number) []int32 {
	switch {
	case n.Kind == measure.Percent || n.Kind == measure.Points:
		return []int32{0, -2, 2}
	case n.Kind == measure.Basis:
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
func fits(n *numeral.Number, f *fact, shift int32) bool {
	if f.open {
		return shift == 0 || n.Scaled && shift == -n.Power
	}
	switch n.Kind {
	case measure.Percent, measure.Points:
		switch shift {
		case 0:
			return f.kind == measure.Percent || f.kind == measure.Points || f.bare
		case 2:
			return f.kind == measure.Basis
		}
		return f.bare && !isNeverPercent(f)
	case measure.Basis:
		switch shift {
		case 0:
			return f.kind == measure.Basis
		case -2:
			return f.kind == measure.Percent || f.kind == measure.Points
		}
		return f.bare && !isNeverPercent(f)
	case measure.Multiple, measure.Ratio:
		return f.kind == measure.Multiple || f.bare || f.kind == measure.Plain && f.currency == "" && f.span == ""
	}
	if n.Scaled && shift == -n.Power && shift != 0 {
		return f.bare && f.Unit == "" // calculated in millions
	}
	if n.Currency != "" {
		return inCurrency(n, f, shift)
	}
	if span := measure.Span(n.Noun); span != "" {
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
func inCurrency(n *numeral.Number, f *fact, shift int32) bool {
	if f.kind != measure.Plain || f.span != "" || f.bare && f.Unit != "" {
		return false
	}
	switch shift {
	case 2:
		return n.Currency == "GBP" && f.currency == "GBp"
	case -2:
		return n.Currency == "GBp" && f.currency == "GBP"
	}
	return measure.SameCurrency(n.Currency, f.currency)
}

// isCounted reports whether a noun names things, so that the number before it is
// no amount of money.
func isCounted(noun string) bool {
	return slices.Contains([]string{"share", "bar", "employee", "store", "contract", "company", "companie", "fund", "stock", "股", "家", "只", "手"}, noun)
}

// opposite reports whether the sign of a number, or the verb before it, says the
// opposite of a fact. What names a loss may leave its sign out.
func opposite(n *numeral.Number, f *fact) bool {
	said := n.Sign
	if said == 0 {
		said = n.Way
	}
	if said == 0 || f.value.IsZero() || f.Input {
		return false
	}
	if int(said) == f.value.Sign() {
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
