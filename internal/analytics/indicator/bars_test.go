package indicator_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/analytics/indicator"
	"github.com/nfa-cli/nfa/internal/market"
)

// bar returns a bar of January 2020 with prices as texts; "" is a price that the source lacks.
func bar(day int, high, low, last, volume string) market.Bar {
	maybe := func(text string) decimal.NullDecimal {
		if text == "" {
			return decimal.NullDecimal{}
		}
		return decimal.NewNullDecimal(decimal.RequireFromString(text))
	}
	return market.Bar{
		Date: time.Date(2020, 1, day, 0, 0, 0, 0, time.UTC),
		High: maybe(high), Low: maybe(low), Close: decimal.RequireFromString(last), Volume: maybe(volume),
	}
}

func TestNewBars_WhatTheSourceLacksIsNaNNotZero(t *testing.T) {
	b, err := indicator.NewBars([]market.Bar{bar(1, "11", "9", "10", "5"), bar(2, "", "", "-37.63", "")})
	if err != nil {
		t.Fatal(err)
	}
	if b.Len() != 2 || b.High[0] != 11 || b.Low[0] != 9 || b.Volume[0] != 5 || b.Close[1] != -37.63 {
		t.Errorf("bars = %+v", b)
	}
	for _, column := range [][]float64{b.High, b.Low, b.Volume} {
		if !math.IsNaN(column[1]) {
			t.Errorf("missing number = %v, want NaN", column[1])
		}
	}
}

func TestNewBars_RefusesWhatNoBarCanBe(t *testing.T) {
	for _, tt := range []struct {
		name string
		bars []market.Bar
		is   error
		says string
	}{
		{"one day twice", []market.Bar{bar(1, "", "", "1", ""), bar(1, "", "", "1", "")}, analytics.ErrDisordered, "2020-01-01 after 2020-01-01"},
		{"newest first", []market.Bar{bar(2, "", "", "1", ""), bar(1, "", "", "1", "")}, analytics.ErrDisordered, "2020-01-01 after 2020-01-02"},
		{"too large", []market.Bar{bar(1, "", "", "1e400", "")}, analytics.ErrOutOfRange, "2020-01-01"},
		{"high below low", []market.Bar{bar(1, "9", "10", "9.5", "")}, nil, "high 9 below low 10 on 2020-01-01"},
		{"negative volume", []market.Bar{bar(1, "", "", "9.5", "-1")}, nil, "negative volume -1 on 2020-01-01"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := indicator.NewBars(tt.bars)
			if err == nil || tt.is != nil && !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("NewBars = %v, want %v saying %q", err, tt.is, tt.says)
			}
		})
	}
}
