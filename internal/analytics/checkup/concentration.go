package checkup

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"
)

// The standards of concentration are those of funds for everybody in Europe: not
// more than a tenth with one issuer, and all that is above a twentieth together
// not more than two fifths (Directive 2009/65/EC, article 52). They are for
// issuers; a fund is spread by itself.
const (
	standardLargest   = "0.1"
	reasonLargest     = "funds for everybody in the EU may hold 10 % of one issuer (2009/65/EC, art. 52); funds are not counted"
	standardTopFive   = "0.4"
	reasonTopFive     = "funds for everybody in the EU may hold 40 % in issuers of more than 5 % each (2009/65/EC, art. 52); funds are not counted"
	standardEffective = "10"
	reasonEffective   = "the fewest holdings of equal weight that each stay within 10 %"
	sayForm           = "say what it is: nfa portfolio facts SYMBOL with its fee where it is a fund, or give a threshold for all holdings"
)

// counted are the holdings that a rule of concentration is about, the largest
// first: all of them where somebody set the threshold, else those that are not
// known to be funds.
func (b Book) counted(l Limit) []Holding {
	kept := slices.DeleteFunc(slices.Clone(b.Holdings), func(h Holding) bool { return !l.given() && h.Form == FormFund })
	slices.SortStableFunc(kept, func(x, y Holding) int { return y.Weight.Abs().Cmp(x.Weight.Abs()) })
	return kept
}

// largestOf is the sum of the n largest of those that surely count, of those that
// may, and the names of those in doubt among the latter.
func largestOf(sorted []Holding, n int, all bool) (low, high decimal.Decimal, doubtful []string) {
	sure, any := 0, 0
	for _, h := range sorted {
		certain := all || h.Form == FormSingle
		if certain && sure < n {
			low, sure = low.Add(h.Weight.Abs()), sure+1
		}
		if any == n {
			continue
		}
		high, any = high.Add(h.Weight.Abs()), any+1
		if !certain {
			doubtful = append(doubtful, string(h.Symbol))
		}
	}
	return low, high, doubtful
}

func (b Book) largest(l Limits) Row {
	row := Row{Rule: RuleLargest, Measures: "largest single holding", Unit: Fraction, Formula: "max(|weight|)"}.
		against(l.Largest.or(standardLargest, reasonLargest), AtMost)
	held := b.counted(l.Largest)
	if len(held) == 0 {
		return row.at(decimal.Zero)
	}
	low, high, doubtful := largestOf(held, 1, l.Largest.given())
	row = row.at(high).between(low, high)
	row.Inputs = []string{fmt.Sprintf("%s %s", held[0].Symbol, percent(held[0].Weight))}
	return row.explained(fmt.Sprintf("Were %s to lose half of its price, the book would change by %s.", held[0].Symbol, percent(held[0].Weight.Div(decimal.NewFromInt(-2)))),
		"whether "+names(doubtful)+" is a fund is not known", sayForm)
}

const (
	five        = 5
	countPlaces = 4 // of an effective number
)

func (b Book) topFive(l Limits) Row {
	row := Row{Rule: RuleTopFive, Measures: "five largest holdings together", Unit: Fraction, Formula: "sum of the five largest |weight|"}.
		against(l.TopFive.or(standardTopFive, reasonTopFive), AtMost)
	held := b.counted(l.TopFive)
	low, high, doubtful := largestOf(held, five, l.TopFive.given())
	row = row.at(high).between(low, high)
	for _, h := range held[:min(five, len(held))] {
		row.Inputs = append(row.Inputs, fmt.Sprintf("%s %s", h.Symbol, percent(h.Weight)))
	}
	return row.explained(fmt.Sprintf("%s of the book follows what happens to %d holdings.", percent(high), min(five, len(held))),
		"whether "+names(doubtful)+" are funds is not known", sayForm)
}

// effective is the inverse of the Herfindahl-Hirschman index of the securities: the
// number of equal parts that is as concentrated as they are.
func (b Book) effective(l Limits) Row {
	row := Row{Rule: RuleEffective, Measures: "effective number of holdings", Unit: Holdings, Formula: "sum(|weight|)^2 / sum(weight^2), without cash"}.
		against(l.Effective.or(standardEffective, reasonEffective), AtLeast)
	squares, sum := decimal.Zero, b.securities()
	var funds []string
	for _, h := range b.Holdings {
		squares = squares.Add(h.Weight.Mul(h.Weight))
		if h.Form != FormSingle {
			funds = append(funds, string(h.Symbol))
		}
	}
	if !squares.IsPositive() {
		return row.unjudged("no securities are held", "")
	}
	number := sum.Mul(sum).DivRound(squares, countPlaces)
	row = row.at(number)
	row.Inputs = []string{fmt.Sprintf("%d securities", len(b.Holdings)), "sum of squares " + squares.Round(weightPlaces).String()}
	if !l.Effective.given() && len(funds) > 0 && row.Outcome == Fail {
		return row.unjudged(fmt.Sprintf("each fund counts as one holding and is many, or may be one: %s", names(funds)), "give the number of holdings that you want at least (min_effective)")
	}
	return row.explained(fmt.Sprintf("The book is as concentrated as one of %s holdings of equal weight.", number.Round(1)), "", "")
}
