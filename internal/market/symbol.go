package market

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// ErrInvalidSymbol means that a text cannot be a symbol at all, listed or not.
var ErrInvalidSymbol = errors.New("invalid symbol")

// maxSymbol is more than enough: the longest symbols in use, of funds and options, have 21 characters.
const maxSymbol = 24

// ParseSymbol converts a symbol as people type it to nfa's spelling: upper case, no spaces, share classes
// after a dot ("brk b", "BRK-B" and "BRK/B" become BRK.B). It does not check that the symbol exists. Text
// that cannot be a symbol yields ErrInvalidSymbol.
func ParseSymbol(text string) (Symbol, error) {
	trimmed := strings.TrimPrefix(strings.TrimSpace(text), "$")
	if trimmed == "" {
		return "", fmt.Errorf("%w: empty", ErrInvalidSymbol)
	}
	if len(trimmed) > maxSymbol {
		return "", fmt.Errorf("%w: %d characters, at most %d", ErrInvalidSymbol, len(trimmed), maxSymbol)
	}
	spelled := strings.ReplaceAll(dotShareClass(strings.ToUpper(trimmed)), " ", "")
	if i := strings.IndexFunc(spelled, notInSymbol); i >= 0 {
		return "", fmt.Errorf("%w %q: use only letters, digits and ^ . - = &", ErrInvalidSymbol, trimmed)
	}
	if !strings.ContainsFunc(spelled, isAlphanumeric) {
		return "", fmt.Errorf("%w %q: no letter or digit", ErrInvalidSymbol, trimmed)
	}
	return Symbol(spelled), nil
}

// dotShareClass replaces the separator before a one-letter share class with a dot. Longer suffixes stay:
// BTC-USD is a pair, not a class.
func dotShareClass(s string) string {
	n := len(s)
	if n < 3 || !isLetter(rune(s[n-1])) || !isAlphanumeric(rune(s[n-3])) {
		return s
	}
	if !strings.ContainsRune(" -/", rune(s[n-2])) {
		return s
	}
	return s[:n-2] + "." + s[n-1:]
}

func notInSymbol(r rune) bool { return !isAlphanumeric(r) && !strings.ContainsRune("^.-=&", r) }

func isLetter(r rune) bool { return r >= 'A' && r <= 'Z' }

func isAlphanumeric(r rune) bool { return isLetter(r) || r >= '0' && r <= '9' }

// Matches reports whether text is the symbol, name or an alias of the instrument, ignoring case,
// spaces and punctuation.
func (i Instrument) Matches(text string) bool {
	query := fold(text)
	if query == "" {
		return false
	}
	if query == fold(string(i.Symbol)) || query == fold(i.Name) {
		return true
	}
	for _, alias := range i.Aliases {
		if query == fold(alias) {
			return true
		}
	}
	return false
}

func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, strings.ToUpper(s))
}
