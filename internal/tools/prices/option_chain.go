package prices

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/option"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type optionChainInput struct {
	Symbol  string `json:"symbol" jsonschema:"Symbol of the underlying."`
	Expiry  string `json:"expiry,omitempty" jsonschema:"Expiry date: YYYY-MM-DD. Default: the next one."`
	Type    string `json:"type,omitempty" jsonschema:"call or put. Default: both."`
	Strikes int    `json:"strikes,omitempty" jsonschema:"Number of strikes nearest to the price, at most 40. Default 10."`
}

const optionChainDescription = `Listed options of one share or fund for one expiry: strikes, bid, ask, volume, open interest, implied volatility. Use for "what do calls on X cost"; to value an option use option_price. Rely on bid and ask: a last price may be days old. No past chains.`

const optionChainDetails = `The result has the strikes nearest to the price of the underlying, the spot price, all expiries, currency, source and date. implied_volatility comes from the source, as an annual fraction: 0.25 is 25%.
price_volatility and delta are computed from the price (midpoint of bid and ask, else the last price) by Black-Scholes-Merton, with a rate of 0 and no dividends. The flag thin marks an option without bid and ask. The flag suspect marks one whose implied volatility differs widely from its price: use price_volatility.
Prices are per share; one contract is usually for 100 shares. last_traded is the time of the last price; if it is missing, the time is unknown. Trades happen at bid and ask. Only current chains are available.`

const optionChainKeywords = `option options chain call calls put puts strike strikes expiry expiration expiries bid ask open interest implied volatility iv contract premium listed underlying 期权 期权链 看涨 看跌 认购 认沽 行权价 到期日 隐含波动率`

var optionChainPhrasings = []string{
	"call options on <sym> expiring in <num>",
	"put prices for <sym> at strike <num>",
	"which expirations are listed for <sym>",
	"implied volatility of <sym> options",
	"open interest of <sym> puts",
	"<sym>的期权链",
	"<sym>看涨期权的报价",
}

const (
	defaultStrikes = 10
	maxStrikes     = 40
)

// errOptions marks invalid arguments of option_chain.
var errOptions = toolkit.InvalidArgs(errors.New("options"))

// newOptionChain returns the tool for listed options.
func newOptionChain(d Deps) tool.Tool {
	return toolkit.New("option_chain", optionChainDescription, tool.Reads, func(ctx context.Context, in optionChainInput) (chainAnswer, error) {
		kind, strikes, err := optionArguments(in)
		if err != nil {
			return chainAnswer{}, err
		}
		_, expiry, err := toolkit.ParseDate(strings.TrimSpace(in.Expiry))
		if err != nil {
			return chainAnswer{}, toolkit.InvalidArgsf("expiry: %w", err)
		}
		chain, err := toolkit.LookUp(ctx, d.Directory, in.Symbol, func(sym market.Symbol) (market.OptionChain, error) {
			return d.fetchChain(ctx, sym, expiry)
		})
		if err != nil {
			return chainAnswer{}, toolkit.WithContext(err, "options of %s", in.Symbol)
		}
		return newChainAnswer(chain, kind, strikes), nil
	}).
		WithDetails(optionChainDetails).Find("market", optionChainKeywords, optionChainPhrasings...)
}

func optionArguments(in optionChainInput) (market.OptionKind, int, error) {
	kind := market.OptionKind(strings.TrimSuffix(strings.ToLower(strings.TrimSpace(in.Type)), "s"))
	switch {
	case kind != "" && kind != market.Call && kind != market.Put:
		return "", 0, fmt.Errorf("%w: unknown type %.20q; use call or put", errOptions, in.Type)
	case in.Strikes < 0 || in.Strikes > maxStrikes:
		return "", 0, fmt.Errorf("%w: strikes %d is out of range; use 1 to %d", errOptions, in.Strikes, maxStrikes)
	case in.Strikes == 0:
		return kind, defaultStrikes, nil
	}
	return kind, in.Strikes, nil
}

