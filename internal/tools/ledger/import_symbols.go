package ledger

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/tools/positions"
)

// These bounds keep an import from waiting for hundreds of lookups.
const (
	maxLookups           = 100
	maxConcurrentLookups = 4
	lookupTimeout        = 15 * time.Second
)

// symbolNames maps the securities of a file to their symbols in the ledger.
type symbolNames struct {
	aliases    map[market.Symbol]market.Symbol // to be added
	securities []portfolio.Security            // exchange and currency of the listings, to be added
	found      []string                        // descriptions of the matches
	questions  []string                        // for the user to answer, now or later
}

// nameSymbols finds the symbols of securities that the file does not name by their listing. A symbol chosen
// by the user takes precedence. Otherwise the only listing that fits is used; if several fit, it adds a
// question. Without a symbol, the recorded name is kept.
func (d Deps) nameSymbols(ctx context.Context, l portfolio.Ledger, userSymbols map[string]string, s importer.Statement) (symbolNames, error) {
	n := symbolNames{aliases: map[market.Symbol]market.Symbol{}}
	if err := n.addUserSymbols(userSymbols, s); err != nil {
		return n, err
	}
	if s.Settings != nil {
		return n, nil // securities without an alias in an nfa export had none in its ledger
	}
	n.linkISINs(l, s)
	unnamed := n.unnamed(l, s)
	listings, unasked, err := d.allListings(ctx, unnamed, s.Listings)
	if err != nil {
		return n, err
	}
	for _, name := range unnamed {
		file := s.Listings[name]
		found := fittingListings(listings[name], file)
		coin, isCoin := file.Coin()
		if isCoin {
			found = append([]market.Instrument{coin}, slices.DeleteFunc(found, func(i market.Instrument) bool { return i.Symbol == coin.Symbol })...)
		}
		switch {
		case !isCoin && len(found) == 1 && (importer.ValidISIN(string(name)) || quotedIn(found[0], file.Major())):
			n.aliases[name] = found[0].Symbol
			n.found = append(n.found, fmt.Sprintf("%s is %s", name, positions.FormatListings(found)))
		case len(found) > 0:
			n.questions = append(n.questions, fmt.Sprintf("%s has several listings: %s; set symbols to the right one, such as %s=%s",
				describeListing(name, file), positions.FormatListings(found), name, found[0].Symbol))
		case file.Ticker != "" || !importer.ValidISIN(string(name)):
			n.questions = append(n.questions, fmt.Sprintf("no listing of %s was found; set symbols, such as %s=SYMBOL", describeListing(name, file), name))
		}
	}
	if unasked != "" {
		n.questions = append(n.questions, unasked)
	}
	n.addSecurities(l, s, d.Today())
	return n, nil
}

// addUserSymbols adds the symbols that the user gives by ISIN, by the ticker in the file, or by the
// recorded name. They apply only to the securities of this file: the same ticker may mean another security
// in another account.
func (n *symbolNames) addUserSymbols(userSymbols map[string]string, s importer.Statement) error {
	for from, to := range userSymbols {
		name, err := market.ParseSymbol(from)
		if err != nil {
			return fmt.Errorf("%w: symbols: %w", errImport, err)
		}
		symbol, err := market.ParseSymbol(to)
		if err != nil {
			return fmt.Errorf("%w: symbols: %s: %w", errImport, name, err)
		}
		names := []market.Symbol{name}
		if !importer.ValidISIN(string(name)) {
			for recorded, file := range s.Listings {
				if ticker, err := market.ParseSymbol(file.Ticker); err == nil && ticker == name {
					names = append(names, cmp.Or(market.Symbol(file.ISIN), recorded))
				}
			}
			if len(names) > 1 {
				names = names[1:]
			}
		}
		for _, name := range names {
			if name != symbol {
				n.aliases[name] = symbol
			}
		}
	}
	return nil
}

// linkISINs maps the ISINs of listings outside the United States to their symbols, so that lines and files
// that name only the ISIN refer to the same security.
func (n *symbolNames) linkISINs(l portfolio.Ledger, s importer.Statement) {
	for symbol, file := range s.Listings {
		isin := market.Symbol(file.ISIN)
		_, known := l.Aliases[isin]
		_, named := n.aliases[isin]
		_, suffixed := reference.MICOf(symbol)
		if isin != "" && isin != symbol && suffixed && !known && !named {
			n.aliases[isin] = symbol
		}
	}
}

