package simulate

import (
	"errors"
	"fmt"
	"math"
)

// ErrInvalidPlan means that a plan or a return model cannot be simulated; the message explains why.
var ErrInvalidPlan = errors.New("invalid plan")

// Plan is a plan of saving and spending by year. Within a year the withdrawal comes first, then the
// return, less fee and tax, and the contribution at the end.
type Plan struct {
	Start             float64 // balance today
	Years             int
	Contribution      float64 // at the end of each year of saving, in today's money
	ContributionYears int     // saving years, starting with the first
	AnnualRaise       float64 // annual increase of the contribution, on top of inflation
	Withdrawal        float64 // at the beginning of each year of spending, in today's money
	WithdrawalFrom    int     // first year with a withdrawal, 1 for the first
	Goal              float64 // balance wanted at the end, in today's money
	Inflation         float64 // raises contributions, withdrawals and the goal
	Fee               float64 // annual, of the balance
	TaxOnGains        float64 // fraction of each year's gain, if positive
}

// Bounds of a plan.
const (
	MaxYears          = 100
	MaxPaths          = 200_000
	maxStoredBalances = 12_500_000 // balances held in memory at once
	maxPlanMoney      = 1e15       // in any unit; a larger amount is a mistake and loses its cents
	// maxBalance is above any real balance; it is exceeded if returns are not fractions.
	maxBalance = 1e30
)

// highestFee exceeds any real annual fee: 0.2 is meant as 0.2%.
const highestFee = 0.1

func (p Plan) check() error {
	for name, v := range map[string]float64{
		"starting balance": p.Start, "contribution": p.Contribution, "withdrawal": p.Withdrawal, "goal": p.Goal,
		"raise": p.AnnualRaise, "inflation": p.Inflation, "fee": p.Fee, "tax": p.TaxOnGains,
	} {
		if math.IsNaN(v) || math.Abs(v) > maxPlanMoney {
			return fmt.Errorf("%w: invalid amount for %s", ErrInvalidPlan, name)
		}
	}
	switch {
	case p.Years < 1 || p.Years > MaxYears:
		return fmt.Errorf("%w: %d years; use 1 to %d", ErrInvalidPlan, p.Years, MaxYears)
	case p.Start < 0 || p.Contribution < 0 || p.Withdrawal < 0 || p.Goal < 0:
		return fmt.Errorf("%w: balance, contribution, withdrawal and goal must not be negative", ErrInvalidPlan)
	case p.ContributionYears < 0 || p.ContributionYears > p.Years:
		return fmt.Errorf("%w: %d saving years in a plan of %d years", ErrInvalidPlan, p.ContributionYears, p.Years)
	case p.WithdrawalFrom < 0 || p.WithdrawalFrom > p.Years || p.Withdrawal > 0 && p.WithdrawalFrom == 0:
		return fmt.Errorf("%w: withdrawals start in year %d; use 1 to %d", ErrInvalidPlan, p.WithdrawalFrom, p.Years)
	case p.Inflation <= -0.5 || p.Inflation >= 1 || p.AnnualRaise <= -0.5 || p.AnnualRaise >= 1:
		return fmt.Errorf("%w: inflation and raise are annual fractions; write 2%% as 0.02", ErrInvalidPlan)
	case p.Fee < 0 || p.Fee >= highestFee:
		return fmt.Errorf("%w: invalid annual fee %v; it must be a fraction below %v, write 0.2%% as 0.002", ErrInvalidPlan, p.Fee, highestFee)
	case p.TaxOnGains < 0 || p.TaxOnGains >= 1:
		return fmt.Errorf("%w: tax is a fraction below 1; write 25%% as 0.25", ErrInvalidPlan)
	}
	return nil
}

// deposit returns the contribution at the end of a year per unit of contribution in today's money.
func (p Plan) deposit(year int) float64 {
	if year > p.ContributionYears {
		return 0
	}
	return math.Pow(1+p.Inflation, float64(year)) * math.Pow(1+p.AnnualRaise, float64(year-1))
}

