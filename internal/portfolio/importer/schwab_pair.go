package importer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// joinReinvestments makes one transaction of a dividend and the shares that were bought
// with all of it on the same day, and returns the other lines.
func (r *schwabReader) joinReinvestments(lines []schwabRow) []schwabRow {
	waiting := map[string][]int{} // dividends that are not taken yet
	for i := range lines {
		if l := &lines[i]; schwabIncomeClass(l.action) == schwabDividend && l.amount.Decimal.IsPositive() && l.ticker != "" {
			waiting[l.dividendKey()] = append(waiting[l.dividendKey()], i)
		}
	}
	taken := make([]bool, len(lines))
	for i := range lines {
		if lines[i].action != "reinvest shares" || !lines[i].fee.Decimal.IsZero() {
			continue
		}
		l := lines[i]
		match := waiting[l.dividendKey()]
		if len(match) == 0 {
			continue
		}
		t, err := l.trade(schwabPurchase)
		if err != nil {
			continue
		}
		t.Kind = portfolio.KindReinvest
		r.add(t, lines[match[0]], l)
		taken[i], taken[match[0]] = true, true
		waiting[l.dividendKey()] = match[1:]
	}
	return schwabUntaken(lines, taken)
}

// dividendKey is equal for a dividend and the purchase that it paid for.
func (l schwabRow) dividendKey() string {
	return l.day.Format(schwabDateLayout) + " " + l.posted.Format(schwabDateLayout) + " " + l.ticker + " " + l.amount.Decimal.Abs().String()
}

// joinReverseSplits reads reverse splits, of which one line takes the old shares by their
// CUSIP and another brings the new ones by their symbol. It returns the other lines.
func (r *schwabReader) joinReverseSplits(lines []schwabRow) []schwabRow {
	arrived, left := map[string][]int{}, map[string][]int{}
	for i := range lines {
		switch l := &lines[i]; {
		case l.action != "reverse split":
		case l.quantity.Decimal.IsPositive():
			arrived[l.splitKey()] = append(arrived[l.splitKey()], i)
		case l.quantity.Decimal.IsNegative():
			left[l.splitKey()] = append(left[l.splitKey()], i)
		}
	}
	taken := make([]bool, len(lines))
	for i := range lines {
		if lines[i].action != "reverse split" {
			continue
		}
		l := lines[i]
		in, out := arrived[l.splitKey()], left[l.splitKey()]
		if len(in) == 1 && in[0] == i && len(out) == 1 && r.recordReverseSplit(l, lines[out[0]]) {
			taken[i], taken[out[0]] = true, true
		}
	}
	return schwabUntaken(lines, taken)
}

// splitKey is equal for the two lines of a reverse split: the day, and the name up to
// what Schwab writes behind it for the old shares.
func (l schwabRow) splitKey() string {
	company, _, _ := strings.Cut(l.description, "XXX")
	return l.posted.Format(schwabDateLayout) + " " + strings.TrimSpace(company)
}

// recordReverseSplit is of the day on which it was posted, from which on the new shares trade.
func (r *schwabReader) recordReverseSplit(in, out schwabRow) bool {
	t, err := in.newSecurityTransaction(portfolio.KindReverseSplit)
	if err != nil {
		return false
	}
	t.Date = in.posted
	t.New, t.Old = in.quantity.Decimal, out.quantity.Decimal.Abs()
	switch t.New.Cmp(t.Old) {
	case 1:
		return false
	case 0:
		r.collector.Ignore(in.row, "a reverse split that left as many shares as before")
		r.collector.Ignore(out.row, "a reverse split that left as many shares as before")
		return true
	}
	r.add(t, in, out)
	return true
}

func schwabUntaken(lines []schwabRow, taken []bool) []schwabRow {
	if !slices.Contains(taken, true) {
		return lines
	}
	left := make([]schwabRow, 0, len(lines))
	for i, l := range lines {
		if !taken[i] {
			left = append(left, l)
		}
	}
	return left
}

// missingDetails says what Schwab leaves out of a line, and what to record instead.
func (l schwabRow) missingDetails(c schwabClass) error {
	switch c {
	case schwabOption:
		return fmt.Errorf("an option; contracts are not recorded: enter what came of it in cash by hand")
	case schwabSplit:
		return fmt.Errorf("%s shares of %s came by a split, but its ratio is not in the file: record a split of %s, new shares for old ones",
			l.quantity.Decimal, l.ticker, l.ticker)
	case schwabRenamed:
		return fmt.Errorf("shares became others, and the symbol under which the old ones were held is not in the file: record a merger of that symbol, %s %s in this line",
			l.quantity.Decimal, l.ticker)
	case schwabSpinOff:
		return fmt.Errorf("%s shares of %s were handed out; the file does not say for which shares, nor what part of their cost went with them: record a spin-off or split",
			l.quantity.Decimal, l.ticker)
	case schwabFraction:
		return fmt.Errorf("%s dollars for a part of a share of %s, whose size is not in the file: record a sale of that part", l.amount.Decimal, l.ticker)
	}
	return fmt.Errorf("the action %q is not known: record the line by hand", Shorten(l.rawAction))
}
