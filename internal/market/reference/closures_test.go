package reference_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market/reference"
)

// Dates of Easter as the United States Census Bureau lists them.
const easters = "2000-04-23 2001-04-15 2002-03-31 2003-04-20 2004-04-11 2005-03-27 2006-04-16 2007-04-08 2008-03-23 " +
	"2009-04-12 2010-04-04 2011-04-24 2012-04-08 2013-03-31 2014-04-20 2015-04-05 2016-03-27 2017-04-16 2018-04-01 " +
	"2019-04-21 2020-04-12 2021-04-04 2022-04-17 2023-04-09 2024-03-31 2025-04-20 2026-04-05 2027-03-28"

func TestExchange_EasterIsKeptEachYear(t *testing.T) {
	for _, text := range strings.Fields(easters) {
		easter := on(t, text)
		for _, mic := range reference.CalendarMICs() {
			e := exchange(t, mic)
			if mic == "XTKS" {
				continue // Japan has no Easter holidays
			}
			american := strings.Contains("XNYS XNAS ARCX BATS XTSE", mic)
			mustBe(t, e, easter.AddDate(0, 0, -2), false)
			mustBe(t, e, easter.AddDate(0, 0, 1), american)
		}
	}
}

func mustBe(t *testing.T, e *reference.Exchange, d time.Time, want bool) {
	t.Helper()
	got, err := e.IsSession(d)
	if err != nil || got != want {
		t.Errorf("IsSession of %s on %s = %v, %v; want %v", e.MIC(), d.Format("Mon 2006-01-02"), got, err, want)
	}
}

// Days of March and September by the almanac of the National Astronomical
// Observatory of Japan, 2000 to 2027.
func TestTokyo_ClosesOnTheEquinoxes(t *testing.T) {
	march := strings.Fields("20 20 21 21 20 20 21 21 20 20 21 21 20 20 21 21 20 20 21 21 20 20 21 21 20 20 20 21")
	september := strings.Fields("23 23 23 23 23 23 23 23 23 23 23 23 22 23 23 23 22 23 23 23 22 23 23 23 22 23 23 23")
	e := exchange(t, "XTKS")
	for i := range march {
		y := yearOf(2000 + i).From.Format("2006")
		for _, text := range []string{y + "-03-" + march[i], y + "-09-" + september[i]} {
			d := on(t, text)
			mustBe(t, e, d, false)
			if d.Weekday() == time.Sunday {
				mustBe(t, e, d.AddDate(0, 0, 1), false)
			}
		}
	}
}

// Rules have exceptions and end dates: these days were sessions.
func TestExchange_TradesWhereARuleDoesNotReach(t *testing.T) {
	for _, row := range []struct{ name, mic, day string }{
		{"the first session known", "XNYS", "2000-01-03"},
		{"the last session known", "XNYS", "2027-12-31"},
		{"New Year's Day on a Saturday costs no Friday", "XNYS", "2010-12-31"},
		{"nor in 2021", "XNYS", "2021-12-31"},
		{"Juneteenth before it was kept", "XNYS", "2021-06-18"},
		{"Christmas Eve of 2025, a holiday of the government alone", "XNYS", "2025-12-24"},
		{"Columbus Day", "XNYS", "2025-10-13"},
		{"Veterans Day", "XNAS", "2025-11-11"},
		{"the first day after the attacks", "XNYS", "2001-09-17"},
		{"the last day before them", "XTSE", "2001-09-10"},
		{"Toronto reopened sooner", "XTSE", "2001-09-13"},
		{"Family Day before Ontario had it", "XTSE", "2007-02-19"},
		{"Remembrance Day", "XTSE", "2025-11-11"},
		{"the spring holiday moved to the jubilee", "XLON", "2012-05-28"},
		{"and in 2022", "XLON", "2022-05-30"},
		{"the early May holiday moved to VE Day", "XLON", "2020-05-04"},
		{"Ascension Day of 2000", "XETR", "2000-06-01"},
		{"Whit Monday of 2000", "XETR", "2000-06-12"},
		{"Day of German Unity of 2001", "XETR", "2001-10-03"},
		{"Whit Monday since 2022", "XETR", "2022-06-06"},
		{"Day of German Unity since 2022", "XETR", "2022-10-03"},
		{"Bastille Day since 2002", "XPAR", "2003-07-14"},
		{"Queen's Day since 2002", "XAMS", "2002-04-30"},
		{"Ascension Day since 2001", "XBRU", "2001-05-24"},
		{"Liberation Day since 2003", "XLIS", "2003-04-25"},
		{"an imperial birthday of no emperor yet", "XTKS", "2019-02-22"},
		{"23 December after the abdication", "XTKS", "2019-12-23"},
		{"Marine Day moved to the Games", "XTKS", "2021-07-19"},
		{"Sports Day moved to the Games", "XTKS", "2020-10-12"},
		{"the day after a Sunday festival, before 2012", "XHKG", "2002-09-23"},
		{"and in 2009", "XHKG", "2009-10-05"},
		{"a typhoon since trading goes on in storms", "XHKG", "2025-09-24"},
		{"New Year's Eve", "XHKG", "2025-12-31"},
		{"Anzac Day on a Sunday", "XASX", "2021-04-26"},
		{"Anzac Day on a Saturday, a holiday of the state alone", "XASX", "2026-04-27"},
		{"Labour Day of New South Wales", "XASX", "2025-10-06"},
	} {
		t.Run(row.name, func(t *testing.T) { mustBe(t, exchange(t, row.mic), on(t, row.day), true) })
	}
}

// Storms, failures and mourning follow no rule and are listed in tables.
func TestExchange_ClosedOnceOnly(t *testing.T) {
	for mic, days := range map[string]string{
		"XNYS": "2001-09-11 2001-09-14 2004-06-11 2007-01-02 2012-10-29 2012-10-30 2018-12-05 2025-01-09",
		"XLON": "2011-04-29 2022-06-03 2022-09-19 2023-05-08",
		"XETR": "2000-10-03 2007-05-28 2017-10-31",
		"XTKS": "2019-04-30 2019-05-01 2019-05-02 2019-10-22 2020-10-01",
		"XHKG": "2001-07-06 2001-07-25 2008-08-06 2008-08-22 2011-09-29 2013-08-14 2015-09-03 2016-08-02 2016-10-21 " +
			"2017-08-23 2020-10-13 2021-10-13 2023-07-17 2023-09-01 2023-09-08 2024-09-06",
		"XASX": "2010-04-26 2011-04-26 2022-09-22",
	} {
		e := exchange(t, mic)
		for _, text := range strings.Fields(days) {
			mustBe(t, e, on(t, text), false)
		}
	}
}

func TestExchange_NeverTradesOnWeekends(t *testing.T) {
	for _, mic := range reference.CalendarMICs() {
		e := exchange(t, mic)
		for d := reference.Covered().From; !d.After(reference.Covered().To); d = d.AddDate(0, 0, 1) {
			if w := d.Weekday(); w == time.Saturday || w == time.Sunday {
				mustBe(t, e, d, false)
			}
		}
	}
}
