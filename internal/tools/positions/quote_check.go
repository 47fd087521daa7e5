package positions

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// checkQuote returns an error if prices of a security are quoted in another currency than it was bought in,
// because the same ticker may be another listing or even another company: VOD is a share in London, but on
// Nasdaq a certificate for ten of them. The user confirms a listing by mapping the recorded name, or by
// recording the currency of its quotes. An ISIN that is mapped counts as confirmed.
func (d Deps) checkQuote(ctx context.Context, l portfolio.Ledger, sym market.Symbol, quoted string) error {
	if major, _ := market.MinorUnit(quoted); major != "" {
		quoted = major
	}
	bought := expectedCurrencies(l, sym)
	if quoted == "" || len(bought) == 0 || slices.Contains(bought, quoted) {
		return nil
	}
	base, _, _ := strings.Cut(string(sym), ".")
	others := ""
	if found, err := (Listings{Directory: d.Directory}).ByTicker(ctx, base, ""); err == nil && len(found) > 1 {
		others = "; listings of this ticker: " + FormatListings(found)
	}
	return fmt.Errorf("%w: quoted in %s, but bought in %s, so the price may be from another listing%s; set the right one with nfa portfolio map %s SYMBOL, or confirm this one with nfa portfolio classify %s --currency %s",
		market.ErrAmbiguous, quoted, strings.Join(bought, " and "), others, sym, sym, quoted)
}

// expectedCurrencies returns the currencies in which quotes of a security are expected: the one
// recorded for its listing, else those of its purchases, sorted. It is empty if nothing is known.
func expectedCurrencies(l portfolio.Ledger, sym market.Symbol) []string {
	if _, coin := sym.CoinPair(); coin {
		return nil // always the pair with the dollar, in whatever currency it was paid
	}
	if i := slices.IndexFunc(l.Securities, func(s portfolio.Security) bool { return s.Symbol == sym }); i >= 0 && l.Securities[i].Currency != "" {
		return []string{l.Securities[i].Currency}
	}
	var used []string
	for i := range l.Transactions {
		t := &l.Transactions[i]
		switch {
		case ResolveTransaction(l.Aliases, *t) != sym:
			continue
		case t.Symbol != sym || t.ISIN != "" && l.Aliases[market.Symbol(t.ISIN)] != "":
			return nil // the user, or its ISIN, named this listing
		case t.Currency == "" || t.Kind != portfolio.KindBuy && t.Kind != portfolio.KindTransferIn && t.Kind != portfolio.KindReinvest:
			continue
		case !slices.Contains(used, t.Currency):
			used = append(used, t.Currency)
		}
	}
	slices.Sort(used)
	return used
}
