// Package present says answers in the words that all tools share: where numbers
// are from, how they are written, tables, text from outside, and what to do about
// a question that has no answer.
package present

import (
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Origin is what every result says of its numbers: what they are in, where they
// are from, how old, and what to know before trusting them.
type Origin struct {
	Currency   string            `json:"currency,omitempty"`
	Unit       string            `json:"unit,omitempty"`
	Adjustment market.Adjustment `json:"adjustment"`
	Source     string            `json:"source"`
	AsOf       string            `json:"as_of"`
	Flags      []market.Flag     `json:"flags"`
	Note       string            `json:"note,omitempty"`
}

// OriginOf is the origin of data, with what a tool remarks of them before what
// their source does.
func OriginOf(p market.Provenance, remarks ...string) Origin {
	var said []string
	for _, s := range append(remarks, p.Note) {
		if s = strings.TrimSpace(s); s != "" {
			said = append(said, strings.TrimSuffix(s, "."))
		}
	}
	return Origin{
		Currency: p.Currency, Unit: p.Unit, Adjustment: p.Adjustment, Source: p.Source, AsOf: Dated(p.AsOf),
		Flags: append([]market.Flag{}, p.Flags...), Note: strings.Join(said, "; "),
	}
}

// UnitOf is what prices are counted in: the currency, or for an index its unit.
func UnitOf(p market.Provenance) string {
	if p.Currency != "" {
		return p.Currency
	}
	return p.Unit
}

// Footer is the line below a table: flags first, loud, because a sample or a
// stale price must not pass for the market.
func (o Origin) Footer() string {
	parts := []string{o.Source, "as of " + o.AsOf}
	if o.Note != "" {
		parts = append(parts, o.Note)
	}
	line := strings.Join(parts, " · ")
	if loud := o.Loud(); loud != "" {
		line = "**" + loud + "** " + line
	}
	return line
}

// Loud are the flags in capitals, "" where there are none: what nobody may miss in
// a summary.
func (o Origin) Loud() string {
	words := make([]string, len(o.Flags))
	for i, f := range o.Flags {
		words[i] = strings.ToUpper(string(f))
	}
	return strings.Join(words, " ")
}

// Dated writes a time as a session's date, or the instant (RFC 3339) where the
// source knows one; no time is "".
func Dated(t time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case t.Equal(t.Truncate(24 * time.Hour)):
		return t.UTC().Format(time.DateOnly)
	}
	return t.Format(time.RFC3339)
}

// ReturnKind says what a return of these prices counts. People read "return" as
// all they earned, and a price series does not know of dividends.
func ReturnKind(i market.Instrument, a market.Adjustment) string {
	switch a {
	case market.AdjustmentSplitDiv:
		return "total return, dividends reinvested"
	case market.AdjustmentSplit:
		return "price return, no dividends"
	case market.AdjustmentRaw:
		if i.Kind == "index" {
			return "price index, no dividends"
		}
		return "price return, no dividends, not adjusted for splits"
	}
	if i.Kind == "index" {
		return "index level; whether it counts dividends is not known"
	}
	return "return of prices of unknown adjustment: splits and dividends may distort it"
}

// Heading names an instrument at the head of a table.
func Heading(i market.Instrument) string {
	if i.Name == "" || i.Name == string(i.Symbol) {
		return fmt.Sprintf("**%s**", Cell(string(i.Symbol)))
	}
	return fmt.Sprintf("**%s** %s", Cell(string(i.Symbol)), Cell(i.Name))
}
