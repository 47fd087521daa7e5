package investor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// What the errors of this package mean.
var (
	// ErrInvalidAnswer means that an answer does not fit its question; the message says
	// what would.
	ErrInvalidAnswer = errors.New("not an answer to this question")
	// ErrUnknownQuestion means that no question has the ID.
	ErrUnknownQuestion = errors.New("unknown question")
	// ErrInvalidDocument means that a document is not a profile.
	ErrInvalidDocument = errors.New("not a profile")
	// ErrNewerVersion means that a newer program wrote the profile.
	ErrNewerVersion = errors.New("profile of a newer version")
)

// Profile is all that the user has said. The zero value is of somebody of whom
// nothing is known. A nil list is not known; an empty one was answered with "none".
// Years stand in place of ages and spans, so that a profile does not go stale.
type Profile struct {
	BirthYear int      `json:"birth_year,omitzero"`
	Finances  Finances `json:"finances,omitzero"`
	Tax       Tax      `json:"tax,omitzero"`
	// Objectives are what the money is for, the most important first.
	Objectives []Objective `json:"objectives,omitzero"`
	Experience Experience  `json:"experience,omitzero"`
	// HorizonYear is the year until which most of the money stays invested.
	HorizonYear int    `json:"horizon_year,omitzero"`
	Needs       []Need `json:"liquidity_needs,omitzero"`
	// Tolerance holds the choices made in the questions of risk tolerance.
	Tolerance        map[string]string `json:"risk_tolerance,omitzero"`
	OtherInvestments []Asset           `json:"other_investments,omitzero"` // outside of the portfolio
	Limits           Limits            `json:"limits,omitzero"`
	// UpdatedAt is when the profile was last saved. Who saves it sets it.
	UpdatedAt time.Time `json:"updated_at,omitzero"`
}

// Finances is the financial situation. The zero Money of a field is not known.
type Finances struct {
	Income   Money `json:"income,omitzero"`        // a year, before tax
	NetWorth Money `json:"net_worth,omitzero"`     // all that is owned less all debts
	Liquid   Money `json:"liquid_assets,omitzero"` // to be had within days without loss
}

// Tax is the tax status. Rates are marginal and fractions of one.
type Tax struct {
	Country string `json:"country,omitzero"` // of residence, ISO 3166 alpha-2
	// Jurisdiction names the rules that gains are taxed by: "us".
	Jurisdiction string              `json:"jurisdiction,omitzero"`
	ShortGains   decimal.NullDecimal `json:"short_gains_rate,omitzero"`
	LongGains    decimal.NullDecimal `json:"long_gains_rate,omitzero"`
	Income       decimal.NullDecimal `json:"income_rate,omitzero"` // on dividends and interest
}

// Objective is one aim. Its amount and year may be unknown.
type Objective struct {
	Aim    Aim    `json:"aim"`
	Year   int    `json:"year,omitzero"`
	Amount Money  `json:"amount,omitzero"`
	Note   string `json:"note,omitzero"`
}

// Need is money that must be at hand.
type Need struct {
	Amount Money `json:"amount"`
	// By is the first day on which it may be needed; zero is at any time.
	By   time.Time `json:"by,omitzero"`
	Note string    `json:"note,omitzero"`
}

// Asset is something owned outside of the portfolio. Its value may be unknown.
type Asset struct {
	Name  string `json:"name"`
	Value Money  `json:"value,omitzero"`
}

// Limits are bounds that the user set. All parts are fractions of one, of the whole
// portfolio with its cash.
type Limits struct {
	BaseCurrency    string              `json:"base_currency,omitzero"` // ISO 4217
	LargestPosition decimal.NullDecimal `json:"largest_holding,omitzero"`
	Classes         []ClassLimit        `json:"classes,omitzero"`
	// LossCapacity is the largest fall of the portfolio that the investor can bear
	// without changing how they live, whatever they would dare.
	LossCapacity decimal.NullDecimal `json:"loss_capacity,omitzero"`
	CashAmount   Money               `json:"cash_minimum,omitzero"`
	CashShare    decimal.NullDecimal `json:"cash_minimum_part,omitzero"`
	// ExcludedSymbols and ExcludedClasses are not to be held.
	ExcludedSymbols []string          `json:"excluded_symbols,omitzero"`
	ExcludedClasses []portfolio.Class `json:"excluded_classes,omitzero"`
}

