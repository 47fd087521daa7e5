package widget_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// fieldLine is an editor of a single line.
type fieldLine struct {
	text        string
	width, rows int
}

// formKeys are those of a terminal that tells Ctrl+Enter from Enter, or does not.
func formKeys(ctrlEnter bool) widget.FormKeys {
	k := widget.FormKeys{Enter: "Enter", Run: "Ctrl+R", Cancel: "Esc"}
	if ctrlEnter {
		k.RunPreferred = "Ctrl+Enter"
	}
	return k
}

func newFieldLine(*widget.Styles) *fieldLine { return &fieldLine{} }

func (l *fieldLine) Value() string            { return l.text }
func (l *fieldLine) Set(text string)          { l.text = text }
func (l *fieldLine) Preview() string          { return l.text }
func (l *fieldLine) SetSize(width, rows int)  { l.width, l.rows = width, rows }
func (l *fieldLine) SetStyles(*widget.Styles) {}
func (l *fieldLine) View() []string           { return []string{widget.OneLine(l.text)} }

// formTester drives a form as the chat would.
type formTester struct {
	*widget.Form[*fieldLine]
	width, height int
	now           time.Time
}

func newFormTester(width, height int, fields ...widget.FormField) *formTester {
	d := &formTester{Form: widget.NewForm(widget.NewStyles(markdown.PlainTheme()), formKeys(false), newFieldLine), width: width, height: height, now: time.Unix(0, 0)}
	d.Ask("compare", "run", fields)
	d.SetSize(width, height)
	return d
}

// press gives the answer to the last key; what is for the editor is written.
func (d *formTester) press(names ...string) (last widget.FormReply) {
	for _, name := range names {
		if last = d.Press(name, d.now); last == widget.FormReplyTyped {
			d.Edit(func(l *fieldLine) { l.text += name })
		}
		d.SetSize(d.width, d.height)
	}
	return last
}

func (d *formTester) view() string {
	lines := d.View()
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

func formFields() []widget.FormField {
	return []widget.FormField{
		{Name: "symbols", About: "what to compare", Hint: "from book: VTI", Required: true},
		{Name: "range", About: "how far back", Hint: "default 5y", Choices: []string{"1y", "5y"}},
		{Name: "base", Value: "USD"},
	}
}

func TestForm_DrawsARowForEachFieldWithItsHint(t *testing.T) {
	want := `compare                                               1 of 3
────────────────────────────────────────────────────────────
› symbols *                                   from book: VTI
  range                                   (1y 5y) default 5y
  base       USD
  what to compare
                        Enter next · Ctrl+R run · Esc cancel`
	got := newFormTester(60, 12, formFields()...).view()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("form (-want +got):\n%s", diff)
	}
}

func TestForm_BeginsAtAProblemThenAtWhatIsNeeded(t *testing.T) {
	wrong := formFields()
	wrong[2].Problem = "no such currency"
	known := formFields()
	known[0].Value = "VTI"
	optional := []widget.FormField{{Name: "a"}, {Name: "b", Required: true}}
	for _, tt := range []struct {
		name   string
		fields []widget.FormField
		want   string
	}{
		{"a problem", wrong, "3 of 3"},
		{"what is needed", optional, "2 of 2"},
		{"nothing to do", known, "1 of 3"},
	} {
		if got := newFormTester(60, 12, tt.fields...).view(); !strings.Contains(got, tt.want) {
			t.Errorf("%s: the form does not begin at %s:\n%s", tt.name, tt.want, got)
		}
	}
}

func TestForm_GivesItsValuesOnlyWhenNothingIsMissing(t *testing.T) {
	d := newFormTester(60, 12, formFields()...)
	for _, run := range []string{"ctrl+r", "ctrl+enter"} {
		if got := d.press("tab", " ", run); got != widget.FormReplyHandled {
			t.Fatalf("%s without a value = %v, want it refused", run, got)
		}
		if got := d.view(); !strings.Contains(got, "1 of 3") || !strings.Contains(got, "! a value is needed") {
			t.Fatalf("%s without a value does not say what is missing:\n%s", run, got)
		}
	}
	if got := d.press("V", "T", "I", " ", "enter", "enter", "enter"); got != widget.FormReplyFilled {
		t.Fatalf("enter at the end = %v, want Filled:\n%s", got, d.view())
	}
	want := map[string]string{"symbols": "VTI", "range": "", "base": "USD"}
	if diff := cmp.Diff(want, d.Values()); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
}

