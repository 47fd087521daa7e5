package investor

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Limits of an entry.
const (
	maxText    = 8000 // characters of a thesis or note
	maxSource  = 200
	maxID      = 64
	maxTargets = 20
	maxAssets  = 50
)

// Validate returns ErrInvalidEntry for invalid values. It does not check whether the symbol exists.
func (w WatchedSymbol) Validate() error {
	if err := w.check(); err != nil {
		return fmt.Errorf("%w: watch %.24q: %w", ErrInvalidEntry, w.Symbol, err)
	}
	return nil
}

func (w WatchedSymbol) check() error {
	if err := cmp.Or(checkSymbol(w.Symbol), checkDate("the date", w.Added), checkText("the note", w.Note, maxText)); err != nil {
		return err
	}
	if len(w.Targets) > maxTargets {
		return fmt.Errorf("more than %d targets", maxTargets)
	}
	for i, t := range w.Targets {
		if err := t.check(); err != nil {
			return err
		}
		same := func(o PriceTarget) bool {
			return o.Side == t.Side && o.Currency == t.Currency && o.Price.Equal(t.Price)
		}
		if slices.ContainsFunc(w.Targets[:i], same) {
			return fmt.Errorf("the target %s appears twice", t.Describe())
		}
	}
	return nil
}

func (t PriceTarget) check() error {
	if t.Side != Above && t.Side != Below {
		return fmt.Errorf("target side must be %s or %s, not %.20q", Above, Below, t.Side)
	}
	if t.Currency == "" {
		return checkPrice(t.Price)
	}
	return cmp.Or(checkPrice(t.Price), checkCurrency(t.Currency))
}

// Validate returns ErrInvalidEntry for invalid values. It does not check against the current date.
func (d Decision) Validate() error {
	if err := d.check(); err != nil {
		return fmt.Errorf("%w: decision %.64q: %w", ErrInvalidEntry, d.ID, err)
	}
	return nil
}

func (d Decision) check() error {
	err := cmp.Or(checkID(d.ID), checkDate("the date", d.Date),
		checkText("the thesis", d.Thesis, maxText), checkText("the invalidation", d.Invalidation, maxText), checkText("the outcome", d.Outcome, maxText))
	switch {
	case err != nil:
		return err
	case !slices.Contains(DecisionActions(), d.Action):
		return fmt.Errorf("action must be one of %v, not %.20q", DecisionActions(), d.Action)
	case strings.TrimSpace(d.Thesis) == "":
		return errors.New("missing thesis: give your reason")
	case strings.TrimSpace(d.Invalidation) == "":
		return errors.New("missing disproof: say what would prove the thesis wrong")
	case len(d.Assets) == 0:
		return errors.New("missing symbol")
	case len(d.Assets) > maxAssets:
		return fmt.Errorf("more than %d symbols", maxAssets)
	case d.Confidence.Valid && (!isBounded(d.Confidence.Decimal, 18, 38) || d.Confidence.Decimal.IsNegative() || d.Confidence.Decimal.GreaterThan(decimal.NewFromInt(1))):
		return errors.New("confidence must be from 0 to 1, such as 0.7 for 70%")
	case d.Closed.IsZero() && d.Outcome != "":
		return errors.New("the decision has an outcome but no closing date")
	}
	return cmp.Or(d.checkDays(), d.checkAssets())
}

func (d Decision) checkDays() error {
	for _, later := range []struct {
		name string
		day  market.Date
	}{{"the review date", d.ReviewOn}, {"the closing date", d.Closed}} {
		switch {
		case later.day.IsZero():
			continue
		case later.day.Before(d.Date):
			return fmt.Errorf("%s is before the decision", later.name)
		}
		if err := checkDate(later.name, later.day); err != nil {
			return err
		}
	}
	return nil
}

func (d Decision) checkAssets() error {
	seen := map[market.Symbol]bool{}
	for _, m := range d.Assets {
		if seen[m.Symbol] {
			return fmt.Errorf("%.24s appears twice", m.Symbol)
		}
		seen[m.Symbol] = true
		if err := m.check(d.Date); err != nil {
			return err
		}
	}
	if d.Benchmark == nil {
		return nil
	}
	if seen[d.Benchmark.Symbol] {
		return fmt.Errorf("%.24s is compared with itself", d.Benchmark.Symbol)
	}
	return d.Benchmark.check(d.Date)
}

func (m PricedAsset) check(decided market.Date) error {
	if err := checkSymbol(m.Symbol); err != nil {
		return err
	}
	if !m.Price.Valid {
		if m.Currency != "" || m.Source != "" || !m.AsOf.IsZero() {
			return fmt.Errorf("%s has a currency, source or date, but no price", m.Symbol)
		}
		return nil
	}
	if err := cmp.Or(checkPrice(m.Price.Decimal), checkDate("the date of the price", m.AsOf), checkText("the source", m.Source, maxSource)); err != nil {
		return fmt.Errorf("%s: %w", m.Symbol, err)
	}
	switch {
	case strings.TrimSpace(m.Source) == "":
		return fmt.Errorf("%s: the price has no source", m.Symbol)
	case m.AsOf.After(decided):
		return fmt.Errorf("%s: the price is dated after the decision", m.Symbol)
	case m.Currency != "":
		return checkCurrency(m.Currency)
	}
	return nil
}

func checkSymbol(s market.Symbol) error {
	switch parsed, err := market.ParseSymbol(string(s)); {
	case err != nil:
		return err
	case parsed != s:
		return fmt.Errorf("the symbol %q must be written %s", s, parsed)
	}
	return nil
}

func checkID(id string) error {
	outside := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
	}
	if id == "" || len(id) > maxID || strings.ContainsFunc(id, outside) {
		return fmt.Errorf("an ID has 1 to %d letters, digits, - and _", maxID)
	}
	return nil
}

func checkDate(what string, d market.Date) error {
	midnight := time.Date(d.Year(), d.Month(), d.Day(), 0, 0, 0, 0, time.UTC)
	switch {
	case d.IsZero():
		return fmt.Errorf("%s is missing", what)
	case d.Year() < earliestYear || d.Year() > latestYear:
		return fmt.Errorf("%s is in the year %d", what, d.Year())
	case !d.Equal(midnight):
		return fmt.Errorf("%s must be midnight UTC", what)
	}
	return nil
}

// checkText rejects invisible characters, such as escape sequences and bidirectional marks. Line
// breaks and joiners (for Persian and Hindi) are allowed.
func checkText(what, s string, longest int) error {
	switch {
	case !utf8.ValidString(s):
		return fmt.Errorf("%s is not UTF-8 text", what)
	case utf8.RuneCountInString(s) > longest:
		return fmt.Errorf("%s is longer than %d characters", what, longest)
	case strings.ContainsFunc(s, isInvisible):
		return fmt.Errorf("%s has control characters", what)
	}
	return nil
}

func checkCurrency(code string) error {
	if !isCurrencyCode(code) {
		return fmt.Errorf("%.10q is not a currency; use a three-letter code, such as EUR", code)
	}
	return nil
}

func checkPrice(price decimal.Decimal) error {
	if !isBounded(price, 18, 38) {
		return errors.New("a price has too many digits")
	}
	if !price.IsPositive() {
		return fmt.Errorf("the price must be above zero, not %s", price)
	}
	return nil
}
