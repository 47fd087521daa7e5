package importer

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// ibkrRecord is one line with its fields by the names that Flex XML gives them, in
// small letters and digits alone.
type ibkrRecord struct {
	row Row
	// A list, since records have some thirty fields and a file many records.
	fields []ibkrField
}

type ibkrField struct{ name, value string }

func (r *ibkrRecord) get(name string) string {
	for i := range r.fields {
		if r.fields[i].name == name {
			return r.fields[i].value
		}
	}
	return ""
}

// set gives a field its value, also where it had one.
func (r *ibkrRecord) set(name, value string) {
	for i := range r.fields {
		if r.fields[i].name == name {
			r.fields[i].value = value
			return
		}
	}
	r.fields = append(r.fields, ibkrField{name, value})
}

// add keeps the value that a field has.
func (r *ibkrRecord) add(name, value string) {
	if value != "" && r.get(name) == "" {
		r.set(name, value)
	}
}

// first is the first of the fields that says something.
func (r *ibkrRecord) first(fields ...string) string {
	for _, field := range fields {
		if text := r.get(field); text != "" {
			return text
		}
	}
	return ""
}

// number reads a field; an empty one is zero.
func (r *ibkrRecord) number(field string) (decimal.Decimal, error) {
	text := r.get(field)
	if text == "" || text == "--" {
		return decimal.Decimal{}, nil
	}
	d, err := ParseNumber(text, DecimalPoint)
	if err != nil {
		err = fmt.Errorf("%s: %w", field, err)
	}
	return d, err
}

// numbers reads fields into what stands behind their names.
func (r *ibkrRecord) numbers(into map[string]*decimal.Decimal) error {
	for _, field := range slices.Sorted(maps.Keys(into)) {
		d, err := r.number(field)
		if err != nil {
			return err
		}
		*into[field] = d
	}
	return nil
}

// security reads which one a record is about; both are empty where none is named.
func (r *ibkrRecord) security() (market.Symbol, string, error) {
	ticker, isin := r.get("symbol"), r.get("isin")
	if isin == "" && ValidISIN(r.get("securityid")) {
		isin = r.get("securityid")
	}
	if ticker == "--" {
		ticker = ""
	}
	if ticker == "" && isin == "" {
		return "", "", nil
	}
	return ParseSecurity(ticker, isin)
}

// checkAssetClass tells securities and currencies, of which a quantity is what is held, from
// contracts and from kinds of asset that are not read.
func (r *ibkrRecord) checkAssetClass() error {
	switch kind := strings.ToUpper(r.get("assetcategory")); kind {
	case "", "STK", "STOCKS", "FUND", "FUNDS", "MUTUAL FUNDS", "ETF", "WAR", "WARRANTS", "IOPT", "STRUCTURED PRODUCTS":
		return nil
	case "OPT", "EQUITY AND INDEX OPTIONS":
		return fmt.Errorf("an option: options are not read; record what it cost or brought as a fee or deposit if cash has to be right")
	case "FUT", "FUTURES", "FOP", "FSFOP", "OPTIONS ON FUTURES", "CFD", "CFDS":
		return fmt.Errorf("a future, option on one or contract for difference: these are not read")
	default:
		if r.isBond() || r.isForex() {
			return nil
		}
		return fmt.Errorf("%s is a kind of asset that is not read", Shorten(kind))
	}
}

func (r *ibkrRecord) isBond() bool {
	return slices.Contains([]string{"BOND", "BONDS", "BILL", "TREASURY BILLS"}, strings.ToUpper(r.get("assetcategory")))
}

func (r *ibkrRecord) isForex() bool {
	return slices.Contains([]string{"CASH", "FOREX"}, strings.ToUpper(r.get("assetcategory")))
}

// level is how detailed a record of a Flex Query is.
func (r *ibkrRecord) level() string { return strings.ToUpper(r.get("levelofdetail")) }

// ibkrFieldName is a name of a field as records have it, by whatever export.
func ibkrFieldName(name string) string {
	folded := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, name)
	switch folded {
	case "currencyprimary":
		return "currency"
	case "clientaccountid":
		return "accountid"
	case "assetclass":
		return "assetcategory"
	case "notescodes", "code":
		return "notes"
	}
	return folded
}

// parseIBKRTime reads a day, and the time behind it if there is one. Forms in which day and
// month could be confused are refused.
func parseIBKRTime(text string) (market.Date, time.Time, error) {
	head, tail := text, ""
	if cut := strings.IndexAny(text, ";, T"); cut > 0 {
		head, tail = text[:cut], strings.Trim(text[cut:], ";, T")
	}
	if strings.ContainsRune(head, '/') {
		return market.Date{}, time.Time{}, fmt.Errorf("%w: %q leaves day and month to be guessed: choose yyyy-MM-dd in the query's date format", ErrDay, Shorten(text))
	}
	day, err := ParseDay(head, "20060102", "2006-01-02", "02-Jan-06", "02-Jan-2006")
	if err != nil || tail == "" {
		return day, time.Time{}, err
	}
	// What follows the time is the name of its zone. The file's clock is only used
	// to tell which trade of a day was first.
	tail, _, _ = strings.Cut(tail, " ")
	at, err := ParseTime(tail+" "+day.Format(time.DateOnly), time.UTC, "150405 2006-01-02", "15:04:05 2006-01-02", "15:04 2006-01-02")
	if err != nil {
		return day, time.Time{}, fmt.Errorf("time of day: %w", err)
	}
	return day, at, nil
}

// firstDay reads the first of the fields that has one.
func (r *ibkrRecord) firstDay(fields ...string) (market.Date, error) {
	text := r.first(fields...)
	if text == "" {
		return market.Date{}, fmt.Errorf("no date: add %s to the query", fields[0])
	}
	day, _, err := parseIBKRTime(text)
	return day, err
}

// setCurrency sets the currency of a transaction, which has to be a code.
func (r *ibkrRecord) setCurrency(t *portfolio.Transaction) error {
	t.Currency = r.get("currency")
	if !ValidCurrency(t.Currency) {
		return fmt.Errorf("no currency: %q is not a code of three letters", Shorten(t.Currency))
	}
	return nil
}
