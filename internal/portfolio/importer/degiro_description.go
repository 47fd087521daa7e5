package importer

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// degiroDescribedTrade is a trade parsed from a normalized description: "koop 1 @ 33,9 usd", "achat
// 6 qt group oyj@79,96 eur (fi4000198031)", "kauf 12 zu je 15.76 eur".
type degiroDescribedTrade struct {
	event    string // "stock split", before a colon; empty for a trade of the user
	verb     string // empty if only the sign tells buys from sells
	quantity string
	price    string
	currency string
}

// maxDEGIROWords is longer than any description of a trade, in bytes.
const maxDEGIROWords = 400

// degiroTradePattern requires digits in groups of three, or ungrouped, so that a name that begins
// with a digit does not become part of the quantity.
var degiroTradePattern = lazyregexp.New(`^(?:([^:@]{1,60}?)\s*:\s*)?` +
	`(?:(koop|verkoop|buy|sell|kauf|verkauf|achat|vente|compra|venta|venda|acquisto|vendita|kupno|sprzedaz) )?` +
	`([0-9]{1,3}(?:[.,' ][0-9]{3})+(?:[.,][0-9]+)?|[0-9]+(?:[.,][0-9]+)?)(?: .*?)??\s*(?:@|zu je)\s*` +
	`([0-9][0-9.,' ]*) ([a-z]{3})(?: \([a-z0-9]+\))?$`)

func parseDEGIROTrade(description string) (degiroDescribedTrade, bool) {
	if len(description) > maxDEGIROWords {
		return degiroDescribedTrade{}, false
	}
	match := degiroTradePattern().FindStringSubmatch(description)
	if match == nil || match[1] == "" && match[2] == "" {
		return degiroDescribedTrade{}, false
	}
	return degiroDescribedTrade{event: strings.TrimSpace(match[1]), verb: match[2], quantity: match[3], price: match[4], currency: strings.ToUpper(match[5])}, true
}

// direction returns 1 for a purchase, -1 for a sale, and 0 if it is unknown or the word and the
// sign contradict.
func (l *degiroLine) direction(d degiroDescribedTrade) int {
	bySign := -l.change.Decimal.Sign()
	switch d.verb {
	case "":
		return bySign
	case "koop", "buy", "kauf", "achat", "compra", "acquisto", "kupno":
		if bySign >= 0 {
			return 1
		}
	default:
		if bySign <= 0 {
			return -1
		}
	}
	return 0
}

// degiroPence is a hundredth of a pound; cash is booked in pounds.
const degiroPence = "GBX"

// readTrade returns the quantity and the price in the currency of the line. Descriptions use other
// number formats than the columns, so ambiguous numbers are resolved by the amount of the line. It
// is an error if no reading, or more than one, fits.
func (l *degiroLine) readTrade(d degiroDescribedTrade) (quantity, price decimal.Decimal, err error) {
	shift := int32(0)
	switch {
	case d.currency == degiroPence && l.currency == "GBP":
		shift = -2
	case d.currency != l.currency:
		return quantity, price, fmt.Errorf("the price is in %s but the amount in %s: enter the trade by hand", d.currency, l.currency)
	}
	fits := 0
	for _, q := range NumberReadings(d.quantity, 0) {
		for _, p := range NumberReadings(d.price, 0) {
			if p = p.Shift(shift); l.fitsAmount(q, p) {
				quantity, price, fits = q, p, fits+1
			}
		}
	}
	if fits != 1 || !quantity.IsPositive() {
		return quantity, price, fmt.Errorf("%s at %s %s is not %s %s: a contract multiplier or an error; enter the trade by hand",
			d.quantity, d.price, d.currency, l.change.Decimal.Abs(), l.currency)
	}
	return quantity, price, nil
}

// fitsAmount compares quantity times price with the amount, allowing for prices rounded to four
// decimals and amounts rounded to cents.
func (l *degiroLine) fitsAmount(quantity, price decimal.Decimal) bool {
	slack := quantity.Mul(decimal.New(5, -5)).Add(cent)
	return quantity.Mul(price).Sub(l.change.Decimal.Abs()).Abs().LessThanOrEqual(slack)
}
