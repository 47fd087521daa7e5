package widget_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// completionsTester is a list that records its lookups.
type completionsTester struct {
	*widget.Completions
	now     time.Time
	lookups []string
}

func newCompletionsTester() *completionsTester {
	d := &completionsTester{now: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)}
	d.Completions = widget.NewCompletions(widget.NewStyles(markdown.PlainTheme()), widget.DefaultKeyMap(), widget.CompletionSources{
		Files: func() []string {
			d.lookups = append(d.lookups, "files")
			return []string{"deep/er/notes.md", "a.csv", "notes.md", "x\x1b[2J.md"}
		},
		Symbols: func(typed string) []widget.SymbolSuggestion {
			d.lookups = append(d.lookups, "symbols "+typed)
			return []widget.SymbolSuggestion{{Symbol: "AAPL", Name: "Apple Inc.", Kind: "held"}}
		},
		CompleteArgs: func(command string) widget.ArgumentCompleter {
			if command != "theme" {
				return nil
			}
			return func(written string) []string {
				d.lookups = append(d.lookups, "words "+written)
				return []string{"auto", "dark", "light"}
			}
		},
		Now: func() time.Time { return d.now },
	})
	d.SetSize(60, 10)
	return d
}

// write follows a text and runs the lookups.
func (d *completionsTester) write(before string) {
	d.Follow(before, false)
	for lookUp := d.NextLookup(); lookUp != nil; lookUp = d.NextLookup() {
		d.Apply(lookUp())
	}
}

func (d *completionsTester) view() string { return strings.Join(d.View(), "\n") }

func TestCompletions_AWordWithAPrefixIsCompleted(t *testing.T) {
	for _, tt := range []struct {
		before string
		want   widget.Replacement
		asked  string
	}{
		{"read @no", widget.Replacement{Letters: 3, Text: "@notes.md "}, "files"},
		{"what of $aa", widget.Replacement{Letters: 3, Text: "AAPL "}, "symbols aa"},
		{"/theme d", widget.Replacement{Letters: 1, Text: "dark "}, "words "},
	} {
		t.Run(tt.before, func(t *testing.T) {
			d := newCompletionsTester()
			d.write(tt.before)
			if !d.Open() {
				t.Fatal("nothing is offered")
			}
			taken, ok := d.Press(keyOf("tab"))
			if diff := cmp.Diff(tt.want, taken); diff != "" || !ok {
				t.Errorf("taken, %t (-want +got):\n%s", ok, diff)
			}
			if diff := cmp.Diff([]string{tt.asked}, d.lookups); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCompletions_NoneWithoutAPrefixOrUnderAnotherList(t *testing.T) {
	d := newCompletionsTester()
	d.write("how are you")
	d.Follow("read @no", true)
	if d.NextLookup() != nil || d.Open() || len(d.lookups) > 0 {
		t.Errorf("offered:\n%s\nasked %q", d.view(), d.lookups)
	}
}

func TestCompletions_AnUnprintablePathIsNotOffered(t *testing.T) {
	d := newCompletionsTester()
	d.write("@")
	if v := d.view(); strings.Contains(v, "x") || !strings.Contains(v, "a.csv") {
		t.Errorf("offered:\n%s", v)
	}
}

func TestCompletions_OneLookupAtATime(t *testing.T) {
	d := newCompletionsTester()
	d.Follow("$a", false)
	first := d.NextLookup()
	d.Follow("$aa", false)
	if d.NextLookup() != nil {
		t.Error("a second question is wanted before the first is answered")
	}
	d.Apply(first())
	if lookUp := d.NextLookup(); lookUp == nil {
		t.Error("what was typed meanwhile is not asked")
	} else if d.Apply(lookUp()); d.lookups[1] != "symbols aa" {
		t.Errorf("asked %q", d.lookups)
	}
}

func TestCompletions_PathsAreReadAgainAfterAWhile(t *testing.T) {
	d := newCompletionsTester()
	d.write("@a")
	d.write("@n")
	if len(d.lookups) != 1 {
		t.Errorf("asked %q, want once", d.lookups)
	}
	d.now = d.now.Add(11 * time.Second)
	if d.write("@no"); len(d.lookups) != 2 {
		t.Errorf("asked %q, want a second time", d.lookups)
	}
}

func TestCompletions_ClosedItStaysClosedUntilTheWordChanges(t *testing.T) {
	d := newCompletionsTester()
	d.write("$aa")
	if _, ok := d.Press(keyOf("esc")); !ok || d.Open() {
		t.Fatal("esc does not close it")
	}
	if d.write("$aa"); d.Open() {
		t.Error("it opened again for the same word")
	}
	if d.write("$aap"); !d.Open() {
		t.Error("it stays closed for another word")
	}
}

func TestCompletions_EnterDoesNotHandleACompleteWord(t *testing.T) {
	d := newCompletionsTester()
	d.write("/theme dark")
	if taken, ok := d.Press(keyOf("enter")); ok || taken.Text != "" || d.Open() {
		t.Errorf("enter took %+v, %t", taken, ok)
	}
	d.write("/theme dar")
	if taken, ok := d.Press(keyOf("enter")); !ok || taken.Text != "dark " {
		t.Errorf("enter took %+v, %t", taken, ok)
	}
}
