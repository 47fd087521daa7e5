package layout_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/tui/layout"
)

func TestShare_GivesUpWhatIsNeededLeast(t *testing.T) {
	for _, tt := range []struct {
		name  string
		wants layout.Wants
		want  layout.Plan
	}{
		{"roomy", layout.Wants{Width: 80, Height: 24, Input: 1},
			layout.Plan{Margin: 1, Header: true, Rules: true, UpperRule: true, Status: true, Air: 1, Input: 1, Top: 2, Transcript: 17}},
		{"something runs", layout.Wants{Width: 80, Height: 24, Input: 1, Activity: true, Queue: 2},
			layout.Plan{Margin: 1, Header: true, Rules: true, UpperRule: true, Status: true, Activity: 2, Queue: 2, Input: 1, Top: 2, Transcript: 14}},
		{"the list's frame is the rule", layout.Wants{Width: 80, Height: 24, Input: 1, List: 5},
			layout.Plan{Margin: 1, Header: true, Rules: true, Status: true, List: 5, Input: 1, Top: 2, Transcript: 14}},
		{"no header", layout.Wants{Width: 40, Height: 9, Input: 1},
			layout.Plan{Margin: 1, UpperRule: true, Status: true, Input: 1, Transcript: 6}},
		{"no rule", layout.Wants{Width: 19, Height: 5, Input: 1}, layout.Plan{Status: true, Input: 1, Transcript: 3}},
		{"no status", layout.Wants{Width: 19, Height: 2, Input: 1}, layout.Plan{Input: 1, Transcript: 1}},
		{"the input has it all", layout.Wants{Width: 19, Height: 2, Input: 9, List: 9, Queue: 9, Activity: true}, layout.Plan{Input: 2}},
		{"nothing", layout.Wants{Input: 1}, layout.Plan{}},
	} {
		if diff := cmp.Diff(tt.want, layout.Share(tt.wants)); diff != "" {
			t.Errorf("%s: plan (-want +got):\n%s", tt.name, diff)
		}
	}
}

// rows adds up all that a plan gives away.
func rows(p layout.Plan) int {
	sum := p.Top + p.Transcript + p.Air + p.Activity + p.Queue + p.List + p.Input + p.Below()
	if p.UpperRule {
		sum++
	}
	return sum
}

func TestShare_GivesAwayEveryRowOnce(t *testing.T) {
	for height := 1; height < 50; height++ {
		for bits := range 16 {
			w := layout.Wants{Width: 80, Height: height, Input: 1 + bits&1*(height/3), Queue: bits & 2, List: bits & 4 * 2, Activity: bits&8 > 0}
			if p := layout.Share(w); rows(p) != height {
				t.Errorf("Share(%+v) = %+v, which is %d rows", w, p, rows(p))
			}
		}
	}
}
