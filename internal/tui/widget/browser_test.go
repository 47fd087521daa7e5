package widget_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// browserRows returns rows whose groups are mixed.
func browserRows() []widget.ListItem {
	return []widget.ListItem{
		{Name: "a", Title: "Alpha", Group: "First", About: "the beginning"},
		{Name: "b", Title: "Beta", Group: "Second", About: "in short: RISK", Marks: []string{"builtin"}},
		{Name: "c", Title: "Gamma", Group: "First", About: "after Alpha"},
		{Name: "d", Title: "Delta", Group: "", About: "no group"},
		{Name: "e-key", Title: "Epsilon", Group: "Second", Problem: true},
	}
}

// newBrowserTester returns a browser with these rows, which renders every page when it is needed.
func newBrowserTester(width, height int, rows []widget.ListItem) *browserTester {
	d := &browserTester{Browser: widget.NewBrowser(widget.NewStyles(markdown.PlainTheme()), widget.DefaultKeyMap(), "Things", "nothing here")}
	d.SetSize(width, height)
	d.SetItems(rows)
	return d
}

// browserTester drives a browser as the chat would.
type browserTester struct {
	*widget.Browser
	reads []string
}

func (d *browserTester) press(names ...string) {
	for _, name := range names {
		d.Press(keyOf(name))
		d.make()
	}
}

// make runs the page jobs until there are none.
func (d *browserTester) make() {
	for job, wanted := d.NextPageJob(); wanted; job, wanted = d.NextPageJob() {
		d.ApplyPage(job.Do(d.read))
	}
}

func (d *browserTester) read(key string) (string, error) {
	d.reads = append(d.reads, key)
	if key == "d" {
		return "", errors.New("reading d: no such file")
	}
	return strings.Repeat("paragraph of "+key+"\n\n", 20), nil
}

func (d *browserTester) view() string {
	d.make()
	lines := d.View()
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

func (d *browserTester) at() string {
	key, ok := d.Current()
	if !ok {
		return "nowhere"
	}
	return key
}

func TestList_TheCursorSkipsHeadingsAndStopsAtTheEnds(t *testing.T) {
	d := newBrowserTester(40, 15, browserRows())
	var visited []string
	for range 7 {
		visited = append(visited, d.at())
		d.press("down")
	}
	if diff := cmp.Diff([]string{"a", "c", "b", "e-key", "d", "d", "d"}, visited); diff != "" {
		t.Errorf("going down (-want +got):\n%s", diff)
	}
	for key, want := range map[string]string{"home": "a", "end": "d"} {
		if d.press(key); d.at() != want {
			t.Errorf("%s goes to %s, want %s", key, d.at(), want)
		}
	}
	for range 9 {
		d.press("up")
	}
	if d.at() != "a" {
		t.Errorf("going up ends at %s, want a", d.at())
	}
}

func TestList_GroupsAreGatheredUnderTheirHeadingsInTheOrderGiven(t *testing.T) {
	want := `Things                type to filter · 5
────────────────────────────────────────
First
› Alpha
  Gamma
Second
  Beta                           builtin
  ! Epsilon

  Delta

────────────────────────────────────────
Right details   Esc close`
	got := newBrowserTester(40, 13, []widget.ListItem{browserRows()[0], browserRows()[1], browserRows()[2], browserRows()[4], browserRows()[3]}).view()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("screen (-want +got):\n%s", diff)
	}
}

func TestFilter_FindsByLabelKeyGroupAndAbout(t *testing.T) {
	for words, want := range map[string]string{
		"ALPHA": "a c", "beta": "b", "second": "b e-key", "risk": "b", "e-k": "e-key", "first begin": "a", "second alpha": "", "no group": "d", " ": "a c b e-key d",
	} {
		d := newBrowserTester(40, 20, browserRows())
		d.Filter(words)
		if got := strings.Join(visibleKeys(d), " "); got != want {
			t.Errorf("%q finds %q, want %q", words, got, want)
		}
	}
}

// visibleKeys moves down the list and returns the keys of its rows.
func visibleKeys(d *browserTester) (keys []string) {
	d.press("home")
	for key, ok := d.Current(); ok; key, ok = d.Current() {
		if n := len(keys); n > 0 && keys[n-1] == key {
			break
		}
		keys = append(keys, key)
		d.press("down")
	}
	return keys
}

func TestFilter_FallsBackToNamesThatHoldTheLettersInTheirOrder(t *testing.T) {
	d := newBrowserTester(60, 20, browserRows())
	for words, want := range map[string]string{"gmm": "Gamma", "epln": "Epsilon", "ek": "Epsilon", "alpha": "Alpha", "lph bgn": ""} {
		d.Filter(words)
		name, there := d.Current()
		if label := map[string]string{"a": "Alpha", "c": "Gamma", "e-key": "Epsilon"}[name]; there != (want != "") || label != want {
			t.Errorf("Filter(%q) selects %q, want %q", words, label, want)
		}
	}
}

