package widget_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func TestScreenLayout_DropsWhatIsNeededLeast(t *testing.T) {
	for _, tt := range []struct {
		name  string
		wants widget.LayoutRequest
		want  widget.ScreenLayout
	}{
		{"roomy", widget.LayoutRequest{Width: 80, Height: 24, Input: 1},
			widget.ScreenLayout{Margin: 1, Header: true, Rules: true, UpperRule: true, Status: true, BlankRow: 1, Input: 1, Top: 2, Transcript: 17}},
		{"something runs", widget.LayoutRequest{Width: 80, Height: 24, Input: 1, Activity: true, Queue: 2},
			widget.ScreenLayout{Margin: 1, Header: true, Rules: true, UpperRule: true, Status: true, Activity: 2, Queue: 2, Input: 1, Top: 2, Transcript: 14}},
		{"the list's frame is the rule", widget.LayoutRequest{Width: 80, Height: 24, Input: 1, List: 5},
			widget.ScreenLayout{Margin: 1, Header: true, Rules: true, Status: true, List: 5, Input: 1, Top: 2, Transcript: 14}},
		{"no header", widget.LayoutRequest{Width: 40, Height: 19, Input: 1},
			widget.ScreenLayout{Margin: 1, Rules: true, UpperRule: true, Status: true, Input: 1, Transcript: 15}},
		{"one rule", widget.LayoutRequest{Width: 40, Height: 15, Input: 1},
			widget.ScreenLayout{Margin: 1, UpperRule: true, Status: true, Input: 1, Transcript: 12}},
		{"no rule", widget.LayoutRequest{Width: 19, Height: 5, Input: 1}, widget.ScreenLayout{Status: true, Input: 1, Transcript: 3}},
		{"no status", widget.LayoutRequest{Width: 19, Height: 2, Input: 1}, widget.ScreenLayout{Input: 1, Transcript: 1}},
		{"the input has it all", widget.LayoutRequest{Width: 19, Height: 2, Input: 9, List: 9, Queue: 9, Activity: true}, widget.ScreenLayout{Input: 2}},
		{"nothing", widget.LayoutRequest{Input: 1}, widget.ScreenLayout{}},
	} {
		if diff := cmp.Diff(tt.want, widget.NewScreenLayout(tt.wants)); diff != "" {
			t.Errorf("%s: plan (-want +got):\n%s", tt.name, diff)
		}
	}
}

// usedRows adds up the rows of a layout.
func usedRows(p widget.ScreenLayout) int {
	sum := p.Top + p.Transcript + p.BlankRow + p.Activity + p.Notice + p.Queue + p.List + p.Input + p.Below()
	if p.UpperRule {
		sum++
	}
	return sum
}

func TestScreenLayout_UsesEveryRowOnce(t *testing.T) {
	for height := 1; height < 50; height++ {
		for bits := range 32 {
			w := widget.LayoutRequest{Width: 80, Height: height, Input: 1 + bits&1*(height/3), Queue: bits & 2, List: bits & 4 * 2, Activity: bits&8 > 0, Notice: bits & 16 / 16}
			if p := widget.NewScreenLayout(w); usedRows(p) != height {
				t.Errorf("Share(%+v) = %+v, which is %d rows", w, p, usedRows(p))
			}
		}
	}
}
