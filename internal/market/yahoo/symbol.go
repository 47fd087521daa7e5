package yahoo

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// exchangeSuffixes are the suffixes of one letter that name an exchange: London,
// Tokyo, Frankfurt and the Toronto venture exchange. Any other is a share class.
const exchangeSuffixes = "LTFV"

// YahooSymbol is a symbol as Yahoo spells it: share classes stand after a hyphen.
func YahooSymbol(sym market.Symbol) string {
	s := string(sym)
	n := len(s)
	if n < 3 || s[n-2] != '.' || strings.IndexByte(exchangeSuffixes, s[n-1]) >= 0 || s[n-1] < 'A' || s[n-1] > 'Z' {
		return s
	}
	return s[:n-2] + "-" + s[n-1:]
}

// ParseYahooSymbol is nfa's spelling of one of Yahoo's. It reports false for one that nfa
// cannot write in a way that leads back to it.
func ParseYahooSymbol(text string) (market.Symbol, bool) {
	sym, err := market.ParseSymbol(text)
	if err != nil || !strings.EqualFold(YahooSymbol(sym), text) {
		return "", false
	}
	return sym, true
}

// SameYahooSymbol reports whether Yahoo answered for what was asked. It leaves the
// dollar out of the name of a pair that begins with it.
func SameYahooSymbol(requested, answered string) bool {
	return strings.EqualFold(requested, answered) ||
		strings.HasSuffix(requested, "=X") && len(requested) == len("USDEUR=X") && strings.EqualFold(requested, "USD"+answered)
}

// exchangeMICs are the market identifier codes of exchanges, by Yahoo's codes.
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

// quoteDelay is how far Yahoo's prices of an exchange lie behind by rule. Those of the
// United States, of currencies and of coins come as they are made. For others the
// minutes are given where an answer of Yahoo is known to state them.
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

// instrumentKinds are nfa's words for Yahoo's kinds of instruments.
var instrumentKinds = map[string]string{
	"EQUITY": "equity", "ETF": "fund", "MUTUALFUND": "fund", "INDEX": "index", "CURRENCY": "currency", "CRYPTOCURRENCY": "crypto",
	"FUTURE": "future", "OPTION": "option",
}

// InstrumentKind is what an instrument is, in nfa's words; empty for what nfa has no word for.
func InstrumentKind(quoteType string) string { return instrumentKinds[quoteType] }

// ListingOf is where a symbol trades, by Yahoo's code and name of the exchange. The
// market identifier code is empty for an exchange that is not in the table.
func ListingOf(code, name string) market.Listing {
	return market.Listing{MIC: exchangeMICs[code], Exchange: client.SingleLine(name, 60)}
}

// knownCoinTickers are the coins that Yahoo knows by their plain ticker. Of coins that share
// one it gives it to the first that came, which is mostly not the one that is meant
// (UNI-USD is no Uniswap), and numbers the others, as UNI7083-USD.
func knownCoinTickers() []string {
	return []string{
		"AAVE", "ADA", "ALGO", "ATOM", "AVAX", "BCH", "BNB", "BSV", "BTC", "CRO", "DAI", "DASH", "DOGE", "DOT", "ETC", "ETH", "FIL", "HBAR",
		"ICP", "LINK", "LTC", "NEAR", "NEO", "SHIB", "SOL", "TRX", "USDC", "USDT", "VET", "WBTC", "XLM", "XMR", "XRP", "XTZ", "ZEC",
	}
}

// coinCurrencies are those that Yahoo prices coins in. Anything else after a hyphen is a
// warrant or a class of share.
func coinCurrencies() []string {
	return []string{"AUD", "BRL", "CAD", "CHF", "CNY", "EUR", "GBP", "HKD", "INR", "JPY", "KRW", "MXN", "NZD", "RUB", "SEK", "SGD", "TRY", "USD", "ZAR"}
}

// isAmbiguousCoin reports whether sym names a coin by a ticker under which Yahoo may know
// another one. Its price would pass for that of the coin that was asked for.
func isAmbiguousCoin(sym market.Symbol) bool {
	p, ok := sym.CoinPair()
	return ok && slices.Contains(coinCurrencies(), p.Quote) && !slices.Contains(knownCoinTickers(), p.Base) && !strings.ContainsAny(p.Base, "0123456789")
}

// coinNotCovered is the error of a question about a coin that Yahoo is not asked for.
func (s *Source) coinNotCovered(op string) error {
	return s.dataClients[0].NewError(op, market.ErrNotCovered, "Yahoo may use this ticker for another coin")
}
