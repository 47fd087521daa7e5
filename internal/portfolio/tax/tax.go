package tax

import (
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// ErrUnknownJurisdiction means that no jurisdiction has the name; the error lists the known ones.
var ErrUnknownJurisdiction = errors.New("unknown jurisdiction")

// Jurisdiction is a set of rules, returned by FindJurisdiction. The zero value has no holding periods
// and no wash sales.
type Jurisdiction struct {
	Name  string // "us"
	Title string // "United States, federal"
	// longTermFrom returns the first date on which a sale counts as long-term; nil if the
	// jurisdiction has no terms.
	longTermFrom func(acquired market.Date) market.Date
	// washDays is the number of days before and after a sale at a loss in which a purchase makes it
	// a wash sale; zero without such a rule.
	washDays int
}

// Jurisdictions returns all jurisdictions.
func Jurisdictions() []Jurisdiction {
	return []Jurisdiction{
		{Name: "us", Title: "United States, federal", longTermFrom: longTermFromUS, washDays: washDaysUS},
		{Name: "none", Title: "no holding periods or wash sales"},
	}
}

// FindJurisdiction returns a jurisdiction by name, ignoring case, or ErrUnknownJurisdiction.
func FindJurisdiction(name string) (Jurisdiction, error) {
	known := make([]string, 0, 2)
	for _, j := range Jurisdictions() {
		if strings.EqualFold(j.Name, strings.TrimSpace(name)) {
			return j, nil
		}
		known = append(known, j.Name)
	}
	return Jurisdiction{}, fmt.Errorf("%w %.40q; known: %s", ErrUnknownJurisdiction, name, strings.Join(known, ", "))
}

// Term is the holding period for tax purposes.
type Term string

// Holding periods.
const (
	TermShort   Term = "short"
	TermLong    Term = "long"
	TermUnknown Term = "unknown" // the date of acquisition is unknown
	TermNone    Term = ""        // the jurisdiction has no terms
)

// Term returns the term of a disposal. Closing a short position is short-term, because the
// delivered shares were bought to close it (Pub. 550, Short Sales). The exception for investors who
// held the same security long-term elsewhere is not applied.
func (j Jurisdiction) Term(d portfolio.Disposal) Term {
	if j.longTermFrom != nil && d.Quantity.IsNegative() {
		return TermShort
	}
	return j.HoldingTerm(d.Acquired, d.Date)
}

// HoldingTerm returns the term of shares acquired on one date and sold on another. A zero acquired
// date gives TermUnknown, if the jurisdiction has terms.
func (j Jurisdiction) HoldingTerm(acquired, sold market.Date) Term {
	switch {
	case j.longTermFrom == nil:
		return TermNone
	case acquired.IsZero():
		return TermUnknown
	case sold.Before(j.longTermFrom(acquired)):
		return TermShort
	}
	return TermLong
}

// LongTermFrom returns the first date on which a sale is long-term. It returns false if the date of
// acquisition is zero or there are no terms.
func (j Jurisdiction) LongTermFrom(acquired market.Date) (market.Date, bool) {
	if j.longTermFrom == nil || acquired.IsZero() {
		return market.Date{}, false
	}
	return j.longTermFrom(acquired), true
}

// RepurchaseFrom returns the first date on which a security sold at a loss may be bought again
// without a wash sale; the date of the sale if there is no such rule.
func (j Jurisdiction) RepurchaseFrom(sold market.Date) market.Date {
	if j.washDays == 0 {
		return sold
	}
	return sold.AddDate(0, 0, j.washDays+1)
}

// washDaysUS is the number of days before and after the sale in 26 U.S.C. 1091(a).
const washDaysUS = 30

// longTermFromUS follows Pub. 550 (Holding Period): counting starts on the day after the
// acquisition, and each month begins on the same day of the month. Long-term means more than a
// year: shares acquired on 2023-03-01 are long-term from 2024-03-02, and shares acquired on the
// last day of February from March 1 (Rev. Rul. 66-7).
func longTermFromUS(acquired market.Date) market.Date {
	return acquired.AddDate(0, 0, 1).AddDate(1, 0, 0)
}