func TestForm_StandsStillWhileItsValuesAreLookedAt(t *testing.T) {
	d := newFormTester(60, 12, formFields()...)
	d.press("V", "ctrl+r")
	before := d.Values()
	if got := d.press("ctrl+r"); got != widget.FormReplyHandled {
		t.Errorf("running it again = %v, want nothing", got)
	}
	d.press("x", "tab", "right", "x")
	if diff := cmp.Diff(before, d.Values()); diff != "" {
		t.Errorf("values changed (-before +after):\n%s", diff)
	}
	if _, _, _, ok := d.EditorPosition(); ok {
		t.Error("there is a place to write")
	}
	if got := d.view(); !strings.Contains(got, "checking · Esc cancel") {
		t.Errorf("the form does not say that it waits:\n%s", got)
	}
	d.Resume()
	d.press("right")
	if got := d.Values()["range"]; got != "1y" {
		t.Errorf("range after Resume = %q, want it changed", got)
	}
}

func TestForm_AskedAgainKeepsWhatWasTypedAndTakesWhatIsNew(t *testing.T) {
	d := newFormTester(60, 12, formFields()...)
	d.press("V", "ctrl+r")
	again := append(formFields()[:1:1], widget.FormField{Name: "until", Value: "today", Problem: "not a date"})
	again[0].Value = "ignored"
	d.Ask("compare", "run", again)
	if diff := cmp.Diff(map[string]string{"symbols": "V", "until": "today"}, d.Values()); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	d.SetSize(60, 12)
	if got := d.view(); !strings.Contains(got, "! not a date") {
		t.Fatalf("the problem is not shown:\n%s", got)
	}
	d.press("!")
	if got := d.view(); strings.Contains(got, "! not a date") {
		t.Errorf("the problem outlived its value:\n%s", got)
	}
}

func TestForm_ChoicesGoAroundAndWhatIsOptionalCanBeEmptied(t *testing.T) {
	for _, tt := range []struct {
		name     string
		required bool
		value    string
		keys     []string
		want     string
	}{
		{"first", true, "", []string{"right"}, "x"},
		{"last", true, "", []string{"left"}, "y"},
		{"around", true, "y", []string{"right"}, "x"},
		{"emptied", false, "y", []string{"right"}, ""},
		{"something else typed", false, "z", []string{"right"}, ""},
		{"something else typed, back", true, "z", []string{"left"}, "y"},
	} {
		d := newFormTester(60, 12, widget.FormField{Name: "a", Required: tt.required, Value: tt.value, Choices: []string{"x", "y"}})
		d.press(tt.keys...)
		if got := d.Values()["a"]; got != tt.want {
			t.Errorf("%s: %v from %q gives %q, want %q", tt.name, tt.keys, tt.value, got, tt.want)
		}
	}
	plain := newFormTester(60, 12, widget.FormField{Name: "a"})
	if got := plain.Press("left", plain.now); got != widget.FormReplyTyped {
		t.Errorf("left where there are no choices = %v, want it for the editor", got)
	}
}

func TestForm_BlockedItIgnoresEnter(t *testing.T) {
	d := newFormTester(60, 12, widget.FormField{Name: "a", Value: "x"})
	d.BlockEnter(d.now.Add(time.Second))
	if got := d.press("enter", "ctrl+r"); got != widget.FormReplyHandled {
		t.Fatalf("enter while it is held = %v, want nothing", got)
	}
	d.now = d.now.Add(time.Second)
	if got := d.press("enter"); got != widget.FormReplyFilled {
		t.Errorf("enter afterwards = %v, want Filled", got)
	}
}

func TestForm_NamesCtrlEnterOnlyWhereTheTerminalTellsIt(t *testing.T) {
	for ctrlEnter, want := range map[bool]string{true: "Ctrl+Enter save", false: "Ctrl+R save"} {
		f := widget.NewForm(widget.NewStyles(markdown.PlainTheme()), formKeys(ctrlEnter), newFieldLine)
		f.Ask("new", "save", formFields())
		f.SetSize(60, 12)
		if got := strings.Join(f.View(), "\n"); !strings.Contains(got, want) {
			t.Errorf("with ctrlEnter %t the form does not say %q:\n%s", ctrlEnter, want, got)
		}
	}
}

