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

// ibkrRecord is one line. Field names are those of Flex XML, reduced to lower-case letters and
// digits.
type ibkrRecord struct {
	row Row
	// A slice uses less memory than a map: records have some thirty fields and a file many records.
	fields []ibkrField
	// identify returns the same security for all its records in the file.
	identify func(Listing) (market.Symbol, string, error)
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

// set sets a field and replaces an existing value.
func (r *ibkrRecord) set(name, value string) {
	for i := range r.fields {
		if r.fields[i].name == name {
			r.fields[i].value = value
			return
		}
	}
	r.fields = append(r.fields, ibkrField{name, value})
}

// add sets a field unless it has a value.
func (r *ibkrRecord) add(name, value string) {
	if value != "" && r.get(name) == "" {
		r.set(name, value)
	}
}

// first returns the first non-empty field.
func (r *ibkrRecord) first(fields ...string) string {
	for _, field := range fields {
		if text := r.get(field); text != "" {
			return text
		}
	}
	return ""
}

// number parses a field; an empty one is zero.
func (r *ibkrRecord) number(field string) (decimal.Decimal, error) {
	text := r.get(field)
	if strings.Trim(text, "-") == "" {
		return decimal.Decimal{}, nil
	}
	d, err := ParseNumber(text, DecimalPoint)
	if err != nil {
		err = fmt.Errorf("%s: %w", field, err)
	}
	return d, err
}

// numbers parses the fields into the given variables.
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

// security returns the symbol and ISIN of a record; both are empty if it names none.
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
	return r.identify(r.listing(ticker, isin))
}

// listing returns a security with what the record says about its exchange. The currency of a trade is that
// of the price; other records have the currency of the payment, which is left out.
func (r *ibkrRecord) listing(ticker, isin string) Listing {
	l := Listing{Ticker: ticker, ISIN: isin, Exchange: ibkrExchange(r.get("listingexchange")), Name: r.get("description")}
	if r.get("tradeprice") != "" {
		l.Currency = r.get("currency")
	}
	return l
}

// ibkrExchange returns the market identifier code of an exchange in the broker's spelling, or "".
// US symbols have no suffix, whichever exchange lists them.
func ibkrExchange(name string) string {
	switch name = strings.ToUpper(name); name {
	case "NASDAQ", "NYSE", "ARCA", "AMEX", "BATS", "PINK", "IEX", "CBOE":
		return "XNYS"
	case "LSE", "LSEETF":
		return "XLON"
	case "IBIS", "IBIS2", "XETRA":
		return "XETR"
	case "FWB", "FWB2":
		return "XFRA"
	case "SBF":
		return "XPAR"
	case "AEB":
		return "XAMS"
	case "ENEXT.BE":
		return "XBRU"
	case "BVL":
		return "XLIS"
	case "BVME", "BVME.ETF":
		return "XMIL"
	case "EBS", "VIRTX", "SWX":
		return "XSWX"
	case "BM":
		return "XMAD"
	case "VSE":
		return "XWBO"
	case "SFB":
		return "XSTO"
	case "CPH":
		return "XCSE"
	case "OSE":
		return "XOSL"
	case "HEX":
		return "XHEL"
	case "WSE":
		return "XWAR"
	case "PRA":
		return "XPRA"
	case "BUX":
		return "XBUD"
	case "TASE":
		return "XTAE"
	case "TSE":
		return "XTSE"
	case "VENTURE":
		return "XTSX"
	case "SEHK":
		return "XHKG"
	case "TSEJ":
		return "XTKS"
	case "ASX":
		return "XASX"
	case "SGX":
		return "XSES"
	case "MEXI":
		return "XMEX"
	}
	return ""
}

// checkAssetClass accepts securities and currencies, and rejects contracts and unsupported asset
// classes.
func (r *ibkrRecord) checkAssetClass() error {
	switch kind := strings.ToUpper(r.get("assetcategory")); kind {
	case "", "STK", "STOCKS", "FUND", "FUNDS", "MUTUAL FUNDS", "ETF", "WAR", "WARRANTS", "IOPT", "STRUCTURED PRODUCTS":
		return nil
	case "OPT", "EQUITY AND INDEX OPTIONS":
		return fmt.Errorf("options are not supported: to keep cash correct, enter the cost or proceeds as a fee or deposit")
	case "FUT", "FUTURES", "FOP", "FSFOP", "OPTIONS ON FUTURES", "CFD", "CFDS":
		return fmt.Errorf("futures, options on futures and contracts for difference are not supported")
	default:
		if r.isBond() || r.isForex() {
			return nil
		}
		return fmt.Errorf("unsupported asset class %s", Shorten(kind))
	}
}

func (r *ibkrRecord) isBond() bool {
	return slices.Contains([]string{"BOND", "BONDS", "BILL", "TREASURY BILLS"}, strings.ToUpper(r.get("assetcategory")))
}

func (r *ibkrRecord) isForex() bool {
	return slices.Contains([]string{"CASH", "FOREX"}, strings.ToUpper(r.get("assetcategory")))
}

// level returns the level of detail of a Flex Query record.
func (r *ibkrRecord) level() string { return strings.ToUpper(r.get("levelofdetail")) }

// ibkrFieldName normalizes a field name of any export.
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

// parseIBKRTime parses a date and an optional time. Formats with an ambiguous order of day and
// month are errors.
func parseIBKRTime(text string) (market.Date, time.Time, error) {
	head, tail := text, ""
	if cut := strings.IndexAny(text, ";, T"); cut > 0 {
		head, tail = text[:cut], strings.Trim(text[cut:], ";, T")
	}
	if strings.ContainsRune(head, '/') {
		return market.Date{}, time.Time{}, fmt.Errorf("%w: %q has an ambiguous order of day and month: select yyyy-MM-dd as the query's date format", ErrDay, Shorten(text))
	}
	day, err := ParseDay(head, "20060102", "2006-01-02", "02-Jan-06", "02-Jan-2006")
	if err != nil || tail == "" {
		return day, time.Time{}, err
	}
	// The rest is the name of the time zone. The time is only used to order the trades of a day.
	tail, _, _ = strings.Cut(tail, " ")
	at, err := ParseTime(tail+" "+day.Format(time.DateOnly), time.UTC, "150405 2006-01-02", "15:04:05 2006-01-02", "15:04 2006-01-02")
	if err != nil {
		return day, time.Time{}, fmt.Errorf("time of day: %w", err)
	}
	return day, at, nil
}

// firstDay parses the first non-empty field.
func (r *ibkrRecord) firstDay(fields ...string) (market.Date, error) {
	text := r.first(fields...)
	if text == "" {
		return market.Date{}, fmt.Errorf("missing date: add %s to the query", fields[0])
	}
	day, _, err := parseIBKRTime(text)
	return day, err
}

// setCurrency sets the currency of a transaction. It must be a code.
func (r *ibkrRecord) setCurrency(t *portfolio.Transaction) error {
	t.Currency = r.get("currency")
	if !ValidCurrency(t.Currency) {
		return fmt.Errorf("missing currency: %q is not a three-letter code", Shorten(t.Currency))
	}
	return nil
}
