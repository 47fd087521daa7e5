package trace_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/cputest"
	"github.com/nfa-cli/nfa/internal/trace"
)

func known(label, value, unit string) trace.KnownFigure {
	return trace.KnownFigure{Label: label, Value: decimal.RequireFromString(value), Unit: unit}
}

// statuses returns the figures of a report with their statuses.
func statuses(r trace.Report) []string {
	out := []string{}
	for _, m := range r.Numbers {
		out = append(out, m.Text+" "+string(m.Status))
	}
	return out
}

func TestMatch_UnitsDecideWhatANumberMayState(t *testing.T) {
	for _, row := range []struct {
		name, text string
		known      trace.KnownFigure
		traced     bool
	}{
		{"a fraction in per cent", "It rose 98.6%.", known("return", "0.9863", ""), true},
		{"a fraction in basis points", "A spread of 87 bp.", known("spread", "0.0087", ""), true},
		{"per cent in basis points", "A fee of 3 bp.", known("fee", "0.03", "%"), true},
		{"pence in pounds", "It costs £6.53.", known("price", "653.4", "GBp"), true},
		{"pounds in pence", "It costs 653p.", known("price", "6.534", "GBP"), true},
		{"a unit with a scale", "Cash of $5.2 trillion.", known("M2", "5.2", "Trillions of Dollars"), true},
		{"dollars of a country", "It costs $12.50.", known("price", "12.5", "CAD"), true},
		{"yuan in Chinese", "现价12.50元。", known("price", "12.5", "CNY"), true},
		{"days in bars", "Over 3,000 trading days.", known("bars", "3095", "bars"), true},
		{"printed without a unit", "A bonus of 200%.", known("bonus", "200", "as printed"), true},
		{"calculated in millions", "Sales of $391,035 million.", known("result", "391035", ""), true},
		{"another currency", "It costs €12.50.", known("price", "12.5", "USD"), false},
		{"an amount in per cent", "It rose 12.5%.", known("price", "12.5", "USD"), false},
		{"per cent as an amount", "It costs $12.50.", known("return", "12.5", "%"), false},
		{"a ratio in per cent", "A chance of 27%.", known("Sharpe ratio", "0.2712", ""), false},
		{"shares as dollars", "Buy 12 shares.", known("price", "12", "USD"), false},
		{"wrongly rounded", "It rose 98.7%.", known("return", "98.63", "%"), false},
		{"a small number by chance", "Take 3 funds.", known("beta", "2.71", ""), false},
		{"a coarse number by chance", "Inflation was 2%.", known("change", "2.149", "%"), false},
		{"a coarse number that is nearly right", "It stood 0.1% below its high.", known("current drawdown", "-0.0971", "%"), true},
		{"a coarse number by its name", "Inflation was 2%.", known("inflation", "2.149", "%"), true},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := trace.Match(row.text, []trace.KnownFigure{row.known}, "")
			want := 0
			if row.traced {
				want = 1
			}
			if got.Total != 1 || got.Traced != want {
				t.Errorf("Match(%q, %s %s) = %v, want %d of 1 traced", row.text, row.known.Value, row.known.Unit, statuses(got), want)
			}
		})
	}
}

func TestMatch_NotesAreNumberedInTheOrderOfTheText(t *testing.T) {
	facts := []trace.KnownFigure{known("A annual return", "5.71", "%"), known("A volatility", "21.19", "%"), known("A drawdown", "-53.25", "%")}
	for i := range facts {
		facts[i].Index = 10 + i
	}
	got := trace.Match("Fell 53.3%, at 21.2% volatility; 53.25% in full, 99% made up, 5.7% a year.", facts, "")
	var notes, indices []int
	for _, m := range got.Numbers {
		notes, indices = append(notes, m.Note), append(indices, m.Index)
	}
	if diff := cmp.Diff([]int{1, 2, 1, 0, 3}, notes); diff != "" {
		t.Errorf("notes of %v (-want +got):\n%s", statuses(got), diff)
	}
	if diff := cmp.Diff([]int{12, 11, 12, 0, 10}, indices); diff != "" {
		t.Errorf("indices of %v (-want +got):\n%s", statuses(got), diff)
	}
}

