package yahoo

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

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
	return s.dataClients[0].NewError(op, market.ErrNotCovered, "Yahoo may know another coin by that ticker")
}
