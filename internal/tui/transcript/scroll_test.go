package transcript

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func newTranscript() *Transcript { return New(widget.NewStyles(markdown.PlainTheme()), time.Now) }

// fixedBlock is a block of size lines, or half as many when folded.
type fixedBlock struct {
	name      string
	size      int
	isCompact bool
	open      bool
	drawn     int // how often lines was called
}

func (b *fixedBlock) compact() bool     { return b.isCompact }
func (b *fixedBlock) source() string    { return b.name }
func (b *fixedBlock) isOpen() bool      { return b.open }
func (b *fixedBlock) setOpen(open bool) { b.open = open }

func (b *fixedBlock) lines(*widget.Styles, int) []string {
	b.drawn++
	n := b.size
	if b.open {
		n *= 2
	}
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%s.%d", b.name, i)
	}
	return out
}

// allLines returns every row of a transcript, without the scroll position.
func allLines(t *Transcript) []string {
	var rows []string
	for i, b := range t.blocks {
		for range t.gap(i) {
			rows = append(rows, "")
		}
		for j, line := range b.lines(t.st, t.width) {
			rows = append(rows, marginOf(t, i, j)+line)
		}
	}
	return rows
}

func randomTranscript(r *rand.Rand) *Transcript {
	t := newTranscript()
	t.SetSize(80, 1+r.IntN(12), true)
	for i := range r.IntN(15) {
		t.add(&fixedBlock{name: fmt.Sprint(i), size: 1 + r.IntN(6), isCompact: r.IntN(2) == 0})
	}
	return t
}

// TestTranscript_ShowsWhatASimpleOneWould scrolls at random and compares with a simple implementation that
// has all rows and a row number.
func TestTranscript_ShowsWhatASimpleOneWould(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		tr := randomTranscript(r)
		rows := allLines(tr)
		last := max(len(rows)-tr.height, 0)
		top := last
		for range 30 {
			n := r.IntN(25) - 12
			tr.Scroll(n)
			top = min(max(top+n, 0), last)
			want := append(append([]string{}, rows[top:min(top+tr.height, len(rows))]...), make([]string, tr.height)...)[:tr.height]
			if diff := cmp.Diff(want, tr.View()); diff != "" {
				t.Fatalf("seed %d, after scrolling %d to row %d of %d (-want +got):\n%s", seed, n, top, len(rows), diff)
			}
			if following := top == last; following == tr.Scrolled() {
				t.Fatalf("seed %d: row %d of %d visible, scrolled = %t", seed, top, last, tr.Scrolled())
			}
		}
	}
}

func TestTranscript_WhatIsAddedOutOfSightIsNoticed(t *testing.T) {
	tr := newTranscript()
	tr.SetSize(80, 5, true)
	tr.add(&fixedBlock{name: "a", size: 20})
	if tr.HasUnseen() {
		t.Error("visible new text counts as unseen")
	}
	tr.Scroll(-3)
	tr.add(&fixedBlock{name: "b", size: 1})
	if !tr.HasUnseen() {
		t.Error("what was added out of sight was not noticed")
	}
	tr.Scroll(+100)
	if tr.HasUnseen() || tr.Scrolled() {
		t.Error("at the end, something still counts as unseen")
	}
}

func TestTranscript_DrawsOnlyWhatIsInSight(t *testing.T) {
	tr := newTranscript()
	tr.SetSize(80, 10, true)
	for i := range 1000 {
		tr.add(&fixedBlock{name: fmt.Sprint(i), size: 3})
	}
	tr.View()
	tr.Scroll(-20)
	tr.View()
	for i, b := range tr.blocks[:980] {
		if n := b.(*fixedBlock).drawn; n > 0 {
			t.Fatalf("block %d is far out of sight and was drawn %d times", i, n)
		}
	}
}

func TestTranscript_FoldingNeverLosesTheReader(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		tr := randomTranscript(r)
		for range 20 {
			switch r.IntN(5) {
			case 0:
				tr.ToggleAll()
			case 1:
				tr.ToggleAt(r.IntN(tr.height + 2))
			case 2:
				tr.FocusNext(1 - 2*r.IntN(2))
				tr.ToggleFocused()
			case 3:
				tr.SetSize(80, 1+r.IntN(12), true)
			default:
				tr.Scroll(r.IntN(21) - 10)
			}
			if view, rows := tr.View(), allLines(tr); !inSight(view, rows) {
				t.Fatalf("seed %d: the sight\n%q\nis not a part of\n%q", seed, view, rows)
			}
		}
	}
}

