package widget

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/usage"
)

// KeyScope is the part of the screen in which a key works.
type KeyScope string

// Scopes, in the order of the help. Keys of ScopeAnywhere always work.
const (
	ScopeAnywhere   KeyScope = "Anywhere"
	ScopeWriting    KeyScope = "Writing"
	ScopeReading    KeyScope = "Reading"
	ScopeSelection  KeyScope = "Selected message or card"
	ScopeSearch     KeyScope = "Search"
	ScopeCompletion KeyScope = "List above the message"
	ScopeApproval   KeyScope = "Approval"
	ScopeForm       KeyScope = "Form"
	ScopeListScreen KeyScope = "List screens"
	ScopeSkills     KeyScope = "Skills screen"
	ScopeModels     KeyScope = "Models screen"
	ScopeSessions   KeyScope = "Sessions screen"
	ScopePortfolio  KeyScope = "Portfolio screen"
	ScopeFigures    KeyScope = "Figures screen"
	ScopeChart      KeyScope = "Selected chart of /chart"
	ScopeConfirm    KeyScope = "Confirmation"
)

// KeyScopes returns all scopes.
func KeyScopes() []KeyScope {
	return []KeyScope{ScopeAnywhere, ScopeWriting, ScopeReading, ScopeSelection, ScopeSearch, ScopeCompletion, ScopeApproval, ScopeForm, ScopeListScreen, ScopeSkills, ScopeModels, ScopeSessions, ScopePortfolio, ScopeFigures, ScopeChart, ScopeConfirm}
}

// OnListScreen reports whether keys of the scope work on a list screen, which replaces the
// transcript.
func (s KeyScope) OnListScreen() bool {
	return slices.Contains([]KeyScope{ScopeListScreen, ScopeSkills, ScopeModels, ScopeSessions, ScopePortfolio, ScopeFigures, ScopeConfirm}, s)
}

// KeyBinding is an action of the chat with its keys.
type KeyBinding struct {
	Name  string // the action, as settings and code call it: "page-up"
	Scope KeyScope
	Keys  []string // as Bubble Tea names them
	About string   // for the help, after the keys
	fixed bool     // the user cannot change its keys, so that nfa can always be quit
}

// KeyMap holds the keys in use. The zero value is not usable: create one with NewKeyMap.
type KeyMap struct {
	bindings []KeyBinding
	actions  map[KeyScope]map[string]string // from pressed keys to the names of their bindings
}

// DefaultKeyMap returns the map without changes of the user.
func DefaultKeyMap() KeyMap {
	m, err := NewKeyMap(nil)
	if err != nil {
		panic(err) // two default keys conflict; a test checks that none do
	}
	return m
}

// KeyOverride replaces the keys of a binding; without keys it disables the binding. Source is where
// the setting was read, for errors.
type KeyOverride struct {
	Name, Source string
	Keys         []string
}

// NewKeyMap returns the default bindings with the overrides. It joins all problems into one error:
// unknown actions, texts that are not keys, keys with two actions in one scope, and overrides of a
// fixed binding.
func NewKeyMap(choices []KeyOverride) (KeyMap, error) {
	m := KeyMap{bindings: defaultBindings()}
	var problems []error
	for _, c := range choices {
		if err := m.applyOverride(c); err != nil {
			problems = append(problems, fmt.Errorf("%s%w", c.sourcePrefix(), err))
		}
	}
	m.indexKeys()
	for _, b := range m.bindings {
		problems = append(problems, m.conflicts(b, choices)...)
	}
	return m, errors.Join(problems...)
}

func (c KeyOverride) sourcePrefix() string {
	if c.Source == "" {
		return ""
	}
	return c.Source + ": "
}

// currentName returns the current name of an action, because settings may contain a former name.
func currentName(action string) string {
	for former, current := range map[string]string{"shelf-": "screen-", "meant-": "confirm-", "asked-": "approval-"} {
		if rest, ok := strings.CutPrefix(action, former); ok {
			return current + rest
		}
	}
	return action
}

// removedActions returns the names of actions that no longer exist. Settings may still contain them.
func removedActions() []string { return []string{"screen-filter", "screen-side"} }

