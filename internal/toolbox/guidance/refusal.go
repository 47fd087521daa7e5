package guidance

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// hiddenNote stands in what a model reads where the user keeps amounts to themselves.
const hiddenNote = "amounts are hidden by the user's setting share_amounts: here are weights, per cents, ratios and dates alone; the user sees the sums, so neither ask for them nor guess them"

// refused is the answer to what cannot be answered: a result where a better
// question, or a word to the book, would help, else an error. A model that may not
// see amounts does not see them in a refusal either.
func (d Deps) refused(err error) (tool.Result, error) {
	is := func(targets ...error) bool {
		return slices.ContainsFunc(targets, func(t error) bool { return errors.Is(err, t) })
	}
	code := ""
	switch {
	case is(errAsked, book.ErrBase, portfolio.ErrUnknownAccount, rebalance.ErrInput, rebalance.ErrCash, tax.ErrUnknownJurisdiction):
		code = tool.CodeValidation
	case is(book.ErrEmpty, errPart, portfolio.ErrInvalid, portfolio.ErrNotHeld, portfolio.ErrOverdrawn, investor.ErrDocument, investor.ErrNewer):
		code = tool.CodeNoData
	default:
		return present.Mendable(d.discreet(err))
	}
	res := tool.Failed(code, d.discreet(err).Error())
	res.ForUser = err.Error()
	return res, nil
}

// discreet is an error as the model may read it.
func (d Deps) discreet(err error) error {
	if !d.HideAmounts {
		return err
	}
	return discreet{err}
}

type discreet struct{ error }

func (d discreet) Error() string { return masked(d.error.Error()) }
func (d discreet) Unwrap() error { return d.error }

var (
	number = regexp.MustCompile(`^[-+−]?[0-9][0-9.,']*$`)
	kept   = regexp.MustCompile(`^(%|days?|weeks?|months?|years?)[.,;:)]*$`)
)

// masked takes the numbers out of a sentence that may tell an amount. Dates, per
// cents and spans of time stay.
func masked(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		bare := strings.Trim(word, `()[]{}",;:.`)
		if !number.MatchString(bare) || i+1 < len(words) && kept.MatchString(words[i+1]) {
			continue
		}
		words[i] = strings.Replace(word, bare, "(hidden)", 1)
	}
	return strings.Join(words, " ")
}
