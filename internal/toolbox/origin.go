package toolbox

import (
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// origin is what every result says of its numbers: what they are in, where they
// are from, how old, and what to know before trusting them.
type origin struct {
	Currency   string            `json:"currency,omitempty"`
	Unit       string            `json:"unit,omitempty"`
	Adjustment market.Adjustment `json:"adjustment"`
	Source     string            `json:"source"`
	AsOf       string            `json:"as_of"`
	Flags      []market.Flag     `json:"flags"`
	Note       string            `json:"note,omitempty"`
}

func originOf(p market.Provenance, remarks ...string) origin {
	var said []string
	for _, s := range append(remarks, p.Note) {
		if s = strings.TrimSpace(s); s != "" {
			said = append(said, strings.TrimSuffix(s, "."))
		}
	}
	return origin{
		Currency: p.Currency, Unit: p.Unit, Adjustment: p.Adjustment, Source: p.Source, AsOf: dated(p.AsOf),
		Flags: append([]market.Flag{}, p.Flags...), Note: strings.Join(said, "; "),
	}
}

// unitOf is what prices are counted in: the currency, or for an index its unit.
func unitOf(p market.Provenance) string {
	if p.Currency != "" {
		return p.Currency
	}
	return p.Unit
}

// footer is the line below a table: flags first, loud, because a sample or a
// stale price must not pass for the market.
func (o origin) footer() string {
	parts := []string{o.Source, "as of " + o.AsOf}
	if o.Note != "" {
		parts = append(parts, o.Note)
	}
	line := strings.Join(parts, " · ")
	if loud := o.loud(); loud != "" {
		line = "**" + loud + "** " + line
	}
	return line
}

func (o origin) loud() string {
	words := make([]string, len(o.Flags))
	for i, f := range o.Flags {
		words[i] = strings.ToUpper(string(f))
	}
	return strings.Join(words, " ")
}

// dated is a session's date, or the instant where the source knows one.
func dated(t time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case t.Equal(t.Truncate(24 * time.Hour)):
		return t.UTC().Format(time.DateOnly)
	}
	return t.Format(time.RFC3339)
}

// returnKind says what a return of these prices counts. People read "return" as
// all they earned, and a price series does not know of dividends.
func returnKind(i market.Instrument, a market.Adjustment) string {
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

// today is the calendar day of now, as sessions are dated.
func today(now time.Time) market.Date {
	y, m, d := now.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// heading names an instrument at the head of a table.
func heading(i market.Instrument) string {
	if i.Name == "" || i.Name == string(i.Symbol) {
		return fmt.Sprintf("**%s**", cell(string(i.Symbol)))
	}
	return fmt.Sprintf("**%s** %s", cell(string(i.Symbol)), cell(i.Name))
}