func TestMatch_OfSeveralThatFitTheNamedAndThenTheNewestIsMeant(t *testing.T) {
	facts := []trace.KnownFigure{
		{Label: "AAPL beta", Value: decimal.RequireFromString("1.28"), Index: 1},
		{Label: "MSFT beta", Value: decimal.RequireFromString("1.28"), Index: 2},
		{Label: "MSFT beta", Value: decimal.RequireFromString("1.28"), Index: 3},
	}
	got := trace.Match("AAPL has a beta of 1.28.\n\nMSFT has a beta of 1.28.", facts, "")
	if len(got.Numbers) != 2 || got.Numbers[0].Index != 1 || got.Numbers[1].Index != 3 {
		t.Errorf("Match = %+v, want figure 1 for AAPL and 3, the newest, for MSFT", got.Numbers)
	}
}

// If a price was fetched twice, the newer one is meant, whichever is larger.
func TestMatch_OfTwoThatRoundAlikeTheNewerIsMeant(t *testing.T) {
	for _, prices := range [][2]string{{"225.34", "225.31"}, {"225.31", "225.34"}} {
		older, newer := known("AAPL price", prices[0], "USD"), known("AAPL price", prices[1], "USD")
		newer.Index = 1
		got := trace.Match("AAPL trades at $225.3.", []trace.KnownFigure{older, newer}, "")
		if len(got.Numbers) != 1 || got.Numbers[0].Status != trace.Traced || got.Numbers[0].Index != 1 {
			t.Errorf("of %s and then %s it is %+v, want the second", prices[0], prices[1], got.Numbers)
		}
	}
}

// However many figures of other units or about other things are close to a number, the one it states is
// found.
func TestMatch_AFigureIsFoundAmongManyNearIt(t *testing.T) {
	for name, other := range map[string]func(i int) trace.KnownFigure{
		"below it, of the same size": func(int) trace.KnownFigure { return known("XYZ change", "11.9", "%") },
		"prices":                     func(i int) trace.KnownFigure { return known("XYZ close", fmt.Sprintf("11.%03d", 501+i), "USD") },
		"other returns":              func(i int) trace.KnownFigure { return known("XYZ change", fmt.Sprintf("11.%03d", 501+i), "%") },
		"of the same size":           func(int) trace.KnownFigure { return known("XYZ change", "12", "%") },
	} {
		t.Run(name, func(t *testing.T) {
			var all []trace.KnownFigure
			for i := range 300 {
				all = append(all, other(i))
			}
			return12 := known("AAPL annual return", "12", "%")
			if strings.HasPrefix(name, "below") {
				return12.Value = all[0].Value
			}
			return12.Index = 7
			all = append(all, return12)
			got := trace.Match("The annual return of AAPL is 12%.", all, "")
			if len(got.Numbers) != 1 || got.Numbers[0].Status != trace.Traced || got.Numbers[0].Index != 7 {
				t.Errorf("12%% is %+v, want it traced to the return of AAPL", got.Numbers)
			}
		})
	}
}

func TestSources_GrowsBetweenAnswers(t *testing.T) {
	var e trace.Sources
	if got := e.Match("It costs $12.50."); got.Total != 1 || got.Traced != 0 {
		t.Fatalf("with nothing known: %v", statuses(got))
	}
	e.Add(known("price", "12.5", "USD"))
	if got := e.Match("It costs $12.50."); got.Traced != 1 {
		t.Fatalf("once the price is known: %v", statuses(got))
	}
	e.AddText("I have $900.")
	if got := e.Match("It costs $12.50, you have $900."); got.Total != 1 || got.Traced != 1 {
		t.Fatalf("with the user's own number: %v", statuses(got))
	}
}

