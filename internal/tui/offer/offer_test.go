package offer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/offer"
)

// desk is a list with what it was asked.
type desk struct {
	*offer.Offers
	now   time.Time
	asked []string
}

func newDesk() *desk {
	d := &desk{now: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)}
	d.Offers = offer.New(draw.NewStyles(markdown.Plain()), offer.Sources{
		Files: func() []string {
			d.asked = append(d.asked, "files")
			return []string{"deep/er/notes.md", "a.csv", "notes.md", "x\x1b[2J.md"}
		},
		Symbols: func(typed string) []offer.Symbol {
			d.asked = append(d.asked, "symbols "+typed)
			return []offer.Symbol{{Symbol: "AAPL", Name: "Apple Inc.", Kind: "held"}}
		},
		Words: func(command string) offer.Words {
			if command != "theme" {
				return nil
			}
			return func(written string) []string {
				d.asked = append(d.asked, "words "+written)
				return []string{"auto", "dark", "light"}
			}
		},
		Now: func() time.Time { return d.now },
	})
	d.SetSize(60, 10)
	return d
}

// write follows a text and does what is wanted of it.
func (d *desk) write(before string) {
	d.Follow(before, false)
	for job, wanted := d.Wanted(); wanted; job, wanted = d.Wanted() {
		d.Take(job.Do())
	}
}

func (d *desk) view() string { return strings.Join(d.View(), "\n") }

func TestOffers_AWordWithASignMayBecomeWhatIsKnownForIt(t *testing.T) {
	for _, tt := range []struct {
		before string
		want   offer.Taken
		asked  string
	}{
		{"read @no", offer.Taken{Letters: 3, Text: "@notes.md "}, "files"},
		{"what of $aa", offer.Taken{Letters: 3, Text: "AAPL "}, "symbols aa"},
		{"/theme d", offer.Taken{Letters: 1, Text: "dark "}, "words "},
	} {
		t.Run(tt.before, func(t *testing.T) {
			d := newDesk()
			d.write(tt.before)
			if !d.Open() {
				t.Fatal("nothing is offered")
			}
			taken, ok := d.Press("tab")
			if diff := cmp.Diff(tt.want, taken); diff != "" || !ok {
				t.Errorf("taken, %t (-want +got):\n%s", ok, diff)
			}
			if diff := cmp.Diff([]string{tt.asked}, d.asked); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOffers_NothingWithoutASignNorUnderAnotherList(t *testing.T) {
	d := newDesk()
	d.write("how are you")
	d.Follow("read @no", true)
	if _, wanted := d.Wanted(); wanted || d.Open() || len(d.asked) > 0 {
		t.Errorf("offered:\n%s\nasked %q", d.view(), d.asked)
	}
}

func TestOffers_APathThatCannotBeDrawnIsNotOffered(t *testing.T) {
	d := newDesk()
	d.write("@")
	if v := d.view(); strings.Contains(v, "x") || !strings.Contains(v, "a.csv") {
		t.Errorf("offered:\n%s", v)
	}
}

func TestOffers_OneQuestionAtATime(t *testing.T) {
	d := newDesk()
	d.Follow("$a", false)
	first, _ := d.Wanted()
	d.Follow("$aa", false)
	if _, wanted := d.Wanted(); wanted {
		t.Error("a second question is wanted before the first is answered")
	}
	d.Take(first.Do())
	if job, wanted := d.Wanted(); !wanted {
		t.Error("what was typed meanwhile is not asked")
	} else if d.Take(job.Do()); d.asked[1] != "symbols aa" {
		t.Errorf("asked %q", d.asked)
	}
}

func TestOffers_PathsAreAskedAnewAfterAWhile(t *testing.T) {
	d := newDesk()
	d.write("@a")
	d.write("@n")
	if len(d.asked) != 1 {
		t.Errorf("asked %q, want once", d.asked)
	}
	d.now = d.now.Add(11 * time.Second)
	if d.write("@no"); len(d.asked) != 2 {
		t.Errorf("asked %q, want a second time", d.asked)
	}
}

func TestOffers_ClosedItStaysClosedUntilTheWordChanges(t *testing.T) {
	d := newDesk()
	d.write("$aa")
	if _, ok := d.Press("esc"); !ok || d.Open() {
		t.Fatal("esc does not close it")
	}
	if d.write("$aa"); d.Open() {
		t.Error("it opened again for the same word")
	}
	if d.write("$aap"); !d.Open() {
		t.Error("it stays closed for another word")
	}
}

func TestOffers_EnterLeavesAWordThatIsWrittenToItsEnd(t *testing.T) {
	d := newDesk()
	d.write("/theme dark")
	if taken, ok := d.Press("enter"); ok || taken.Text != "" || d.Open() {
		t.Errorf("enter took %+v, %t", taken, ok)
	}
	d.write("/theme dar")
	if taken, ok := d.Press("enter"); !ok || taken.Text != "dark " {
		t.Errorf("enter took %+v, %t", taken, ok)
	}
}
