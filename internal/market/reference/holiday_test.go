package reference_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

// closures lists the weekdays of a year without a session, as month and day.
func closures(t *testing.T, e *reference.Exchange, y int) string {
	t.Helper()
	var out []string
	for d := yearOf(y).From; d.Year() == y; d = d.AddDate(0, 0, 1) {
		open, err := e.IsSession(d)
		if err != nil {
			t.Fatal(err)
		}
		if weekday := d.Weekday(); !open && weekday != time.Saturday && weekday != time.Sunday {
			out = append(out, d.Format("0102"))
		}
	}
	return strings.Join(out, " ")
}

func halfDays(t *testing.T, e *reference.Exchange, y int) string {
	t.Helper()
	days, err := e.Sessions(yearOf(y))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range days {
		s, err := e.Session(d)
		if err != nil {
			t.Fatal(err)
		}
		if s.HalfDay {
			out = append(out, d.Format("0102"))
		}
	}
	return strings.Join(out, " ")
}

func TestExchange_ClosuresAreThoseOfThePublishedCalendar(t *testing.T) {
	for _, row := range []struct {
		name, mic string
		year      int
		closed    string
		half      string
	}{
		// nyse.com, "Holidays and trading hours".
		{"New York 2001", "XNYS", 2001, "0101 0115 0219 0413 0528 0704 0903 0911 0912 0913 0914 1122 1225", "0703 1123 1224"},
		{"New York 2002", "XNYS", 2002, "0101 0121 0218 0329 0527 0704 0902 1128 1225", "0705 1129 1224"},
		{"New York 2004", "XNYS", 2004, "0101 0119 0216 0409 0531 0611 0705 0906 1125 1224", "1126"},
		{"New York 2021", "XNYS", 2021, "0101 0118 0215 0402 0531 0705 0906 1125 1224", "1126"},
		{"New York 2022", "XNYS", 2022, "0117 0221 0415 0530 0620 0704 0905 1124 1226", "1125"},
		{"Nasdaq 2025", "XNAS", 2025, "0101 0109 0120 0217 0418 0526 0619 0704 0901 1127 1225", "0703 1128 1224"},
		{"New York 2024", "XNYS", 2024, "0101 0115 0219 0329 0527 0619 0704 0902 1128 1225", "0703 1129 1224"},
		{"New York 2026", "XNYS", 2026, "0101 0119 0216 0403 0525 0619 0703 0907 1126 1225", "1127 1224"},
		{"New York 2027", "XNYS", 2027, "0101 0118 0215 0326 0531 0618 0705 0906 1125 1224", "1126"},
		// londonstockexchange.com, "Business days"; gov.uk, "UK bank holidays".
		{"London 2002", "XLON", 2002, "0101 0329 0401 0506 0603 0604 0826 1225 1226", "1224 1231"},
		{"London 2011", "XLON", 2011, "0103 0422 0425 0429 0502 0530 0829 1226 1227", "1223 1230"},
		{"London 2012", "XLON", 2012, "0102 0406 0409 0507 0604 0605 0827 1225 1226", "1224 1231"},
		{"London 2020", "XLON", 2020, "0101 0410 0413 0508 0525 0831 1225 1228", "1224 1231"},
		{"London 2022", "XLON", 2022, "0103 0415 0418 0502 0602 0603 0829 0919 1226 1227", "1223 1230"},
		{"London 2023", "XLON", 2023, "0102 0407 0410 0501 0508 0529 0828 1225 1226", "1222 1229"},
		{"London 2024", "XLON", 2024, "0101 0329 0401 0506 0527 0826 1225 1226", "1224 1231"},
		{"London 2025", "XLON", 2025, "0101 0418 0421 0505 0526 0825 1225 1226", "1224 1231"},
		{"London 2026", "XLON", 2026, "0101 0403 0406 0504 0525 0831 1225 1228", "1224 1231"},
		{"London 2027", "XLON", 2027, "0101 0326 0329 0503 0531 0830 1227 1228", "1224 1231"},
		// Deutsche Börse, trading calendars; Handelsblatt for 2000, dpa-AFX for 2005.
		{"Xetra 2000", "XETR", 2000, "0421 0424 0501 1003 1225 1226", ""},
		{"Xetra 2005", "XETR", 2005, "0325 0328 1226", "1230"},
		{"Xetra 2007", "XETR", 2007, "0101 0406 0409 0501 0528 1224 1225 1226 1231", "1228"},
		{"Xetra 2017", "XETR", 2017, "0414 0417 0501 0605 1003 1031 1225 1226", "1229"},
		{"Xetra 2021", "XETR", 2021, "0101 0402 0405 0524 1224 1231", "1230"},
		{"Xetra 2024", "XETR", 2024, "0101 0329 0401 0501 1224 1225 1226 1231", "1230"},
		{"Xetra 2025", "XETR", 2025, "0101 0418 0421 0501 1224 1225 1226 1231", "1230"},
		{"Xetra 2026", "XETR", 2026, "0101 0403 0406 0501 1224 1225 1231", "1230"},
		{"Xetra 2027", "XETR", 2027, "0101 0326 0329 1224 1231", "1230"},
		// euronext.com, "Trading hours and holidays".
		{"Paris 2001", "XPAR", 2001, "0101 0413 0416 0501 0604 1225 1226 1231", "1224"},
		{"Amsterdam 2000", "XAMS", 2000, "0421 0424 0501 0601 0612 1225 1226", ""},
		{"Brussels 2000", "XBRU", 2000, "0421 0424 0501 0601 0612 0721 1225 1226", ""},
		{"Lisbon 2003", "XLIS", 2003, "0101 0418 0421 0501 1225 1226", "1224 1231"},
		{"Paris 2026", "XPAR", 2026, "0101 0403 0406 0501 1225", "1224 1231"},
		// tsx.com, and TMX Group's holiday operating schedules of 2020 and 2021.
		{"Toronto 2001", "XTSE", 2001, "0101 0413 0521 0702 0806 0903 0911 0912 1008 1225 1226", ""},
		{"Toronto 2010", "XTSE", 2010, "0101 0215 0402 0524 0701 0802 0906 1011 1227 1228", "1224"},
		{"Toronto 2020", "XTSE", 2020, "0101 0217 0410 0518 0701 0803 0907 1012 1225 1228", "1224"},
		{"Toronto 2021", "XTSE", 2021, "0101 0215 0402 0524 0701 0802 0906 1011 1227 1228", "1224"},
		{"Toronto 2022", "XTSE", 2022, "0103 0221 0415 0523 0701 0801 0905 1010 1226 1227", ""},
	} {
		checkYear(t, row.name, row.mic, row.year, row.closed, row.half)
	}
}

