package prices_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// New York keeps 09:30 to 16:00; on the day after Thanksgiving it closes at 13:00
// (nyse.com, hours and holidays).
func TestMarketStatus_TellsPhaseAndTheSessionsAround(t *testing.T) {
	for _, tc := range []struct {
		name, now, exchange string
		want                map[string]any
		last, next          string
	}{
		{"before the opening", "2024-11-27T13:00:00Z", "", map[string]any{"mic": "XNYS", "phase": "pre", "is_session_day": true, "asked": "2024-11-27T08:00:00-05:00"}, "2024-11-26", "2024-11-27"},
		{"in the session", "2024-11-27T15:00:00Z", "nyse", map[string]any{"phase": "regular"}, "2024-11-26", "2024-11-29"},
		{"on a holiday", "2024-11-28T15:00:00Z", "NASDAQ", map[string]any{"mic": "XNAS", "phase": "closed", "is_session_day": false}, "2024-11-27", "2024-11-29"},
		{"the lunch of Tokyo", "2024-11-27T02:45:00Z", "Tokyo", map[string]any{"mic": "XTKS", "phase": "break", "timezone": "Asia/Tokyo"}, "2024-11-26", "2024-11-28"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := depsOf(t)
			d.Now = toolstest.Clock(t, tc.now)
			_, got := group.CallOK(t, d, "market_status", args{"exchange": tc.exchange})
			toolstest.WantFields(t, got, tc.want)
			toolstest.WantFields(t, got["last_completed"].(map[string]any), map[string]any{"date": tc.last})
			toolstest.WantFields(t, got["next_session"].(map[string]any), map[string]any{"date": tc.next})
		})
	}
}

func TestMarketStatus_OfADayTellsHalfDaysAndHolidays(t *testing.T) {
	res, got := group.CallOK(t, depsOf(t), "market_status", args{"exchange": "XNYS", "date": "2024-11-29"})
	toolstest.WantFields(t, got["session"].(map[string]any), map[string]any{"half_day": true, "close": "2024-11-29T13:00:00-05:00"})
	if !strings.Contains(res.UserText(), "half day") || !strings.Contains(res.Summary, "half day") {
		t.Errorf("people read %q and %q, want the half day in both", res.Summary, res.UserText())
	}
	_, got = group.CallOK(t, depsOf(t), "market_status", args{"exchange": "New York", "date": "2024-12-25"})
	toolstest.WantFields(t, got, map[string]any{"is_session_day": false, "asked": "2024-12-25"})
	toolstest.WantFields(t, got["last_completed"].(map[string]any), map[string]any{"date": "2024-12-24"})
	toolstest.WantFields(t, got["next_session"].(map[string]any), map[string]any{"date": "2024-12-26"})
}

func TestMarketStatus_OfASymbolUsesItsExchange(t *testing.T) {
	d := depsOf(t, markettest.Daily("SAP.DE", toolstest.MustDay("2024-11-27"), "1"))
	for symbol, mic := range map[string]string{"sap.de": "XETR", "VOD.L": "XLON", "AAPL": "XNYS", "^N225": "XTKS"} {
		if _, got := group.CallOK(t, d, "market_status", args{"symbol": symbol}); got["mic"] != mic {
			t.Errorf("market_status of %s = %v, want %s", symbol, got["mic"], mic)
		}
	}
	res, _ := group.CallOK(t, d, "market_status", args{"symbol": "BTC-USD"})
	if !strings.Contains(res.UserText(), "coins all year") {
		t.Errorf("market_status of a coin = %q", res.UserText())
	}
}

func TestMarketStatus_WhatNoCalendarKnowsIsNotGuessed(t *testing.T) {
	for _, in := range []args{{"exchange": "XBOM"}, {"symbol": "RELIANCE.NS"}, {"symbol": "AAPL", "exchange": "XNYS"}} {
		toolstest.WantError(t, group.Call(t, depsOf(t), "market_status", in), tool.CodeValidation, "exchange: ")
	}
	res, got := group.CallOK(t, depsOf(t), "market_status", args{"date": "1999-12-01"})
	if got["session"] != nil || len(got["warnings"].([]any)) == 0 || res.Summary != "unknown" {
		t.Errorf("of 1999 = %v, %q; want no session, a warning and that it is not known", got, res.Summary)
	}
}
