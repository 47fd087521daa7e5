package fixedincome_test

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/fixedincome"
)

func dec(s string) decimal.Decimal { return decimal.RequireFromString(s) }

// 200,000 at 6% over 30 years is 1,199.10 a month in published mortgage tables.
func TestLoan_LevelPaymentIsThatOfTheTables(t *testing.T) {
	got, err := fixedincome.Loan{Principal: dec("200000"), AnnualRate: dec("0.06"), PerYear: 12, Payments: 360, CurrencyPlaces: 2}.Amortize()
	if err != nil || !got.LevelPayment.Equal(dec("1199.10")) || len(got.Schedule) != 360 {
		t.Fatalf("loan = %s in %d payments, %v; want 1199.10 in 360", got.LevelPayment, len(got.Schedule), err)
	}
	first := got.Schedule[0]
	if !first.Interest.Equal(dec("1000")) || !first.Principal.Equal(dec("199.10")) {
		t.Errorf("first payment = %+v, want 1000 interest and 199.10 principal", first)
	}
}

func TestLoan_IsSettledToTheCent(t *testing.T) {
	for _, l := range []fixedincome.Loan{
		{Principal: dec("1000"), AnnualRate: dec("0.1"), PerYear: 12, Payments: 7, CurrencyPlaces: 2},
		{Principal: dec("1234.56"), AnnualRate: dec("0"), PerYear: 12, Payments: 7, CurrencyPlaces: 2},
		{Principal: dec("3500000"), AnnualRate: dec("0.013"), PerYear: 12, Payments: 420, CurrencyPlaces: 0},
		{Principal: dec("250000"), AnnualRate: dec("0.0425"), PerYear: 26, Payments: 780, Extra: dec("75"), CurrencyPlaces: 2},
	} {
		got, err := l.Amortize()
		if err != nil {
			t.Fatal(err)
		}
		paid, total := decimal.Zero, decimal.Zero
		for _, p := range got.Schedule {
			paid, total = paid.Add(p.Principal), total.Add(p.Payment)
			if !p.Payment.Equal(p.Interest.Add(p.Principal)) || !p.Payment.Equal(p.Payment.Round(l.CurrencyPlaces)) {
				t.Errorf("payment %+v does not add up", p)
			}
		}
		if !paid.Equal(l.Principal) || !total.Equal(got.Total) || !got.Total.Equal(l.Principal.Add(got.Interest)) {
			t.Errorf("loan of %s: paid back %s, total %s, interest %s", l.Principal, paid, got.Total, got.Interest)
		}
	}
}

func TestLoan_ExtraPaymentsShortenIt(t *testing.T) {
	plain := fixedincome.Loan{Principal: dec("100000"), AnnualRate: dec("0.05"), PerYear: 12, Payments: 240, CurrencyPlaces: 2}
	extra := plain
	extra.Extra = dec("100")
	a, errA := plain.Amortize()
	b, errB := extra.Amortize()
	if errA != nil || errB != nil || len(b.Schedule) >= len(a.Schedule) || !b.Interest.LessThan(a.Interest) || !a.LevelPayment.Equal(b.LevelPayment) {
		t.Errorf("with 100 more: %d payments, interest %s; without %d, %s", len(b.Schedule), b.Interest, len(a.Schedule), a.Interest)
	}
}

// At a rate too small for 40 digits, the formula must not divide one rounding error by another.
func TestLoan_AtARateOfAlmostNothingIsArithmetic(t *testing.T) {
	for _, rate := range []string{"0", "1e-15", "1e-19", "1e-37", "1e-39", "1e-300"} {
		got, err := fixedincome.Loan{Principal: dec("1200"), AnnualRate: dec(rate), PerYear: 12, Payments: 12, CurrencyPlaces: 2}.Amortize()
		if err != nil || !got.LevelPayment.Equal(dec("100")) || !got.Interest.IsZero() {
			t.Errorf("at %s: %s a payment, interest %s, %v; want 100 and none", rate, got.LevelPayment, got.Interest, err)
		}
	}
}

func TestLoan_RefusesWhatIsNoLoan(t *testing.T) {
	sound := fixedincome.Loan{Principal: dec("1000"), AnnualRate: dec("0.05"), PerYear: 12, Payments: 12, CurrencyPlaces: 2}
	for name, change := range map[string]func(*fixedincome.Loan){
		"nothing lent":         func(l *fixedincome.Loan) { l.Principal = dec("0") },
		"a rate below zero":    func(l *fixedincome.Loan) { l.AnnualRate = dec("-0.01") },
		"per cent as fraction": func(l *fixedincome.Loan) { l.AnnualRate = dec("12") },
		"half a cent":          func(l *fixedincome.Loan) { l.Principal = dec("1000.005") },
		"an extra half a cent": func(l *fixedincome.Loan) { l.Extra = dec("0.005") },
		"a cent of a yen":      func(l *fixedincome.Loan) { l.Principal, l.CurrencyPlaces = dec("1000.01"), 0 },
		"no sum of money":      func(l *fixedincome.Loan) { l.Principal = dec("1e300") },
		"a sliver":             func(l *fixedincome.Loan) { l.Principal = dec("1e-300") },
		"no payments":          func(l *fixedincome.Loan) { l.Payments = 0 },
		"too many":             func(l *fixedincome.Loan) { l.Payments = 1 << 30 },
		"never":                func(l *fixedincome.Loan) { l.PerYear = 0 },
		"extra below zero":     func(l *fixedincome.Loan) { l.Extra = dec("-1") },
	} {
		l := sound
		change(&l)
		if got, err := l.Amortize(); !errors.Is(err, fixedincome.ErrInvalidCashFlow) {
			t.Errorf("%s: %+v, %v; want ErrInput", name, got.LevelPayment, err)
		}
	}
}

