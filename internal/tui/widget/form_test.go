package widget_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// formTester drives a form as the chat would. The result of its values is their number.
type formTester struct {
	*widget.Form[int]
	width, height int
	now           time.Time
	failed        error // the error of the values, if any
}

func newFormTester(width, height int, fields ...widget.FormField) *formTester {
	return newFormTesterOn(widget.NewStyles(markdown.PlainTheme()), width, height, fields...)
}

func newFormTesterOn(st *widget.Styles, width, height int, fields ...widget.FormField) *formTester {
	d := &formTester{width: width, height: height, now: time.Unix(0, 0)}
	d.Form = widget.NewForm(st, widget.DefaultKeyMap(), func() time.Time { return d.now }, d.request(fields))
	d.SetSize(width, height)
	return d
}

func (d *formTester) request(fields []widget.FormField) *widget.FormRequest[int] {
	return &widget.FormRequest[int]{Title: "compare", Verb: "run", Fields: fields, Fill: func(values map[string]string) widget.FormResult[int] {
		return widget.FormResult[int]{Err: d.failed, Value: len(values)}
	}}
}

// press presses keys and returns the result of the values, if the last key completes the form.
func (d *formTester) press(names ...string) (result *widget.FormResult[int]) {
	for _, name := range names {
		cmd, _ := d.Press(keyOf(name), func(r widget.FormResult[int]) tea.Msg { return r })
		result = nil
		if cmd != nil {
			if r, ok := cmd().(widget.FormResult[int]); ok {
				result = &r
			}
		}
		d.SetSize(d.width, d.height)
	}
	return result
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
		{Name: "symbols", About: "what to compare", Hint: "portfolio: VTI", Required: true},
		{Name: "range", About: "how far back", Hint: "default 5y", Choices: []string{"1y", "5y"}},
		{Name: "base", Value: "USD"},
	}
}

func TestForm_DrawsARowForEachFieldWithItsHint(t *testing.T) {
	want := `compare                                               1 of 3
────────────────────────────────────────────────────────────
› symbols *                                   portfolio: VTI
  range                                   (1y 5y) default 5y
  base       USD
  what to compare
                        Enter next · Ctrl+R run · Esc cancel`
	got := newFormTester(60, 12, formFields()...).view()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("form (-want +got):\n%s", diff)
	}
}