// fetchChain returns the options of an expiry. If their prices are later than d.Now, it returns an error,
// because no source has past option prices.
func (d Deps) fetchChain(ctx context.Context, sym market.Symbol, expiry market.Date) (market.OptionChain, error) {
	c, err := d.Options.OptionChain(ctx, sym, expiry)
	switch {
	case err != nil:
		return c, err
	case !d.Known(c.Provenance.AsOf):
		return c, fmt.Errorf("%w: no option prices for %s on or before %s", market.ErrNoData, sym, toolkit.FormatDate(toolkit.Today(d.Now())))
	case len(c.Options) == 0:
		return c, fmt.Errorf("%w: no options on %s expire on %s", market.ErrNoData, sym, toolkit.FormatDate(expiry))
	}
	return c, nil
}

type optionLine struct {
	Contract     string              `json:"contract"`
	Kind         market.OptionKind   `json:"type" label:"type"`
	Strike       decimal.Decimal     `json:"strike" label:"strike" as:"price" currency:"/PriceUnit"`
	Bid          decimal.NullDecimal `json:"bid" label:"bid" as:"price" currency:"/PriceUnit"`
	Ask          decimal.NullDecimal `json:"ask" label:"ask" as:"price" currency:"/PriceUnit"`
	Last         decimal.NullDecimal `json:"last" label:"last" as:"price" currency:"/PriceUnit"`
	LastTraded   string              `json:"last_traded,omitempty"`
	Day          string              `json:"-" label:"traded"`
	Volume       int64               `json:"volume" label:"volume" unit:"contracts"`
	OpenInterest int64               `json:"open_interest" label:"open interest" unit:"contracts"`
	Implied      decimal.NullDecimal `json:"implied_volatility" label:"implied vol." as:"percent"`
	PriceVol     *float64            `json:"price_volatility,omitempty" label:"vol. of price" as:"percent" formula:"volatility implied by the price (Black-Scholes-Merton, rate 0)"`
	Delta        *float64            `json:"delta,omitempty" label:"delta" formula:"Black-Scholes-Merton at price_volatility and a rate of 0"`
	Flags        []market.Flag       `json:"flags,omitempty"`
	Flag         string              `json:"-" label:"flags"`
	InMoney      bool                `json:"in_the_money"`

	traded time.Time
}

func (o optionLine) Explain(field string) toolkit.Explanation {
	names := map[string]string{"bid": "bid", "ask": "ask", "last": "last", "volume": "volume", "open_interest": "open interest", "implied_volatility": "implied volatility",
		"price_volatility": "volatility of price", "delta": "delta"}
	e := toolkit.Explanation{}
	if names[field] != "" {
		e.Label = o.Strike.String() + " " + names[field] // put 80 delta
	}
	if field == "last" {
		e.AsOf, e.Undated = o.traded, o.traded.IsZero() // it may be days old
	}
	return e
}

type chainAnswer struct {
	Symbol   market.Symbol       `json:"symbol"`
	Name     string              `json:"name"`
	Spot     decimal.NullDecimal `json:"spot" label:"price of the underlying" as:"price" currency:"PriceUnit" key:"1"`
	Expiry   string              `json:"expiry" label:"expiry"`
	Expiries []string            `json:"expiries"`
	toolkit.Origin
	Options []optionLine `json:"options" table:"Options, prices per share"`
	Count   int          `json:"count" label:"listed options" unit:"options"` // listed for the expiry
	Left    string       `json:"options_note,omitempty"`

	PriceUnit string `json:"-"`
}

func (a chainAnswer) Headline(lang string) string {
	spot := toolkit.Format(a.Spot, toolkit.Price, a.PriceUnit)
	if lang == "zh" {
		return fmt.Sprintf("%s %s 到期的期权共 %d 个，标的价格 %s。", a.Symbol, a.Expiry, a.Count, spot)
	}
	return fmt.Sprintf("%s has %d options that expire on %s; the underlying is at %s.", a.Symbol, a.Count, a.Expiry, spot)
}

func (a chainAnswer) Title() string { return fmt.Sprintf("%s · %s", a.Symbol, a.Expiry) }

func (a chainAnswer) Summary() string {
	return fmt.Sprintf("%d of %d options", len(a.Options), a.Count)
}

func (a chainAnswer) Text() string { return a.Left }

