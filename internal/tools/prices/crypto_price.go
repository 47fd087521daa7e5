package prices

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type cryptoPriceInput struct {
	Coin     string `json:"coin" jsonschema:"Ticker, name or pair: BTC, bitcoin or BTC-EUR."`
	Currency string `json:"currency,omitempty" jsonschema:"Currency of the price. Default USD." arg:"explain"`
	Range    string `json:"range,omitempty" jsonschema:"Range of the history: 1m, 6m, 1y, 5y, ytd or max."`
	From     string `json:"from,omitempty" jsonschema:"Start date of the history, instead of range: YYYY-MM-DD."`
	To       string `json:"to,omitempty" jsonschema:"End date of the history: YYYY-MM-DD."`
}

const cryptoPriceDescription = `Latest price of one coin such as BTC; with range, or from and to, its daily price history. Use for "what is bitcoin worth"; for funds and companies that hold coins use quote. Name the source and the coin: venues differ, and coins can share a ticker.`

const cryptoPriceDetails = `Without range, from and to the result is a quote: price, date and time, change from the previous price and source. With them the result is a history as in price_history.
Coins trade around the clock on many venues, so prices differ between sources. The note says if the price is in a stablecoin such as USDT, which is not the same as US dollars. Several coins can have the same ticker; name identifies the coin.`

const cryptoPriceKeywords = `crypto cryptocurrency coin bitcoin btc ether ethereum eth solana dogecoin token stablecoin usdt satoshi altcoin digital blockchain price 比特币 以太坊 以太币 加密货币 币价 数字货币 虚拟货币 狗狗币 币`

var cryptoPricePhrasings = []string{
	"what is bitcoin worth now",
	"price of one ether in euros",
	"how did bitcoin move over the last <num> months",
	"dogecoin price on <num>",
	"比特币现在多少钱",
	"以太坊最近<num>个月的价格",
}

// newCryptoPrice returns the tool for prices of coins.
func newCryptoPrice(d Deps) tool.Tool {
	return toolkit.New("crypto_price", cryptoPriceDescription, tool.Reads, func(ctx context.Context, in cryptoPriceInput) (toolkit.Answer, error) {
		sym, err := d.coinPair(ctx, in)
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(in.Range+in.From+in.To) != "" {
			sp, err := toolkit.ParsePeriod(in.Range, in.From, in.To, "1y")
			if err != nil {
				return nil, err
			}
			series, warnings, err := d.HistoryOfSymbol(ctx, sym, sp)
			if err != nil {
				return nil, err
			}
			return newHistoryAnswer(series, "", sp, warnings), nil
		}
		q, err := d.fetchQuote(ctx, sym)
		if errors.Is(err, market.ErrUnknownSymbol) {
			err = fmt.Errorf("%w; use the ticker of the coin, such as BTC", err)
		}
		if err != nil {
			return nil, toolkit.WithContext(err, "price of %s", sym)
		}
		return quoteAnswer{Quotes: []quoteLine{newQuoteLine(q)}, Errors: []quoteError{}}, nil
	}).
		WithDetails(cryptoPriceDetails).Find("market", cryptoPriceKeywords, cryptoPricePhrasings...)
}

// coinPair returns the requested pair, "BTC-USD".
func (d Deps) coinPair(ctx context.Context, in cryptoPriceInput) (market.Symbol, error) {
	text := strings.TrimSpace(in.Coin)
	currency := strings.ToUpper(strings.TrimSpace(in.Currency))
	spelled := strings.ToUpper(strings.NewReplacer("/", "-").Replace(text))
	if pair, ok := market.Symbol(spelled).CoinPair(); ok {
		if currency != "" && currency != pair.Quote {
			return "", fmt.Errorf("%w: %s is priced in %s, but currency is %s", market.ErrInvalidSymbol, spelled, pair.Quote, currency)
		}
		return market.Symbol(spelled), nil
	}
	base, err := d.coinTicker(ctx, text)
	if err != nil {
		return "", err
	}
	if currency == "" {
		currency = "USD"
	}
	sym := market.Symbol(base + "-" + currency)
	if _, ok := sym.CoinPair(); !ok {
		return "", fmt.Errorf("%w: %.40q in %.10q is not a coin and a currency; use, for example, BTC and EUR", market.ErrInvalidSymbol, text, currency)
	}
	return sym, nil
}

// coinTicker returns the ticker of the coin that text means in the directory, otherwise text itself. If
// several coins match, the error lists them.
func (d Deps) coinTicker(ctx context.Context, text string) (string, error) {
	known, err := d.Directory.Instruments(ctx)
	if err != nil {
		return "", fmt.Errorf("list known coins: %w", err)
	}
	ticker := strings.ToUpper(text)
	var tickers, names []string
	for _, i := range known {
		pair, ok := i.Symbol.CoinPair()
		if !ok || i.Kind != "crypto" || slices.Contains(tickers, pair.Base) {
			continue
		}
		if pair.Base == ticker {
			return ticker, nil
		}
		if i.Matches(text) || strings.EqualFold(strings.TrimSuffix(i.Name, " "+pair.Quote), text) {
			tickers, names = append(tickers, pair.Base), append(names, fmt.Sprintf("%s (%s)", pair.Base, i.Name))
		}
	}
	switch len(tickers) {
	case 0:
		return ticker, nil
	case 1:
		return tickers[0], nil
	}
	return "", fmt.Errorf("%w %q: it matches %s; ask the user which one", market.ErrAmbiguous, text, strings.Join(names, " or "))
}