func TestExchange_ClosuresOfAsiaAndAustralia(t *testing.T) {
	for _, row := range []struct {
		name, mic string
		year      int
		closed    string
		half      string
	}{
		// jpx.co.jp, "Market holidays"; Act on National Holidays for earlier years.
		{"Tokyo 2000", "XTKS", 2000, "0103 0110 0211 0320 0503 0504 0505 0720 0915 1009 1103 1123", "0104 1229"},
		{"Tokyo 2009", "XTKS", 2009, "0101 0102 0112 0211 0320 0429 0504 0505 0506 0720 0921 0922 0923 1012 1103 1123 1223 1231", "0105"},
		{"Tokyo 2019", "XTKS", 2019, "0101 0102 0103 0114 0211 0321 0429 0430 0501 0502 0503 0506 0715 0812 0916 0923 1014 1022 1104 1231", ""},
		{"Tokyo 2020", "XTKS", 2020, "0101 0102 0103 0113 0211 0224 0320 0429 0504 0505 0506 0723 0724 0810 0921 0922 1001 1103 1123 1231", ""},
		{"Tokyo 2021", "XTKS", 2021, "0101 0111 0211 0223 0429 0503 0504 0505 0722 0723 0809 0920 0923 1103 1123 1231", ""},
		{"Tokyo 2024", "XTKS", 2024, "0101 0102 0103 0108 0212 0223 0320 0429 0503 0506 0715 0812 0916 0923 1014 1104 1231", ""},
		{"Tokyo 2025", "XTKS", 2025, "0101 0102 0103 0113 0211 0224 0320 0429 0505 0506 0721 0811 0915 0923 1013 1103 1124 1231", ""},
		{"Tokyo 2027", "XTKS", 2027, "0101 0111 0211 0223 0322 0429 0503 0504 0505 0719 0811 0920 0923 1011 1103 1123 1231", ""},
		{"Tokyo 2026", "XTKS", 2026, "0101 0102 0112 0211 0223 0320 0429 0504 0505 0506 0720 0811 0921 0922 0923 1012 1103 1123 1231", ""},
		// hkex.com.hk, "Trading calendar and holiday schedule", and its notices on storms.
		{"Hong Kong 2001", "XHKG", 2001, "0101 0124 0125 0126 0405 0413 0416 0430 0501 0625 0702 0706 0725 1001 1002 1025 1225 1226", "0123 1224 1231"},
		{"Hong Kong 2002", "XHKG", 2002, "0101 0212 0213 0214 0329 0401 0405 0501 0520 0701 1001 1014 1225 1226", "0211 1224 1231"},
		{"Hong Kong 2008", "XHKG", 2008, "0101 0207 0208 0321 0324 0404 0501 0512 0609 0701 0806 0822 0915 1001 1007 1225 1226", "0206 1224 1231"},
		{"Hong Kong 2012", "XHKG", 2012, "0102 0123 0124 0125 0404 0406 0409 0501 0702 1001 1002 1023 1225 1226", "1224 1231"},
		{"Hong Kong 2015", "XHKG", 2015, "0101 0219 0220 0403 0406 0407 0501 0525 0701 0903 0928 1001 1021 1225", "0218 1224 1231"},
		{"Hong Kong 2022", "XHKG", 2022, "0201 0202 0203 0405 0415 0418 0502 0509 0603 0701 0912 1004 1226 1227", "0131"},
		{"Hong Kong 2023", "XHKG", 2023, "0102 0123 0124 0125 0405 0407 0410 0501 0526 0622 0717 0901 0908 1002 1023 1225 1226", ""},
		{"Hong Kong 2026", "XHKG", 2026, "0101 0217 0218 0219 0403 0406 0407 0501 0525 0619 0701 1001 1019 1225", "0216 1224 1231"},
		// asx.com.au, "Cash market trading calendar", and its notices of September 2022.
		{"Sydney 2010", "XASX", 2010, "0101 0126 0402 0405 0426 0614 1227 1228", "1224 1231"},
		{"Sydney 2011", "XASX", 2011, "0103 0126 0422 0425 0426 0613 1226 1227", "1223 1230"},
		{"Sydney 2022", "XASX", 2022, "0103 0126 0415 0418 0425 0613 0922 1226 1227", ""},
		{"Sydney 2023", "XASX", 2023, "0102 0126 0407 0410 0425 0612 1225 1226", "1222 1229"},
		{"Sydney 2024", "XASX", 2024, "0101 0126 0329 0401 0425 0610 1225 1226", "1224 1231"},
		{"Sydney 2025", "XASX", 2025, "0101 0127 0418 0421 0425 0609 1225 1226", "1224 1231"},
		// New South Wales has a Monday holiday for Anzac Day in 2026 and 2027. The exchange was open on that
		// of 2026.
		{"Sydney 2026", "XASX", 2026, "0101 0126 0403 0406 0608 1225 1228", "1224 1231"},
		{"Sydney 2027", "XASX", 2027, "0101 0126 0326 0329 0614 1227 1228", "1224 1231"},
	} {
		checkYear(t, row.name, row.mic, row.year, row.closed, row.half)
	}
}