// TestTranscript_WhatIsOpenedStaysWhereItIs expands and folds blocks at random places. A head keeps its line;
// it moves up only as far as needed to show the expanded block.
func TestTranscript_WhatIsOpenedStaysWhereItIs(t *testing.T) {
	head := func(view []string) int {
		return slices.IndexFunc(view, func(line string) bool { return strings.HasPrefix(line, "›") })
	}
	opened := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 4))
		tr := randomTranscript(r)
		for range r.IntN(8) {
			tr.FocusNext(-1)
		}
		tr.Scroll(r.IntN(9) - 4)
		before, at := tr.View(), head(tr.View())
		if at < 0 {
			continue // scrolled out of sight
		}
		b := tr.focused.(*fixedBlock)
		tr.ToggleFocused()
		view := tr.View()
		now, last := head(view), slices.Index(view, fmt.Sprintf(" %s.%d", b.name, 2*b.size-1))
		switch {
		case now == at && (last >= 0 || at == 0 || tr.height == 1):
		case now < at && (now == 0 || last == tr.height-1):
		default:
			t.Fatalf("seed %d: the head went from line %d to %d\n%q\nto\n%q", seed, at, now, before, view)
		}
		opened++
		tr.ToggleFocused()
		if back := head(tr.View()); back != now && tr.Scrolled() {
			t.Fatalf("seed %d: folding moved the head from line %d to %d:\n%q", seed, now, back, tr.View())
		}
	}
	if opened < 100 {
		t.Errorf("%d things were opened, want more", opened)
	}
}

func TestTranscript_OpeningAllKeepsWhatIsReadWhereItIs(t *testing.T) {
	tr := newTranscript()
	tr.SetSize(80, 8, true)
	for i := range 20 {
		tr.add(&fixedBlock{name: fmt.Sprint(i), size: 3, isCompact: true})
	}
	tr.Scroll(-20)
	before := slices.Index(tr.View(), " 11.0")
	tr.ToggleAll()
	if at := slices.Index(tr.View(), " 11.0"); before < 0 || at != before {
		t.Errorf("11.0 went from line %d to %d: %q", before, at, tr.View())
	}
	tr.Follow()
	tr.ToggleAll()
	if tr.Scrolled() {
		t.Error("folding all took a reader away from the end")
	}
}

// inSight reports whether view is a section of rows, padded only if there are too few rows.
func inSight(view, rows []string) bool {
	for len(rows) < len(view) {
		rows = append(rows, "")
	}
	for at := range len(rows) - len(view) + 1 {
		if slices.Equal(view, rows[at:at+len(view)]) {
			return true
		}
	}
	return false
}

func TestTranscript_AfterFoldingTheNextLineUpIsOneLineUp(t *testing.T) {
	tr := newTranscript()
	tr.SetSize(80, 5, true)
	folding := &fixedBlock{name: "a", size: 20, open: true}
	tr.add(folding)
	for _, name := range []string{"b", "c", "d"} {
		tr.add(&fixedBlock{name: name, size: 5})
	}
	tr.Home()
	tr.Scroll(35)
	folding.setOpen(false)
	if got, want := tr.View()[0], " a.19"; got != want {
		t.Fatalf("first line after folding = %q, want %q, the nearest that is left", got, want)
	}
	tr.Scroll(-1)
	if got, want := tr.View()[0], " a.18"; got != want {
		t.Errorf("first line after one line up = %q, want %q", got, want)
	}
}

func TestTranscript_TheFocusedCardComesIntoSight(t *testing.T) {
	tr := newTranscript()
	tr.SetSize(80, 5, true)
	for i := range 50 {
		tr.add(&fixedBlock{name: fmt.Sprint(i), size: 4, isCompact: true})
	}
	for i := 49; i >= 0; i-- {
		tr.FocusNext(-1)
		if !slices.Contains(tr.View(), fmt.Sprintf("›%d.0", i)) {
			t.Fatalf("card %d has the focus but is not visible: %q", i, tr.View())
		}
	}
	tr.FocusNext(-1)
	if !tr.Focused() || !slices.Contains(tr.View(), "›0.0") {
		t.Errorf("the focus left the first card: %q", tr.View())
	}
	tr.FocusNext(+1)
	if !slices.Contains(tr.View(), "›1.0") {
		t.Errorf("the focus did not come back down: %q", tr.View())
	}
}

// marginOf returns the text before row j of block i.
func marginOf(t *Transcript, i, j int) string {
	if t.focused != nil && j == 0 && t.blocks[i] == block(t.focused) {
		return "›"
	}
	return " "
}