// C2: computed by hand: 1,501.50 * 0.04 / 12 is exactly 5.005, and half a cent rounds up. The interest of
// payment 101 of the other loan ends in exactly half a cent too: 52,276.50 * 0.04 / 12 is 174.255.
func TestLoan_HalfACentOfInterestRoundsUp(t *testing.T) {
	got, err := fixedincome.Loan{Principal: dec("1501.50"), AnnualRate: dec("0.04"), PerYear: 12, Payments: 12, CurrencyPlaces: 2}.Amortize()
	if err != nil || !got.Schedule[0].Interest.Equal(dec("5.01")) || !got.Interest.Equal(dec("32.73")) || !got.Schedule[11].Payment.Equal(dec("127.88")) {
		t.Errorf("first interest %s, total %s, last payment %s, %v; want 5.01, 32.73 and 127.88", got.Schedule[0].Interest, got.Interest, got.Schedule[11].Payment, err)
	}
	got, err = fixedincome.Loan{Principal: dec("100790"), AnnualRate: dec("0.04"), PerYear: 12, Payments: 180, CurrencyPlaces: 2}.Amortize()
	if err != nil || !got.Schedule[100].Interest.Equal(dec("174.26")) || !got.Interest.Equal(dec("33405.77")) {
		t.Errorf("interest 101 = %s, total %s, %v; want 174.26 and 33405.77", got.Schedule[100].Interest, got.Interest, err)
	}
	got, err = fixedincome.Loan{Principal: dec("1501.50"), AnnualRate: dec("0.04"), PerYear: 12, Payments: 1, CurrencyPlaces: 2}.Amortize()
	if err != nil || !got.LevelPayment.Equal(dec("1506.51")) {
		t.Errorf("one payment = %s, %v; want 1506.51 for 1506.505", got.LevelPayment, err)
	}
}

// C2: for many loans, each line of the schedule and the totals are those of exact fractions, computed without
// any code of the program: P i / (1 - (1+i)^-n), and the balance times the annual rate over the payments per
// year, each rounded once.
func TestLoan_ScheduleIsTheExactFractionsRoundedOnce(t *testing.T) {
	halfUp := func(r *big.Rat) *big.Rat { // to the cent
		cents := new(big.Rat).Add(new(big.Rat).Mul(r, big.NewRat(100, 1)), big.NewRat(1, 2))
		return new(big.Rat).SetFrac(new(big.Int).Quo(cents.Num(), cents.Denom()), big.NewInt(100))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		l := fixedincome.Loan{
			Principal: decimal.New(10*(1+random.Int64N(50_000)), 0), AnnualRate: decimal.New(1+random.Int64N(96), -3).Mul(dec("1.25")),
			PerYear: []int{1, 2, 4, 12, 26, 52, 365}[random.IntN(7)], Payments: 12 + random.IntN(60), CurrencyPlaces: 2,
		}
		got, err := l.Amortize()
		if err != nil {
			t.Fatal(err)
		}
		annual, perYear := l.AnnualRate.Rat(), big.NewRat(int64(l.PerYear), 1)
		rate := new(big.Rat).Quo(annual, perYear)
		grown, growth := big.NewRat(1, 1), new(big.Rat).Add(big.NewRat(1, 1), rate)
		for range l.Payments {
			grown.Mul(grown, growth)
		}
		level := new(big.Rat).Mul(l.Principal.Rat(), rate)
		level = halfUp(level.Mul(level, grown).Quo(level, grown.Sub(grown, big.NewRat(1, 1))))
		if got.LevelPayment.Rat().Cmp(level) != 0 {
			t.Fatalf("%s at %s, %d payments, %d a year: payment %s, want %s", l.Principal, l.AnnualRate, l.Payments, l.PerYear, got.LevelPayment, level.FloatString(2))
		}
		balance, total, paid := l.Principal.Rat(), new(big.Rat), 0
		for ; balance.Sign() > 0; paid++ {
			interest := new(big.Rat).Mul(balance, annual)
			interest = halfUp(interest.Quo(interest, perYear))
			due := new(big.Rat).Add(balance, interest)
			payment := level
			if paid == l.Payments-1 || due.Cmp(level) < 0 {
				payment = due
			}
			balance = new(big.Rat).Sub(due, payment)
			total.Add(total, interest)
			if p := got.Schedule[paid]; p.Interest.Rat().Cmp(interest) != 0 || p.Balance.Rat().Cmp(balance) != 0 {
				t.Fatalf("%s at %s, %d a year: line %+v, want interest %s and balance %s", l.Principal, l.AnnualRate, l.PerYear, p, interest.FloatString(2), balance.FloatString(2))
			}
		}
		if got.Interest.Rat().Cmp(total) != 0 || len(got.Schedule) != paid || !got.Total.Equal(l.Principal.Add(got.Interest)) {
			t.Errorf("%s at %s, %d a year: interest %s of %s in %d payments, want %s in %d", l.Principal, l.AnnualRate, l.PerYear, got.Interest, got.Total, len(got.Schedule), total.FloatString(2), paid)
		}
	}
}
