package offline

import (
	"slices"
	"strings"
	"testing"
	"time"
)

var testNow = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func readAlone(text string) *question {
	return New(Options{Instruments: noInstruments{}}).catalog().read(text, testNow)
}

// timesOf returns the periods and durations of a question: "2018-01-01..2018-12-31", "since" and "until"
// with an open end, "ytd", "5y".
func timesOf(q *question) string {
	var out []string
	for _, s := range q.of(periodSlot, durationSlot) {
		switch p := s.period; {
		case s.kind == durationSlot:
			out = append(out, s.asRange())
		case p.Range != "":
			out = append(out, p.Range)
		case p.To == "":
			out = append(out, "since "+p.From)
		case p.From == "":
			out = append(out, "until "+p.To)
		case p.day() != "":
			out = append(out, p.From)
		default:
			out = append(out, p.From+".."+p.To)
		}
	}
	return strings.Join(out, " ")
}

func TestRead_FindsTimes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"over the last 5 years", "5y"},
		{"past ten years", "10y"},
		{"last 6 months", "6m"},
		{"over the past decade", "10y"},
		{"for two weeks", "2w"},
		{"ytd", "ytd"},
		{"so far this year", "ytd"},
		{"all time", "max"},
		{"in 2018", "2018-01-01..2018-12-31"},
		{"since 2015", "since 2015-01-01"},
		{"before 2020", "until 2019-12-31"},
		{"after 2020", "since 2021-01-01"},
		{"from 2010 to 2015", "2010-01-01..2015-12-31"},
		{"between march 2020 and june 2021", "2020-03-01..2021-06-30"},
		{"march to june 2021", "2021-03-01..2021-06-30"},
		{"november to february 2021", "2020-11-01..2021-02-28"},
		{"q3 2022", "2022-07-01..2022-09-30"},
		{"second half of 2019", "2019-07-01..2019-12-31"},
		{"in february 2024", "2024-02-01..2024-02-29"},
		{"on 2024-03-05", "2024-03-05"},
		{"on March 5, 2024", "2024-03-05"},
		{"on the 5th of march 2024", "2024-03-05"},
		{"25/12/2023", "2023-12-25"},
		{"12/25/2023", "2023-12-25"},
		{"at the end of 2021", "2021-12-31"},
		{"last year", "2025-01-01..2025-12-31"},
		{"yesterday", "2026-11-22"},
		{"last friday", "2026-11-20"},
		{"this month", "since 2026-11-01"},
		{"in december", "2025-12-01..2025-12-31"},
		{"过去十年", "10y"},
		{"近三年", "3y"},
		{"最近半年", "6m"},
		{"今年以来", "ytd"},
		{"上市以来", "max"},
		{"2018年", "2018-01-01..2018-12-31"},
		{"2015年以来", "since 2015-01-01"},
		{"从2010年到2015年", "2010-01-01..2015-12-31"},
		{"2024年3月5日", "2024-03-05"},
		{"2022年第三季度", "2022-07-01..2022-09-30"},
		{"2021年底", "2021-12-31"},
		{"去年", "2025-01-01..2025-12-31"},
		{"上个月", "2026-10-01..2026-10-31"},
		{"昨天", "2026-11-22"},
		// Days that do not exist, and numbers that are no years.
		{"on 2023-02-29", ""},
		{"on 2024-13-01", ""},
		{"2000 shares", ""},
		{"$2015", ""},
		{"the 200 day moving average", ""},
	} {
		if got := timesOf(readAlone(c.text)); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestRead_DoesNotGuessAnAmbiguousDay(t *testing.T) {
	q := readAlone("on 03/04/2021")
	if q.unclear != "03/04/2021" || timesOf(q) != "" {
		t.Errorf("unclear %q, times %q", q.unclear, timesOf(q))
	}
	if q := readAlone("on 04/04/2021"); q.unclear != "" || timesOf(q) != "2021-04-04" {
		t.Errorf("both ways are the same day: unclear %q, times %q", q.unclear, timesOf(q))
	}
}

func TestRead_FindsNumbers(t *testing.T) {
	for _, c := range []struct {
		text, want string
		kind       kind
		currency   string
		every      byte
	}{
		{"500k", "500000", numberSlot, "", 0},
		{"1.5m dollars", "1500000", numberSlot, "USD", 0},
		{"$2.5bn", "2500000000", numberSlot, "USD", 0},
		{"1,234,567.89", "1234567.89", numberSlot, "", 0},
		{"€300", "300", numberSlot, "EUR", 0},
		{"300 swiss francs", "300", numberSlot, "CHF", 0},
		{"hk$80", "80", numberSlot, "HKD", 0},
		{"-250", "-250", numberSlot, "", 0},
		{"−250", "-250", numberSlot, "", 0},
		{"5%", "0.05", percentSlot, "", 0},
		{"-2.5%", "-0.025", percentSlot, "", 0},
		{"25 bps", "0.0025", percentSlot, "", 0},
		{"6.5 percent", "0.065", percentSlot, "", 0},
		{"half a million", "500000", numberSlot, "", 0},
		{"five hundred thousand", "500000", numberSlot, "", 0},
		{"500 a month", "500", numberSlot, "", 'm'},
		{"$2,000 per year", "2000", numberSlot, "USD", 'y'},
		{"50 weekly", "50", numberSlot, "", 'w'},
		{"10 shares", "10", countSlot, "", 0},
		{"100万", "1000000", numberSlot, "", 0},
		{"1.2亿", "120000000", numberSlot, "", 0},
		{"3万亿", "3000000000000", numberSlot, "", 0},
		{"5万美元", "50000", numberSlot, "USD", 0},
		{"三万五", "35000", numberSlot, "", 0},
		{"一百二十万", "1200000", numberSlot, "", 0},
		{"两千块", "2000", numberSlot, "", 0},
		{"百分之五", "0.05", percentSlot, "", 0},
		{"百分之三点六", "0.036", percentSlot, "", 0},
		{"三成", "0.3", percentSlot, "", 0},
		{"25个基点", "0.0025", percentSlot, "", 0},
		{"100股", "100", countSlot, "", 0},
		{"每月3000", "3000", numberSlot, "", 'm'},
		{"１２３", "123", numberSlot, "", 0},
	} {
		found := readAlone(c.text).of(numberSlot, percentSlot, countSlot)
		if len(found) != 1 {
			t.Errorf("%q: %d numbers", c.text, len(found))
			continue
		}
		s := found[0]
		if s.number.String() != c.want || s.kind != c.kind || s.currency != c.currency || s.every != c.every {
			t.Errorf("%q: %s, kind %d, currency %q, every %q; want %s, %d, %q, %q", c.text, s.number, s.kind, s.currency, s.every, c.want, c.kind, c.currency, c.every)
		}
	}
}

func TestAssign_TakesTheBestFitOverall(t *testing.T) {
	// "4% coupon at 5% yield": the 5 is nearest to both words, the 4 only near the first.
	got := assign([][]float64{{2.5, 0}, {2.6, 2.5}}, 2)
	if want := []int{0, 1}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := assign([][]float64{nil, {0, -1}}, 2); !slices.Equal(got, []int{-1, -1}) {
		t.Errorf("scores that are not positive count: %v", got)
	}
}
