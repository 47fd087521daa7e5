package degiro

import (
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// returned leaves out what was booked and taken back on the same day: payments that
// were reserved before and are booked now, and fees, taxes and dividends that were
// corrected.
func (r *reader) returned() {
	open := map[string][]int{}
	for i, l := range r.lines {
		if r.used[i] || l.change.Decimal.IsZero() {
			continue
		}
		key := ""
		for _, c := range l.class.takenBackBy() {
			if key = l.occasion(c, l.change.Decimal.Neg()); len(open[key]) > 0 {
				break
			}
		}
		switch match := open[key]; {
		case key == "":
		case len(match) == 0:
			own := l.occasion(l.class, l.change.Decimal)
			open[own] = append(open[own], i)
		default:
			r.ignore(i, "made up for by a line of the same day and sum")
			r.ignore(match[0], "made up for by a line of the same day and sum")
			open[key] = match[1:]
		}
	}
}

// takenBackBy are the classes of lines that can undo one of c. A deposit and a
// withdrawal of one day are both real, unless one of them was a reservation.
func (c class) takenBackBy() []class {
	switch c {
	case payment:
		return []class{reserved}
	case reserved:
		return []class{payment, reserved}
	case fee, tax, dividend, withheld:
		return []class{c}
	}
	return nil
}

// occasion is equal for all lines of a class, day and sum that are about the same.
func (l line) occasion(c class, sum decimal.Decimal) string {
	what := ""
	if c != payment && c != reserved {
		what = l.words
	}
	return strings.Join([]string{strconv.Itoa(int(c)), l.at(), l.isin, l.order, what, l.currency, sum.String()}, "\x00")
}

// single records a line that stands for itself.
func (r *reader) single(i int) {
	l := r.lines[i]
	switch {
	case l.class == internal:
		r.ignore(i, "moves between DEGIRO and its own bank")
	case l.class == unknown:
		r.problem(i, "the description %q is not known: record the line by hand", sheet.Shorten(l.description))
	case !l.change.Valid:
		r.problem(i, "the amount is missing: record the line by hand")
	case l.change.Decimal.IsZero():
		r.ignore(i, "nothing was paid")
	default:
		r.paid(i, l)
	}
}

func (r *reader) paid(i int, l line) {
	in := l.change.Decimal.IsPositive()
	switch l.class {
	case payment, reserved, courtesy:
		r.noted(i, either(in, portfolio.KindDeposit, portfolio.KindWithdrawal))
	case interest, fund:
		r.noted(i, either(in, portfolio.KindInterest, portfolio.KindInterestDue))
	case fee:
		r.charged(i, either(in, portfolio.KindFeeRefund, portfolio.KindFee))
	case tax:
		r.charged(i, either(in, portfolio.KindTaxRefund, portfolio.KindTax))
	case withheld:
		if in && r.takenBack[l.payer()] {
			r.problem(i, "%s %s of tax on a dividend that was taken back: they go when that dividend is removed; else record a %s by hand", l.change.Decimal, l.currency, portfolio.KindTaxRefund)
			return
		}
		r.charged(i, either(in, portfolio.KindTaxRefund, portfolio.KindTax))
	case dividend, repaid:
		if !in {
			r.problem(i, "%s %s were taken back: remove the dividend that this takes back, or lower it, by hand", l.change.Decimal.Abs(), l.currency)
			return
		}
		r.distributed(i, either(l.class == dividend, portfolio.KindDividend, portfolio.KindReturnOfCapital))
	case exchange:
		r.problem(i, "one half of an exchange of currency, whose other half is not beside it: record a currency exchange by hand")
	default:
		r.problem(i, "not understood: record the line by hand")
	}
}

func either(first bool, a, b portfolio.Kind) portfolio.Kind {
	if first {
		return a
	}
	return b
}

func (r *reader) noted(i int, kind portfolio.Kind) {
	t := r.lines[i].of(kind)
	t.Note = sheet.Shorten(r.lines[i].description)
	r.add(t, i)
}

// charged is a fee or tax of a security, or of none.
func (r *reader) charged(i int, kind portfolio.Kind) {
	l := r.lines[i]
	if l.isin == "" {
		r.noted(i, kind)
		return
	}
	t, err := l.forSecurity(kind)
	if err != nil {
		r.problem(i, "%v", err)
		return
	}
	t.Note = sheet.Shorten(l.description)
	r.add(t, i)
}

func (r *reader) distributed(i int, kind portfolio.Kind, taxes ...int) {
	t, err := r.lines[i].forSecurity(kind)
	if err != nil {
		r.problem(i, "%v", err)
		return
	}
	for _, j := range taxes {
		t.Tax = t.Tax.Sub(r.lines[j].change.Decimal)
	}
	r.add(t, append([]int{i}, taxes...)...)
}

// payer is equal for a dividend and the taxes of it: day, security and currency.
func (l line) payer() string { return l.at() + " " + l.isin + " " + l.currency }

// dividends joins a dividend and the tax withheld from it, where a security paid one
// on the day and currency and one tax was withheld. It keeps those that were taken
// back and are not there.
func (r *reader) dividends() {
	paid, taxed := map[string][]int{}, map[string][]int{}
	for i, l := range r.lines {
		switch {
		case r.used[i]:
		case l.class == dividend && l.change.Decimal.IsPositive():
			paid[l.payer()] = append(paid[l.payer()], i)
		case l.class == dividend && l.change.Decimal.IsNegative():
			r.takenBack[l.payer()] = true
		case l.class == withheld && l.change.Decimal.IsNegative():
			taxed[l.payer()] = append(taxed[l.payer()], i)
		}
	}
	for i, l := range r.lines {
		of, taxes := paid[l.payer()], taxed[l.payer()]
		if r.used[i] || l.class != dividend || len(of) != 1 || len(taxes) != 1 {
			continue
		}
		if of[0] == i && r.lines[taxes[0]].change.Decimal.Abs().LessThanOrEqual(l.change.Decimal) {
			r.distributed(i, portfolio.KindDividend, taxes[0])
		}
	}
}
