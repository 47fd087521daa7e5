// Package guidance holds the tools that judge the user's book: what in it breaks a
// rule of thumb or a limit, and which trades bring it back to its targets. What
// suggests a portfolio passes the gate of the user's own limits first. Nothing here
// writes or trades. A new tool is a file of its own and a line in Tools.
package guidance

import (
	"context"
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// Deps are the book, what it is priced with, and who its owner is.
type Deps struct {
	book.Deps
	// Profiles keep who the user is as an investor; nil knows nothing of them.
	Profiles investor.Store
}

// Tools lists the tools of the room, one line each.
func Tools(d Deps) []tool.Tool {
	return []tool.Tool{
		newPortfolioCheckup(d),
		newRebalancePlan(d),
	}
}

// errAsked marks arguments that make no question; what is wrong follows.
var errAsked = errors.New("cannot be asked")

// person is what is known of the user.
type person struct {
	investor.Profile
	// Note says why nothing is known, "" where something is.
	Note string
}

// person loads the profile. One that was saved after the clock is not known yet.
func (d Deps) person(ctx context.Context) (person, error) {
	const none = "no profile is saved; nfa profile asks for one"
	if d.Profiles == nil {
		return person{Note: none}, nil
	}
	p, saved, err := d.Profiles.Profile(ctx)
	switch {
	case err != nil:
		return person{}, fmt.Errorf("reading the profile: %w", err)
	case !saved:
		return person{Note: none}, nil
	case d.Replay && p.UpdatedAt.After(question.EndOfDay(d.Now())):
		return person{Note: "the profile was saved after the day of the clock, and is left out"}, nil
	}
	return person{Profile: p}, nil
}

// valued opens the book and prices what the accounts hold; none are all.
func (d Deps) valued(ctx context.Context, accounts []string, currency string) (book.Opened, book.Valuation, error) {
	currency, err := question.Currency(currency)
	if err != nil {
		return book.Opened{}, book.Valuation{}, fmt.Errorf("%w: %w", errAsked, err)
	}
	o, err := d.Load(ctx)
	if err != nil {
		return o, book.Valuation{}, err
	}
	v, err := d.Value(ctx, o, accounts, currency)
	return o, v, err
}