// addSecurities adds the exchange and currency of the listings that the file states, unless the
// ledger has them.
func (n *symbolNames) addSecurities(l portfolio.Ledger, s importer.Statement, today market.Date) {
	aliases := positions.MergeAliases(l.Aliases, n.aliases)
	for _, recorded := range slices.Sorted(maps.Keys(s.Listings)) {
		file := s.Listings[recorded]
		symbol := positions.ResolveTransaction(aliases, portfolio.Transaction{Symbol: recorded, ISIN: file.ISIN})
		listed := reference.Describe(symbol)
		i := slices.IndexFunc(l.Securities, func(have portfolio.Security) bool { return have.Symbol == symbol })
		have := portfolio.Security{Symbol: symbol}
		if i >= 0 {
			have = l.Securities[i]
		}
		if file.Currency == "" || have.Currency != "" || importer.ValidISIN(string(symbol)) ||
			slices.ContainsFunc(n.securities, func(added portfolio.Security) bool { return added.Symbol == symbol }) {
			continue
		}
		have.Exchange, have.Currency, have.RecordedOn = listed.MIC, file.Major(), today
		if _, confirmed := n.aliases[recorded]; confirmed && listed.TradingCurrency != "" {
			have.Currency = listed.TradingCurrency
		}
		n.securities = append(n.securities, have)
	}
}

// fittingListings returns the listings with the ticker and currency of the file; if none has both,
// those with the ticker, else those in the currency, else all.
func fittingListings(found []market.Instrument, file importer.Listing) []market.Instrument {
	ticker := func(i market.Instrument) bool {
		base, _, _ := strings.Cut(string(i.Symbol), ".")
		return file.Ticker != "" && strings.EqualFold(base, strings.ReplaceAll(strings.TrimSpace(file.Ticker), ".", "-"))
	}
	currency := func(i market.Instrument) bool { return quotedIn(i, file.Major()) }
	for _, fits := range []func(market.Instrument) bool{
		func(i market.Instrument) bool { return ticker(i) && currency(i) }, ticker, currency,
	} {
		if some := slices.DeleteFunc(slices.Clone(found), func(i market.Instrument) bool { return !fits(i) }); len(some) > 0 {
			return some
		}
	}
	return found
}

// quotedIn reports whether a listing is usually quoted in a currency.
func quotedIn(i market.Instrument, currency string) bool {
	return currency != "" && cmp.Or(i.TradingCurrency, reference.Describe(i.Symbol).TradingCurrency) == currency
}

// describeListing names a security as the file does.
func describeListing(name market.Symbol, file importer.Listing) string {
	var parts []string
	for _, part := range []string{file.Name, file.Ticker, file.Currency} {
		if part != "" && part != string(name) {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return string(name)
	}
	return fmt.Sprintf("%s (%s)", name, strings.Join(parts, ", "))
}

// unnamed returns the recorded names without a listing and without an alias, sorted: ISINs, and
// tickers of an unknown exchange.
func (n symbolNames) unnamed(l portfolio.Ledger, s importer.Statement) []market.Symbol {
	seen := map[market.Symbol]bool{}
	var out []market.Symbol
	for _, e := range s.Entries {
		for _, sym := range []market.Symbol{e.Transaction.Symbol, e.Transaction.ToSymbol} {
			if seen[sym] {
				continue
			}
			seen[sym] = true
			_, known := l.Aliases[sym]
			_, named := n.aliases[sym]
			file := s.Listings[sym]
			unclear := file.Currency != "" && strings.HasSuffix(string(sym), "."+file.Major())
			if !known && !named && (importer.ValidISIN(string(sym)) || unclear) {
				out = append(out, sym)
			}
		}
	}
	slices.Sort(out)
	return out
}

// allListings looks up all listings within a time limit. A failed lookup is reported and does not
// affect the others; only a canceled context is an error.
func (d Deps) allListings(ctx context.Context, names []market.Symbol, files map[market.Symbol]importer.Listing) (map[market.Symbol][]market.Instrument, string, error) {
	answers := make([][]market.Instrument, min(len(names), maxLookups))
	asking, stop := context.WithTimeout(ctx, lookupTimeout)
	defer stop()
	group, asking := crash.WithContext(asking)
	group.SetLimit(maxConcurrentLookups)
	for i := range answers {
		group.Go(func() (err error) {
			if importer.ValidISIN(string(names[i])) {
				answers[i], err = d.listings().ByISIN(asking, string(names[i]))
			}
			if ticker := files[names[i]].Ticker; err == nil && len(answers[i]) == 0 && ticker != "" {
				answers[i], err = d.listings().ByTicker(asking, ticker, files[names[i]].ISIN)
			}
			return err
		})
	}
	failed := group.Wait()
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	listings := make(map[market.Symbol][]market.Instrument, len(names))
	for i, found := range answers {
		listings[names[i]] = found
	}
	switch {
	case failed != nil:
		return listings, fmt.Sprintf("some ISINs could not be looked up (%v); they are used as symbols until you set an alias", failed), nil
	case len(names) > maxLookups:
		return listings, fmt.Sprintf("%d of %d ISINs were looked up; the others are used as symbols until you set an alias", maxLookups, len(names)), nil
	}
	return listings, "", nil
}