func TestSources_InputsLeadToTheirFigure(t *testing.T) {
	var e trace.Sources
	e.Add(trace.KnownFigure{
		Label: "return", Value: decimal.RequireFromString("98.63"), Unit: "%", Index: 7,
		Inputs: []string{"first close 1447.16 on 2008-01-02", "last close 2874.56 on 2020-04-17"},
	})
	got := e.Match("From 1,447.16 to 2,874.56, not to 2020.04.")
	if diff := cmp.Diff([]string{"1,447.16 traced", "2,874.56 traced", "2020.04 untraced"}, statuses(got)); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	if got.Numbers[0].Index != 7 || got.Numbers[0].Note != got.Numbers[1].Note {
		t.Errorf("%+v, want both under the note of figure 7", got.Numbers)
	}
}

func TestMatch_ANumberOfTheQuestionIsComparedInItsUnit(t *testing.T) {
	const question = "I have 250k dollars, 12.5% in gold and 5 funds; in 2031 I stop."
	for _, row := range []struct {
		text string
		want []string
	}{
		{"You have $250,000.", []string{}},
		{"You have 0.25 million dollars.", []string{}},
		{"Your 12.5 per cent in gold.", []string{}},
		{"You have €250,000.", []string{"€250,000 untraced"}},
		{"Gold is at $12.50.", []string{"$12.50 untraced"}},
		{"A return of 250%.", []string{"250% untraced"}},
		{"Of your 5 funds, sell 15.", []string{"15 untraced"}},
	} {
		got := trace.Match(row.text, nil, question)
		if diff := cmp.Diff(row.want, statuses(got)); diff != "" {
			t.Errorf("Match(%q) (-want +got):\n%s", row.text, diff)
		}
	}
}

func TestMatch_AQuestionThatStatesAFalsePriceDoesNotMakeItTrue(t *testing.T) {
	price := []trace.KnownFigure{known("AAPL price", "184.25", "USD")}
	got := trace.Match("Yes, the AAPL price is $200.00.", price, "Is AAPL at $200?")
	if got.Contradicted != 1 {
		t.Errorf("%v, want $200.00 contradicted", statuses(got))
	}
}

// TestMatch_TakesItsTimeFromTheTextAlone checks that a number is not compared with every figure: with a
// hundred times as many figures, that would take a hundred times as long.
func TestMatch_TakesItsTimeFromTheTextAlone(t *testing.T) {
	text := strings.Repeat("about 5.7% and 6.1% ", 500)
	against := func(n int, enough time.Duration) time.Duration {
		same := make([]trace.KnownFigure, n)
		for i := range same {
			same[i] = known("AAPL close on some day", "5.7", "%")
		}
		return cputest.Least(t, enough, func() {
			if got := trace.Match(text, same, ""); got.Total != 1_000 || got.Traced != 500 {
				t.Errorf("%d of %d traced against %d, want 500 of 1000", got.Traced, got.Total, n)
			}
		})
	}
	few := against(200, 0)
	if many := against(20_000, 20*few); many > 20*few {
		t.Errorf("against 200 figures it took %s, against 20,000 %s", few, many)
	}
}

func FuzzMatch(f *testing.F) {
	for _, c := range readCorpus(f) {
		for _, a := range c.answers {
			f.Add(a.text, c.question)
		}
	}
	facts := []trace.KnownFigure{known("AAPL annual return", "12.4", "%"), known("贵州茅台 营收", "150560000000", "CNY"), known("", "0", ""), known("| /", "-1e30", "as printed")}
	f.Fuzz(func(t *testing.T, text, question string) {
		r := trace.Match(text, facts, question)
		untraced := 0
		for _, m := range r.Numbers {
			if m.Status == trace.Untraced {
				untraced++
			}
			if (m.Note == 0) != (m.Status == trace.Untraced) {
				t.Fatalf("%q is %s with note %d", m.Text, m.Status, m.Note)
			}
		}
		if r.Traced+r.Contradicted+untraced != r.Total || len(r.Numbers) != r.Total {
			t.Fatalf("%+v does not add up", r)
		}
		if marked := trace.Annotate(text, r.Numbers, markWithID); len(marked) < len(text) || r.Total > 0 && marked == text {
			t.Fatalf("Annotate(%q) = %q", text, marked)
		}
	})
}

