package widget_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func itemNames(items []widget.CommandItem) (out []string) {
	for _, i := range items {
		out = append(out, i.Name)
	}
	return out
}

func TestParse_TellsNamesFromArguments(t *testing.T) {
	for text, want := range map[string][3]string{
		"/help":            {"help", "", "true"},
		"/get-price  AAPL": {"get-price", "AAPL", "true"},
		"/plan\nline two":  {"plan", "line two", "true"},
		"/etc/hosts":       {"", "", "false"},
		"no /slash":        {"", "", "false"},
		"/":                {"", "", "true"},
	} {
		name, args, ok := widget.ParseCommand(text)
		if got := [3]string{name, args, strconv.FormatBool(ok)}; got != want {
			t.Errorf("Parse(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestK20_AnEarlierNameWins(t *testing.T) {
	set := widget.NewCommandIndex([]widget.CommandItem{
		{Name: "help", Skill: true, About: "a skill"}, {Name: "help", About: "a command"},
		{Name: "model", About: "first"}, {Name: "model", About: "second"}, {Name: "plan", Skill: true},
	})
	if diff := cmp.Diff([]string{"help", "model", "plan", "skill:help"}, itemNames(set.Items())); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	for _, tt := range []struct {
		name, wantName string
		wantPlace      int
	}{
		{"help", "help", 1}, {"model", "model", 2}, {"skill:help", "skill:help", 0}, {"skill:plan", "plan", 4}, {"plan", "plan", 4},
	} {
		item, place, ok := set.Find(tt.name)
		if !ok || item.Name != tt.wantName || place != tt.wantPlace {
			t.Errorf("Find(%q) = %+v, %d, %t, want %s at %d", tt.name, item, place, ok, tt.wantName, tt.wantPlace)
		}
	}
	if item, _, ok := set.Find("nonsense"); ok {
		t.Errorf(`Find("nonsense") = %+v, want none`, item)
	}
}

// Chat, section 5: subsequences match, word starts first, then descriptions; commands are above skills;
// recent ones win ties.
func TestMatch_RanksNamesThenDescriptions(t *testing.T) {
	set := widget.NewCommandIndex([]widget.CommandItem{
		{Name: "portfolio", About: "positions, market value and gain", Order: 0}, {Name: "performance", About: "return of your portfolio", Order: 1},
		{Name: "chart", About: "a price chart", Order: 2}, {Name: "watchlist", About: "watched symbols", Order: 3}, {Name: "price", Order: 4}, {Name: "quit", Order: 99},
		{Name: "retirement-plan", DisplayName: "Retirement plan", About: "will the money last?", Skill: true, Order: 5},
		{Name: "portfolio-checkup", About: "review a portfolio you describe", Skill: true, Order: 6}, {Name: "price", Skill: true, Order: 7}, {Name: "zz", DisplayName: "The Price List", Skill: true, Order: 8},
	})
	for _, row := range []struct {
		typed, best string
		want        []string
		recent      []string
	}{
		{typed: "cht", best: "chart", want: []string{"chart"}},
		{typed: "pf", best: "portfolio", want: []string{"portfolio", "performance", "portfolio-checkup"}},
		{typed: "pf", best: "performance", want: []string{"performance", "portfolio", "portfolio-checkup"}, recent: []string{"performance"}},
		{typed: "rp", best: "retirement-plan", want: []string{"retirement-plan"}},
		{typed: "PRICE", best: "price", want: []string{"price", "chart", "skill:price", "zz"}},
		{typed: "skill:pri", best: "skill:price", want: []string{"skill:price"}},
		{typed: "money", best: "retirement-plan", want: []string{"retirement-plan"}},
		{typed: "watched", best: "watchlist", want: []string{"watchlist"}},
		{typed: "nothing"},
	} {
		m := set.Match(row.typed, row.recent)
		if diff := cmp.Diff(row.want, itemNames(m.Items)); diff != "" {
			t.Errorf("Match(%q) (-want +got):\n%s", row.typed, diff)
		}
		if len(m.Items) > 0 && m.Items[m.Best].Name != row.best {
			t.Errorf("the best match of %q is %s, want %s", row.typed, m.Items[m.Best].Name, row.best)
		}
	}
}

func TestSimilar_FindsWhatWasProbablyMeant(t *testing.T) {
	set := widget.NewCommandIndex([]widget.CommandItem{{Name: "ratios"}, {Name: "fx"}, {Name: "portfolio"}, {Name: "retirement-plan", Skill: true}})
	for typed, want := range map[string]string{"ratio": "ratios", "foo": "", "portfolo": "portfolio", "fxx": "fx", "retire": "retirement-plan", "xyzzy": ""} {
		if got, _ := set.Similar(typed); got.Name != want {
			t.Errorf("Similar(%q) = %q, want %q", typed, got.Name, want)
		}
	}
}

// A description that happens to match must not run anything.
func TestList_EnterDoesNotTakeADescription(t *testing.T) {
	l := commandListOf(widget.CommandItem{Name: "quit", About: "leave foo"}, widget.CommandItem{Name: "clear", About: "leave"})
	l.Follow("/foo")
	if got := l.Press(keyOf("enter")); got != widget.CommandReplyIgnored || l.Open() {
		t.Errorf("Enter at a description = %v", got)
	}
	l.Follow("/leave")
	l.Press(keyOf("down"))
	if got := l.Press(keyOf("enter")); got != widget.CommandReplyRun || l.Current().Name != "quit" {
		t.Errorf("Enter at a row that was chosen = %v, %s", got, l.Current().Name)
	}
}

// The list keeps its height while the user types.
func TestList_KeepsItsHeightUntilItCloses(t *testing.T) {
	l := commandListOf(widget.CommandItem{Name: "alpha"}, widget.CommandItem{Name: "beta"}, widget.CommandItem{Name: "album", Skill: true})
	l.Follow("/")
	tall := l.Height()
	if l.Follow("/b"); l.Height() != tall || len(l.View()) != tall {
		t.Errorf("height %d, %d lines; want %d", l.Height(), len(l.View()), tall)
	}
	l.Close()
	if l.Follow("/be"); l.Height() != 3 {
		t.Errorf("opened again, its height is %d", l.Height())
	}
}

func menuStyles() *widget.Styles { return widget.NewStyles(markdown.PlainTheme()) }

func commandListOf(items ...widget.CommandItem) *widget.CommandList {
	l := widget.NewCommandList(menuStyles(), widget.DefaultKeyMap(), widget.NewCommandIndex(items), func() []string { return nil })
	l.SetSize(60, 12)
	return l
}

func TestList_OpensForANameAndForNothingElse(t *testing.T) {
	l := commandListOf(widget.CommandItem{Name: "alpha"}, widget.CommandItem{Name: "beta"})
	for text, want := range map[string]bool{
		"/": true, "/al": true, "/alpha": true, "/alpha ": false, "/x": false, "alpha": false, "": false, "/a/b": false, "/a\n": false,
	} {
		if l.Follow(text); l.Open() != want {
			t.Errorf("after %q open = %t, want %t", text, l.Open(), want)
		}
	}
}

func TestList_ClosedItStaysClosedUntilTheTextChanges(t *testing.T) {
	l := commandListOf(widget.CommandItem{Name: "alpha"})
	l.Follow("/a")
	l.Close()
	if l.Follow("/a"); l.Open() {
		t.Error("it opens again at the same text")
	}
	if l.Follow("/al"); !l.Open() {
		t.Error("it does not open at a new text")
	}
	l.Close()
	l.Follow("")
	if l.Follow("/al"); !l.Open() {
		t.Error("it does not open for a new text")
	}
}

func TestList_ChoosesAroundAndKnowsANameTypedToItsEnd(t *testing.T) {
	l := commandListOf(widget.CommandItem{Name: "alpha", Hint: "<x>"}, widget.CommandItem{Name: "alphabet", Hint: "<x>"})
	l.Follow("/alpha")
	for _, step := range []struct {
		key, want string
		run       widget.CommandReply
	}{
		{"", "alpha", widget.CommandReplyRun}, // typed to its end
		{"up", "alphabet", widget.CommandReplyWrite},
		{"down", "alpha", widget.CommandReplyRun},
	} {
		if step.key != "" {
			l.Press(keyOf(step.key))
		}
		if got, run := l.Current().Name, l.Press(keyOf("enter")); got != step.want || run != step.run {
			t.Errorf("after %q Current = %s, and Enter %v, want %s, %v", step.key, got, run, step.want, step.run)
		}
	}
}

func TestList_DrawsNamesAndDescriptionsInGroups(t *testing.T) {
	l := commandListOf(widget.CommandItem{Name: "model", About: "which model answers"}, widget.CommandItem{Name: "plan", About: "a\x1b[2J\nplan", Skill: true})
	l.SetSize(44+10, 12)
	l.Follow("/")
	want := `┌─ Commands ─────────────────────────────────────────┐
│›/model  which model answers                        │
├─ Skills ───────────────────────────────────────────┤
│ /plan   a plan                                     │
└────────────────────────────────────────────────────┘`
	if diff := cmp.Diff(want, strings.Join(l.View(), "\n")); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}
	l.SetSize(20, 12)
	want = "┌─ Commands ───────┐\n│›/model           │\n├─ Skills ─────────┤\n│ /plan            │\n└──────────────────┘"
	if diff := cmp.Diff(want, strings.Join(l.View(), "\n")); diff != "" {
		t.Errorf("narrow list (-want +got):\n%s", diff)
	}
}

func TestList_KeepsTheHighlightVisibleAndMarksMore(t *testing.T) {
	var many []widget.CommandItem
	for _, r := range "abcdefghijkl" {
		many = append(many, widget.CommandItem{Name: "many-" + string(r)})
	}
	l := commandListOf(many...)
	l.Follow("/")
	for i, item := range many {
		view := strings.Join(l.View(), "\n")
		if !strings.Contains(view, "›/"+item.Name) || len(l.View()) != l.Height() || l.Height() != 8+2 {
			t.Fatalf("%s is not visible in %d rows:\n%s", item.Name, l.Height(), view)
		}
		if more := i < len(many)-1; strings.Contains(view, "↓ more") && !more {
			t.Errorf("at the end it says that there is more:\n%s", view)
		}
		l.Press(keyOf("down"))
	}
	for _, height := range []int{2, 1, 0} {
		if l.SetSize(60, height); l.Height() != 0 || len(l.View()) != 0 {
			t.Errorf("in %d rows it takes %d", height, l.Height())
		}
	}
}

// For any items and any typed text, nothing panics, and the lines fit.
func FuzzList(f *testing.F) {
	f.Add("get-price", "about\x1b[2J", "/g", uint8(60), uint8(12), uint8(3))
	f.Add("中文\u200d\x1b]0;t\a", "\u202e", "/", uint8(9), uint8(3), uint8(0))
	f.Fuzz(func(t *testing.T, name, about, text string, width, height, steps uint8) {
		l := commandListOf(widget.CommandItem{Name: name, About: about}, widget.CommandItem{Name: about, DisplayName: name, Skill: true}, widget.CommandItem{Name: "x"})
		l.SetSize(int(width), int(height))
		l.Follow(text)
		if l.Open() {
			for range steps % 3 {
				l.Press(keyOf("down"))
			}
			l.Current()
		}
		lines := l.View()
		if len(lines) > int(height) {
			t.Fatalf("%d lines of at most %d", len(lines), height)
		}
		for _, line := range lines {
			if ansi.StringWidth(line) > int(width) || strings.ContainsAny(line, "\x1b\n\a\u202e") {
				t.Fatalf("line %q in %d columns", line, width)
			}
		}
	})
}
