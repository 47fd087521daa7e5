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

// Validate reports what is wrong with a transaction by itself, whatever the rest of the ledger
// says, as ErrInvalid: a missing field that its kind needs, a field that its kind does not use,
// an amount below zero, a name with control characters, numbers out of all bounds. It does not
// check an empty ID, which the ledger does, nor future dates, which CheckDate does.
func (t Transaction) Validate() error { return t.validate() }

func (t *Transaction) validate() error {
	for _, check := range []func() error{t.checkFields, t.checkNumbers, t.checkDates, t.checkTexts, t.checkKind, t.checkLots} {
		if err := check(); err != nil {
			return fmt.Errorf("%w: %w", ErrInvalid, err)
		}
	}
	return nil
}

// CheckDate refuses what is dated after today, as ErrInvalid.
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
			return fmt.Errorf("%s is %s: no number is below zero, the kind says which way it goes", n.name, n.value)
		}
	}
	return nil
}

// Bounds of numbers: larger ones occur in no ledger and would take hours to add up.
const (
	maxDigits   = 38
	maxExponent = 18
)

// CheckMagnitude reports, by its name, a number with more digits than any ledger needs. Values
// that are computed from transactions have the same limit.
func CheckMagnitude(name string, d decimal.Decimal) error {
	if e := d.Exponent(); e > maxExponent || e < -maxExponent {
		return fmt.Errorf("%s has an exponent of %d: at most %d digits after the point or zeros before it", name, e, maxExponent)
	}
	if n := d.NumDigits(); n > maxDigits {
		return fmt.Errorf("%s has %d digits, at most %d", name, n, maxDigits)
	}
	return nil
}

func (t *Transaction) checkDates() error {
	if err := checkDay("date", t.Date); err != nil {
		return err
	}
	// Of whatever time zone, a moment of the day is within a day of it.
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
		return fmt.Errorf("%s is in the year %d", name, d.Year())
	case d.Unix()%(24*60*60) != 0 || d.Nanosecond() != 0:
		return fmt.Errorf("%s is %s: a day is its midnight in UTC", name, d.Format(time.RFC3339Nano))
	}
	return nil
}

// checkKind is what the fields of a kind must say of one another.
func (t *Transaction) checkKind() error {
	one := decimal.NewFromInt(1)
	switch {
	case t.CostPart.Decimal.GreaterThan(one):
		return fmt.Errorf("cost_part is %s: it is a fraction of one", t.CostPart.Decimal)
	case t.Kind == KindSplit && !t.New.GreaterThan(t.Old):
		return fmt.Errorf("a split gives more shares, not %s new for %s old: is it a reverse_split", t.New, t.Old)
	case t.Kind == KindReverseSplit && !t.New.LessThan(t.Old):
		return fmt.Errorf("a reverse_split gives fewer shares, not %s new for %s old: is it a split", t.New, t.Old)
	case t.Kind == KindReinvest && t.Amount.LessThan(t.Fee.Add(t.Tax)):
		return fmt.Errorf("fee and tax are more than the dividend of %s: nothing was left to reinvest", t.Amount)
	case t.amountOrZeroPrice() == fieldPrice && !t.Amount.IsZero():
		return fmt.Errorf("price is zero and amount is %s: which of them is right", t.Amount)
	case t.ToAccount != "" && t.ToAccount == t.Account:
		return fmt.Errorf("from %q to itself", t.Account)
	case t.ToSymbol != "" && t.ToSymbol == t.Symbol:
		return fmt.Errorf("from %s to itself", t.Symbol)
	case t.ToCurrency != "" && t.ToCurrency == t.Currency:
		return fmt.Errorf("from %s to itself", t.Currency)
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
			return fmt.Errorf("lot %s: each is named once, with a quantity above zero", p.Lot)
		}
		seen[p.Lot], sum = true, sum.Add(p.Quantity)
	}
	if !sum.Equal(t.Quantity) {
		return fmt.Errorf("the lots are %s together and the quantity is %s", sum, t.Quantity)
	}
	return nil
}

// Bounds of texts, in characters.
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
		return fmt.Errorf("source %q and source_id %q: one without the other", t.Source, shorten(t.SourceID))
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
		return fmt.Errorf("%s has more than %d characters", name, limit)
	}
	if !utf8.ValidString(value) || strings.ContainsFunc(value, isInvisible) {
		return fmt.Errorf("%s %q has characters that cannot be shown", name, shorten(value))
	}
	return nil
}

// isInvisible characters could change what a terminal shows of the rest: escapes, line
// breaks, marks that turn the direction of writing.
func isInvisible(r rune) bool {
	if r < unicode.MaxASCII {
		return r < ' '
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// checkID allows what can be typed as one word.
func checkID(name, id string) error {
	if id == "" || len(id) > maxID || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fmt.Errorf("%s %q: an ID is up to %d letters, digits and signs without spaces", name, shorten(id), maxID)
	}
	return nil
}

func checkCurrency(code string) error {
	if code == "" {
		return nil
	}
	if len(code) != 3 || strings.ContainsFunc(code, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		return fmt.Errorf("currency %q is not a code of three capital letters (USD)", shorten(code))
	}
	return nil
}

// checkSymbol wants a symbol in the spelling of market.ParseSymbol: another one
// would be another security.
func checkSymbol(s market.Symbol) error {
	if s == "" || isPlainSymbol(s) {
		return nil
	}
	spelled, err := market.ParseSymbol(string(s))
	if err != nil {
		return err
	}
	if spelled != s {
		return fmt.Errorf("symbol %q is spelled %s", s, spelled)
	}
	return nil
}

// isPlainSymbol tells of most symbols that they are well spelled, at the price of a glance.
func isPlainSymbol(s market.Symbol) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return len(s) <= 20
}

// shorten is for errors: what is wrong may be long.
func shorten(text string) string {
	const most = 40
	for i := range text {
		if i >= most {
			return text[:i] + "..."
		}
	}
	return text
}
