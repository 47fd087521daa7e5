package advice

import (
	"errors"
	"slices"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// errorResult converts an error to a result if a better call, or an answer for the profile,
// would help. Other errors are handled as for every tool of the portfolio. A model that may not
// see amounts does not see them in an error either.
func (d SuitabilityDeps) errorResult(err error) (tool.Result, error) {
	matches := func(targets ...error) bool {
		return slices.ContainsFunc(targets, func(t error) bool { return errors.Is(err, t) })
	}
	code := ""
	switch {
	case matches(errInvalidRequest, rebalance.ErrInvalidRequest, rebalance.ErrNotEnoughCash, tax.ErrUnknownJurisdiction):
		code = tool.CodeValidation
	case matches(errFraction, investor.ErrInvalidDocument, investor.ErrNewerVersion):
		code = tool.CodeNoData
	default:
		return d.ErrorResult(err)
	}
	text := err.Error()
	if d.HideAmounts {
		text = toolkit.MaskMessage(text, toolkit.KeepMessageNumbers)
	}
	res := tool.Failed(code, text)
	res.ForUser = err.Error()
	return res, nil
}
