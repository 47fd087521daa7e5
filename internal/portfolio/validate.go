package portfolio

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Validate checks a transaction by itself, without the ledger. It returns ErrInvalid for a missing
// or unused field, a negative amount, control characters in a name, or numbers out of range. It
// does not check for an empty ID, which the ledger does, nor for future dates, which CheckDate
// does.
func (t Transaction) Validate() error { return t.validate() }

func (t *Transaction) validate() error {
	for _, check := range []func() error{t.checkFields, t.checkNumbers, t.checkDates, t.checkTexts, t.checkKind, t.checkLots} {
		if err := check(); err != nil {
			return fmt.Errorf("%w: %w", ErrInvalid, err)
		}
	}
	return nil
}

// CheckDate returns ErrInvalid for a date after today.
func (t Transaction) CheckDate(today market.Date) error {
	if t.Date.After(today) {
		return fmt.Errorf("%w: %s is after today, %s", ErrInvalid, formatDate(t.Date), formatDate(today))
	}
	return nil
}

func (t *Transaction) checkFields() error {
	required, optional := t.allowedFields()
	if required == 0 {
		return fmt.Errorf("kind %q is not one of %v", shorten(string(t.Kind)), Kinds())
	}
	present := t.presentFields()
	if missing := required &^ present; missing != 0 {
		return fmt.Errorf("a %s needs %s", t.Kind, missing)
	}
	if unused := present &^ (required | optional); unused != 0 {
		return fmt.Errorf("a %s does not use %s", t.Kind, unused)
	}
	return nil
}

func (t *Transaction) checkNumbers() error {
	for _, n := range []struct {
		name  string
		value decimal.Decimal
	}{
		{"quantity", t.Quantity}, {"price", t.Price.Decimal}, {"amount", t.Amount}, {"fee", t.Fee}, {"tax", t.Tax},
		{"to_amount", t.ToAmount}, {"new", t.New}, {"old", t.Old}, {"cost_part", t.CostPart.Decimal},
	} {
		if err := CheckMagnitude(n.name, n.value); err != nil {
			return err
		}
		if n.value.IsNegative() {
			return fmt.Errorf("%s is %s: negative numbers are not allowed; the transaction kind sets the sign", n.name, n.value)
		}
	}
	return nil
}

// Limits of numbers. Larger ones occur in no ledger and would take hours to add up.
const (
	maxDigits   = 38
	maxExponent = 18
)

// CheckMagnitude returns an error if d has more digits than any ledger needs. The limit also applies to
// values computed from transactions. The error refers to d by name.
func CheckMagnitude(name string, d decimal.Decimal) error {
	if e := d.Exponent(); e > maxExponent || e < -maxExponent {
		return fmt.Errorf("%s has an exponent of %d: use at most %d decimals or trailing zeros", name, e, maxExponent)
	}
	if n := d.NumDigits(); n > maxDigits {
		return fmt.Errorf("%s has %d digits: use at most %d", name, n, maxDigits)
	}
	return nil
}

func (t *Transaction) checkDates() error {
	if err := checkDay("date", t.Date); err != nil {
		return err
	}
	// The time may be in any zone, so it can be up to a day off.
	if !t.Time.IsZero() && (t.Time.Before(t.Date.AddDate(0, 0, -1)) || t.Time.After(t.Date.AddDate(0, 0, 2))) {
		return fmt.Errorf("time %s is not on %s", t.Time.Format(time.RFC3339), formatDate(t.Date))
	}
	if t.Acquired.IsZero() {
		return nil
	}
	if err := checkDay("acquired", t.Acquired); err != nil {
		return err
	}
	if t.Acquired.After(t.Date) {
		return fmt.Errorf("acquired on %s, after %s", formatDate(t.Acquired), formatDate(t.Date))
	}
	return nil
}

func checkDay(name string, d market.Date) error {
	switch {
	case d.IsZero():
		return fmt.Errorf("%s is missing", name)
	case d.Year() < 1900 || d.Year() > 9999:
		return fmt.Errorf("%s is in the year %d: use 1900 to 9999", name, d.Year())
	case d.Unix()%(24*60*60) != 0 || d.Nanosecond() != 0:
		return fmt.Errorf("%s is %s: a date must be midnight UTC", name, d.Format(time.RFC3339Nano))
	}
	return nil
}