// goalAfter returns the goal after a number of years, in money of that time.
func (p Plan) goalAfter(years int) float64 {
	return p.Goal * math.Pow(1+p.Inflation, float64(years))
}

// spending returns the withdrawal at the beginning of a year per unit of withdrawal in today's money.
func (p Plan) spending(year int) float64 {
	if p.WithdrawalFrom < 1 || year < p.WithdrawalFrom {
		return 0
	}
	return math.Pow(1+p.Inflation, float64(year-1))
}

// afterCosts returns what remains of one unit after a year's return and costs.
func (p Plan) afterCosts(r float64) float64 {
	if r > 0 {
		r *= 1 - p.TaxOnGains
	}
	return (1 + r) * (1 - p.Fee)
}

// The needed amounts are exact. The account is linear in each of them, also with a tax on gains, so each
// path has one smallest start and contribution, and one largest withdrawal, with which it succeeds. The
// fraction of paths that succeed with an amount is the fraction that need no more than it.

// NeededStart returns the smallest balance today, all else as planned, with which the plan succeeds in a
// fraction of the paths.
func (o PlanOutcome) NeededStart(success float64) (float64, error) {
	return o.requiredAt("balance", o.requirements.start, success)
}

// NeededContribution returns the smallest annual contribution, in today's money, with which the plan
// succeeds in a fraction of the paths. If no contribution is early enough, the error is ErrInvalidPlan.
func (o PlanOutcome) NeededContribution(success float64) (float64, error) {
	if o.plan.ContributionYears == 0 {
		return 0, fmt.Errorf("%w: the plan has no saving years", ErrInvalidPlan)
	}
	return o.requiredAt("contribution", o.requirements.contribution, success)
}

// LargestWithdrawal returns the largest annual withdrawal, in today's money, with which the plan succeeds
// in a fraction of the paths. If it does not succeed even without withdrawals, the error is ErrInvalidPlan.
func (o PlanOutcome) LargestWithdrawal(success float64) (float64, error) {
	if o.plan.WithdrawalFrom < 1 {
		return 0, fmt.Errorf("%w: the plan has no spending years", ErrInvalidPlan)
	}
	if err := checkShare(success); err != nil {
		return 0, err
	}
	all := o.requirements.withdrawal
	most := all[len(all)-requiredRank(len(all), success)]
	// Rounding may make an exact zero slightly negative.
	if hair := 1e-9 * (o.plan.Start + o.plan.Contribution + o.plan.Withdrawal + o.plan.Goal); !(most >= -hair) {
		return 0, errNoSuccess("withdrawal", success)
	}
	return max(most, 0), nil
}

func (o PlanOutcome) requiredAt(what string, sorted []float64, success float64) (float64, error) {
	if err := checkShare(success); err != nil {
		return 0, err
	}
	need := sorted[requiredRank(len(sorted), success)-1]
	if math.IsInf(need, 0) || math.IsNaN(need) {
		return 0, errNoSuccess(what, success)
	}
	return need, nil
}

func errNoSuccess(what string, success float64) error {
	return fmt.Errorf("%w: no %s makes the plan succeed in %.4g%% of the simulated paths", ErrInvalidPlan, what, success*100)
}

// requiredRank returns how many of n paths make up at least the share.
func requiredRank(n int, share float64) int {
	return min(max(int(math.Ceil(share*float64(n)-1e-9)), 1), n)
}

func checkShare(success float64) error {
	if !(success > 0) || success > 1 {
		return fmt.Errorf("%w: invalid share %v; write 90%% as 0.9", ErrInvalidPlan, success)
	}
	return nil
}

// AnnualGrowth returns the annual growth that turns one into grown: grown^(1/years) - 1.
func AnnualGrowth(grown, years float64) float64 {
	return math.Expm1(math.Log(grown) / years)
}
