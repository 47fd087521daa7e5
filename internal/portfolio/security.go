package portfolio

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Security is the user's classification of a security. An empty field is unknown.
type Security struct {
	Symbol market.Symbol `json:"symbol"`
	Class  Class         `json:"class,omitempty"`
	Region string        `json:"region,omitempty"` // "US", "Europe", "World", "Emerging markets": free text
	Sector string        `json:"sector,omitempty"`
	// Exchange is the market identifier code (ISO 10383) of the listing that was bought. Currency is the
	// currency of its prices: a quote in another currency is for another listing.
	Exchange string `json:"exchange,omitempty"`
	Currency string `json:"currency,omitempty"`
	// Fee is the yearly expense ratio of a fund, as a fraction: 0.0007.
	Fee decimal.NullDecimal `json:"fee,omitzero"`
	// RecordedOn is the date of this information.
	RecordedOn market.Date `json:"said,omitzero"`
}

// Class is an asset class.
type Class string

// Asset classes.
const (
	ClassEquity     Class = "equity"
	ClassBond       Class = "bond"
	ClassCash       Class = "cash" // also money market funds
	ClassRealEstate Class = "real_estate"
	ClassCommodity  Class = "commodity"
	ClassCrypto     Class = "crypto"
	ClassMixed      Class = "mixed" // funds of several classes
	ClassOther      Class = "other"
)

// Classes returns all asset classes.
func Classes() []Class {
	return []Class{ClassEquity, ClassBond, ClassCash, ClassRealEstate, ClassCommodity, ClassCrypto, ClassMixed, ClassOther}
}

// Target is the share of the portfolio that the user wants in a security.
type Target struct {
	Symbol market.Symbol   `json:"symbol"`
	Weight decimal.Decimal `json:"weight"` // a fraction of one; the remainder is cash
}

// Validate reports an invalid field, as ErrInvalid.
func (s Security) Validate() error {
	err := cmp.Or(checkSymbol(s.Symbol), checkText("exchange", s.Exchange, maxName), checkText("region", s.Region, maxName), checkText("sector", s.Sector, maxName), CheckMagnitude("fee", s.Fee.Decimal))
	switch {
	case s.Symbol == "":
		err = fmt.Errorf("symbol is missing")
	case s.Currency != "" && checkCurrency(s.Currency) != nil:
		err = checkCurrency(s.Currency)
	case s.Class != "" && !slices.Contains(Classes(), s.Class):
		err = fmt.Errorf("class %q is not one of %v", shorten(string(s.Class)), Classes())
	case err == nil && !isFraction(s.Fee.Decimal):
		err = fmt.Errorf("fee is %s: enter a fraction such as 0.0007 for 0.07%% a year", s.Fee.Decimal)
	case err == nil && !s.RecordedOn.IsZero():
		err = checkDay("said", s.RecordedOn)
	}
	if err != nil {
		return fmt.Errorf("security %q: %w: %w", shorten(string(s.Symbol)), ErrInvalid, err)
	}
	return nil
}

// IsEmpty reports whether no field is set.
func (s Security) IsEmpty() bool {
	return s.Class == "" && s.Region == "" && s.Sector == "" && s.Exchange == "" && s.Currency == "" && !s.Fee.Valid
}

func isFraction(d decimal.Decimal) bool {
	return !d.IsNegative() && !d.GreaterThan(decimal.NewFromInt(1))
}

// putSecurities adds or replaces securities by symbol.
func (l *Ledger) putSecurities(changed []Security) error {
	for _, s := range changed {
		if err := s.Validate(); err != nil {
			return err
		}
		if err := l.checkNotAlias(s.Symbol); err != nil && !s.IsEmpty() {
			return fmt.Errorf("security %s: %w", s.Symbol, err)
		}
		i, found := slices.BinarySearchFunc(l.Securities, s, func(a, b Security) int { return cmp.Compare(a.Symbol, b.Symbol) })
		switch {
		case found && s.IsEmpty():
			l.Securities = slices.Delete(l.Securities, i, i+1)
		case found:
			l.Securities[i] = s
		case !s.IsEmpty():
			l.Securities = slices.Insert(l.Securities, i, s)
		}
	}
	return nil
}

// putTargets replaces the targets. Each symbol may occur once, and the weights add up to at most 1.
func (l *Ledger) putTargets(targets []Target) error {
	if targets == nil {
		return nil
	}
	var sum decimal.Decimal
	seen := make(map[market.Symbol]bool, len(targets))
	for _, t := range targets {
		err := cmp.Or(checkSymbol(t.Symbol), CheckMagnitude("weight", t.Weight), l.checkNotAlias(t.Symbol))
		if err == nil && (t.Symbol == "" || seen[t.Symbol] || !t.Weight.IsPositive()) {
			err = fmt.Errorf("%w: list each symbol once, with a weight above zero", ErrInvalid)
		}
		if err != nil {
			return fmt.Errorf("target %q: %w", shorten(string(t.Symbol)), err)
		}
		seen[t.Symbol], sum = true, sum.Add(t.Weight)
	}
	if !isFraction(sum) {
		return fmt.Errorf("targets: %w: the weights add up to %s; at most 1 is allowed", ErrInvalid, sum)
	}
	l.Targets = slices.SortedFunc(slices.Values(targets), func(a, b Target) int { return cmp.Compare(a.Symbol, b.Symbol) })
	return nil
}

func (l *Ledger) checkNotAlias(s market.Symbol) error {
	if end, ok := l.Aliases[s]; ok {
		return fmt.Errorf("%w: this symbol is an alias of %s", ErrInvalid, end)
	}
	return nil
}
