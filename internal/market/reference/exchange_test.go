package reference_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

// exchange returns a calendar, or fails the test.
func exchange(t testing.TB, mic string) *reference.Exchange {
	t.Helper()
	e, ok := reference.ExchangeByMIC(mic)
	if !ok {
		t.Fatalf("For(%q) = false, want a calendar", mic)
	}
	return e
}

// on parses a day as people write it.
func on(t testing.TB, text string) market.Date {
	t.Helper()
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// clock parses a local time at an exchange.
func clock(t testing.TB, e *reference.Exchange, text string) time.Time {
	t.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04", text, e.Location())
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func yearOf(y int) market.Range {
	return market.Range{From: time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(y, 12, 31, 0, 0, 0, 0, time.UTC)}
}

func TestExchangeByMIC_EveryListedExchangeHasItsOwnCodeNameAndZone(t *testing.T) {
	zones := map[string]string{
		"XNYS": "America/New_York", "XNAS": "America/New_York", "ARCX": "America/New_York", "BATS": "America/New_York",
		"XLON": "Europe/London", "XETR": "Europe/Berlin", "XPAR": "Europe/Paris", "XAMS": "Europe/Amsterdam",
		"XBRU": "Europe/Brussels", "XLIS": "Europe/Lisbon", "XTSE": "America/Toronto", "XTKS": "Asia/Tokyo",
		"XHKG": "Asia/Hong_Kong", "XASX": "Australia/Sydney",
	}
	got := map[string]string{}
	for _, mic := range reference.CalendarMICs() {
		e := exchange(t, mic)
		got[e.MIC()] = e.Location().String()
		if e.Name() == "" {
			t.Errorf("For(%q).Name() is empty", mic)
		}
	}
	if diff := cmp.Diff(zones, got); diff != "" {
		t.Errorf("zones of all exchanges (-want +got):\n%s", diff)
	}
}

func TestExchangeByMIC_OtherExchangesAreNotGuessed(t *testing.T) {
	for _, mic := range []string{"", "XSWX", "xnys", "NYSE"} {
		if e, ok := reference.ExchangeByMIC(mic); ok || e != nil {
			t.Errorf("For(%q) = %v, %v; want none", mic, e, ok)
		}
	}
}

func TestExchangeOf_ASymbolFollowsItsSuffix(t *testing.T) {
	for sym, want := range map[market.Symbol]string{
		"AAPL": "XNYS", "BRK.B": "XNYS", "BF.A": "XNYS", "^GSPC": "XNYS", "^IXIC": "XNYS",
		"VOD.L": "XLON", "^FTSE": "XLON", "SAP.DE": "XETR", "^GDAXI": "XETR",
		"MC.PA": "XPAR", "^FCHI": "XPAR", "ASML.AS": "XAMS", "ABI.BR": "XBRU", "EDP.LS": "XLIS",
		"RY.TO": "XTSE", "^GSPTSE": "XTSE", "7203.T": "XTKS", "^N225": "XTKS",
		"0700.HK": "XHKG", "^HSI": "XHKG", "BHP.AX": "XASX", "^AXJO": "XASX",
		"BT-A.L": "XLON", "RCI-B.TO": "XTSE", "REI-UN.TO": "XTSE", "ABC-H.V": "XTSE",
	} {
		e, ok := reference.ExchangeOf(sym)
		if !ok || e.MIC() != want {
			t.Errorf("Of(%s) = %v, %v; want %s", sym, e, ok, want)
		}
	}
}

func TestExchangeOf_WhatHasNoCalendarHereIsNotGiven(t *testing.T) {
	for _, sym := range []market.Symbol{"", "BTC-USD", "EURUSD=X", "ES=F", "NESN.SW", "NOVO-B.CO", "-", "SAP.F", "^SSMI", "WSKT.JK", "S&P500", "X."} {
		if e, ok := reference.ExchangeOf(sym); ok {
			t.Errorf("Of(%s) = %s, want none", sym, e.MIC())
		}
	}
}

func FuzzExchangeOf(f *testing.F) {
	for _, seed := range []string{"AAPL", "BRK.B", ".", "^", "7203.T", "..L", "\x00.HK"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if e, ok := reference.ExchangeOf(market.Symbol(text)); ok != (e != nil) {
			t.Fatalf("Of(%q) = %v, %v", text, e, ok)
		}
	})
}

// A caller may request a calendar for each quote.
func BenchmarkExchangeOf(b *testing.B) {
	at := time.Date(2026, 5, 4, 15, 0, 0, 0, time.UTC)
	for b.Loop() {
		e, _ := reference.ExchangeOf("7203.T")
		if _, err := e.LastCompleted(at); err != nil {
			b.Fatal(err)
		}
	}
}
