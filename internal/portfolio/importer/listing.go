package importer

import (
	"cmp"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

// Listing is a security as a file names it. Empty fields are unknown.
type Listing struct {
	Ticker   string
	ISIN     string
	Exchange string // market identifier code (ISO 10383)
	Currency string // currency of the price, possibly a minor unit such as GBX
	Name     string
	// AnyAsset is set for a table that may also list coins. The code of a coin may be the ticker of another
	// security: BTC is a coin and a fund.
	AnyAsset bool
}

// Coin returns the coin that the ticker may be.
func (l Listing) Coin() (market.Instrument, bool) {
	if !l.AnyAsset || l.ISIN != "" || l.Ticker == "" {
		return market.Instrument{}, false
	}
	coin := reference.Describe(market.Symbol(strings.ToUpper(l.Ticker) + "-USD"))
	return coin, coin.Kind == "crypto"
}

// Major returns the currency of the price, pounds for pence.
func (l Listing) Major() string {
	if major, _ := market.MinorUnit(l.Currency); major != "" {
		return major
	}
	return l.Currency
}

// Identify returns the symbol that a security is recorded under, and its ISIN. It is the symbol of
// the listing if the file identifies the listing: the ticker has the suffix of an exchange, the
// file names the exchange, or only one exchange trades the security in that currency. Otherwise it
// is the ISIN, or without one the ticker and its currency (KER.EUR), until an alias maps it to a
// listing. A ticker without an exchange and a currency is not enough: VOD is listed both in London
// and on Nasdaq.
func (l Listing) Identify() (market.Symbol, string, error) {
	l.Ticker = strings.TrimSuffix(strings.TrimSpace(l.Ticker), ".") // "BP."
	if ValidISIN(l.Ticker) {                                        // some tables have it in place of a ticker
		l.ISIN, l.Ticker = cmp.Or(l.ISIN, l.Ticker), ""
	}
	symbol, isin, err := ParseSecurity(l.Ticker, l.ISIN)
	if err != nil || l.Ticker == "" {
		return symbol, isin, err
	}
	if _, suffixed := reference.MICOf(symbol); suffixed {
		return symbol, isin, nil
	}
	if _, coin := l.Coin(); coin && l.Currency != "" {
		unclear, err := market.ParseSymbol(string(symbol) + "." + l.Major())
		return unclear, isin, err
	}
	exchange, american := l.Exchange, false
	if exchange == "" {
		exchange, american = l.exchangeByCurrency(isin)
	}
	switch listed, ok := symbolOn(symbol, exchange); {
	case ok:
		return listed, isin, nil
	case american || isin == "" && l.Currency == "":
		return symbol, isin, nil
	case isin != "":
		return market.Symbol(isin), isin, nil
	}
	unclear, err := market.ParseSymbol(string(symbol) + "." + l.Major())
	return unclear, isin, err
}

// exchangeByCurrency returns the only exchange with prices in this currency, or reports that the
// security is listed in the United States, where symbols have no suffix.
func (l Listing) exchangeByCurrency(isin string) (mic string, american bool) {
	country, currency := "", l.Major()
	if isin != "" {
		country = isin[:2]
	}
	switch {
	case country == "US" && (currency == "" || currency == "USD"), country == "" && currency == "USD":
		return "", true
	case currency == "":
		return "", false
	}
	if mic = currencyExchanges[currency]; mic != "" {
		return mic, false
	}
	if home := homeExchanges[country]; home.currency == currency {
		return home.mic, false
	}
	return "", false
}

// symbolOn returns the symbol of a ticker at an exchange. Hong Kong's have at least four digits.
func symbolOn(ticker market.Symbol, mic string) (market.Symbol, bool) {
	if mic == "" {
		return "", false
	}
	if mic == "XHKG" && len(ticker) < 4 {
		ticker = market.Symbol(strings.Repeat("0", 4-len(ticker))) + ticker
	}
	return reference.SymbolOn(string(ticker), mic)
}

// currencyExchanges maps each currency in which only one exchange quotes securities to that exchange.
var currencyExchanges = map[string]string{
	"GBP": "XLON", "CHF": "XSWX", "SEK": "XSTO", "DKK": "XCSE", "NOK": "XOSL", "ISK": "XICE", "PLN": "XWAR", "CZK": "XPRA", "HUF": "XBUD",
	"AUD": "XASX", "NZD": "XNZE", "HKD": "XHKG", "JPY": "XTKS", "SGD": "XSES", "ILS": "XTAE", "ZAR": "XJSE", "MXN": "XMEX", "TRY": "XIST",
}

// homeExchanges are the main exchanges of countries that share their currency or have several
// exchanges.
var homeExchanges = map[string]struct{ mic, currency string }{
	"DE": {"XETR", "EUR"}, "FR": {"XPAR", "EUR"}, "NL": {"XAMS", "EUR"}, "BE": {"XBRU", "EUR"}, "PT": {"XLIS", "EUR"}, "IT": {"XMIL", "EUR"},
	"ES": {"XMAD", "EUR"}, "AT": {"XWBO", "EUR"}, "FI": {"XHEL", "EUR"}, "GR": {"ASEX", "EUR"}, "CA": {"XTSE", "CAD"},
}

// Identify works like Listing.Identify, and keeps the listing for the statement. If a line states neither exchange
// nor currency, such as a dividend, it uses the listing of the first trade with the same ISIN or ticker.
func (c *Collector) Identify(l Listing) (market.Symbol, string, error) {
	key := strings.ToUpper(cmp.Or(strings.TrimSpace(l.ISIN), strings.TrimSpace(l.Ticker)))
	known, traded := c.traded[key]
	if traded && l.Exchange == "" && l.Currency == "" {
		l.Exchange, l.Currency, l.Ticker = known.Exchange, known.Currency, cmp.Or(l.Ticker, known.Ticker)
	}
	symbol, isin, err := l.Identify()
	if err != nil || symbol == "" {
		return symbol, isin, err
	}
	l.ISIN, l.Name = isin, Shorten(l.Name)
	if !traded && (l.Exchange != "" || l.Currency != "") {
		c.traded[key] = l
	}
	if c.out.Listings == nil {
		c.out.Listings = map[market.Symbol]Listing{}
	}
	if old, seen := c.out.Listings[symbol]; !seen || old.Currency == "" && old.Exchange == "" {
		c.out.Listings[symbol] = l
	}
	return symbol, isin, nil
}
