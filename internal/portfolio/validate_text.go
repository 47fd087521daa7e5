package portfolio

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/market"
)

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
