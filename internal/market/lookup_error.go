package market

import (
	"fmt"
	"strings"
)

// AmbiguousError means that a text fits several instruments. It unwraps to ErrAmbiguous.
type AmbiguousError struct {
	Text       string
	Candidates []Instrument // at least two
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%v: %s may be %s", ErrAmbiguous, quoteInput(e.Text), joinInstruments(e.Candidates))
}

// Unwrap returns ErrAmbiguous.
func (e *AmbiguousError) Unwrap() error { return ErrAmbiguous }

// UnknownSymbolError means that no instrument has that symbol or name. It unwraps to ErrUnknownSymbol.
type UnknownSymbolError struct {
	Text  string
	Near  []Instrument // possible meanings; may be empty
	Known []Instrument // all instruments, if there are only a few
}

func (e *UnknownSymbolError) Error() string {
	text := "no symbol " + quoteInput(e.Text)
	if len(e.Near) > 0 {
		return text + ". Did you mean " + joinInstruments(e.Near) + "?"
	}
	separator := ". Available: "
	for _, known := range e.Known {
		text += separator + string(known.Symbol)
		separator = ", "
	}
	return text
}

// Unwrap returns ErrUnknownSymbol.
func (e *UnknownSymbolError) Unwrap() error { return ErrUnknownSymbol }

// quoteInput quotes a text for an error message, shortened and without control characters.
func quoteInput(text string) string {
	const longest = 40
	if runes := []rune(text[:min(len(text), 4*longest)]); len(runes) > longest {
		text = string(runes[:longest]) + "..."
	}
	return fmt.Sprintf("%q", text)
}

// joinInstruments lists instruments: "GOOGL (Alphabet Inc. (class A)) or GOOG (...)".
func joinInstruments(found []Instrument) string {
	const most = 6
	var named []string
	for _, i := range found[:min(len(found), most)] {
		named = append(named, fmt.Sprintf("%s (%s)", i.Symbol, i.Name))
	}
	if more := len(found) - most; more > 0 {
		named = append(named, fmt.Sprintf("one of %d more", more))
	}
	last := len(named) - 1
	if last == 0 {
		return named[0]
	}
	return strings.Join(named[:last], ", ") + " or " + named[last]
}
