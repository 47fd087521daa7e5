package feed

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// parseSampleBars reads a file of bars. Errors in a row name its line.
func parseSampleBars(text []byte) (market.Series, error) {
	t, err := openSampleTable(text)
	if err != nil {
		return market.Series{}, err
	}
	series, err := sampleBarsHeader(t)
	if err != nil {
		return market.Series{}, err
	}
	read, err := sampleBarReader(t.columns)
	if err != nil {
		return market.Series{}, err
	}
	series.Bars = make([]market.Bar, 0, bytes.Count(t.rest, []byte("\n"))+1)
	cells := make([][]byte, len(t.columns))
	for {
		more, err := t.next(cells)
		if err != nil {
			return market.Series{}, err
		}
		if !more {
			break
		}
		bar, err := read(cells)
		if err != nil {
			return market.Series{}, fmt.Errorf("line %d: %w", t.line-1, err)
		}
		if n := len(series.Bars); n > 0 && !bar.Date.After(series.Bars[n-1].Date) {
			return market.Series{}, fmt.Errorf("line %d: %s does not follow the bar before", t.line-1, bar.Date.Format(sampleDateLayout))
		}
		series.Bars = append(series.Bars, bar)
	}
	if len(series.Bars) == 0 {
		return market.Series{}, errors.New("no bars")
	}
	series.Provenance.AsOf = series.Bars[len(series.Bars)-1].Date
	return series, nil
}

func sampleBarsHeader(t *sampleTable) (market.Series, error) {
	provenance, err := t.provenance()
	if err != nil {
		return market.Series{}, err
	}
	if err := t.require("symbol", "unit"); err != nil {
		return market.Series{}, err
	}
	provenance.Adjustment = market.Adjustment(t.head["adjustment"])
	switch provenance.Adjustment {
	case market.AdjustmentUnknown, market.AdjustmentRaw, market.AdjustmentSplit, market.AdjustmentSplitDiv:
	default:
		return market.Series{}, fmt.Errorf("adjustment %q is no known level", provenance.Adjustment)
	}
	interval := market.Interval(t.head["interval"])
	if interval != market.Daily && interval != market.Monthly {
		return market.Series{}, fmt.Errorf("interval %q is neither daily nor monthly", interval)
	}
	return market.Series{
		Instrument: market.Instrument{Symbol: market.Symbol(t.head["symbol"])},
		Interval:   interval, Provenance: provenance,
	}, nil
}

// sampleBarReader returns how a row of one of the two shapes becomes a bar.
func sampleBarReader(columns []string) (func([][]byte) (market.Bar, error), error) {
	switch got := strings.Join(columns, ","); got {
	case "date,close":
		return parseCloseRow, nil
	case "date,open,high,low,close,volume":
		return parseBarRow, nil
	default:
		return nil, fmt.Errorf("columns %q are not those of bars", got)
	}
}

func parseCloseRow(cells [][]byte) (market.Bar, error) {
	date, err := parseSampleDate(cells[0])
	if err != nil {
		return market.Bar{}, err
	}
	price, err := parseSamplePrice("close", cells[1])
	return market.Bar{Date: date, Close: price}, err
}

func parseBarRow(cells [][]byte) (market.Bar, error) {
	date, err := parseSampleDate(cells[0])
	if err != nil {
		return market.Bar{}, err
	}
	var prices [4]decimal.Decimal
	for i, name := range [...]string{"open", "high", "low", "close"} {
		if prices[i], err = parseSamplePrice(name, cells[i+1]); err != nil {
			return market.Bar{}, err
		}
	}
	volume, err := parseSampleDecimal(cells[5])
	if err != nil || volume.IsNegative() {
		return market.Bar{}, fmt.Errorf("volume %q is no count", cells[5])
	}
	open, high, low, last := prices[0], prices[1], prices[2], prices[3]
	if high.LessThan(open) || high.LessThan(last) || low.GreaterThan(open) || low.GreaterThan(last) {
		return market.Bar{}, fmt.Errorf("open %s and close %s do not lie between low %s and high %s", open, last, low, high)
	}
	return market.Bar{
		Date: date, Open: decimal.NewNullDecimal(open), High: decimal.NewNullDecimal(high),
		Low: decimal.NewNullDecimal(low), Close: last, Volume: decimal.NewNullDecimal(volume),
	}, nil
}

func parseSamplePrice(name string, text []byte) (decimal.Decimal, error) {
	price, err := parseSampleDecimal(text)
	if err != nil {
		return price, fmt.Errorf("%s: %w", name, err)
	}
	if !price.IsPositive() {
		return price, fmt.Errorf("%s: %s is not above zero", name, price)
	}
	return price, nil
}