func TestForm_StartsAtAProblemOrARequiredField(t *testing.T) {
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

func TestForm_RunsOnlyWithAllRequiredValues(t *testing.T) {
	d := newFormTester(60, 12, formFields()...)
	for _, run := range []string{"ctrl+r", "ctrl+enter"} {
		if got := d.press("tab", " ", run); got != nil {
			t.Fatalf("%s without a value = %v, want it refused", run, got)
		}
		if got := d.view(); !strings.Contains(got, "1 of 3") || !strings.Contains(got, "✗ a value is required") {
			t.Fatalf("%s without a value does not say what is missing:\n%s", run, got)
		}
	}
	if got := d.press("V", "T", "I", " ", "enter", "enter", "enter"); got == nil {
		t.Fatalf("enter at the end = %v, want Filled:\n%s", got, d.view())
	}
	want := map[string]string{"symbols": "VTI", "range": "", "base": "USD"}
	if diff := cmp.Diff(want, d.Values()); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
}

func TestForm_DoesNotChangeWhileItsValuesAreChecked(t *testing.T) {
	d := newFormTester(60, 12, formFields()...)
	d.press("V", "ctrl+r")
	before := d.Values()
	if got := d.press("ctrl+r"); got != nil {
		t.Errorf("running it again = %v, want nothing", got)
	}
	d.press("x", "tab", "right", "x")
	if diff := cmp.Diff(before, d.Values()); diff != "" {
		t.Errorf("values changed (-before +after):\n%s", diff)
	}
	if c, _ := d.Cursor(); c != nil {
		t.Error("there is a place to write")
	}
	if got := d.view(); !strings.Contains(got, "checking · Esc cancel") {
		t.Errorf("the form does not say that it waits:\n%s", got)
	}
	d.Apply(widget.FormResult[int]{Err: errors.New("refused")})
	d.press("right")
	if got := d.Values()["range"]; got != "1y" {
		t.Errorf("range after Resume = %q, want it changed", got)
	}
}

func TestForm_ANewRequestKeepsTypedValues(t *testing.T) {
	d := newFormTester(60, 12, formFields()...)
	d.press("V")
	again := append(formFields()[:1:1], widget.FormField{Name: "until", Value: "today", Problem: "not a date"})
	again[0].Value = "ignored"
	d.Apply(widget.FormResult[int]{Again: d.request(again)})
	if diff := cmp.Diff(map[string]string{"symbols": "V", "until": "today"}, d.Values()); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	d.SetSize(60, 12)
	if got := d.view(); !strings.Contains(got, "✗ not a date") {
		t.Fatalf("the problem is not shown:\n%s", got)
	}
	d.press("!")
	if got := d.view(); strings.Contains(got, "✗ not a date") {
		t.Errorf("the problem outlived its value:\n%s", got)
	}
}

func TestForm_ChoicesWrapAndOptionalOnesCanBeEmpty(t *testing.T) {
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
	if plain.press("x", "left", "y"); plain.Values()["a"] != "yx" {
		t.Errorf("left where there are no choices gives %q, want it for the editor", plain.Values()["a"])
	}
}

func TestForm_BlockedItIgnoresEnter(t *testing.T) {
	d := newFormTester(60, 12, widget.FormField{Name: "a", Value: "x"})
	d.BlockEnter()
	if got := d.press("enter", "ctrl+r"); got != nil {
		t.Fatalf("enter while it is held = %v, want nothing", got)
	}
	d.now = d.now.Add(widget.ApprovalQuietTime)
	if got := d.press("enter"); got == nil {
		t.Errorf("enter afterwards = %v, want Filled", got)
	}
}

func TestForm_NamesCtrlEnterOnlyWhereTheTerminalTellsIt(t *testing.T) {
	for ctrlEnter, want := range map[bool]string{true: "Ctrl+Enter run", false: "Ctrl+R run"} {
		st := widget.NewStyles(markdown.PlainTheme())
		st.CtrlEnter = ctrlEnter
		if got := newFormTesterOn(st, 60, 12, formFields()...).view(); !strings.Contains(got, want) {
			t.Errorf("with ctrlEnter %t the form does not say %q:\n%s", ctrlEnter, want, got)
		}
	}
}

func TestForm_ThePlaceIsThatOfTheCurrentEditor(t *testing.T) {
	d := newFormTester(60, 12, formFields()...)
	d.press("tab", "5")
	c, height := d.Cursor()
	lines := d.View()
	if c == nil || height != len(lines) {
		t.Fatalf("Cursor = %v, %d, want it in %d lines", c, height, len(lines))
	}
	if got := strings.TrimSpace(ansi.Cut(lines[c.Y], c.X-1, c.X+1)); got != "5" {
		t.Errorf("the text before the cursor at %d, %d is %q, want the typed text", c.X, c.Y, got)
	}
}

func TestProblems_NamesInvalidAndMissingValues(t *testing.T) {
	wrong := formFields()
	wrong[1].Problem = "no such range"
	if got, want := widget.FormProblems(wrong), "symbols: a value is required; range: no such range"; got != want {
		t.Errorf("Problems = %q, want %q", got, want)
	}
	if got := widget.FormProblems(formFields()[1:]); got != "" {
		t.Errorf("Problems of fields without any = %q", got)
	}
}

// For any form, keys and screen size, the lines fit and the current entry is visible.
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
				d.press(key)
			case keys[p] == "resume":
				d.Apply(widget.FormResult[int]{Err: errors.New(text)})
			case keys[p] == "ask":
				d.Apply(widget.FormResult[int]{Again: d.request([]widget.FormField{field, formFields()[0]})})
			default:
				d.press(keys[p])
			}
			lines := d.View()
			if len(lines) > max(int(height), 1) {
				t.Fatalf("%d lines of at most %d", len(lines), height)
			}
			for _, l := range lines {
				if ansi.StringWidth(l) > int(width) || strings.ContainsAny(l, "\x1b\n\a") {
					t.Fatalf("line %q in %d columns", l, width)
				}
			}
			if c, height := d.Cursor(); c != nil && height != len(lines) {
				t.Fatalf("the cursor %v is for %d lines, there are %d", c, height, len(lines))
			}
		}
	})
}

