package yahoo

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const maxOptions = 5000 // per expiry

type optionResult struct {
	UnderlyingSymbol string
	ExpirationDates  []int64
	Quote            listedQuote
	Options          []struct {
		ExpirationDate int64
		Calls, Puts    []listedOption
	}
}

type listedOption struct {
	ContractSymbol         string
	Currency, ContractSize string
	Strike, LastPrice      Number
	Bid, Ask               Number
	Volume, OpenInterest   Number
	ImpliedVolatility      Number
	LastTradeDate          int64
	InTheMoney             bool
}

// OptionChain returns the listed options of one expiry, sorted by strike, calls before puts. It needs a
// crumb. Zero prices are treated as absent.
func (s *Source) OptionChain(ctx context.Context, sym market.Symbol, expiry market.Date) (market.OptionChain, error) {
	op := "options of " + string(sym)
	if err := ctx.Err(); err != nil {
		return market.OptionChain{}, err
	}
	yahooSymbol, values := YahooSymbol(sym), url.Values{"formatted": {"false"}}
	if !expiry.IsZero() {
		values.Set("date", strconv.FormatInt(expiry.Unix(), 10))
	}
	found, answer, err := getWithCrumb(ctx, s, apiRequest{
		op: op, url: s.at(hostData, "/v7/finance/options/"+url.PathEscape(yahooSymbol), values),
		kind: client.JSON, fresh: s.freshQuote(sym), stale: staleQuote,
	}, func(body []byte) (optionResult, error) { return parseOptions(body, yahooSymbol) })
	if err != nil {
		return market.OptionChain{}, err
	}
	chain, err := found.chain(sym, expiry, answer)
	if err != nil {
		return market.OptionChain{}, s.dataClients[0].NewError(op, err, "")
	}
	if !chain.Provenance.AsOf.IsZero() {
		chain.Provenance = s.markStale(market.Quote{Instrument: chain.Instrument, Provenance: chain.Provenance}, found.Quote.meta().Zone())
	}
	return chain, nil
}

func parseOptions(body []byte, yahooSymbol string) (optionResult, error) {
	results, err := decodeService[[]optionResult](body, "optionChain")
	if err != nil {
		return optionResult{}, err
	}
	if len(results) == 0 {
		return optionResult{}, market.ErrUnknownSymbol
	}
	r := results[0]
	for _, at := range slices.Concat(r.ExpirationDates, []int64{r.Quote.RegularMarketTime}) {
		if !isPlausibleTime(at) {
			return optionResult{}, client.Malformedf("time out of range")
		}
	}
	return r, checkAnswered(yahooSymbol, r.UnderlyingSymbol)
}

func (r optionResult) chain(sym market.Symbol, expiry market.Date, answer client.Response) (market.OptionChain, error) {
	if len(r.ExpirationDates) == 0 || len(r.Options) == 0 {
		return market.OptionChain{}, market.ErrNoData
	}
	listed := r.Options[0]
	if !isPlausibleTime(listed.ExpirationDate) {
		return market.OptionChain{}, client.Malformedf("time out of range")
	}
	if got := unixDate(listed.ExpirationDate); !expiry.IsZero() && !got.Equal(expiry) {
		return market.OptionChain{}, market.ErrNoData
	}
	if len(listed.Calls)+len(listed.Puts) > maxOptions {
		return market.OptionChain{}, client.Malformedf("%d options", len(listed.Calls)+len(listed.Puts))
	}
	m := r.Quote.meta()
	p, factor := m.PriceProvenance(newProvenance("v7 options", answer))
	chain := market.OptionChain{
		Instrument: m.Instrument(sym), Spot: m.RegularMarketPrice.Price(factor), Expiry: unixDate(listed.ExpirationDate),
	}
	for _, e := range r.ExpirationDates {
		chain.Expiries = append(chain.Expiries, unixDate(e))
	}
	p.Adjustment, p.Phase, p.AsOf = market.AdjustmentRaw, r.Quote.phase(), answer.FetchedAt
	if m.RegularMarketTime > 0 {
		p.AsOf = time.Unix(m.RegularMarketTime, 0).UTC()
	} else {
		p = p.WithNote("Yahoo reported no time for these prices; the as-of time is when nfa fetched them.")
	}
	var odd int
	chain.Options, odd = r.options(m.Currency, factor)
	if odd > 0 {
		p = p.WithNote("Omitted options with another contract size or currency: " + strconv.Itoa(odd) + ".")
	}
	chain.Provenance = p
	return chain, nil
}

// options returns the options of the first expiry, and the number omitted. Contract sizes other
// than 100 come from splits and mergers and are not comparable.
func (r optionResult) options(currency string, factor decimal.Decimal) (out []market.OptionQuote, odd int) {
	for kind, side := range map[market.OptionKind][]listedOption{market.Call: r.Options[0].Calls, market.Put: r.Options[0].Puts} {
		for _, o := range side {
			if o.ContractSize != "" && o.ContractSize != "REGULAR" || !o.Strike.Positive() || o.Currency != "" && o.Currency != currency {
				odd++
				continue
			}
			out = append(out, o.quote(kind, factor))
		}
	}
	slices.SortFunc(out, func(a, b market.OptionQuote) int {
		return cmp.Or(a.Strike.Cmp(b.Strike), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Contract, b.Contract))
	})
	return out, odd
}

// unixDate returns the date of a Unix time, which Yahoo gives as midnight UTC.
func unixDate(unix int64) market.Date { return time.Unix(unix, 0).UTC().Truncate(24 * time.Hour) }

func (o listedOption) quote(kind market.OptionKind, factor decimal.Decimal) market.OptionQuote {
	q := market.OptionQuote{
		Contract: client.SingleLine(o.ContractSymbol, 40), Kind: kind, Strike: o.Strike.Decimal.Mul(factor),
		Bid: o.Bid.Price(factor), Ask: o.Ask.Price(factor), Last: o.LastPrice.Price(factor), InMoney: o.InTheMoney,
	}
	if at, ok := ParseUnix(o.LastTradeDate); ok && o.LastTradeDate > 0 {
		q.LastTraded = at
	}
	if o.Volume.Positive() {
		q.Volume = o.Volume.Decimal.IntPart()
	}
	if o.OpenInterest.Positive() {
		q.OpenInterest = o.OpenInterest.Decimal.IntPart()
	}
	// Yahoo reports 0.00001 if it could not compute the volatility.
	if iv := o.ImpliedVolatility; iv.Positive() && iv.Decimal.GreaterThan(decimal.New(1, -4)) {
		q.Implied = iv.NullDecimal
	}
	return q
}
