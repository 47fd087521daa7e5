package reference_test

import (
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

func moment(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// In January Auckland is thirteen hours ahead of UTC and Seoul nine; Sao Paulo is three
// behind.
func TestDateOf_IsTheDayAtTheExchange(t *testing.T) {
	for _, row := range []struct {
		sym  market.Symbol
		at   string
		want string
	}{
		{"AIR.NZ", "2024-01-17T21:00:00Z", "2024-01-18"},
		{"AIR.NZ", "2024-01-18T03:45:00Z", "2024-01-18"},
		{"^NZ50", "2024-01-17T21:00:00Z", "2024-01-18"},
		{"005930.KS", "2024-01-17T23:30:00Z", "2024-01-18"},
		{"D05.SI", "2024-01-17T16:30:00Z", "2024-01-18"},
		{"PETR4.SA", "2024-01-18T01:00:00Z", "2024-01-17"},
		{"INVE-B.ST", "2024-01-17T23:30:00Z", "2024-01-18"},
		{"^TASI.SR", "2024-01-17T22:00:00Z", "2024-01-18"},
		{"M&M.NS", "2024-01-17T20:00:00Z", "2024-01-18"},
		{"J&KBANK.NS", "2024-01-17T18:00:00Z", "2024-01-17"},
		{"BHP.AX", "2024-01-17T23:05:00Z", "2024-01-18"}, // by its calendar
		{"VTI", "2024-01-18T00:30:00Z", "2024-01-17"},
	} {
		got, ok := reference.DateOf(row.sym, moment(t, row.at))
		if !ok || !got.Equal(on(t, row.want)) {
			t.Errorf("DateOf(%s, %s) = %v, %v, want %s", row.sym, row.at, got, ok, row.want)
		}
	}
	for _, sym := range []market.Symbol{"BTC-USD", "EURUSD=X", "GC=F", "ABC.XX", "^XYZ", "S&P500", ""} {
		if got, ok := reference.DateOf(sym, moment(t, "2024-01-18T00:30:00Z")); ok {
			t.Errorf("DateOf(%s) = %v, want none known", sym, got)
		}
	}
}

// 16:45 in Auckland is 03:45 in UTC in January and 04:45 in July; the bar is settled
// twenty minutes later.
func TestLocal_NextSettledIsAfterTheCloseOfTheNextDayOfItsWeek(t *testing.T) {
	for _, row := range []struct {
		name string
		sym  market.Symbol
		last string
		want string
	}{
		{"the next day", "AIR.NZ", "2024-01-16", "2024-01-17T04:05:00Z"},
		{"in winter", "AIR.NZ", "2024-07-16", "2024-07-17T05:05:00Z"},
		{"over a weekend", "AIR.NZ", "2024-01-19", "2024-01-22T04:05:00Z"},
		{"Seoul", "005930.KS", "2024-01-16", "2024-01-17T06:50:00Z"},
		{"Riyadh, from Thursday to Sunday", "2222.SR", "2024-01-18", "2024-01-21T12:20:00Z"},
		{"Tel Aviv, which may trade on Friday", "TEVA.TA", "2026-01-15", "2026-01-16T15:35:00Z"},
		{"Tel Aviv, which may trade on Sunday", "TEVA.TA", "2024-01-19", "2024-01-21T15:35:00Z"},
	} {
		l, ok := reference.LocalClockOf(row.sym)
		if !ok {
			t.Errorf("LocalOf(%s): none", row.sym)
			continue
		}
		if got := l.NextSettled(on(t, row.last)); !got.Equal(moment(t, row.want)) {
			t.Errorf("%s: NextSettled(%s) = %v, want %s", row.name, row.last, got.UTC(), row.want)
		}
	}
}

// The longest recent closures: Oslo at Easter, Taipei at Lunar New Year, Riyadh after Ramadan. At these
// times, the first session after each had not ended.
func TestLocal_TradedIsNotAfterTheLastSessionWhateverHolidaysThereAre(t *testing.T) {
	for _, row := range []struct {
		sym             market.Symbol
		last, beforeEnd string
	}{
		{"EQNR.OL", "2024-03-27", "2024-04-02T14:00:00Z"},
		{"2330.TW", "2023-01-17", "2023-01-30T05:00:00Z"},
		{"2222.SR", "2022-04-27", "2022-05-09T11:00:00Z"},
	} {
		l, ok := reference.LocalClockOf(row.sym)
		if !ok {
			t.Errorf("LocalOf(%s): none", row.sym)
			continue
		}
		if got := l.SurelyTradedSince(moment(t, row.beforeEnd)); got.After(on(t, row.last)) {
			t.Errorf("%s: Traded(%s) = %v, want no later than %s", row.sym, row.beforeEnd, got, row.last)
		}
		if got := l.SurelyTradedSince(moment(t, row.beforeEnd).AddDate(0, 0, 21)); !got.After(on(t, row.last)) {
			t.Errorf("%s: three weeks later Traded = %v, want the price of %s to count as old", row.sym, got, row.last)
		}
	}
}

func TestLocal_IsNotOfWhatHasACalendar(t *testing.T) {
	for _, sym := range []market.Symbol{"VTI", "BRK.B", "VOD.L", "SAP.DE", "^N225", "^GSPC", "ABX.TO"} {
		if l, ok := reference.LocalClockOf(sym); ok {
			t.Errorf("LocalOf(%s) = %s, which has a calendar", sym, l.MIC())
		}
	}
}