// C40: a figure that the text names less well than another one does not count as its source.
func TestMatch_TheFigureNamedBestDecides(t *testing.T) {
	known := []trace.KnownFigure{
		{ID: "own", Label: "max drawdown", Value: decimal.RequireFromString("-33.9"), Unit: "%", Index: 0},
		{ID: "benchmark", Label: "benchmark max drawdown", Value: decimal.RequireFromString("-56.8"), Unit: "%", Index: 1},
	}
	for text, want := range map[string]trace.Status{
		"The worst drawdown was 33.9%.":                trace.Traced,
		"The worst drawdown was 56.8%.":                trace.Contradicted,
		"The benchmark's worst drawdown was 56.8%.":    trace.Traced,
		"最大回撤为 33.9%，基准为 56.8%。":                       trace.Traced,
		"The benchmark's worst drawdown was 33.9%.":    trace.Contradicted,
		"It fell 33.9% at worst, buy and hold 56.8%.":  trace.Traced,
		"The benchmark gained 56.8% at its best time.": trace.Contradicted,
	} {
		for _, n := range trace.Match(text, known, "").Numbers {
			if n.Status != want {
				t.Errorf("%q: %s is %s, want %s", text, n.Text, n.Status, want)
			}
		}
	}
}

// A later result can give a figure of a ranking another date. It is then no longer part of the ranking.
func TestSources_RanksOnlyFiguresOfTheSameResult(t *testing.T) {
	returnOf := func(symbol, value string, index int) trace.KnownFigure {
		return trace.KnownFigure{ID: "total_return", Label: "total return", Value: decimal.RequireFromString(value), Unit: "%", Symbols: []string{symbol}, Index: index}
	}
	ranking := []trace.KnownFigure{returnOf("AAPL", "30.2", 0), returnOf("MSFT", "19.8", 1), returnOf("IBM", "7.1", 2)}
	more := returnOf("AAPL", "4.4", 3)
	const text = "MSFT had the lowest total return: 19.8%."
	var once, twice trace.Sources
	twice.Add(ranking...)
	twice.Match(text)
	twice.Add(more)
	once.Add(append(ranking, more)...)
	if got, want := statuses(twice.Match(text)), statuses(once.Match(text)); !slices.Equal(got, want) {
		t.Errorf("figures added in two steps: %v, in one: %v", got, want)
	}
}

// C40: "a year earlier" dates a figure a year before the one that it is compared with, whatever other months
// have the same value.
func TestMatch_AYearEarlierIsAYearBefore(t *testing.T) {
	var known []trace.KnownFigure
	for i, o := range []struct{ month, value string }{{"2023-04", "3.4"}, {"2023-11", "3.7"}, {"2024-05", "4.0"}, {"2024-11", "4.2"}, {"2025-11", "4.6"}} {
		asOf, err := time.Parse("2006-01", o.month)
		if err != nil {
			t.Fatal(err)
		}
		known = append(known, trace.KnownFigure{ID: o.month, Label: o.month + "-01 value", Value: decimal.RequireFromString(o.value), Unit: "percent", AsOf: asOf, Index: i})
	}
	for text, want := range map[string]trace.Status{
		"Unemployment was 4.6% in November 2025, up from 4.2% a year earlier.": trace.Traced,
		"Unemployment was 4.6% in November 2025, up from 4.0% a year earlier.": trace.Untraced,
		"Unemployment was 4.2% in November 2024, up from 3.7% a year earlier.": trace.Traced,
		"Unemployment was 4.2% in November 2024, up from 3.4% a year earlier.": trace.Untraced,
	} {
		if n := trace.Match(text, known, "").Numbers; len(n) != 2 || n[0].Status != trace.Traced || n[1].Status != want {
			t.Errorf("%q: %+v, want the second one %s", text, n, want)
		}
	}
}