func TestFilter_IsTypedAndEscRestoresTheListThenCloses(t *testing.T) {
	d := newBrowserTester(40, 15, browserRows())
	d.press("g", "a", "m", "中", "é")
	if got := d.view(); d.at() != "nowhere" || !strings.Contains(got, "Things  /gam中é") || !strings.Contains(got, "No matches.") {
		t.Fatalf("at %s:\n%s", d.at(), got)
	}
	if x, y, ok := d.Cursor(); !ok || x != len("Things  /gam")+3 || y != 0 {
		t.Errorf("cursor at %d, %d, %t, want behind the text", x, y, ok)
	}
	d.press("backspace", "backspace")
	if d.at() != "c" {
		t.Errorf("gam selects %s, want c", d.at())
	}
	d.press("esc")
	if got := d.view(); d.at() != "c" || !strings.Contains(got, "type to filter · 5") {
		t.Errorf("after Esc at %s:\n%s", d.at(), got)
	}
	d.Paste("be\x1b[31mta\n")
	if d.at() != "b" || !strings.Contains(d.view(), "/beta") {
		t.Errorf("a pasted filter, standing on %s:\n%s", d.at(), d.view())
	}
	d.press("esc")
	if got := d.Press(keyOf("esc")); got != widget.BrowserReplyClosed {
		t.Errorf("a second Esc = %v, want Closed", got)
	}
}

func TestFilter_BackspaceRemovesAGraphemeCluster(t *testing.T) {
	d := newBrowserTester(60, 15, browserRows())
	for _, typed := range []string{"a", "👩‍👩‍👧", "e\u0301"} {
		d.Press(tea.KeyPressMsg{Code: tea.KeyExtended, Text: typed})
	}
	for _, want := range []string{"/a👩‍👩‍👧 ", "/a "} {
		d.press("backspace")
		if first, _, _ := strings.Cut(d.view(), "\n"); !strings.Contains(first+" ", "  "+want) {
			t.Errorf("title %q, want it to end in %q", first, want)
		}
	}
}

func TestList_ALongOneScrollsWithAMargin(t *testing.T) {
	var many []widget.ListItem
	for i := range 100 {
		many = append(many, widget.ListItem{Name: fmt.Sprint(i), Title: fmt.Sprintf("row %02d", i), Group: fmt.Sprintf("group %d", i/10)})
	}
	d := newBrowserTester(40, 15, many)
	steps := func(key string) {
		for range 100 {
			d.press(key)
			lines := strings.Split(d.view(), "\n")[2:13]
			at := -1
			for i, line := range lines {
				if strings.HasPrefix(line, "›") {
					at = i
				}
			}
			if atEnd := d.at() == "0" || d.at() == "99"; at < 0 || !atEnd && (at < 1 || at > 9) {
				t.Fatalf("%s: the cursor is on line %d of the list:\n%s", key, at, strings.Join(lines, "\n"))
			}
		}
	}
	steps("down")
	steps("up")
	if !strings.Contains(d.view(), "group 0") {
		t.Errorf("the first heading is out of sight:\n%s", d.view())
	}
	d.press("pgdown", "pgdown")
	if d.at() != "18" {
		t.Errorf("two pages of nine go to %s, want 18", d.at())
	}
}

func TestBrowser_NewItemsKeepTheCursorAndReloadPages(t *testing.T) {
	d := newBrowserTester(100, 15, browserRows())
	d.press("right", "down", "down")
	d.SetItems(browserRows()[1:])
	if d.at() != "b" || !strings.Contains(d.view(), "paragraph of b") {
		t.Errorf("at %s, want b:\n%s", d.at(), d.view())
	}
	d.SetItems([]widget.ListItem{browserRows()[0], browserRows()[3]})
	if d.at() != "a" {
		t.Errorf("where the row is gone the cursor is on %s, want a, which has its place", d.at())
	}
	d.SetItems(nil)
	if d.at() != "nowhere" || !strings.Contains(d.view(), "nothing here") {
		t.Errorf("without rows at %s:\n%s", d.at(), d.view())
	}
	if diff := cmp.Diff([]string{"a", "c", "b", "b"}, d.reads); diff != "" {
		t.Errorf("reads (-want +got):\n%s", diff)
	}
}

