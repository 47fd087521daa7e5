package figures_test

import (
	"fmt"
	"testing"

	"github.com/nfa-cli/nfa/internal/figures"
)

func TestAnnotate_MarksEachFigureWhereItStands(t *testing.T) {
	given := []figures.Known{known("AAPL price", "184.25", "USD"), known("AAPL annual return", "12.4", "%")}
	for i := range given {
		given[i].Index = i
	}
	const text = "AAPL is at **184.25**, `12.4%` a year since 2008; 7% more.\n\nThe AAPL annual return is 21.4%."
	for _, row := range []struct {
		name string
		mark func(figures.Matched) string
		want string
	}{
		{"superscript", figures.Superscript, "AAPL is at **184.25⁽¹⁾**, `12.4%`² a year since 2008; 7%[?] more.\n\nThe AAPL annual return is 21.4%[≠]²."},
		{"footnote", figures.Footnote, "AAPL is at **184.25[^1]**, `12.4%`[^2] a year since 2008; 7%[?] more.\n\nThe AAPL annual return is 21.4%[≠][^2]."},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := figures.Annotate(text, figures.Match(text, given, "").Numbers, row.mark)
			if got != row.want {
				t.Errorf("Annotate = %q, want %q", got, row.want)
			}
		})
	}
}

func TestAnnotate_LeavesATextThatItIsNotOf(t *testing.T) {
	const text = "It costs 12.50."
	for _, m := range [][]figures.Matched{
		{{Start: 9, End: 14, Text: "12.51"}}, {{Start: -1, End: 2, Text: "I"}}, {{Start: 9, End: 99, Text: "12.50"}}, {{Start: 14, End: 9, Text: ""}},
		{{Start: 9, End: 14, Text: "12.50"}, {Start: 3, End: 8, Text: "costs"}},
	} {
		if got := figures.Annotate(text, m, figures.Superscript); got != text {
			t.Errorf("Annotate with %+v = %q, want the text as it is", m, got)
		}
	}
}

func TestSame_IsOfTheNumberAndNotOfItsSetting(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want bool
	}{
		{"23.4%", "23.4 %", true}, {"1,234", "1234", true}, {"$5 bn", "5 billion", true}, {"-3%", "3%", true}, {"23.4", "23.4%", true}, {"soon", " soon ", true},
		{"23.4%", "23.5%", false}, {"+3%", "-3%", false}, {"€5", "$5", false}, {"5 bp", "5%", false}, {"soon", "later", false},
	} {
		if got := figures.Same(row.a, row.b); got != row.want {
			t.Errorf("Same(%q, %q) = %t, want %t", row.a, row.b, got, row.want)
		}
	}
}

func ExampleAnnotate() {
	price := figures.Known{Label: "AAPL price", Value: known("", "184.25", "").Value, Unit: "USD"}
	text := "AAPL costs $184.25, and soon $210."
	report := figures.Match(text, []figures.Known{price}, "What does AAPL cost?")
	fmt.Println(figures.Annotate(text, report.Numbers, figures.Footnote))
	fmt.Printf("%d of %d figures traced\n", report.Traced, report.Total)
	// Output:
	// AAPL costs $184.25[^1], and soon $210[?].
	// 1 of 2 figures traced
}
