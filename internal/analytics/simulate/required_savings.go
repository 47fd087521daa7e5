package simulate

import (
	"fmt"
	"math"
)

// What the plan would have needed is exact: the account is linear in each of its
// parts, so that every future has one smallest start and contribution, and one
// largest withdrawal, with which it succeeds. The share of futures that succeed
// with a sum is then the share that need no more than it. A tax on gains is taken
// of the account as it is, and stays linear, too.

// NeededStart is the least balance today, all else as planned, with which the plan
// succeeds in a share of the futures.
func (o PlanOutcome) NeededStart(success float64) (float64, error) {
	return o.requiredAt("balance", o.requirements.start, success)
}

// NeededContribution is the least contribution a year, in today's money, with
// which the plan succeeds in a share of the futures. It is ErrInvalidPlan where no
// contribution comes early enough.
func (o PlanOutcome) NeededContribution(success float64) (float64, error) {
	if o.plan.ContributionYears == 0 {
		return 0, fmt.Errorf("%w: the plan has no year of saving", ErrInvalidPlan)
	}
	return o.requiredAt("contribution", o.requirements.contribution, success)
}

// LargestWithdrawal is the most that can be spent a year, in today's money, with
// which the plan succeeds in a share of the futures. It is ErrInvalidPlan where the plan
// does not even without one.
func (o PlanOutcome) LargestWithdrawal(success float64) (float64, error) {
	if o.plan.WithdrawalFrom < 1 {
		return 0, fmt.Errorf("%w: the plan has no year of spending", ErrInvalidPlan)
	}
	if err := checkShare(success); err != nil {
		return 0, err
	}
	all := o.requirements.withdrawal
	most := all[len(all)-requiredRank(len(all), success)]
	// Rounding may leave what is exactly nothing a hair below it.
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
	return fmt.Errorf("%w: no %s makes the plan succeed in %.4g %% of the futures", ErrInvalidPlan, what, success*100)
}

// requiredRank is how many of n futures are at least that share.
func requiredRank(n int, share float64) int {
	return min(max(int(math.Ceil(share*float64(n)-1e-9)), 1), n)
}

func checkShare(success float64) error {
	if !(success > 0) || success > 1 {
		return fmt.Errorf("%w: a share of %v; give 90 %% as 0.9", ErrInvalidPlan, success)
	}
	return nil
}

// AnnualGrowth is the growth a year that makes one into grown: grown^(1/years) - 1.
func AnnualGrowth(grown, years float64) float64 {
	return math.Expm1(math.Log(grown) / years)
}
