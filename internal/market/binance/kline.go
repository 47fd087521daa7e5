package binance

import (
	"encoding/json"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// kline is a day of trading as Binance tells it.
type kline struct {
	date                          market.Date
	open, high, low, last, volume decimal.NullDecimal
}

// page is an answer with klines, oldest first.
type page struct {
	days []kline
	rows int         // with those that are no days
	last market.Date // of the last row
}

// parsePage reads daily klines. One without a close is left out: nothing was
// traded on that day.
func parsePage(body []byte) (page, error) {
	var rows [][]json.RawMessage
	if err := json.Unmarshal(body, &rows); err != nil || rows == nil {
		return page{}, client.Malformedf("no list of klines")
	}
	out := page{days: make([]kline, 0, len(rows)), rows: len(rows)}
	for _, row := range rows {
		k, err := parseKline(row)
		if err != nil {
			return page{}, err
		}
		if !k.date.After(out.last) {
			return page{}, client.Malformedf("the day %s does not follow the one before", k.date.Format(time.DateOnly))
		}
		out.last = k.date
		if k.last.Valid {
			out.days = append(out.days, k)
		}
	}
	return out, nil
}

func parseKline(row []json.RawMessage) (kline, error) {
	var k kline
	if len(row) < 7 {
		return k, client.Malformedf("a kline of %d columns", len(row))
	}
	var opened, closed int64
	if json.Unmarshal(row[0], &opened) != nil || json.Unmarshal(row[6], &closed) != nil {
		return k, client.Malformedf("a kline without times")
	}
	const day = int64(oneDay / time.Millisecond)
	if opened < 0 || opened > latest || opened%day != 0 || closed != opened+day-1 {
		return k, client.Malformedf("a kline that is not of one day")
	}
	k.date = time.UnixMilli(opened).UTC()
	for i, into := range []*decimal.NullDecimal{&k.open, &k.high, &k.low, &k.last, &k.volume} {
		var text string
		if json.Unmarshal(row[i+1], &text) != nil {
			return k, client.Malformedf("a price that is no text")
		}
		value, err := parseNumber(text)
		if err != nil {
			return k, err
		}
		*into = decimal.NullDecimal{Decimal: value, Valid: value.IsPositive() || into == &k.volume}
	}
	return k, nil
}

// maxNumberLen is more than any price or volume takes.
const maxNumberLen = 40

// parseNumber reads a number, which Binance writes as text with all its zeros. An
// exponent is no price.
func parseNumber(text string) (decimal.Decimal, error) {
	value, ok := client.ParsePlainDecimal(text, maxNumberLen)
	if !ok {
		return decimal.Decimal{}, client.Malformedf("%.40q is no price", text)
	}
	return value, nil
}