func (m *KeyMap) applyOverride(c KeyOverride) error {
	at := m.index(currentName(c.Name))
	if at < 0 && slices.Contains(removedActions(), currentName(c.Name)) {
		return nil
	}
	if at < 0 {
		return fmt.Errorf("keys.%s: unknown action; %s", c.Name, m.suggest(c.Name))
	}
	b := &m.bindings[at]
	if b.fixed {
		return fmt.Errorf("keys.%s cannot be changed, because %s always quits", c.Name, KeyLabel(b.Keys[0]))
	}
	var keys []string
	for _, text := range c.Keys {
		key, err := ParseKey(text)
		if err != nil {
			return fmt.Errorf("keys.%s: %w", c.Name, err)
		}
		keys = append(keys, key)
	}
	b.Keys = keys
	return nil
}

func (m *KeyMap) suggest(name string) string {
	names := make([]string, len(m.bindings))
	for i, b := range m.bindings {
		names[i] = b.Name
	}
	return cmp.Or(usage.DidYouMean(name, names), "for a list: nfa config keys")
}

// indexKeys maps the keys of each scope to the actions that they trigger.
func (m *KeyMap) indexKeys() {
	m.actions = map[KeyScope]map[string]string{}
	for _, scope := range KeyScopes() {
		m.actions[scope] = map[string]string{}
	}
	for _, b := range m.bindings {
		for _, key := range b.Keys {
			m.actions[b.Scope][key] = b.Name
		}
	}
}

// conflicts returns the keys of b that also do something else where b works.
func (m *KeyMap) conflicts(b KeyBinding, choices []KeyOverride) []error {
	var problems []error
	for _, other := range m.bindings {
		if other.Name == b.Name || !bindingsOverlap(b, other) {
			continue
		}
		for _, key := range b.Keys {
			if !slices.Contains(other.Keys, key) {
				continue
			}
			at := ""
			for _, c := range choices {
				if name := currentName(c.Name); name == b.Name || name == other.Name {
					at = c.sourcePrefix()
				}
			}
			problems = append(problems, fmt.Errorf("%s%s has two actions: %s and %s; choose another key for one", at, KeyLabel(key), b.Name, other.Name))
		}
	}
	return problems
}

// bindingsOverlap reports whether a key of both would do two things. Each pair is reported once.
func bindingsOverlap(b, other KeyBinding) bool {
	switch other.Scope {
	case b.Scope:
		return b.Name < other.Name
	case ScopeAnywhere:
		return true
	case ScopeListScreen:
		// A key of all list screens takes precedence over a key of one.
		return b.Scope == ScopeSkills || b.Scope == ScopeModels || b.Scope == ScopeSessions || b.Scope == ScopePortfolio || b.Scope == ScopeFigures
	case ScopeReading:
		// Reading keys also work while a form or a question is open, but not on a list screen.
		return !b.Scope.OnListScreen() && b.Scope != ScopeAnywhere
	}
	return false
}

// Action returns the name of the binding that a pressed key triggers in a scope, or "".
func (m KeyMap) Action(scope KeyScope, k tea.KeyPressMsg) string {
	return m.actions[scope][k.String()]
}

func (m KeyMap) index(action string) int {
	return slices.IndexFunc(m.bindings, func(b KeyBinding) bool { return b.Name == action })
}

// IsZero reports whether m is the zero value.
func (m KeyMap) IsZero() bool { return len(m.bindings) == 0 }

// Find returns the binding of the named action. It also knows former names.
func (m KeyMap) Find(action string) (KeyBinding, bool) {
	at := m.index(action)
	if at < 0 {
		at = m.index(currentName(action))
	}
	if at < 0 {
		return KeyBinding{}, false
	}
	return m.bindings[at], true
}

// Keys returns the keys of the named action, or nil.
func (m KeyMap) Keys(action string) []string {
	b, _ := m.Find(action)
	return b.Keys
}

// Label returns the label of the first key of the named action, or "" if the user removed its keys.
func (m KeyMap) Label(name string) string {
	keys := m.Keys(name)
	if len(keys) == 0 {
		return ""
	}
	return KeyLabel(keys[0])
}

// Bindings returns the bindings of a scope, in the order of the table.
func (m KeyMap) Bindings(scope KeyScope) []KeyBinding {
	return slices.DeleteFunc(slices.Clone(m.bindings), func(b KeyBinding) bool { return b.Scope != scope })
}

// Labels returns the labels of the binding's keys: "PgUp, Ctrl+B".
func (b KeyBinding) Labels() string {
	labels := make([]string, len(b.Keys))
	for i, key := range b.Keys {
		labels[i] = KeyLabel(key)
	}
	return strings.Join(labels, ", ")
}

