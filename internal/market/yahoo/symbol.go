package yahoo

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// exchangeSuffixes are the one-letter suffixes of exchanges: London, Tokyo, Frankfurt and TSX Venture. Any
// other letter is a share class.
const exchangeSuffixes = "LTFV"

// YahooSymbol returns a symbol in Yahoo's spelling, with share classes after a hyphen.
func YahooSymbol(sym market.Symbol) string {
	s := string(sym)
	n := len(s)
	if n < 3 || s[n-2] != '.' || strings.IndexByte(exchangeSuffixes, s[n-1]) >= 0 || s[n-1] < 'A' || s[n-1] > 'Z' {
		return s
	}
	return s[:n-2] + "-" + s[n-1:]
}

// ParseYahooSymbol converts Yahoo's spelling to nfa's. It reports false if the conversion cannot be
// reversed.
func ParseYahooSymbol(text string) (market.Symbol, bool) {
	sym, err := market.ParseSymbol(text)
	if err != nil || !strings.EqualFold(YahooSymbol(sym), text) {
		return "", false
	}
	return sym, true
}

// SameYahooSymbol reports whether the response is for the requested symbol. Yahoo omits the leading USD of a
// currency pair.
func SameYahooSymbol(requested, answered string) bool {
	return strings.EqualFold(requested, answered) ||
		strings.HasSuffix(requested, "=X") && len(requested) == len("USDEUR=X") && strings.EqualFold(requested, "USD"+answered)
}

// exchangeMICs maps Yahoo's exchange codes to market identifier codes.
var exchangeMICs = map[string]string{
	"NMS": "XNAS", "NGM": "XNAS", "NCM": "XNAS", "NAS": "XNAS", "NYQ": "XNYS", "NYS": "XNYS", "PCX": "ARCX", "ASE": "XASE", "BTS": "BATS",
	"PNK": "OTCM", "OQB": "OTCM", "OQX": "OTCM", "OEM": "OTCM", "OID": "OTCM",
	"LSE": "XLON", "IOB": "XLON", "GER": "XETR", "FRA": "XFRA", "PAR": "XPAR", "AMS": "XAMS", "BRU": "XBRU", "LIS": "XLIS",
	"ISE": "XMSM", "MIL": "XMIL", "MCE": "XMAD", "EBS": "XSWX", "VIE": "XWBO", "STO": "XSTO", "CPH": "XCSE", "HEL": "XHEL",
	"OSL": "XOSL", "WSE": "XWAR", "PRA": "XPRA", "BUD": "XBUD", "ATH": "ASEX", "IST": "XIST", "TLV": "XTAE", "JNB": "XJSE",
	"TOR": "XTSE", "VAN": "XTSX", "SAO": "BVMF", "MEX": "XMEX", "BUE": "XBUE", "SGO": "XSGO",
	"JPX": "XTKS", "HKG": "XHKG", "ASX": "XASX", "NZE": "XNZE", "SES": "XSES", "JKT": "XIDX", "KLS": "XKLS", "SET": "XBKK",
	"KSC": "XKRX", "KOE": "XKOS", "TAI": "XTAI", "SHH": "XSHG", "SHZ": "XSHE", "NSI": "XNSE", "BSE": "XBOM",
	"SAU": "XSAU", "KUW": "XKUW", "DOH": "DSMD",
}

// quoteDelay returns the regular delay of Yahoo's prices of an exchange. US exchanges, currencies and coins
// are real-time. Others are delayed; minutes is zero unless a Yahoo response is known to state them.
func quoteDelay(code string) (minutes int, delayed bool) {
	switch exchangeMICs[code] {
	case "XNAS", "XNYS", "ARCX", "XASE", "BATS":
		return 0, false
	case "XLON":
		return 15, true
	}
	switch code {
	case "CCC", "CCY", "SNP", "DJI", "NIM", "WCB", "":
		return 0, false
	}
	return 0, true
}

// instrumentKinds maps Yahoo's kinds of instruments to nfa's.
var instrumentKinds = map[string]string{
	"EQUITY": "equity", "ETF": "fund", "MUTUALFUND": "fund", "INDEX": "index", "CURRENCY": "currency", "CRYPTOCURRENCY": "crypto",
	"FUTURE": "future", "OPTION": "option",
}

// InstrumentKind returns the kind of instrument in nfa's terms, or "".
func InstrumentKind(quoteType string) string { return instrumentKinds[quoteType] }

// ListingOf returns where a symbol trades, given Yahoo's code and name of the exchange. The market identifier
// code is empty for an exchange that is not in the table.
func ListingOf(code, name string) market.Listing {
	return market.Listing{MIC: exchangeMICs[code], Exchange: client.SingleLine(name, 60)}
}

// knownCoinTickers lists the coins whose plain ticker means them at Yahoo. If coins share a ticker, Yahoo
// gives it to the first, often not the one people mean (UNI-USD is not Uniswap), and numbers the others
// (UNI7083-USD).
func knownCoinTickers() []string {
	return []string{
		"AAVE", "ADA", "ALGO", "ATOM", "AVAX", "BCH", "BNB", "BSV", "BTC", "CRO", "DAI", "DASH", "DOGE", "DOT", "ETC", "ETH", "FIL", "HBAR",
		"ICP", "LINK", "LTC", "NEAR", "NEO", "SHIB", "SOL", "TRX", "USDC", "USDT", "VET", "WBTC", "XLM", "XMR", "XRP", "XTZ", "ZEC",
	}
}

// coinCurrencies lists the currencies of Yahoo's coin prices. Other suffixes after a hyphen are warrants or
// share classes.
func coinCurrencies() []string {
	return []string{"AUD", "BRL", "CAD", "CHF", "CNY", "EUR", "GBP", "HKD", "INR", "JPY", "KRW", "MXN", "NZD", "RUB", "SEK", "SGD", "TRY", "USD", "ZAR"}
}

// isAmbiguousCoin reports whether Yahoo may use the coin's ticker for another coin, whose price
// would be wrong.
func isAmbiguousCoin(sym market.Symbol) bool {
	p, ok := sym.CoinPair()
	return ok && slices.Contains(coinCurrencies(), p.Quote) && !slices.Contains(knownCoinTickers(), p.Base) && !strings.ContainsAny(p.Base, "0123456789")
}

// coinNotCovered returns the error for a coin that is not requested from Yahoo.
func (s *Source) coinNotCovered(op string) error {
	return s.dataClients[0].NewError(op, market.ErrNotCovered, "Yahoo may use this ticker for another coin")
}