func checkYear(t *testing.T, name, mic string, year int, closed, half string) {
	t.Run(name, func(t *testing.T) {
		e := exchange(t, mic)
		if diff := cmp.Diff(closed, closures(t, e, year)); diff != "" {
			t.Errorf("closed weekdays of %s in %d (-want +got):\n%s", mic, year, diff)
		}
		if diff := cmp.Diff(half, halfDays(t, e, year)); diff != "" {
			t.Errorf("half days of %s in %d (-want +got):\n%s", mic, year, diff)
		}
	})
}

func TestExchange_CountsOfSessions(t *testing.T) {
	for mic, want := range map[string][]int{
		// Trading days of New York as commonly counted; up to 2019 also the bars of the S&P 500.
		"XNYS": {
			252, 248, 252, 252, 252, 252, 251, 251, 253, 252, 252, 252, 250, 252,
			252, 252, 252, 251, 251, 252, 253, 252, 251, 250, 252, 250, 251, 251,
		},
		// Weekdays less the holidays that date-holidays computes for Japan, the days around New Year, and 1
		// October 2020.
		"XTKS": {
			248, 246, 246, 245, 246, 245, 248, 245, 245, 243, 245, 245, 248, 245,
			244, 244, 245, 247, 245, 241, 242, 245, 244, 246, 245, 243, 242, 244,
		},
		// Weekdays less the general holidays of each year and the days of storms.
		"XHKG": {
			247, 243, 247, 248, 249, 247, 247, 246, 245, 249, 249, 246, 247, 244,
			247, 247, 245, 246, 246, 246, 248, 247, 246, 243, 246, 246, 247, 248,
		},
	} {
		e := exchange(t, mic)
		var got []int
		for y := 2000; y <= 2027; y++ {
			n, err := e.Count(yearOf(y))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, n)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("sessions of %s in each year (-want +got):\n%s", mic, diff)
		}
	}
}

// Twenty years of closes of the S&P 500 show on which days New York traded.
func TestExchange_NewYorkTradedWhenTheIndexMoved(t *testing.T) {
	covered := reference.Covered()
	series, err := feed.NewSampleSource().Bars(t.Context(), "^GSPC", market.Range{From: covered.From})
	if err != nil {
		t.Fatal(err)
	}
	if len(series.Bars) < 5000 {
		t.Fatalf("only %d bars: this test needs twenty years", len(series.Bars))
	}
	var dates []market.Date
	for _, b := range series.Bars {
		dates = append(dates, b.Date)
	}
	e := exchange(t, "XNYS")
	sessions, err := e.Sessions(market.Range{From: dates[0], To: dates[len(dates)-1]})
	if diff := cmp.Diff(sessions, dates); err != nil || diff != "" {
		t.Errorf("sessions and bars, %v (-sessions +bars):\n%s", err, diff)
	}
}
