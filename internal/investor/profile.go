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

// Errors of the profile.
var (
	// ErrInvalidAnswer means that an answer does not fit its question; the message says what does.
	ErrInvalidAnswer = errors.New("invalid answer")
	// ErrUnknownQuestion means that no question has the ID.
	ErrUnknownQuestion = errors.New("unknown question")
	// ErrInvalidDocument means that a document is not a valid profile.
	ErrInvalidDocument = errors.New("invalid profile")
	// ErrNewerVersion means that a newer version of nfa wrote the profile.
	ErrNewerVersion = errors.New("profile was written by a newer version")
)

// Profile is everything the user said about themselves. In the zero value everything is unknown. A nil list
// is unknown; an empty one was answered with "none". Years are stored instead of ages and numbers of years,
// so that a profile does not become outdated.
type Profile struct {
	BirthYear int      `json:"birth_year,omitzero"`
	Finances  Finances `json:"finances,omitzero"`
	Tax       Tax      `json:"tax,omitzero"`
	// Objectives are the purposes of the money, most important first.
	Objectives []Objective `json:"objectives,omitzero"`
	Experience Experience  `json:"experience,omitzero"`
	// HorizonYear is the year until which most of the money stays invested.
	HorizonYear int    `json:"horizon_year,omitzero"`
	Needs       []Need `json:"liquidity_needs,omitzero"`
	// Tolerance maps risk tolerance questions to the chosen answers.
	Tolerance        map[string]string `json:"risk_tolerance,omitzero"`
	OtherInvestments []Asset           `json:"other_investments,omitzero"` // outside the portfolio
	Limits           Limits            `json:"limits,omitzero"`
	// UpdatedAt is when the profile was last saved, set by the caller of SaveProfile.
	UpdatedAt time.Time `json:"updated_at,omitzero"`
}

// Finances is the financial situation. A zero Money is unknown.
type Finances struct {
	Income   Money `json:"income,omitzero"`        // per year, before tax
	NetWorth Money `json:"net_worth,omitzero"`     // assets less debts
	Liquid   Money `json:"liquid_assets,omitzero"` // available within days without loss
}

// Tax is the tax status. Rates are marginal rates, as fractions.
type Tax struct {
	Country string `json:"country,omitzero"` // of residence, ISO 3166 alpha-2
	// Jurisdiction names the tax rules for gains: "us".
	Jurisdiction string              `json:"jurisdiction,omitzero"`
	ShortGains   decimal.NullDecimal `json:"short_gains_rate,omitzero"`
	LongGains    decimal.NullDecimal `json:"long_gains_rate,omitzero"`
	Income       decimal.NullDecimal `json:"income_rate,omitzero"` // on dividends and interest
}

// Objective is a purpose of the money. Its amount and year may be unknown.
type Objective struct {
	Aim    Aim    `json:"aim"`
	Year   int    `json:"year,omitzero"`
	Amount Money  `json:"amount,omitzero"`
	Note   string `json:"note,omitzero"`
}

// Need is money that must be available.
type Need struct {
	Amount Money `json:"amount"`
	// By is the first date on which it may be needed; zero means at any time.
	By   time.Time `json:"by,omitzero"`
	Note string    `json:"note,omitzero"`
}

// Asset is something owned outside the portfolio. Its value may be unknown.
type Asset struct {
	Name  string `json:"name"`
	Value Money  `json:"value,omitzero"`
}

// Limits are limits set by the user. Percentages are fractions of the whole portfolio, including
// cash.
type Limits struct {
	BaseCurrency    string              `json:"base_currency,omitzero"` // ISO 4217
	LargestPosition decimal.NullDecimal `json:"largest_holding,omitzero"`
	Classes         []ClassLimit        `json:"classes,omitzero"`
	// LossCapacity is the largest loss of the portfolio, as a fraction, that the investor can
	// afford without changing how they live, independent of risk tolerance.
	LossCapacity decimal.NullDecimal `json:"loss_capacity,omitzero"`
	CashAmount   Money               `json:"cash_minimum,omitzero"`
	CashShare    decimal.NullDecimal `json:"cash_minimum_part,omitzero"`
	// ExcludedSymbols and ExcludedClasses must not be bought.
	ExcludedSymbols []string          `json:"excluded_symbols,omitzero"`
	ExcludedClasses []portfolio.Class `json:"excluded_classes,omitzero"`
}

// ClassLimit limits an asset class. Min or Max may be unset.
type ClassLimit struct {
	Class portfolio.Class     `json:"class"`
	Min   decimal.NullDecimal `json:"min,omitzero"`
	Max   decimal.NullDecimal `json:"max,omitzero"`
}

// Money is an amount in a currency (ISO 4217). Without a currency it is unknown; a known amount of
// zero has one.
type Money struct {
	Amount   decimal.Decimal `json:"amount"`
	Currency string          `json:"currency"`
}

// IsZero reports whether the amount is unknown.
func (m Money) IsZero() bool { return m.Currency == "" }

// String returns "80000 EUR", or "" if unknown. Three decimals get a fourth, because 80.125 could
// be read as thousands.
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

// ProfileStore stores one profile, as JSON.
type ProfileStore interface {
	// Profile returns the profile, or false if none was saved. A profile of a newer version is
	// ErrNewerVersion.
	Profile(ctx context.Context) (Profile, bool, error)
	// SaveProfile replaces the profile. When it returns nil, the data is on disk.
	SaveProfile(ctx context.Context, p Profile) error
}

// Validate returns ErrInvalidDocument for a profile that no answers could have produced. It does
// not check against the current date.
func (p Profile) Validate() error {
	// Check digits first, because even formatting such a number takes a long time.
	for _, n := range p.decimals() {
		if !hasBoundedDigits(n) {
			return fmt.Errorf("%w: a number has too many digits", ErrInvalidDocument)
		}
	}
	reread, interview := Profile{UpdatedAt: p.UpdatedAt}, NewInterview(time.Time{})
	for _, e := range interview.entries {
		answer := e.get(&p)
		if err := interview.Set(&reread, e.ID, answer); err != nil {
			return fmt.Errorf("%w: %w", ErrInvalidDocument, err)
		}
		if e.get(&reread) != answer {
			return fmt.Errorf("%w: %s has an invalid value", ErrInvalidDocument, e.ID)
		}
	}
	return p.checkRoundTrip(reread)
}

// checkRoundTrip finds data in p that is not an answer, such as an amount without a currency.
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
		return fmt.Errorf("%w: some data is not a valid answer, such as an amount without a currency", ErrInvalidDocument)
	}
	return nil
}

// decimals returns all decimals of p.
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
