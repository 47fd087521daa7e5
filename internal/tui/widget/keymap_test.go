package widget_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func TestDefault_EachKeyDoesOneThingInItsPlace(t *testing.T) {
	m := widget.DefaultKeyMap()
	names := map[string]bool{}
	for _, scope := range widget.KeyScopes() {
		if len(m.Bindings(scope)) == 0 {
			t.Errorf("%q has no bindings", scope)
		}
		for _, b := range m.Bindings(scope) {
			if names[b.Name] {
				t.Errorf("two bindings are called %s", b.Name)
			}
			names[b.Name] = true
			for _, key := range b.Keys {
				if parsed, err := widget.ParseKey(key); err != nil || parsed != key {
					t.Errorf("Parse(%q) of %s = %q, %v, want the key itself", key, b.Name, parsed, err)
				}
				if again, err := widget.ParseKey(widget.KeyLabel(key)); err != nil || again != key {
					t.Errorf("Parse(Label(%q)) = %q, %v: what the help shows cannot be written into settings", key, again, err)
				}
				if got := m.Action(scope, keyOf(key)); key == keyOf(key).String() && got != b.Name {
					t.Errorf("Action(%q, %q) = %q, want %s", scope, key, got, b.Name)
				}
			}
		}
	}
}

func TestNew_AChosenKeyTriggersItsActionAndTheDefaultOnesDoNot(t *testing.T) {
	m, err := widget.NewKeyMap([]widget.KeyOverride{
		{Name: "page-up", Keys: []string{"Ctrl+B"}}, {Name: "help", Keys: nil}, {Name: "new-line", Keys: []string{"ctrl+j", "alt+x"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		scope         widget.KeyScope
		pressed, want string
	}{
		{widget.ScopeReading, "ctrl+b", "page-up"},
		{widget.ScopeReading, "pgup", ""}, // removed by the override
		{widget.ScopeListScreen, "pgup", "screen-page-up"},
		{widget.ScopeWriting, "ctrl+b", ""},
		{widget.ScopeWriting, "?", ""},
		{widget.ScopeWriting, "x", ""},
		{widget.ScopeWriting, "ctrl+j", "new-line"},
		{widget.ScopeWriting, "alt+x", "new-line"},
		{widget.ScopeWriting, "alt+enter", ""},
	}
	for _, tt := range tests {
		if got := m.Action(tt.scope, keyOf(tt.pressed)); got != tt.want {
			t.Errorf("Action(%q, %q) = %q, want %q", tt.scope, tt.pressed, got, tt.want)
		}
	}
	if got := m.Label("page-up"); got != "Ctrl+B" {
		t.Errorf("Label(page-up) = %q, want Ctrl+B", got)
	}
	if got := m.Label("help"); got != "" {
		t.Errorf("Label(help) = %q, want none", got)
	}
}

func TestNew_ReportsInvalidOverrides(t *testing.T) {
	tests := []struct {
		name   string
		choice widget.KeyOverride
		want   []string
	}{
		{"unknown action", widget.KeyOverride{Name: "page-upp", Source: "c.yaml:3", Keys: []string{"f2"}}, []string{"c.yaml:3: ", "keys.page-upp", "page-up"}},
		{"no key", widget.KeyOverride{Name: "page-up", Keys: []string{"ctrl+nonsense"}}, []string{`"ctrl+nonsense" is not a key`, "ctrl+r"}},
		{"unknown modifier", widget.KeyOverride{Name: "page-up", Keys: []string{"control+r"}}, []string{"control is not a modifier"}},
		{"control character", widget.KeyOverride{Name: "page-up", Keys: []string{"\x1b"}}, []string{"is not a key"}},
		{"nothing", widget.KeyOverride{Name: "page-up", Keys: []string{""}}, []string{"is not a key"}},
		{"the way out", widget.KeyOverride{Name: "interrupt", Keys: []string{"f2"}}, []string{"keys.interrupt cannot be changed"}},
		{"two things", widget.KeyOverride{Name: "page-up", Source: "c.yaml:4", Keys: []string{"pgdown"}}, []string{"c.yaml:4: PgDn has two actions", "page-up", "page-down"}},
		{"taken from everywhere", widget.KeyOverride{Name: "help", Keys: []string{"ctrl+c"}}, []string{"Ctrl+C has two actions", "interrupt"}},
		{"taken from the same screen", widget.KeyOverride{Name: "skill-edit", Keys: []string{"d"}}, []string{"d has two actions", "skill-delete", "skill-edit"}},
		{"taken from all screens", widget.KeyOverride{Name: "session-fork", Keys: []string{"esc"}}, []string{"Esc has two actions", "session-fork", "screen-back"}},
		{"taken by all screens", widget.KeyOverride{Name: "screen-up", Keys: []string{"w"}}, []string{"w has two actions", "model-write", "screen-up"}},
		{"taken from reading", widget.KeyOverride{Name: "help", Keys: []string{"pgup"}}, []string{"PgUp has two actions"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := widget.NewKeyMap([]widget.KeyOverride{tt.choice})
			if err == nil {
				t.Fatalf("New(%v) accepts it", tt.choice)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("New(%v) = %q, want %q in it", tt.choice, err, want)
				}
			}
			if n := strings.Count(err.Error(), "\n"); n != 0 {
				t.Errorf("New(%v) says it %d times:\n%s", tt.choice, n+1, err)
			}
		})
	}
}

// A key of one screen does not conflict with another screen, nor with the transcript.
func TestNew_ScreensShareNoKeys(t *testing.T) {
	_, err := widget.NewKeyMap([]widget.KeyOverride{{Name: "session-fork", Keys: []string{"n", "pgup"}}, {Name: "screen-page-up", Keys: nil}, {Name: "confirm-yes", Keys: []string{"e"}}})
	if err != nil {
		t.Errorf("New with n for a fork, which makes a skill elsewhere = %v, want no error", err)
	}
}

func TestFind_ReturnsTheUsersBinding(t *testing.T) {
	m, err := widget.NewKeyMap([]widget.KeyOverride{{Name: "skill-edit", Keys: []string{"f4"}}})
	if err != nil {
		t.Fatal(err)
	}
	if b, ok := m.Find("skill-edit"); !ok || b.Labels() != "F4" {
		t.Errorf("Find(skill-edit) = %+v, %v, want it with F4", b, ok)
	}
	if b, ok := m.Find("e"); ok {
		t.Errorf("Find(e) = %+v, want nothing", b)
	}
}

func TestFind_KnowsFormerNames(t *testing.T) {
	m, err := widget.NewKeyMap([]widget.KeyOverride{{Name: "shelf-up", Keys: []string{"w"}, Source: "c.yaml:1"}, {Name: "meant-yes", Keys: []string{"f2"}}})
	if err == nil || !strings.HasPrefix(err.Error(), "c.yaml:1: ") {
		t.Errorf("New = %v, want a conflict with its source", err)
	}
	for former, current := range map[string]string{"shelf-up": "screen-up", "meant-yes": "confirm-yes", "asked-down": "approval-down"} {
		b, ok := m.Find(former)
		if !ok || b.Name != current || b.Labels() != m.Label(current) {
			t.Errorf("Find(%s) = %+v, want %s", former, b, current)
		}
	}
	if label := m.Label("confirm-yes"); label != "F2" {
		t.Errorf("Label(confirm-yes) = %q, want F2", label)
	}
}

func TestParse_TakesKeysAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]string{
		"Ctrl+R": "ctrl+r", "ctrl+r": "ctrl+r", "PgUp": "pgup", "PageDown": "pgdown", "Escape": "esc", "Return": "enter",
		"G": "G", "?": "?", "+": "+", "ctrl++": "ctrl++", "Shift+Enter": "shift+enter", "Shift+Alt+Up": "alt+shift+up",
		"F5": "f5", "é": "é", " tab ": "tab",
	} {
		if got, err := widget.ParseKey(text); err != nil || got != want {
			t.Errorf("Parse(%q) = %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", " ", "ab", "ctrl+", "+a", "shift+a", "ctrl+ab", "ctrl-r", "\x00", "👩‍👩‍👧"} {
		if got, err := widget.ParseKey(text); err == nil {
			t.Errorf("Parse(%q) = %q, want an error", text, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"ctrl+r", "ctrl++", "+", "shift+alt+enter", "", "ctrl+ctrl+a", "é+"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		key, err := widget.ParseKey(text)
		if err != nil {
			return
		}
		if again, err := widget.ParseKey(key); err != nil || again != key {
			t.Errorf("Parse(Parse(%q)) = %q, %v, want %q", text, again, err, key)
		}
		if again, err := widget.ParseKey(widget.KeyLabel(key)); err != nil || again != key {
			t.Errorf("Parse(Label(%q)) = %q, %v", key, again, err)
		}
	})
}

func TestBindings_ACallerCannotChangeTheMap(t *testing.T) {
	m := widget.DefaultKeyMap()
	m.Bindings(widget.ScopeWriting)[0].Name = "changed"
	if slices.ContainsFunc(m.Bindings(widget.ScopeWriting), func(b widget.KeyBinding) bool { return b.Name == "changed" }) {
		t.Error("Bindings returns the list of the map itself")
	}
}