func TestList_WithNoPageBesideItARowMayBeALineOfItsOwn(t *testing.T) {
	given := []widget.ListItem{{Name: "a", Title: "one, two, three", About: "what they do", FullText: "one: what they do"}}
	if v := newBrowserTester(60, 10, given).view(); !strings.Contains(v, "› one: what they do") || strings.Contains(v, "two") {
		t.Errorf("only the list:\n%s", v)
	}
	d := newBrowserTester(100, 10, given)
	d.press("right")
	if v := d.view(); !strings.Contains(v, "› one, two, three") || strings.Contains(v, "one: ") {
		t.Errorf("list and page:\n%s", v)
	}
}

func TestPane_KeepsTheOldLinesUntilTheNewAreMade(t *testing.T) {
	d := newBrowserTester(100, 15, browserRows())
	d.press("right")
	d.SetItems(browserRows())
	if got := strings.Join(d.View(), "\n"); !strings.Contains(got, "paragraph of a") {
		t.Errorf("the page went blank:\n%s", got)
	}
	job, wanted := d.NextPageJob()
	if _, twice := d.NextPageJob(); !wanted || twice {
		t.Fatalf("wanted %t, then %t; want once", wanted, twice)
	}
	d.SetSize(120, 15)
	d.ApplyPage(job.Do(func(string) (string, error) { return "a new page", nil }))
	if got := strings.Join(d.View(), "\n"); !strings.Contains(got, "a new page") {
		t.Errorf("the page of the old width is not shown meanwhile:\n%s", got)
	}
	if _, wanted := d.NextPageJob(); !wanted {
		t.Error("the page is not laid out for the new width")
	}
}

func TestPane_OfADroppedPageNothingIsShown(t *testing.T) {
	d := newBrowserTester(100, 15, browserRows())
	d.Press(keyOf("right"))
	late, _ := d.NextPageJob()
	d.press("down")
	d.ApplyPage(late.Do(d.read))
	if got := d.view(); strings.Contains(got, "paragraph of a") || !strings.Contains(got, "paragraph of c") {
		t.Errorf("the page of another row:\n%s", got)
	}
}

func TestPane_AnErrorIsReadWhereThePageWouldBe(t *testing.T) {
	d := newBrowserTester(100, 15, browserRows())
	d.press("right", "end")
	if got := d.view(); !strings.Contains(got, "✗ reading d: no such file") {
		t.Errorf("screen:\n%s", got)
	}
}

func TestPane_ScrollsByPagesWhileUpAndDownChooseTheRow(t *testing.T) {
	d := newBrowserTester(100, 15, browserRows())
	d.press("right", "pgdown", "pgdown", "pgdown", "pgdown", "pgdown")
	if got := d.view(); !strings.Contains(got, "32–39 of 39") {
		t.Errorf("the end:\n%s", got)
	}
	d.press("down", "up")
	if got := d.view(); !strings.Contains(got, "1–8 of 39") || d.at() != "a" {
		t.Errorf("the beginning, at %s:\n%s", d.at(), got)
	}
}

func TestPane_OnANarrowScreenArrowsScrollIt(t *testing.T) {
	d := newBrowserTester(60, 15, browserRows())
	d.press("right", "down", "down")
	if got := d.view(); d.at() != "a" || strings.Contains(got, "Gamma") || !strings.Contains(got, "3–10 of 39") {
		t.Errorf("at %s:\n%s", d.at(), got)
	}
	d.press("left")
	if got := d.view(); !strings.Contains(got, "Gamma") {
		t.Errorf("after Left:\n%s", got)
	}
}

// Groups that are folded show their number of rows, and are searched.
func TestList_AFoldedGroupIsExpandedByEnterAndByAFilter(t *testing.T) {
	rows := browserRows()
	rows[1].Folded, rows[4].Folded = true, true
	d := newBrowserTester(60, 15, rows)
	d.press("down", "down")
	if got := d.view(); d.at() != "nowhere" || !strings.Contains(got, "› Second (2)") || !strings.Contains(got, "Enter expands") || strings.Contains(got, "Beta") {
		t.Fatalf("at %s:\n%s", d.at(), got)
	}
	d.press("b", "e", "t")
	if d.at() != "b" {
		t.Errorf("bet selects %s, want b", d.at())
	}
	d.press("esc", "home", "down", "down", "enter")
	if got := d.view(); d.at() != "b" || !strings.Contains(got, "› Beta") {
		t.Errorf("after Enter at %s:\n%s", d.at(), got)
	}
	d.press("left")
	if got := d.view(); !strings.Contains(got, "› Second (2)") {
		t.Errorf("after Left:\n%s", got)
	}
}

