package optimize

import "errors"

// Errors of this package. They are wrapped with the numbers that caused them.
var (
	// ErrInfeasible means that no weights satisfy all limits and targets, or no point satisfies all
	// constraints.
	ErrInfeasible = errors.New("constraints conflict")
	// ErrUnbounded means that the objective decreases without bound.
	ErrUnbounded = errors.New("objective has no minimum")
	// ErrSingular means that, according to the covariance, some mix of the assets has no risk, so that
	// minimum risk is meaningless.
	ErrSingular = errors.New("covariance is singular")
	// ErrConstantReturns means an asset whose returns do not vary.
	ErrConstantReturns = errors.New("returns do not vary")
	// ErrTooFew means too few returns or assets.
	ErrTooFew = errors.New("too few")
	// ErrNoExcess means that no portfolio has an expected return above the risk-free rate, so that the
	// ratio of excess return to risk has no maximum.
	ErrNoExcess = errors.New("no expected return above the risk-free rate")
	// ErrNotConverged means that rounding prevented convergence, which can happen for nearly equal
	// assets.
	ErrNotConverged = errors.New("no optimum within the step limit")
	// ErrMalformed means that inputs have inconsistent sizes or invalid numbers.
	ErrMalformed = errors.New("malformed")
)
