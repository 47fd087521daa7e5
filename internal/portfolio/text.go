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
	mostID   = 64
	mostName = 200
	mostNote = 2000
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
		{"account", t.Account, mostName}, {"to_account", t.ToAccount, mostName}, {"name", t.Name, mostName}, {"note", t.Note, mostNote},
		{"isin", t.ISIN, 12}, {"source", t.Source, mostID}, {"source_id", t.SourceID, mostName},
	} {
		if err := checkText(text.name, text.value, text.most); err != nil {
			return err
		}
	}
	if (t.SourceID == "") != (t.Source == "") {
		return fmt.Errorf("source %q and source_id %q: one without the other", t.Source, shortened(t.SourceID))
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

func checkText(name, value string, most int) error {
	if value == "" {
		return nil
	}
	if len(value) > most && utf8.RuneCountInString(value) > most {
		return fmt.Errorf("%s has more than %d characters", name, most)
	}
	if !utf8.ValidString(value) || strings.ContainsFunc(value, unseen) {
		return fmt.Errorf("%s %q has characters that cannot be shown", name, shortened(value))
	}
	return nil
}

// unseen characters could change what a terminal shows of the rest: escapes, line
// breaks, marks that turn the direction of writing.
func unseen(r rune) bool {
	if r < unicode.MaxASCII {
		return r < ' '
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// checkID allows what can be typed as one word.
func checkID(name, id string) error {
	if id == "" || len(id) > mostID || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fmt.Errorf("%s %q: an ID is up to %d letters, digits and signs without spaces", name, shortened(id), mostID)
	}
	return nil
}

func checkCurrency(code string) error {
	if code == "" {
		return nil
	}
	if len(code) != 3 || strings.ContainsFunc(code, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		return fmt.Errorf("currency %q is not a code of three capital letters (USD)", shortened(code))
	}
	return nil
}

// checkSymbol wants a symbol in the spelling of market.ParseSymbol: another one
// would be another security.
func checkSymbol(s market.Symbol) error {
	if s == "" || plain(s) {
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

// plain tells of most symbols that they are well spelled, at the price of a glance.
func plain(s market.Symbol) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return len(s) <= 20
}

// shortened is for errors: what is wrong may be long.
func shortened(text string) string {
	const most = 40
	for i := range text {
		if i >= most {
			return text[:i] + "..."
		}
	}
	return text
}
