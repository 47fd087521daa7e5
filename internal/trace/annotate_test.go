package trace_test

import (
	"fmt"
	"testing"

	"github.com/nfa-cli/nfa/internal/trace"
)

func TestAnnotate_MarksEachFigureWhereItStands(t *testing.T) {
	facts := []trace.KnownFigure{known("AAPL price", "184.25", "USD"), known("AAPL annual return", "12.4", "%")}
	for i := range facts {
		facts[i].Index = i
	}
	const text = "AAPL is at **184.25**, `12.4%` a year since 2008; 7% more.\n\nThe AAPL annual return is 21.4%."
	for _, row := range []struct {
		name string
		mark func(trace.MatchedNumber) string
		want string
	}{
		{"a caller's own", markWithID, "AAPL is at **184.25{traced 1}**, `12.4%`{traced 2} a year since 2008; 7%{untraced 0} more.\n\nThe AAPL annual return is 21.4%{contradicted 2}."},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := trace.Annotate(text, trace.Match(text, facts, "").Numbers, row.mark)
			if got != row.want {
				t.Errorf("Annotate = %q, want %q", got, row.want)
			}
		})
	}
}

func TestAnnotate_LeavesATextThatItIsNotOf(t *testing.T) {
	const text = "It costs 12.50."
	for _, m := range [][]trace.MatchedNumber{
		{{Start: 9, End: 14, Text: "12.51"}}, {{Start: -1, End: 2, Text: "I"}}, {{Start: 9, End: 99, Text: "12.50"}}, {{Start: 14, End: 9, Text: ""}},
		{{Start: 9, End: 14, Text: "12.50"}, {Start: 3, End: 8, Text: "costs"}},
	} {
		if got := trace.Annotate(text, m, markWithID); got != text {
			t.Errorf("Annotate with %+v = %q, want the text as it is", m, got)
		}
	}
}

func markWithID(m trace.MatchedNumber) string { return fmt.Sprintf("{%s %d}", m.Status, m.Note) }

func ExampleAnnotate() {
	price := trace.KnownFigure{Label: "AAPL price", Value: known("", "184.25", "").Value, Unit: "USD"}
	text := "AAPL costs $184.25, and soon $210."
	report := trace.Match(text, []trace.KnownFigure{price}, "What does AAPL cost?")
	fmt.Println(trace.Annotate(text, report.Numbers, markWithID))
	fmt.Printf("%d of %d figures traced\n", report.Traced, report.Total)
	// Output:
	// AAPL costs $184.25{traced 1}, and soon $210{untraced 0}.
	// 1 of 2 figures traced
}
