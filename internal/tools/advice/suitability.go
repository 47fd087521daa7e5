package advice

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// SuitabilityDeps holds the portfolio store, the price sources and the investor's profile.
type SuitabilityDeps struct {
	positions.Deps
	// Profiles stores the investor profile. It may be nil.
	Profiles investor.ProfileStore
}

// SuitabilityTools returns the tools that check the portfolio and plan its rebalancing.
func SuitabilityTools(d SuitabilityDeps) []tool.Tool {
	return []tool.Tool{
		newPortfolioCheckup(d),
		newRebalancePlan(d),
	}
}

// errInvalidRequest marks arguments that are invalid or contradict each other.
var errInvalidRequest = errors.New("invalid arguments")

// investorProfile is the user's profile, or the reason why there is none.
type investorProfile struct {
	investor.Profile
	// Note is why there is no profile, "" if there is one.
	Note string
}

// noProfile is why there is no profile in a new data folder.
const noProfile = "no investor profile is saved; create one: nfa profile"

// loadProfile loads the profile. One saved after the clock is treated as missing.
func (d SuitabilityDeps) loadProfile(ctx context.Context) (investorProfile, error) {
	if d.Profiles == nil {
		return investorProfile{Note: noProfile}, nil
	}
	p, saved, err := d.Profiles.Profile(ctx)
	switch {
	case err != nil:
		return investorProfile{}, fmt.Errorf("read profile: %w", err)
	case !saved:
		return investorProfile{Note: noProfile}, nil
	case d.Replay && p.UpdatedAt.After(toolkit.EndOfDay(d.Now())):
		return investorProfile{Note: "the profile is not used, because it was saved after the --as-of date"}, nil
	}
	return investorProfile{Profile: p}, nil
}

// loadAndValue opens the portfolio and values the accounts; no accounts means all.
func (d SuitabilityDeps) loadAndValue(ctx context.Context, accounts []string, currency string) (positions.Portfolio, positions.Valuation, error) {
	currency, err := toolkit.ParseCurrency(currency)
	if err != nil {
		return positions.Portfolio{}, positions.Valuation{}, fmt.Errorf("%w: %w", errInvalidRequest, err)
	}
	o, err := d.Load(ctx)
	if err != nil {
		return o, positions.Valuation{}, err
	}
	v, err := d.Value(ctx, o, accounts, currency)
	return o, v, err
}

// errorResult converts an error to a result if a different call, or an answer for the profile,
// would help. Other errors are handled as in all portfolio tools.
func (d SuitabilityDeps) errorResult(err error) (tool.Result, error) {
	matches := func(targets ...error) bool {
		return slices.ContainsFunc(targets, func(t error) bool { return errors.Is(err, t) })
	}
	switch {
	case matches(errInvalidRequest):
		return toolkit.InvalidResult(err)
	case matches(rebalance.ErrInvalidRequest, rebalance.ErrNotEnoughCash, tax.ErrUnknownJurisdiction):
		return toolkit.InvalidResult(positions.Redact(err))
	case matches(errFraction, investor.ErrInvalidDocument, investor.ErrNewerVersion):
		return tool.FailedError(tool.CodeNoData, positions.Redact(err)), nil
	}
	err = positions.Redact(err)
	res, fault := d.ErrorResult(err)
	if fault == nil {
		res.Redacted = tool.FailedError(res.Code, err).Redacted
	}
	return res, fault
}

// formatShare formats a fraction as a percentage with up to two decimals, which limits such as
// 47.99% need.
func formatShare(part decimal.Decimal) string {
	return toolkit.Format(part.Round(4), toolkit.Rate, "")
}