// A form with more fields than rows shows the field being edited, wherever it is.
func TestForm_WithMoreFieldsThanRowsTheCurrentIsInSight(t *testing.T) {
	var many []widget.FormField
	for i := range 30 {
		many = append(many, widget.FormField{Name: fmt.Sprintf("field-%02d", i)})
	}
	d := newFormTester(60, 12, many...)
	for i := range many {
		name := fmt.Sprintf("field-%02d", i)
		if got := d.view(); !strings.Contains(got, "› "+name) {
			t.Fatalf("%s is not visible:\n%s", name, got)
		}
		d.press("down")
	}
	if got := d.view(); !strings.Contains(got, "› field-00") {
		t.Errorf("after the last comes another than the first:\n%s", got)
	}
}

func TestForm_APastedLineLosesItsLineBreak(t *testing.T) {
	d := newFormTester(60, 10, widget.FormField{Name: "symbol"})
	d.Write(tea.PasteMsg{Content: "AAPL\r\n"})
	if got := d.Values()["symbol"]; got != "AAPL" || !strings.Contains(d.view(), "AAPL") {
		t.Errorf("the value is %q:\n%s", got, d.view())
	}
}

func TestForm_AnErrorKeepsTheForm(t *testing.T) {
	d := newFormTester(60, 10, widget.FormField{Name: "symbol", Value: "MSFT"})
	d.failed = errors.New("no such symbol")
	result := d.press("enter")
	if result == nil || d.Apply(*result) || !strings.Contains(d.view(), "MSFT") {
		t.Errorf("the form came to its end with %+v:\n%s", result, d.view())
	}
	if c, _ := d.Cursor(); c == nil {
		t.Error("there is no cursor after the values were refused")
	}
	d.failed = nil
	if result = d.press("enter"); result == nil || !d.Apply(*result) || result.Value != 1 {
		t.Errorf("the values came to %+v", result)
	}
}

func TestForm_NamesTheKeyThatCancels(t *testing.T) {
	d := newFormTester(60, 10, widget.FormField{Name: "symbol"})
	if d.OnCancel() != nil || !strings.Contains(d.view(), "Esc cancel") {
		t.Errorf("what Esc does:\n%s", d.view())
	}
	next := d.request([]widget.FormField{{Name: "symbol"}, {Name: "quantity"}})
	next.OnCancel = func() (string, error) { return "left", nil }
	d.Apply(widget.FormResult[int]{Again: next})
	if d.OnCancel() == nil || !strings.Contains(d.view(), "Esc cancel") {
		t.Errorf("asked again:\n%s", d.view())
	}
	if _, canceled := d.Press(keyOf("esc"), nil); !canceled {
		t.Error("Esc does not close the form")
	}
}

// Section 2 of the chat's design: in every form Tab completes a unique match, otherwise it moves to the next
// field.
func TestForm_TabCompletesAUniqueMatch(t *testing.T) {
	for _, tt := range []struct{ typed, want, place string }{
		{"5", "5y", "2 of 3"},
		{"1", "1", "3 of 3"}, // 1y and 10y
		{"x", "x", "3 of 3"},
		{"", "", "3 of 3"},
		{"5y", "5y", "3 of 3"},
	} {
		fields := formFields()
		fields[1].Choices = []string{"1y", "5y", "10y"}
		d := newFormTester(60, 12, fields...)
		d.press("down")
		for _, r := range tt.typed {
			d.press(string(r))
		}
		d.press("tab")
		if got := d.Values()["range"]; got != tt.want || !strings.Contains(d.view(), tt.place) {
			t.Errorf("%q and Tab give %q, want %q and %s:\n%s", tt.typed, got, tt.want, tt.place, d.view())
		}
	}
}