func newChainAnswer(c market.OptionChain, kind market.OptionKind, strikes int) chainAnswer {
	a := chainAnswer{
		Symbol: c.Symbol, Name: c.Name, Spot: c.Spot, Expiry: toolkit.FormatDate(c.Expiry), Expiries: []string{},
		Origin: priceOrigin(c.Provenance), Options: []optionLine{}, Count: len(c.Options), PriceUnit: priceUnit(c.Provenance),
	}
	for _, e := range c.Expiries {
		a.Expiries = append(a.Expiries, toolkit.FormatDate(e))
	}
	shown := nearestStrikes(c, strikes)
	for _, o := range c.Options {
		if (kind == "" || o.Kind == kind) && slices.ContainsFunc(shown, o.Strike.Equal) {
			line := newOptionLine(o)
			line.judge(c)
			a.Options = append(a.Options, line)
		}
	}
	if len(a.Options) < a.Count {
		a.Left = fmt.Sprintf("%d of %d options; raise strikes or set type for more", len(a.Options), a.Count)
	}
	return a
}

func newOptionLine(o market.OptionQuote) optionLine {
	line := optionLine{
		Contract: o.Contract, Kind: o.Kind, Strike: o.Strike, Bid: o.Bid, Ask: o.Ask, Last: o.Last, LastTraded: toolkit.FormatInstant(o.LastTraded), Day: toolkit.NotAvailable,
		Volume: o.Volume, OpenInterest: o.OpenInterest, Implied: o.Implied, InMoney: o.InMoney, traded: o.LastTraded,
	}
	if !o.LastTraded.IsZero() {
		line.Day = o.LastTraded.UTC().Format(time.DateOnly)
	}
	return line
}

// maxVolatilityError is the maximum factor between the source's implied volatility and that computed from the
// price. Interest rates, dividends and the age of prices explain smaller differences.
const maxVolatilityError = 1.5

// judge computes volatility and delta from the price. It flags options without a market, and those whose
// implied volatility does not match their price.
func (o *optionLine) judge(c market.OptionChain) {
	price := o.Last
	switch {
	case o.Bid.Valid && o.Ask.Valid:
		price = decimal.NewNullDecimal(o.Bid.Decimal.Add(o.Ask.Decimal).Div(decimal.NewFromInt(2)))
	case !o.Bid.Valid && !o.Ask.Valid:
		o.Flags = append(o.Flags, market.FlagThin)
	}
	o.PriceVol, o.Delta = volatilityOf(c, o.Kind, o.Strike, price)
	if o.PriceVol != nil && o.Implied.Valid {
		times := o.Implied.Decimal.InexactFloat64() / *o.PriceVol
		if times > maxVolatilityError || times < 1/maxVolatilityError {
			o.Flags = append(o.Flags, market.FlagSuspect)
		}
	}
	o.Flag = toolkit.Origin{Flags: o.Flags}.FlagText()
}

// volatilityOf returns the volatility implied by an option's price, and its delta; nil if the price implies
// none. It assumes no interest rate and no dividends, so early exercise never pays.
func volatilityOf(c market.OptionChain, kind market.OptionKind, strike decimal.Decimal, price decimal.NullDecimal) (vol, delta *float64) {
	years := c.Expiry.AddDate(0, 0, 1).Sub(c.Provenance.AsOf).Hours() / 24 / 365
	if !price.Valid || !c.Spot.Valid || years <= 0 {
		return nil, nil
	}
	o := option.Option{Put: kind == market.Put, Spot: c.Spot.Decimal.InexactFloat64(), Strike: strike.InexactFloat64(), Years: years}
	implied, err := o.ImpliedVolatility(price.Decimal.InexactFloat64())
	if err != nil {
		return nil, nil
	}
	o.Vol = implied
	value, err := o.Value()
	if err != nil {
		return nil, nil
	}
	return &implied, &value.Delta
}

// nearestStrikes returns the strikes nearest to the price of the underlying, or the middle ones if
// the price is unknown.
func nearestStrikes(c market.OptionChain, limit int) []decimal.Decimal {
	strikes := make([]decimal.Decimal, len(c.Options))
	for i, o := range c.Options {
		strikes[i] = o.Strike
	}
	slices.SortFunc(strikes, decimal.Decimal.Cmp)
	strikes = slices.CompactFunc(strikes, decimal.Decimal.Equal)
	spot := strikes[len(strikes)/2]
	if c.Spot.Valid {
		spot = c.Spot.Decimal
	}
	slices.SortStableFunc(strikes, func(a, b decimal.Decimal) int { return a.Sub(spot).Abs().Cmp(b.Sub(spot).Abs()) })
	return strikes[:min(len(strikes), limit)]
}