func TestForm_ThePlaceIsThatOfTheCurrentEditor(t *testing.T) {
	d := newFormTester(60, 12, formFields()...)
	d.press("tab", "5")
	x, y, height, ok := d.EditorPosition()
	lines := d.View()
	if !ok || height != len(lines) {
		t.Fatalf("Place = %d, %d, %d, %t, want it in %d lines", x, y, height, ok, len(lines))
	}
	if got := strings.TrimSpace(ansi.Cut(lines[y], x, x+2)); got != "5" {
		t.Errorf("at %d, %d stands %q, want what was typed", x, y, got)
	}
}

func TestProblems_NamesWhatIsWrongAndWhatIsMissing(t *testing.T) {
	wrong := formFields()
	wrong[1].Problem = "no such range"
	if got, want := widget.FormProblems(wrong), "symbols: a value is needed; range: no such range"; got != want {
		t.Errorf("Problems = %q, want %q", got, want)
	}
	if got := widget.FormProblems(formFields()[1:]); got != "" {
		t.Errorf("Problems of fields without any = %q", got)
	}
}

// Whatever is asked and pressed, on screens of whatever size, the lines fit, and
// the current entry is in sight.
func FuzzForm(f *testing.F) {
	f.Add([]byte("\x00\x01\x02\x03\x04\x05abc"), "symbols", "what \x1b[2J for\n", "a,b", uint8(60), uint8(12))
	f.Add([]byte("\x03\x02\x02"), "中文\u200d\x1b]0;t\a", "\u202e", "", uint8(7), uint8(3))
	f.Add([]byte("\x03"), "", "", ",", uint8(0), uint8(0))
	keys := []string{"tab", "up", "enter", "ctrl+r", "left", "right", "resume", "ask"}
	f.Fuzz(func(t *testing.T, presses []byte, name, text, choices string, width, height uint8) {
		if len(presses) > 60 || len(name)+len(text)+len(choices) > 300 {
			t.Skip("long enough to be slow, and no longer in kind")
		}
		field := widget.FormField{Name: name, About: text, Hint: text, Value: text, Problem: text, Required: len(text)%2 == 0, Choices: strings.Split(choices, ",")}
		d := newFormTester(int(width), int(height), append(formFields(), field)...)
		for _, p := range presses {
			switch key := string(rune(p)); {
			case int(p) >= len(keys):
				d.Edit(func(l *fieldLine) { l.text += key })
			case keys[p] == "resume":
				d.Resume()
			case keys[p] == "ask":
				d.Ask(text, name, []widget.FormField{field, formFields()[0]})
			default:
				d.Press(keys[p], d.now)
			}
			d.SetSize(int(width), int(height))
			lines := d.View()
			if len(lines) > max(int(height), 1) {
				t.Fatalf("%d lines of at most %d", len(lines), height)
			}
			for _, l := range lines {
				if ansi.StringWidth(l) > int(width) || strings.ContainsAny(l, "\x1b\n\a") {
					t.Fatalf("line %q in %d columns", l, width)
				}
			}
			if _, y, _, ok := d.EditorPosition(); ok && y >= len(lines) {
				t.Fatalf("the current entry is at line %d of %d", y, len(lines))
			}
		}
	})
}

// A form of many fields shows the one being written, wherever that is.
func TestForm_WithMoreFieldsThanRowsTheCurrentIsInSight(t *testing.T) {
	var many []widget.FormField
	for i := range 30 {
		many = append(many, widget.FormField{Name: fmt.Sprintf("field-%02d", i)})
	}
	d := newFormTester(60, 12, many...)
	for i := range many {
		name := fmt.Sprintf("field-%02d", i)
		if got := d.view(); !strings.Contains(got, "› "+name) {
			t.Fatalf("%s is not in sight:\n%s", name, got)
		}
		d.press("down")
	}
	if got := d.view(); !strings.Contains(got, "› field-00") {
		t.Errorf("after the last comes another than the first:\n%s", got)
	}
}
