package draft_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/tui/draft"
)

// desk writes as a composer does.
type desk struct {
	undo draft.Undo
	now  draft.State
}

func (d *desk) change(kind draft.Change, to draft.State) {
	from := d.now
	d.now = to
	d.undo.Changed(from, to, kind)
}

func (d *desk) write(text string) {
	for _, r := range text {
		kind := draft.Letters
		if r == ' ' {
			kind = draft.Blanks
		}
		d.change(kind, draft.State{Before: d.now.Before + string(r), Behind: d.now.Behind})
	}
}

// back undoes all and writes down what stood there at each step.
func (d *desk) back() (seen []string) {
	for {
		s, ok := d.undo.Back(d.now)
		if !ok {
			return seen
		}
		d.now = s
		seen = append(seen, s.Before+"|"+s.Behind)
	}
}

func TestUndo_GoesByWordsWithTheirBlanks(t *testing.T) {
	var d desk
	d.write("sell all  VTI")
	if diff := cmp.Diff([]string{"sell all  |", "sell |", "|"}, d.back()); diff != "" {
		t.Errorf("undone (-want +got):\n%s", diff)
	}
}

func TestUndo_APasteIsAStepOfItsOwn(t *testing.T) {
	var d desk
	d.write("see")
	d.change(draft.Whole, draft.State{Before: d.now.Before + "a b c"})
	d.change(draft.Whole, draft.State{Before: d.now.Before + "d e"})
	d.write("fg")
	if diff := cmp.Diff([]string{"seea b cd e|", "seea b c|", "see|", "|"}, d.back()); diff != "" {
		t.Errorf("undone (-want +got):\n%s", diff)
	}
}

func TestUndo_ErasuresInARowAreOneStep(t *testing.T) {
	var d desk
	d.write("abc")
	d.change(draft.Erasures, draft.State{Before: "ab"})
	d.change(draft.Erasures, draft.State{Before: "a"})
	d.write("x")
	if diff := cmp.Diff([]string{"a|", "abc|", "|"}, d.back()); diff != "" {
		t.Errorf("undone (-want +got):\n%s", diff)
	}
}

func TestUndo_ACursorThatMovedBeginsAStep(t *testing.T) {
	var d desk
	d.write("ab")
	d.now = draft.State{Before: "a", Behind: "b"}
	d.write("x")
	if diff := cmp.Diff([]string{"a|b", "|"}, d.back()); diff != "" {
		t.Errorf("undone (-want +got):\n%s", diff)
	}
}

func TestUndo_ForthTakesItBackUntilSomethingIsWritten(t *testing.T) {
	var d desk
	d.write("one two")
	d.now, _ = d.undo.Back(d.now)
	if s, ok := d.undo.Forth(d.now); !ok || s.Before != "one two" {
		t.Fatalf("Forth = %+v, %t", s, ok)
	} else {
		d.now = s
	}
	d.now, _ = d.undo.Back(d.now)
	d.write("three")
	if s, ok := d.undo.Forth(d.now); ok {
		t.Errorf("Forth after something was written = %+v", s)
	}
	if s, ok := d.undo.Back(d.now); !ok || s.Before != "one " {
		t.Errorf("Back = %+v, %t, want before three", s, ok)
	}
}

func TestUndo_IsBounded(t *testing.T) {
	var d desk
	for i := range 1_000 {
		d.change(draft.Whole, draft.State{Before: fmt.Sprint(i)})
	}
	if n := len(d.back()); n != 200 {
		t.Errorf("%d steps can be undone, want the last 200", n)
	}
	var big desk
	for i := range 100 {
		big.change(draft.Whole, draft.State{Before: fmt.Sprint(i) + strings.Repeat("x", 1<<20)})
	}
	if n := len(big.back()); n > 4 || n < 2 {
		t.Errorf("%d steps of a MiB are held, want about 4 MiB", n)
	}
}

// However a text is changed, going back and forth gives each state again.
func FuzzUndo(f *testing.F) {
	f.Add("ab c\x00\x01d")
	f.Fuzz(func(t *testing.T, keys string) {
		var d desk
		for i, r := range keys {
			d.change(draft.Change(i%4), draft.State{Before: d.now.Before + string(r)})
		}
		last := d.now
		n := len(d.back())
		for range n {
			s, ok := d.undo.Forth(d.now)
			if !ok {
				t.Fatal("a step back cannot be taken back")
			}
			d.now = s
		}
		if d.now.Before != last.Before {
			t.Fatalf("there is %q, want %q", d.now.Before, last.Before)
		}
	})
}
