package widget_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// undoTester edits a draft as a composer does.
type undoTester struct {
	undo    widget.UndoStack
	current widget.DraftState
}

func (d *undoTester) change(kind widget.ChangeKind, to widget.DraftState) {
	from := d.current
	d.current = to
	d.undo.Record(from, to, kind)
}

func (d *undoTester) write(text string) {
	for _, r := range text {
		kind := widget.ChangeLetters
		if r == ' ' {
			kind = widget.ChangeBlanks
		}
		d.change(kind, widget.DraftState{Before: d.current.Before + string(r), After: d.current.After})
	}
}

// back undoes everything and records the text at each step.
func (d *undoTester) back() (seen []string) {
	for {
		s, ok := d.undo.Undo(d.current)
		if !ok {
			return seen
		}
		d.current = s
		seen = append(seen, s.Before+"|"+s.After)
	}
}

func TestUndo_GoesByWordsWithTheirBlanks(t *testing.T) {
	var d undoTester
	d.write("sell all  VTI")
	if diff := cmp.Diff([]string{"sell all  |", "sell |", "|"}, d.back()); diff != "" {
		t.Errorf("undone (-want +got):\n%s", diff)
	}
}

func TestUndo_APasteIsAStepOfItsOwn(t *testing.T) {
	var d undoTester
	d.write("see")
	d.change(widget.ChangeWhole, widget.DraftState{Before: d.current.Before + "a b c"})
	d.change(widget.ChangeWhole, widget.DraftState{Before: d.current.Before + "d e"})
	d.write("fg")
	if diff := cmp.Diff([]string{"seea b cd e|", "seea b c|", "see|", "|"}, d.back()); diff != "" {
		t.Errorf("undone (-want +got):\n%s", diff)
	}
}

func TestUndo_ErasuresInARowAreOneStep(t *testing.T) {
	var d undoTester
	d.write("abc")
	d.change(widget.ChangeErasures, widget.DraftState{Before: "ab"})
	d.change(widget.ChangeErasures, widget.DraftState{Before: "a"})
	d.write("x")
	if diff := cmp.Diff([]string{"a|", "abc|", "|"}, d.back()); diff != "" {
		t.Errorf("undone (-want +got):\n%s", diff)
	}
}

func TestUndo_ACursorThatMovedBeginsAStep(t *testing.T) {
	var d undoTester
	d.write("ab")
	d.current = widget.DraftState{Before: "a", After: "b"}
	d.write("x")
	if diff := cmp.Diff([]string{"a|b", "|"}, d.back()); diff != "" {
		t.Errorf("undone (-want +got):\n%s", diff)
	}
}

func TestUndo_ForthTakesItBackUntilSomethingIsWritten(t *testing.T) {
	var d undoTester
	d.write("one two")
	d.current, _ = d.undo.Undo(d.current)
	if s, ok := d.undo.Redo(d.current); !ok || s.Before != "one two" {
		t.Fatalf("Forth = %+v, %t", s, ok)
	} else {
		d.current = s
	}
	d.current, _ = d.undo.Undo(d.current)
	d.write("three")
	if s, ok := d.undo.Redo(d.current); ok {
		t.Errorf("Forth after something was written = %+v", s)
	}
	if s, ok := d.undo.Undo(d.current); !ok || s.Before != "one " {
		t.Errorf("Back = %+v, %t, want before three", s, ok)
	}
}

func TestUndo_IsBounded(t *testing.T) {
	var d undoTester
	for i := range 1_000 {
		d.change(widget.ChangeWhole, widget.DraftState{Before: fmt.Sprint(i)})
	}
	if n := len(d.back()); n != 200 {
		t.Errorf("%d steps can be undone, want the last 200", n)
	}
	var big undoTester
	for i := range 100 {
		big.change(widget.ChangeWhole, widget.DraftState{Before: fmt.Sprint(i) + strings.Repeat("x", 1<<20)})
	}
	if n := len(big.back()); n > 4 || n < 2 {
		t.Errorf("%d steps of a MiB are held, want about 4 MiB", n)
	}
}

// After any changes, undo and redo return each state again.
func FuzzUndo(f *testing.F) {
	f.Add("ab c\x00\x01d")
	f.Fuzz(func(t *testing.T, keys string) {
		var d undoTester
		for i, r := range keys {
			d.change(widget.ChangeKind(i%4), widget.DraftState{Before: d.current.Before + string(r)})
		}
		last := d.current
		n := len(d.back())
		for range n {
			s, ok := d.undo.Redo(d.current)
			if !ok {
				t.Fatal("an undo cannot be redone")
			}
			d.current = s
		}
		if d.current.Before != last.Before {
			t.Fatalf("there is %q, want %q", d.current.Before, last.Before)
		}
	})
}
