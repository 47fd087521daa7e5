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

// Jurisdiction is a set of rules; FindJurisdiction returns one. The zero value has no rules: no
// terms and no wash sales.
type Jurisdiction struct {
	Name  string // "us"
	Title string // "United States, federal"
	// longTermFrom is the first day on which a sale of what was acquired is long; nil
	// where there are no terms.
	longTermFrom func(acquired market.Date) market.Date
	// washDays are the days before and after a sale at a loss in which buying again
	// makes it a wash sale; zero where there is no such rule.
	washDays int
}

// Jurisdictions lists them all.
func Jurisdictions() []Jurisdiction {
	return []Jurisdiction{
		{Name: "us", Title: "United States, federal", longTermFrom: longTermFromUS, washDays: washDaysUS},
		{Name: "none", Title: "no terms and no wash sales"},
	}
}

// FindJurisdiction returns the jurisdiction of a name, whatever its case. What is not one
// yields ErrUnknownJurisdiction.
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
	if j.longTermFrom != nil && d.Quantity.IsNegative() {
		return TermShort
	}
	return j.HoldingTerm(d.Acquired, d.Date)
}

// HoldingTerm is the term of what is held from one day and sold on another. A zero
// acquired is not known.
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

// LongTermFrom is the first day on which a sale of what was acquired is long. It
// reports false where the day is not known or there are no terms.
func (j Jurisdiction) LongTermFrom(acquired market.Date) (market.Date, bool) {
	if j.longTermFrom == nil || acquired.IsZero() {
		return market.Date{}, false
	}
	return j.longTermFrom(acquired), true
}

// RepurchaseFrom is the first day on which what was sold at a loss may be bought without
// washing it; the day of the sale itself where there is no such rule.
func (j Jurisdiction) RepurchaseFrom(sold market.Date) market.Date {
	if j.washDays == 0 {
		return sold
	}
	return sold.AddDate(0, 0, j.washDays+1)
}

// washDaysUS are the days of 26 U.S.C. 1091(a), before the sale and after it.
const washDaysUS = 30

// longTermFromUS counts as Pub. 550 (Holding Period) does: from the day after the
// acquisition, and the same date of each following month begins a new month. Long
// is more than a year: what was acquired on 2023-03-01 is long from 2024-03-02, and
// what was acquired on the last day of a February from a first of March (Rev. Rul.
// 66-7).
func longTermFromUS(acquired market.Date) market.Date {
	return acquired.AddDate(0, 0, 1).AddDate(1, 0, 0)
}
