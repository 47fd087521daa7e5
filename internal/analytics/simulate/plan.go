package simulate

import (
	"errors"
	"fmt"
	"math"
)

// ErrInvalidPlan marks a plan or a market that cannot be played; the message says why.
var ErrInvalidPlan = errors.New("impossible plan")

// Plan is what is saved and spent, year by year. Within a year the withdrawal
// comes first, then the return, less fee and tax, and the contribution at the end.
type Plan struct {
	Start             float64 // balance today
	Years             int
	Contribution      float64 // at the end of each year of saving, in today's money
	ContributionYears int     // from the first on
	AnnualRaise       float64 // of the contribution a year, on top of inflation
	Withdrawal        float64 // at the beginning of each year of spending, in today's money
	WithdrawalFrom    int     // first year with a withdrawal, 1 for the first
	Goal              float64 // balance wanted at the end, in today's money
	Inflation         float64 // raises contributions, withdrawals and the goal
	Fee               float64 // of the balance, a year
	TaxOnGains        float64 // of each year's gain, when there is one
}

// Bounds of a plan.
const (
	MaxYears          = 100
	MaxPaths          = 200_000
	maxStoredBalances = 12_500_000 // balances that are kept at once
	maxPlanMoney      = 1e15       // in any unit: more is a mistake, and loses its cents
	// maxBalance is what no fortune comes to: returns that were no fractions do.
	maxBalance = 1e30
)

// highestFee is above what anybody asks for a year: 0.2 is meant as 0.2 %.
const highestFee = 0.1

func (p Plan) check() error {
	for name, v := range map[string]float64{
		"starting balance": p.Start, "contribution": p.Contribution, "withdrawal": p.Withdrawal, "goal": p.Goal,
		"raise": p.AnnualRaise, "inflation": p.Inflation, "fee": p.Fee, "tax": p.TaxOnGains,
	} {
		if math.IsNaN(v) || math.Abs(v) > maxPlanMoney {
			return fmt.Errorf("%w: the %s is no sum that can be reckoned with", ErrInvalidPlan, name)
		}
	}
	switch {
	case p.Years < 1 || p.Years > MaxYears:
		return fmt.Errorf("%w: %d years; a plan has 1 to %d", ErrInvalidPlan, p.Years, MaxYears)
	case p.Start < 0 || p.Contribution < 0 || p.Withdrawal < 0 || p.Goal < 0:
		return fmt.Errorf("%w: balance, contribution, withdrawal and goal are not negative", ErrInvalidPlan)
	case p.ContributionYears < 0 || p.ContributionYears > p.Years:
		return fmt.Errorf("%w: %d years of saving in a plan of %d", ErrInvalidPlan, p.ContributionYears, p.Years)
	case p.WithdrawalFrom < 0 || p.WithdrawalFrom > p.Years || p.Withdrawal > 0 && p.WithdrawalFrom == 0:
		return fmt.Errorf("%w: withdrawals from year %d in a plan of %d years", ErrInvalidPlan, p.WithdrawalFrom, p.Years)
	case p.Inflation <= -0.5 || p.Inflation >= 1 || p.AnnualRaise <= -0.5 || p.AnnualRaise >= 1:
		return fmt.Errorf("%w: inflation and raise are fractions a year; give 2 %% as 0.02", ErrInvalidPlan)
	case p.Fee < 0 || p.Fee >= highestFee:
		return fmt.Errorf("%w: a fee of %v a year; it is a fraction below %v, give 0.2 %% as 0.002", ErrInvalidPlan, p.Fee, highestFee)
	case p.TaxOnGains < 0 || p.TaxOnGains >= 1:
		return fmt.Errorf("%w: tax is a fraction below one; give 25 %% as 0.25", ErrInvalidPlan)
	}
	return nil
}

// deposit is the contribution at the end of a year, of one in today's money.
func (p Plan) deposit(year int) float64 {
	if year > p.ContributionYears {
		return 0
	}
	return math.Pow(1+p.Inflation, float64(year)) * math.Pow(1+p.AnnualRaise, float64(year-1))
}

// goalAfter is the balance wanted after so many years, in the money of then.
func (p Plan) goalAfter(years int) float64 {
	return p.Goal * math.Pow(1+p.Inflation, float64(years))
}

// spending is the withdrawal at the beginning of a year, of one in today's money.
func (p Plan) spending(year int) float64 {
	if p.WithdrawalFrom < 1 || year < p.WithdrawalFrom {
		return 0
	}
	return math.Pow(1+p.Inflation, float64(year-1))
}

// afterCosts is what a year's return leaves of one unit.
func (p Plan) afterCosts(r float64) float64 {
	if r > 0 {
		r *= 1 - p.TaxOnGains
	}
	return (1 + r) * (1 - p.Fee)
}