func TestList_ColumnsAreBelowEachOther(t *testing.T) {
	rows := []widget.ListItem{{Name: "gpt", Columns: []string{"400k", "free"}}, {Name: "a longer name", Columns: []string{"32k · tools", "0.25 USD"}}}
	d := newBrowserTester(50, 8, rows)
	want := "› gpt                        400k         free\n  a longer name              32k · tools  0.25 USD"
	if got := d.view(); !strings.Contains(got, want) {
		t.Errorf("columns:\n%s\nwant\n%s", got, want)
	}
	d.SetSize(30, 8)
	if got := d.view(); strings.Contains(got, "0.25 USD") || !strings.Contains(got, "32k · tools") {
		t.Errorf("narrow:\n%s", got)
	}
}

func TestBrowser_AMessageIsWrappedAndStaysUntilCleared(t *testing.T) {
	d := newBrowserTester(30, 15, browserRows())
	d.ShowError("writing the file: no space\nleft on device \x1b[2J")
	if got := d.view(); !strings.Contains(got, "✗ writing the file: no space\nleft on device\n") {
		t.Errorf("screen:\n%s", got)
	}
	d.ClearMessage()
	if got := d.view(); strings.Contains(got, "device") {
		t.Errorf("still there:\n%s", got)
	}
}

func TestBrowser_NamesTheKeysThatFitAndAlwaysTheWayBack(t *testing.T) {
	hints := []widget.KeyHint{{Key: "Enter", Name: "use now"}, {Key: "", Name: "no key"}}
	for width, want := range map[int]string{
		70: "Enter use now   Tab actions: edit, delete   Right details   Esc close",
		40: "Enter use now   Tab actions…   Esc close", 20: "Esc close", 12: "Esc close",
	} {
		d := newBrowserTester(width, 15, browserRows())
		d.SetHints(hints, "edit, delete")
		lines := d.View()
		if got := lines[len(lines)-1]; got != want {
			t.Errorf("%d columns: %q, want %q", width, got, want)
		}
	}
}

func TestBrowser_SelectClearsAFilterThatHidesTheRow(t *testing.T) {
	d := newBrowserTester(40, 15, browserRows())
	d.Filter("alpha")
	if !d.Select("b") || d.at() != "b" || strings.Contains(d.view(), "/alpha") {
		t.Errorf("at %s:\n%s", d.at(), d.view())
	}
	if d.Select("nobody") || d.at() != "b" {
		t.Errorf("a row that is not there moved the cursor to %s", d.at())
	}
}

// For any keys and any screen size, nothing panics, and the lines
// fit.
func FuzzBrowser(f *testing.F) {
	f.Add([]byte("\x00\x01\x05\x08q/ab?"), "label", "group", uint8(80), uint8(24))
	f.Add([]byte("/\x07\x06\x06\x09\x0a"), "中文\u200d\x1b]0;t\a", "🏳️‍🌈\n# x", uint8(7), uint8(3))
	f.Add([]byte("\x05\x05\x05"), "", "", uint8(1), uint8(1))
	keys := []string{"up", "down", "pgup", "pgdown", "home", "end", "tab", "backspace", "enter", "esc", "?", "/", "rows", "size", "show", "none"}
	f.Fuzz(func(t *testing.T, presses []byte, label, group string, width, height uint8) {
		if len(presses) > 100 || len(label)+len(group) > 400 {
			t.Skip("long enough to be slow, and no longer in kind")
		}
		w, h := int(width)%140, int(height)%50
		given := append(browserRows(), widget.ListItem{Name: label, Title: label, Group: group, About: group, Marks: []string{label, group}, Columns: []string{label, group}, Folded: len(label)%2 == 0, Problem: true}, widget.ListItem{Group: label})
		d := newBrowserTester(w, h, given)
		d.SetHints([]widget.KeyHint{{Key: label, Name: group, About: label}}, label)
		for i, p := range presses {
			switch key := keys[int(p)%len(keys)]; {
			case p >= 32:
				d.Press(keyOf(string(rune(p))))
			case key == "rows":
				d.SetItems(given[:i%len(given)])
			case key == "size":
				w, h = (w*7+i)%140, (h*5+i)%50
				d.SetSize(w, h)
			case key == "show":
				d.ShowPage(label, group)
				d.ShowError(label)
			default:
				d.Press(keyOf(key))
			}
			d.Wheel(i%80, i%7-3)
			d.Click(i%80, int(p)%50)
			d.make()
			lines := d.View()
			if len(lines) > h || w > 0 && h > 2 && len(lines) != h {
				t.Fatalf("%d lines on a screen of %d", len(lines), h)
			}
			for _, line := range lines {
				if ansi.StringWidth(line) > w || strings.ContainsAny(line, "\x1b\n\t") {
					t.Fatalf("line %q on a screen of %d columns", line, w)
				}
			}
		}
	})
}