// checkKind checks the relations between fields.
func (t *Transaction) checkKind() error {
	one := decimal.NewFromInt(1)
	switch {
	case t.CostPart.Decimal.GreaterThan(one):
		return fmt.Errorf("cost_part is %s: use a fraction of at most 1", t.CostPart.Decimal)
	case t.Kind == KindSplit && !t.New.GreaterThan(t.Old):
		return fmt.Errorf("a split must increase the number of shares, not %s new for %s old; to reduce it use reverse_split", t.New, t.Old)
	case t.Kind == KindReverseSplit && !t.New.LessThan(t.Old):
		return fmt.Errorf("a reverse_split must reduce the number of shares, not %s new for %s old; to increase it use split", t.New, t.Old)
	case t.Kind == KindReinvest && t.Amount.LessThan(t.Fee.Add(t.Tax)):
		return fmt.Errorf("fee and tax exceed the dividend of %s: nothing remains to reinvest", t.Amount)
	case t.amountOrZeroPrice() == fieldPrice && !t.Amount.IsZero():
		return fmt.Errorf("price is zero but amount is %s: correct one of them", t.Amount)
	case t.ToAccount != "" && t.ToAccount == t.Account:
		return fmt.Errorf("account %q cannot be both source and destination", t.Account)
	case t.ToSymbol != "" && t.ToSymbol == t.Symbol:
		return fmt.Errorf("symbol %s cannot be both source and destination", t.Symbol)
	case t.ToCurrency != "" && t.ToCurrency == t.Currency:
		return fmt.Errorf("currency %s cannot be both source and destination", t.Currency)
	}
	return nil
}

func (t *Transaction) checkLots() error {
	if len(t.Lots) == 0 {
		return nil
	}
	seen := make(map[string]bool, len(t.Lots))
	var sum decimal.Decimal
	for _, p := range t.Lots {
		if err := checkID("lot", p.Lot); err != nil {
			return err
		}
		if err := CheckMagnitude("quantity of a lot", p.Quantity); err != nil {
			return err
		}
		if seen[p.Lot] || !p.Quantity.IsPositive() {
			return fmt.Errorf("lot %s: list each lot once, with a quantity above zero", p.Lot)
		}
		seen[p.Lot], sum = true, sum.Add(p.Quantity)
	}
	if !sum.Equal(t.Quantity) {
		return fmt.Errorf("the lots add up to %s, but the quantity is %s", sum, t.Quantity)
	}
	return nil
}

// Text limits, in characters.
const (
	maxID   = 64
	maxName = 200
	maxNote = 2000
)

func (t *Transaction) checkTexts() error {
	if t.ID != "" {
		if err := checkID("id", t.ID); err != nil {
			return err
		}
	}
	if t.Account == "" {
		return fmt.Errorf("account is missing")
	}
	for _, text := range []struct {
		name, value string
		most        int
	}{
		{"account", t.Account, maxName}, {"to_account", t.ToAccount, maxName}, {"name", t.Name, maxName}, {"note", t.Note, maxNote},
		{"isin", t.ISIN, 12}, {"source", t.Source, maxID}, {"source_id", t.SourceID, maxName},
	} {
		if err := checkText(text.name, text.value, text.most); err != nil {
			return err
		}
	}
	if (t.SourceID == "") != (t.Source == "") {
		return fmt.Errorf("source %q and source_id %q: set both or neither", t.Source, shorten(t.SourceID))
	}
	if err := checkCurrency(t.Currency); err != nil {
		return err
	}
	if err := checkCurrency(t.ToCurrency); err != nil {
		return err
	}
	if err := checkSymbol(t.Symbol); err != nil {
		return err
	}
	return checkSymbol(t.ToSymbol)
}

func checkText(name, value string, limit int) error {
	if value == "" {
		return nil
	}
	if len(value) > limit && utf8.RuneCountInString(value) > limit {
		return fmt.Errorf("%s is too long: use at most %d characters", name, limit)
	}
	if !utf8.ValidString(value) || strings.ContainsFunc(value, isInvisible) {
		return fmt.Errorf("%s %q contains control or invisible characters", name, shorten(value))
	}
	return nil
}

// isInvisible reports whether r can change how a terminal shows the text after it: an escape, a line break
// or a bidirectional mark.
func isInvisible(r rune) bool {
	if r < unicode.MaxASCII {
		return r < ' '
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// checkID accepts up to maxID printable ASCII characters without spaces.
func checkID(name, id string) error {
	if id == "" || len(id) > maxID || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fmt.Errorf("%s %q: use 1 to %d printable characters without spaces", name, shorten(id), maxID)
	}
	return nil
}

func checkCurrency(code string) error {
	if code == "" {
		return nil
	}
	if len(code) != 3 || strings.ContainsFunc(code, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		return fmt.Errorf("currency %q: use a three-letter ISO code in capitals, such as USD", shorten(code))
	}
	return nil
}

// checkSymbol requires the spelling of market.ParseSymbol, because another spelling would be
// another security.
func checkSymbol(s market.Symbol) error {
	if s == "" || isPlainSymbol(s) {
		return nil
	}
	spelled, err := market.ParseSymbol(string(s))
	if err != nil {
		return err
	}
	if spelled != s {
		return fmt.Errorf("symbol %q must be written %s", s, spelled)
	}
	return nil
}

// isPlainSymbol returns a fast check that accepts most valid symbols.
func isPlainSymbol(s market.Symbol) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return len(s) <= 20
}

// shorten cuts long text for errors.
func shorten(text string) string {
	const most = 40
	for i := range text {
		if i >= most {
			return text[:i] + "..."
		}
	}
	return text
}
