package importer

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// setSecurity puts what the activity is of into t.
func (r *ghostfolioReader) setSecurity(a ghostfolioActivity, t *portfolio.Transaction) error {
	known := r.profiles[a.symbol]
	t.Name = Shorten(known.name)
	if ValidISIN(known.isin) {
		t.ISIN = known.isin
	}
	switch a.source {
	case "MANUAL":
		// Its name may be the ticker of something else, at a price of its own.
		return fmt.Errorf("%q is priced by hand in Ghostfolio; enter it under a symbol that no exchange uses", Shorten(joinGhostfolioNotes(known.name, a.symbol)))
	case "COINGECKO":
		coin, ok := r.coins[strings.ToLower(a.symbol)]
		if !ok {
			return fmt.Errorf("which coin CoinGecko calls %q is not known here; enter it by hand, as BTC-USD for bitcoin", Shorten(a.symbol))
		}
		t.Symbol = market.Symbol(coin + "-USD")
		return nil
	}
	text := a.symbol
	if ValidISIN(strings.ToUpper(text)) {
		t.ISIN = strings.ToUpper(text)
	}
	// Yahoo's pairs of coins lose their dash in Ghostfolio, and are in dollars always.
	if base, ok := strings.CutSuffix(text, "USD"); ok && a.source == "YAHOO" && r.isCoin(base) {
		text = base + "-USD"
	}
	symbol, err := ParseTicker(text)
	if err != nil {
		return err
	}
	t.Symbol = symbol
	return nil
}

// setOptionalSecurity is security for what need not be of one. The name that the user gave a
// fee is kept as a note.
func (r *ghostfolioReader) setOptionalSecurity(a ghostfolioActivity, t *portfolio.Transaction) {
	if a.source == "MANUAL" || a.source == "" || r.setSecurity(a, t) != nil {
		text := r.profiles[a.symbol].name
		if text == "" && !isUUID(a.symbol) {
			text = a.symbol
		}
		t.Symbol, t.ISIN, t.Name = "", "", ""
		t.Note = Shorten(joinGhostfolioNotes(text, t.Note))
	}
}

// isUUID tells the numbers that Ghostfolio gives to what its user made up.
func isUUID(s string) bool { return len(s) == 36 && strings.Count(s, "-") == 4 }

func joinGhostfolioNotes(a, b string) string {
	switch {
	case a == "" || a == b || isUUID(b):
		if isUUID(b) && a != "" {
			return a
		}
		return b
	case b == "":
		return a
	}
	return a + ": " + b
}

func (r *ghostfolioReader) isCoin(code string) bool {
	for _, known := range r.coins {
		if known == code {
			return true
		}
	}
	return false
}

// ghostfolioCoins lead from CoinGecko's names of the coins that are held most to their codes.
func ghostfolioCoins() map[string]string {
	return map[string]string{
		"bitcoin": "BTC", "ethereum": "ETH", "tether": "USDT", "ripple": "XRP", "binancecoin": "BNB", "solana": "SOL", "usd-coin": "USDC",
		"dogecoin": "DOGE", "cardano": "ADA", "tron": "TRX", "avalanche-2": "AVAX", "chainlink": "LINK", "polkadot": "DOT", "stellar": "XLM",
		"litecoin": "LTC", "bitcoin-cash": "BCH", "uniswap": "UNI", "cosmos": "ATOM", "monero": "XMR", "ethereum-classic": "ETC",
		"algorand": "ALGO", "tezos": "XTZ", "filecoin": "FIL", "aave": "AAVE", "near": "NEAR", "matic-network": "MATIC",
	}
}
