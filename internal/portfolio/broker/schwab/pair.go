package schwab

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// reinvested makes one transaction of a dividend and the shares that were bought
// with all of it on the same day, and returns the other lines.
func (r *reader) reinvested(lines []line) []line {
	waiting := map[string][]int{} // dividends that are not taken yet
	for i := range lines {
		if l := &lines[i]; incomeClass(l.action) == dividend && l.amount.Decimal.IsPositive() && l.ticker != "" {
			waiting[l.occasion()] = append(waiting[l.occasion()], i)
		}
	}
	taken := make([]bool, len(lines))
	for i := range lines {
		if lines[i].action != "reinvest shares" || !lines[i].fee.Decimal.IsZero() {
			continue
		}
		l := lines[i]
		match := waiting[l.occasion()]
		if len(match) == 0 {
			continue
		}
		t, err := l.trade(purchase)
		if err != nil {
			continue
		}
		t.Kind = portfolio.KindReinvest
		r.add(t, lines[match[0]], l)
		taken[i], taken[match[0]] = true, true
		waiting[l.occasion()] = match[1:]
	}
	return rest(lines, taken)
}

// occasion is equal for a dividend and the purchase that it paid for.
func (l line) occasion() string {
	return l.day.Format(layout) + " " + l.posted.Format(layout) + " " + l.ticker + " " + l.amount.Decimal.Abs().String()
}

// exchanged reads reverse splits, of which one line takes the old shares by their
// CUSIP and another brings the new ones by their symbol. It returns the other lines.
func (r *reader) exchanged(lines []line) []line {
	arrived, left := map[string][]int{}, map[string][]int{}
	for i := range lines {
		switch l := &lines[i]; {
		case l.action != "reverse split":
		case l.quantity.Decimal.IsPositive():
			arrived[l.issuer()] = append(arrived[l.issuer()], i)
		case l.quantity.Decimal.IsNegative():
			left[l.issuer()] = append(left[l.issuer()], i)
		}
	}
	taken := make([]bool, len(lines))
	for i := range lines {
		if lines[i].action != "reverse split" {
			continue
		}
		l := lines[i]
		in, out := arrived[l.issuer()], left[l.issuer()]
		if len(in) == 1 && in[0] == i && len(out) == 1 && r.reverse(l, lines[out[0]]) {
			taken[i], taken[out[0]] = true, true
		}
	}
	return rest(lines, taken)
}

// issuer is equal for the two lines of a reverse split: the day, and the name up to
// what Schwab writes behind it for the old shares.
func (l line) issuer() string {
	company, _, _ := strings.Cut(l.description, "XXX")
	return l.posted.Format(layout) + " " + strings.TrimSpace(company)
}

// reverse is of the day on which it was posted, from which on the new shares trade.
func (r *reader) reverse(in, out line) bool {
	t, err := in.forSymbol(portfolio.KindReverseSplit)
	if err != nil {
		return false
	}
	t.Date = in.posted
	t.New, t.Old = in.quantity.Decimal, out.quantity.Decimal.Abs()
	switch t.New.Cmp(t.Old) {
	case 1:
		return false
	case 0:
		r.out.Ignore(in.row, "a reverse split that left as many shares as before")
		r.out.Ignore(out.row, "a reverse split that left as many shares as before")
		return true
	}
	r.add(t, in, out)
	return true
}

func rest(lines []line, taken []bool) []line {
	if !slices.Contains(taken, true) {
		return lines
	}
	left := make([]line, 0, len(lines))
	for i, l := range lines {
		if !taken[i] {
			left = append(left, l)
		}
	}
	return left
}

// untold says what Schwab leaves out of a line, and what to record instead.
func (l line) untold(c class) error {
	switch c {
	case contract:
		return fmt.Errorf("an option; contracts are not recorded: enter what came of it in cash by hand")
	case split:
		return fmt.Errorf("%s shares of %s came by a split, but its ratio is not in the file: record a split of %s, new shares for old ones",
			l.quantity.Decimal, l.ticker, l.ticker)
	case renamed:
		return fmt.Errorf("shares became others, and the symbol under which the old ones were held is not in the file: record a merger of that symbol, %s %s in this line",
			l.quantity.Decimal, l.ticker)
	case handedOut:
		return fmt.Errorf("%s shares of %s were handed out; the file does not say for which shares, nor what part of their cost went with them: record a spin-off or split",
			l.quantity.Decimal, l.ticker)
	case fraction:
		return fmt.Errorf("%s dollars for a part of a share of %s, whose size is not in the file: record a sale of that part", l.amount.Decimal, l.ticker)
	}
	return fmt.Errorf("the action %q is not known: record the line by hand", sheet.Shorten(l.word))
}