// ClassLimit bounds a class of assets. One of its ends may be open.
type ClassLimit struct {
	Class portfolio.Class     `json:"class"`
	Min   decimal.NullDecimal `json:"min,omitzero"`
	Max   decimal.NullDecimal `json:"max,omitzero"`
}

// Money is a sum in a currency (ISO 4217). Without a currency it is not known; a
// sum of nothing that is known has one.
type Money struct {
	Amount   decimal.Decimal `json:"amount"`
	Currency string          `json:"currency"`
}

// IsZero reports whether the sum is not known.
func (m Money) IsZero() bool { return m.Currency == "" }

// String is "80000 EUR", or "" where the sum is not known. A fraction of three
// digits gets a fourth, because 80.125 may be read as thousands.
func (m Money) String() string {
	if m.IsZero() {
		return ""
	}
	digits := m.Amount.String()
	if _, fraction, _ := strings.Cut(digits, "."); len(fraction) == 3 {
		digits += "0"
	}
	return digits + " " + m.Currency
}

// ProfileStore keeps one profile, as the JSON document that it marshals to.
type ProfileStore interface {
	// Profile loads it, and reports false where none was saved. A document of a
	// newer program is ErrNewerVersion, and is left as it is.
	Profile(ctx context.Context) (Profile, bool, error)
	// SaveProfile puts p in the place of what was there. When it returns nil the
	// disk has it.
	SaveProfile(ctx context.Context, p Profile) error
}

// Validate reports what no answer of an interview could have made. It asks nothing
// of the present day. The error is ErrInvalidDocument.
func (p Profile) Validate() error {
	// First of all, because even writing down such a number takes a long time.
	for _, n := range p.decimals() {
		if !hasBoundedDigits(n) {
			return fmt.Errorf("%w: a number has more digits than any answer", ErrInvalidDocument)
		}
	}
	reread, interview := Profile{UpdatedAt: p.UpdatedAt}, NewInterview(time.Time{})
	for _, e := range interview.entries {
		answer := e.get(&p)
		if err := interview.Set(&reread, e.ID, answer); err != nil {
			return fmt.Errorf("%w: %w", ErrInvalidDocument, err)
		}
		if e.get(&reread) != answer {
			return fmt.Errorf("%w: %s holds what no answer gives", ErrInvalidDocument, e.ID)
		}
	}
	return p.checkRoundTrip(reread)
}

// checkRoundTrip finds what stands in p besides its answers, such as a sum without a currency.
func (p Profile) checkRoundTrip(reread Profile) error {
	ours, err := json.Marshal(profileFields(p))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInvalidDocument, err)
	}
	theirs, err := json.Marshal(profileFields(reread))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInvalidDocument, err)
	}
	if !bytes.Equal(ours, theirs) {
		return fmt.Errorf("%w: something in it belongs to no answer, such as a sum without a currency", ErrInvalidDocument)
	}
	return nil
}

// decimals are all decimals of p.
func (p Profile) decimals() []decimal.Decimal {
	sums := []Money{p.Finances.Income, p.Finances.NetWorth, p.Finances.Liquid, p.Limits.CashAmount}
	for _, o := range p.Objectives {
		sums = append(sums, o.Amount)
	}
	for _, n := range p.Needs {
		sums = append(sums, n.Amount)
	}
	for _, a := range p.OtherInvestments {
		sums = append(sums, a.Value)
	}
	l := p.Limits
	parts := []decimal.NullDecimal{p.Tax.ShortGains, p.Tax.LongGains, p.Tax.Income, l.LargestPosition, l.LossCapacity, l.CashShare}
	for _, c := range l.Classes {
		parts = append(parts, c.Min, c.Max)
	}
	var out []decimal.Decimal
	for _, m := range sums {
		out = append(out, m.Amount)
	}
	for _, part := range parts {
		out = append(out, part.Decimal)
	}
	return out
}
