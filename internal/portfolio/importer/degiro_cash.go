package importer

import (
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// dropReversals leaves out what was booked and taken back on the same day: payments that
// were reserved before and are booked now, and fees, taxes and dividends that were
// corrected.
func (r *degiroReader) dropReversals() {
	open := map[string][]int{}
	for i, l := range r.lines {
		if r.used[i] || l.change.Decimal.IsZero() {
			continue
		}
		key := ""
		for _, c := range l.class.reversedBy() {
			if key = l.reversalKey(c, l.change.Decimal.Neg()); len(open[key]) > 0 {
				break
			}
		}
		switch match := open[key]; {
		case key == "":
		case len(match) == 0:
			ownKey := l.reversalKey(l.class, l.change.Decimal)
			open[ownKey] = append(open[ownKey], i)
		default:
			r.ignore(i, "made up for by a line of the same day and sum")
			r.ignore(match[0], "made up for by a line of the same day and sum")
			open[key] = match[1:]
		}
	}
}

// reversedBy are the classes of lines that can undo one of c. A deposit and a
// withdrawal of one day are both real, unless one of them was a reservation.
func (c degiroClass) reversedBy() []degiroClass {
	switch c {
	case degiroPayment:
		return []degiroClass{degiroReserved}
	case degiroReserved:
		return []degiroClass{degiroPayment, degiroReserved}
	case degiroFee, degiroTax, degiroDividend, degiroWithheld:
		return []degiroClass{c}
	}
	return nil
}

// reversalKey is equal for all lines of a class, day and sum that are about the same.
func (l degiroRow) reversalKey(c degiroClass, sum decimal.Decimal) string {
	what := ""
	if c != degiroPayment && c != degiroReserved {
		what = l.normalized
	}
	return strings.Join([]string{strconv.Itoa(int(c)), l.dayKey(), l.isin, l.order, what, l.currency, sum.String()}, "\x00")
}

// recordSingle records a line that stands for itself.
func (r *degiroReader) recordSingle(i int) {
	l := r.lines[i]
	switch {
	case l.class == degiroInternal:
		r.ignore(i, "moves between DEGIRO and its own bank")
	case l.class == degiroUnknown:
		r.problem(i, "the description %q is not known: record the line by hand", Shorten(l.description))
	case !l.change.Valid:
		r.problem(i, "the amount is missing: record the line by hand")
	case l.change.Decimal.IsZero():
		r.ignore(i, "nothing was paid")
	default:
		r.recordPayment(i, l)
	}
}

func (r *degiroReader) recordPayment(i int, l degiroRow) {
	in := l.change.Decimal.IsPositive()
	switch l.class {
	case degiroPayment, degiroReserved, degiroCourtesy:
		r.recordWithNote(i, degiroKindIf(in, portfolio.KindDeposit, portfolio.KindWithdrawal))
	case degiroInterest, degiroCashFund:
		r.recordWithNote(i, degiroKindIf(in, portfolio.KindInterest, portfolio.KindInterestDue))
	case degiroFee:
		r.recordCharge(i, degiroKindIf(in, portfolio.KindFeeRefund, portfolio.KindFee))
	case degiroTax:
		r.recordCharge(i, degiroKindIf(in, portfolio.KindTaxRefund, portfolio.KindTax))
	case degiroWithheld:
		if in && r.reversedDividends[l.dividendKey()] {
			r.problem(i, "%s %s of tax on a dividend that was taken back: they go when that dividend is removed; else record a %s by hand", l.change.Decimal, l.currency, portfolio.KindTaxRefund)
			return
		}
		r.recordCharge(i, degiroKindIf(in, portfolio.KindTaxRefund, portfolio.KindTax))
	case degiroDividend, degiroReturnOfCapital:
		if !in {
			r.problem(i, "%s %s were taken back: remove the dividend that this takes back, or lower it, by hand", l.change.Decimal.Abs(), l.currency)
			return
		}
		r.recordDistribution(i, degiroKindIf(l.class == degiroDividend, portfolio.KindDividend, portfolio.KindReturnOfCapital))
	case degiroExchange:
		r.problem(i, "one half of an exchange of currency, whose other half is not beside it: record a currency exchange by hand")
	default:
		r.problem(i, "not understood: record the line by hand")
	}
}

func degiroKindIf(first bool, a, b portfolio.Kind) portfolio.Kind {
	if first {
		return a
	}
	return b
}

func (r *degiroReader) recordWithNote(i int, kind portfolio.Kind) {
	t := r.lines[i].newTransaction(kind)
	t.Note = Shorten(r.lines[i].description)
	r.add(t, i)
}

// recordCharge is a fee or tax of a security, or of none.
func (r *degiroReader) recordCharge(i int, kind portfolio.Kind) {
	l := r.lines[i]
	if l.isin == "" {
		r.recordWithNote(i, kind)
		return
	}
	t, err := l.newSecurityTransaction(kind)
	if err != nil {
		r.problem(i, "%v", err)
		return
	}
	t.Note = Shorten(l.description)
	r.add(t, i)
}

func (r *degiroReader) recordDistribution(i int, kind portfolio.Kind, taxes ...int) {
	t, err := r.lines[i].newSecurityTransaction(kind)
	if err != nil {
		r.problem(i, "%v", err)
		return
	}
	for _, j := range taxes {
		t.Tax = t.Tax.Sub(r.lines[j].change.Decimal)
	}
	r.add(t, append([]int{i}, taxes...)...)
}

// dividendKey is equal for a dividend and the taxes of it: day, security and currency.
func (l degiroRow) dividendKey() string { return l.dayKey() + " " + l.isin + " " + l.currency }

// recordDividends joins a dividend and the tax withheld from it, where a security paid one
// on the day and currency and one tax was withheld. It keeps those that were taken
// back and are not there.
func (r *degiroReader) recordDividends() {
	paid, taxed := map[string][]int{}, map[string][]int{}
	for i, l := range r.lines {
		switch {
		case r.used[i]:
		case l.class == degiroDividend && l.change.Decimal.IsPositive():
			paid[l.dividendKey()] = append(paid[l.dividendKey()], i)
		case l.class == degiroDividend && l.change.Decimal.IsNegative():
			r.reversedDividends[l.dividendKey()] = true
		case l.class == degiroWithheld && l.change.Decimal.IsNegative():
			taxed[l.dividendKey()] = append(taxed[l.dividendKey()], i)
		}
	}
	for i, l := range r.lines {
		payments, taxes := paid[l.dividendKey()], taxed[l.dividendKey()]
		if r.used[i] || l.class != degiroDividend || len(payments) != 1 || len(taxes) != 1 {
			continue
		}
		if payments[0] == i && r.lines[taxes[0]].change.Decimal.Abs().LessThanOrEqual(l.change.Decimal) {
			r.recordDistribution(i, portfolio.KindDividend, taxes[0])
		}
	}
}
