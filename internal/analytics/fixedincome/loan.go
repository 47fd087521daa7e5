package fixedincome

import (
	"fmt"

	"github.com/shopspring/decimal"
)

// Loan is repaid in level payments at the end of each period.
type Loan struct {
	Principal      decimal.Decimal
	AnnualRate     decimal.Decimal // nominal annual rate, a fraction
	PerYear        int             // payments per year; the rate per period is AnnualRate / PerYear
	Payments       int
	Extra          decimal.Decimal // paid on top of every payment
	CurrencyPlaces int32           // decimals of the currency: 2, or 0 for yen
}

// Installment is one payment of a loan.
type Installment struct {
	Number                                int
	Payment, Interest, Principal, Balance decimal.Decimal // Balance is after the payment
}

// Amortization is the repayment schedule of a loan.
type Amortization struct {
	// LevelPayment is the regular payment without extra payments: P i / (1 - (1+i)^-n), rounded
	// half away from zero to the decimals of the currency.
	LevelPayment decimal.Decimal
	Schedule     []Installment // its last payment settles the loan to the smallest unit
	Total        decimal.Decimal
	Interest     decimal.Decimal
	PerPeriod    decimal.Decimal // rate per period
}

// Bounds that keep a schedule readable and its numbers small.
const (
	maxPayments   = 2400 // 100 years of 24 payments
	workingPlaces = 40   // decimals of intermediate results
	largestLoan   = 15   // integer digits of an amount
	largestRate   = 10   // 1,000% a year
)

// Amortize computes the schedule of a loan. The interest of a period is balance * annual rate / payments
// per year, rounded once, half away from zero, to the currency; the rest of the payment repays principal. A
// payment that never repays the loan is ErrInvalidCashFlow.
//
// Source: the textbook formula of a level payment. Each payment is rounded, as lenders do; the last payment
// differs by the accumulated rounding.
func (l Loan) Amortize() (Amortization, error) {
	if err := l.check(); err != nil {
		return Amortization{}, err
	}
	perYear := decimal.NewFromInt(int64(l.PerYear))
	out := Amortization{PerPeriod: l.AnnualRate.DivRound(perYear, workingPlaces)}
	out.LevelPayment = l.levelPayment(out.PerPeriod)
	balance := l.Principal
	for n := 1; balance.IsPositive(); n++ {
		// Multiply before dividing: the rate per period may not be exact, and 5.005 must not become
		// 5.00499.
		interest := balance.Mul(l.AnnualRate).DivRound(perYear, l.CurrencyPlaces)
		payment := out.LevelPayment.Add(l.Extra)
		if payment.LessThanOrEqual(interest) {
			return Amortization{}, fmt.Errorf("%w: a payment of %s does not cover the interest of %s", ErrInvalidCashFlow, payment, interest)
		}
		if due := balance.Add(interest); n == l.Payments || payment.GreaterThan(due) {
			payment = due
		}
		paid := payment.Sub(interest)
		balance = balance.Sub(paid)
		out.Schedule = append(out.Schedule, Installment{Number: n, Payment: payment, Interest: interest, Principal: paid, Balance: balance})
		out.Total, out.Interest = out.Total.Add(payment), out.Interest.Add(interest)
	}
	return out, nil
}

func (l Loan) check() error {
	switch {
	case !l.Principal.IsPositive():
		return fmt.Errorf("%w: the loan amount must be positive", ErrInvalidCashFlow)
	case l.AnnualRate.IsNegative():
		return fmt.Errorf("%w: the rate must not be negative", ErrInvalidCashFlow)
	case l.AnnualRate.GreaterThan(decimal.NewFromInt(largestRate)):
		return fmt.Errorf("%w: a rate of %s is %s%% a year; write 5%% as 0.05", ErrInvalidCashFlow, l.AnnualRate, l.AnnualRate.Shift(2))
	case l.PerYear < 1 || l.PerYear > 365:
		return fmt.Errorf("%w: payments per year must be between 1 and 365", ErrInvalidCashFlow)
	case l.Payments < 1 || l.Payments > maxPayments:
		return fmt.Errorf("%w: invalid number of payments %d; use 1 to %d", ErrInvalidCashFlow, l.Payments, maxPayments)
	case l.Extra.IsNegative():
		return fmt.Errorf("%w: an extra payment must not be negative", ErrInvalidCashFlow)
	}
	for _, sum := range []decimal.Decimal{l.Principal, l.Extra} {
		if sum.Exponent() < -largestLoan || sum.GreaterThan(decimal.New(1, largestLoan)) || !sum.Equal(sum.Round(l.CurrencyPlaces)) {
			return fmt.Errorf("%w: an amount is larger than 10^%d or has more than %d decimals", ErrInvalidCashFlow, largestLoan, l.CurrencyPlaces)
		}
	}
	return nil
}

func (l Loan) levelPayment(rate decimal.Decimal) decimal.Decimal {
	n := decimal.NewFromInt(int64(l.Payments))
	if rate.IsZero() {
		return l.Principal.DivRound(n, l.CurrencyPlaces)
	}
	one := decimal.NewFromInt(1)
	grown := powRounded(one.Add(rate), l.Payments)
	// Only half of the working digits are certain. Dropping the others first keeps an exact half cent from
	// falling just below it.
	return l.Principal.Mul(rate).Mul(grown).DivRound(grown.Sub(one), workingPlaces/2).Round(l.CurrencyPlaces)
}

// powRounded computes base^n by repeated squaring. It keeps workingPlaces decimals, because the exact power
// would have tens of thousands.
func powRounded(base decimal.Decimal, n int) decimal.Decimal {
	out := decimal.NewFromInt(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			out = out.Mul(base).Round(workingPlaces)
		}
		base = base.Mul(base).Round(workingPlaces)
	}
	return out
}
