package client_test

import (
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

func TestAmerican_IsAShareOrAFundOfTheUnitedStates(t *testing.T) {
	for sym, want := range map[market.Symbol]bool{
		"AAPL": true, "BRK.B": true, "BF.A": true, "X": true,
		"": false, "^GSPC": false, "BTC-USD": false, "EURUSD=X": false, "M&M.NS": false,
		"VOD.L": false, "7203.T": false, "SAP.F": false, "RY.V": false, "SAP.DE": false, "0700.HK": false, "AAPL.": false,
	} {
		if got := client.IsUSListed(sym); got != want {
			t.Errorf("American(%q) = %v, want %v", sym, got, want)
		}
	}
}

func TestSameShare_WhateverStandsBeforeTheClass(t *testing.T) {
	for _, row := range []struct {
		answered string
		sym      market.Symbol
		want     bool
	}{
		{"AAPL", "AAPL", true}, {"aapl", "AAPL", true}, {"BRK-B", "BRK.B", true}, {"BRK.B", "BRK.B", true},
		{"BRK-A", "BRK.B", false}, {"BRK", "BRK.B", false}, {"", "AAPL", false},
	} {
		if got := client.SameSymbol(row.answered, row.sym); got != row.want {
			t.Errorf("SameShare(%q, %s) = %v, want %v", row.answered, row.sym, got, row.want)
		}
	}
	if got := client.HyphenateClass("BRK.B"); got != "BRK-B" {
		t.Errorf("Hyphened(BRK.B) = %s, want BRK-B", got)
	}
}

func TestDay_IsThatOfTheExchange(t *testing.T) {
	at := time.Date(2026, 9, 26, 0, 30, 0, 0, time.UTC) // 20:30 in New York on the previous day
	if got, want := client.SessionDate(at, client.NewYork()), time.Date(2026, 9, 25, 0, 0, 0, 0, time.UTC); got != want {
		t.Errorf("Day(%v) = %v, want %v", at, got, want)
	}
}

func TestUnsettled_UntilTheClockInNewYorkSaysSo(t *testing.T) {
	summer, winter := time.Date(2026, 9, 25, 0, 0, 0, 0, time.UTC), time.Date(2026, 12, 18, 0, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		name    string
		day     market.Date
		now     time.Time
		settled time.Duration
		want    bool
	}{
		{"during the session", summer, summer.Add(15 * time.Hour), client.NewYorkClose, true},
		{"a minute before", summer, summer.Add(20*time.Hour + 19*time.Minute + 59*time.Second), client.NewYorkClose + 20*time.Minute, true},
		{"at the minute", summer, summer.Add(20*time.Hour + 20*time.Minute), client.NewYorkClose + 20*time.Minute, false},
		{"at the same hour in winter", winter, winter.Add(20*time.Hour + 20*time.Minute), client.NewYorkClose + 20*time.Minute, true},
		{"an hour later in winter", winter, winter.Add(21*time.Hour + 20*time.Minute), client.NewYorkClose + 20*time.Minute, false},
		{"the evening, for a source that corrects until eight", summer, summer.Add(23 * time.Hour), 20 * time.Hour, true},
		{"after midnight in London, before it in New York", summer, summer.Add(24*time.Hour + 30*time.Minute), 20 * time.Hour, false},
		{"the day before", summer.AddDate(0, 0, -1), summer.Add(14 * time.Hour), client.NewYorkClose, false},
		{"a day to come", summer.AddDate(0, 0, 1), summer.Add(23 * time.Hour), client.NewYorkClose, true},
	} {
		if got := client.BarUnsettled(row.day, row.now, row.settled); got != row.want {
			t.Errorf("%s: Unsettled(%v, %v, %v) = %v, want %v", row.name, row.day, row.now, row.settled, got, row.want)
		}
	}
}
