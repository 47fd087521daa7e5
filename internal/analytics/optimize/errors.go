package optimize

import "errors"

// Errors of this package. They are wrapped with the numbers that caused them.
var (
	// ErrInfeasible means that no weights keep to all limits and targets, or no point to all
	// constraints.
	ErrInfeasible = errors.New("constraints conflict")
	// ErrUnbounded means that the objective of a program falls without end.
	ErrUnbounded = errors.New("objective has no minimum")
	// ErrSingular means that some mix of the assets has no risk by the covariance, so minimum risk
	// is meaningless.
	ErrSingular = errors.New("covariance is singular")
	// ErrConstantReturns means an asset whose returns do not vary.
	ErrConstantReturns = errors.New("returns do not vary")
	// ErrTooFew means too few returns or assets.
	ErrTooFew = errors.New("too few")
	// ErrNoExcess means that nothing is expected to return more than the risk-free
	// rate, so that no ratio of excess return to risk has a maximum.
	ErrNoExcess = errors.New("no expected return above the risk-free rate")
	// ErrNotConverged means that rounding prevented convergence, which can happen for nearly equal
	// assets.
	ErrNotConverged = errors.New("no optimum within the step limit")
	// ErrMalformed means parts whose sizes do not fit, or that are not numbers.
	ErrMalformed = errors.New("malformed")
)
