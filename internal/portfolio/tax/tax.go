// Package tax says what a jurisdiction makes of the disposals of a book: which
// gains are short and long, what adds up in a year, and which losses are not
// deductible because the same security was bought again.
//
// It is arithmetic, not advice. Rates, allowances, carried losses and exceptions
// such as those for inherited shares or for dealers are not in it.
package tax

import (
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// ErrUnknownJurisdiction means that no rules stand under a name; the error lists
// those that there are.
var ErrUnknownJurisdiction = errors.New("unknown jurisdiction")

// Jurisdiction is a set of rules. Find gives one; the zero value has the rules of
// none: no terms and no wash sales.
type Jurisdiction struct {
	Name  string // "us"
	Title string // "United States, federal"
	// longFrom is the first day on which a sale of what was acquired is long; nil
	// where there are no terms.
	longFrom func(acquired market.Date) market.Date
	// washDays are the days before and after a sale at a loss in which buying again
	// makes it a wash sale; zero where there is no such rule.
	washDays int
}

// Jurisdictions lists them all.
func Jurisdictions() []Jurisdiction {
	return []Jurisdiction{
		{Name: "us", Title: "United States, federal", longFrom: longFromUS, washDays: washDaysUS},
		{Name: "none", Title: "no terms and no wash sales"},
	}
}

// Find returns the jurisdiction of a name, whatever its case. What is not one
// yields ErrUnknownJurisdiction.
func Find(name string) (Jurisdiction, error) {
	known := make([]string, 0, 2)
	for _, j := range Jurisdictions() {
		if strings.EqualFold(j.Name, strings.TrimSpace(name)) {
			return j, nil
		}
		known = append(known, j.Name)
	}
	return Jurisdiction{}, fmt.Errorf("%w %.40q; known: %s", ErrUnknownJurisdiction, name, strings.Join(known, ", "))
}

// Term is how long something was held, as far as taxes tell it apart.
type Term string

// Terms.
const (
	TermShort   Term = "short"
	TermLong    Term = "long"
	TermUnknown Term = "unknown" // the day of acquisition is not known
	TermNone    Term = ""        // the jurisdiction makes no difference
)

// Term is that of a disposal. Closing a short position is short: what was delivered
// was bought to close it (Pub. 550, Short Sales). The exception for who held the
// same security for long elsewhere is not applied.
func (j Jurisdiction) Term(d portfolio.Disposal) Term {
	if j.longFrom != nil && d.Quantity.IsNegative() {
		return TermShort
	}
	return j.Held(d.Acquired, d.Date)
}

// Held is the term of what is held from one day and sold on another. A zero
// acquired is not known.
func (j Jurisdiction) Held(acquired, sold market.Date) Term {
	switch {
	case j.longFrom == nil:
		return TermNone
	case acquired.IsZero():
		return TermUnknown
	case sold.Before(j.longFrom(acquired)):
		return TermShort
	}
	return TermLong
}

// LongFrom is the first day on which a sale of what was acquired is long. It
// reports false where the day is not known or there are no terms.
func (j Jurisdiction) LongFrom(acquired market.Date) (market.Date, bool) {
	if j.longFrom == nil || acquired.IsZero() {
		return market.Date{}, false
	}
	return j.longFrom(acquired), true
}

// BuyAgain is the first day on which what was sold at a loss may be bought without
// washing it; the day of the sale itself where there is no such rule.
func (j Jurisdiction) BuyAgain(sold market.Date) market.Date {
	if j.washDays == 0 {
		return sold
	}
	return sold.AddDate(0, 0, j.washDays+1)
}
