package guidance

import (
	"errors"
	"slices"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// refused is the answer to what cannot be answered: a result where a better
// question, or a word to the profile, would help, and for the rest what is said of
// every question about the book. A model that may not see amounts does not see them
// in a refusal either.
func (d Deps) refused(err error) (tool.Result, error) {
	is := func(targets ...error) bool {
		return slices.ContainsFunc(targets, func(t error) bool { return errors.Is(err, t) })
	}
	code := ""
	switch {
	case is(errAsked, rebalance.ErrInput, rebalance.ErrCash, tax.ErrUnknownJurisdiction):
		code = tool.CodeValidation
	case is(errPart, investor.ErrDocument, investor.ErrNewer):
		code = tool.CodeNoData
	default:
		return d.Unanswered(err)
	}
	text := err.Error()
	if d.HideAmounts {
		text = present.DiscreetText(text, present.KeptSaid)
	}
	res := tool.Failed(code, text)
	res.ForUser = err.Error()
	return res, nil
}