// ActionHint is an action with its text in a hint.
type ActionHint struct{ Action, Text string }

// Hints joins the hints of actions that have a key: "Esc back".
func (m KeyMap) Hints(style markdown.Style, gap string, hints ...ActionHint) string {
	var parts []string
	for _, h := range hints {
		if label := m.Label(h.Action); label != "" {
			parts = append(parts, style.Apply(label)+" "+h.Text)
		}
	}
	return strings.Join(parts, gap)
}

// FittingHints returns as many of the hints as fit into width, and always the last one, the way back.
func (m KeyMap) FittingHints(style markdown.Style, gap string, width int, hints []ActionHint, last ActionHint) string {
	for n := len(hints); ; n-- {
		line := m.Hints(style, gap, append(slices.Clone(hints[:n]), last)...)
		if n == 0 || ansi.StringWidth(line) <= width {
			return FitLine(line, width)
		}
	}
}

// namedKeys maps the keys without a character, as Bubble Tea names them, to their labels.
func namedKeys() map[string]string {
	return map[string]string{
		"enter": "Enter", "tab": "Tab", "esc": "Esc", "space": "Space", "backspace": "Backspace", "delete": "Delete", "insert": "Insert",
		"up": "Up", "down": "Down", "left": "Left", "right": "Right", "home": "Home", "end": "End", "pgup": "PgUp", "pgdown": "PgDn",
		"f1": "F1", "f2": "F2", "f3": "F3", "f4": "F4", "f5": "F5", "f6": "F6",
		"f7": "F7", "f8": "F8", "f9": "F9", "f10": "F10", "f11": "F11", "f12": "F12",
	}
}

// keyModifiers returns the modifiers in the order in which Bubble Tea writes them.
func keyModifiers() []string { return []string{"ctrl", "alt", "shift", "meta", "hyper", "super"} }

// ParseKey parses a key as people write it ("Ctrl+R", "PgUp", "?", "alt+enter") and returns its
// name in Bubble Tea. Its error has examples of keys.
func ParseKey(text string) (string, error) {
	wrong := func(why string) (string, error) {
		return "", fmt.Errorf("%q is not a key: %s; examples: ctrl+r, alt+enter, pgup, f5, ?", text, why)
	}
	rest := strings.TrimSpace(text)
	modified := map[string]bool{}
	for {
		// A plus sign can be the key itself: "+", "ctrl++".
		before, after, found := strings.Cut(rest, "+")
		if !found || before == "" || after == "" {
			break
		}
		name := strings.ToLower(before)
		if !slices.Contains(keyModifiers(), name) {
			return wrong(before + " is not a modifier")
		}
		modified[name], rest = true, after
	}
	key := baseKey(rest, len(modified) > 0)
	if key == "" {
		return wrong("the last part must be a character or a key name")
	}
	if modified["shift"] && len(modified) == 1 && utf8.RuneCountInString(key) == 1 {
		return wrong("write the shifted character instead")
	}
	var out strings.Builder
	for _, m := range keyModifiers() {
		if modified[m] {
			out.WriteString(m + "+")
		}
	}
	return out.String() + key, nil
}

// baseKey returns a key without modifiers, or "" if text is not one. held reports whether modifiers
// precede it.
func baseKey(text string, held bool) string {
	lower := strings.ToLower(text)
	if _, ok := namedKeys()[lower]; ok {
		return lower
	}
	for alias, name := range map[string]string{"pageup": "pgup", "pagedown": "pgdown", "pgdn": "pgdown", "escape": "esc", "return": "enter", "del": "delete", "ins": "insert"} {
		if lower == alias {
			return name
		}
	}
	r, size := utf8.DecodeRuneInString(text)
	if size != len(text) || size == 0 || r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.IsSpace(r) {
		return ""
	}
	if held {
		return lower
	}
	return text
}

// KeyLabel returns a key as people write it: "Ctrl+R", "PgDn", "e".
func KeyLabel(key string) string {
	out := ""
	for {
		before, after, found := strings.Cut(key, "+")
		if !found || before == "" || after == "" {
			break
		}
		out, key = out+strings.ToUpper(before[:1])+before[1:]+"+", after
	}
	if name, ok := namedKeys()[key]; ok {
		return out + name
	}
	// Keep a letter whose capital belongs to another letter, such as the dotless i.
	if upper := strings.ToUpper(key); out != "" && strings.ToLower(upper) == key {
		key = upper
	}
	return out + key
}
