package widget

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/usage"
)

// KeyScope is where on the screen a key means what it does.
type KeyScope string

// Scopes, in the order in which the help lists them. A key of Anywhere keeps its
// meaning whatever is open.
const (
	ScopeAnywhere   KeyScope = "Anywhere"
	ScopeWriting    KeyScope = "Writing"
	ScopeReading    KeyScope = "Reading"
	ScopeSelection  KeyScope = "With a message or a card chosen"
	ScopeSearch     KeyScope = "While searching"
	ScopeCompletion KeyScope = "In a list over the line"
	ScopeApproval   KeyScope = "When a tool asks for approval"
	ScopeForm       KeyScope = "In a form"
	ScopeListScreen KeyScope = "On a screen with a list"
	ScopeSkills     KeyScope = "On the screen of skills"
	ScopeModels     KeyScope = "On the screen of models"
	ScopeSessions   KeyScope = "On the screen of sessions"
	ScopeConfirm    KeyScope = "When a screen asks whether it is meant"
)

// KeyScopes are all of them.
func KeyScopes() []KeyScope {
	return []KeyScope{ScopeAnywhere, ScopeWriting, ScopeReading, ScopeSelection, ScopeSearch, ScopeCompletion, ScopeApproval, ScopeForm, ScopeListScreen, ScopeSkills, ScopeModels, ScopeSessions, ScopeConfirm}
}

// OnListScreen reports whether keys of the scope work on a screen with a list, in the
// place of the transcript.
func (s KeyScope) OnListScreen() bool {
	return slices.Contains([]KeyScope{ScopeListScreen, ScopeSkills, ScopeModels, ScopeSessions, ScopeConfirm}, s)
}

// KeyBinding is something that keys do.
type KeyBinding struct {
	Name        string // as settings have it: "page-up"
	Scope       KeyScope
	Keys        []string // as Bubble Tea names them; components know the first
	About       string   // for the help, after the keys
	fixed       bool     // may not be given other keys: the way out
	defaultKeys []string // the keys of the table, whatever the user chose
}

// KeyMap is the keys in use. The zero value is not usable: make one with New.
type KeyMap struct {
	bindings      []KeyBinding
	componentKeys map[KeyScope]map[string]string // pressed to known
}

// DefaultKeyMap is the map that nobody has changed.
func DefaultKeyMap() KeyMap {
	m, err := NewKeyMap(nil)
	if err != nil {
		panic(err) // the table contradicts itself, which a test would have said
	}
	return m
}

// KeyOverride is what a user says of a binding: the keys that it has from now on, none
// for a binding that is not wanted. Where says where it was said.
type KeyOverride struct {
	Name, Source string
	Keys         []string
}

// NewKeyMap makes the map of the table and what the user chose. All problems come in one
// error: a name that is not in the table, a text that is no key, a key that does
// two things in one place, a way out that is taken away.
func NewKeyMap(choices []KeyOverride) (KeyMap, error) {
	m := KeyMap{bindings: defaultBindings()}
	for i := range m.bindings {
		m.bindings[i].defaultKeys = m.bindings[i].Keys
	}
	var problems []error
	for _, c := range choices {
		if err := m.applyOverride(c); err != nil {
			problems = append(problems, fmt.Errorf("%s%w", sourcePrefix(c), err))
		}
	}
	m.indexKeys()
	for _, b := range m.bindings {
		problems = append(problems, m.conflicts(b, choices)...)
	}
	return m, errors.Join(problems...)
}

func sourcePrefix(c KeyOverride) string {
	if c.Source == "" {
		return ""
	}
	return c.Source + ": "
}

func (m *KeyMap) applyOverride(c KeyOverride) error {
	at := slices.IndexFunc(m.bindings, func(b KeyBinding) bool { return b.Name == c.Name })
	if at < 0 {
		return fmt.Errorf("keys.%s: there is no such action; %s", c.Name, m.suggest(c.Name))
	}
	b := &m.bindings[at]
	if b.fixed {
		return fmt.Errorf("keys.%s stays %s: it is the way out", c.Name, KeyLabel(b.Keys[0]))
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
	return cmp.Or(usage.DidYouMean(name, names), "nfa config keys lists them")
}

// indexKeys maps what is pressed to what components know. A key that the user took
// away maps to nothing.
func (m *KeyMap) indexKeys() {
	m.componentKeys = map[KeyScope]map[string]string{}
	for _, scope := range KeyScopes() {
		m.componentKeys[scope] = map[string]string{}
	}
	for _, b := range m.bindings {
		for _, key := range b.defaultKeys {
			m.componentKeys[b.Scope][key] = ""
		}
	}
	for _, b := range m.bindings {
		for _, key := range b.Keys {
			m.componentKeys[b.Scope][key] = b.defaultKeys[0]
			if slices.Contains(b.defaultKeys, key) {
				m.componentKeys[b.Scope][key] = key
			}
		}
	}
}

// conflicts are the keys of b that also do something else where b holds.
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
				if c.Name == b.Name || c.Name == other.Name {
					at = sourcePrefix(c)
				}
			}
			problems = append(problems, fmt.Errorf("%s%s does two things: %s and %s; give one of them another key", at, KeyLabel(key), b.Name, other.Name))
		}
	}
	return problems
}

// bindingsOverlap reports whether a key of both would do two things: pairs are told once.
func bindingsOverlap(b, other KeyBinding) bool {
	switch other.Scope {
	case b.Scope:
		return b.Name < other.Name
	case ScopeAnywhere:
		return true
	case ScopeListScreen:
		// What all of them do goes before what one does.
		return b.Scope == ScopeSkills || b.Scope == ScopeModels || b.Scope == ScopeSessions
	case ScopeReading:
		// One can read on whatever stands below, but a screen of its own.
		return !b.Scope.OnListScreen() && b.Scope != ScopeAnywhere
	}
	return false
}

// ComponentKey gives the name under which a component of the scope knows the pressed key:
// the key itself where nobody spoke of it, "" where the user took it away.
func (m KeyMap) ComponentKey(scope KeyScope, pressed string) string {
	if known, ok := m.componentKeys[scope][pressed]; ok {
		return known
	}
	return pressed
}

// IsZero reports whether the map is none at all.
func (m KeyMap) IsZero() bool { return len(m.bindings) == 0 }

// Keys are the keys of the named binding, or nil.
func (m KeyMap) Keys(name string) []string {
	for _, b := range m.bindings {
		if b.Name == name {
			return b.Keys
		}
	}
	return nil
}

// Label is the first key of the named binding as people write it, or "" where the
// user left it none.
func (m KeyMap) Label(name string) string {
	keys := m.Keys(name)
	if len(keys) == 0 {
		return ""
	}
	return KeyLabel(keys[0])
}

// Find gives the binding of a scope whose components know it by the key known.
func (m KeyMap) Find(scope KeyScope, known string) (KeyBinding, bool) {
	for _, b := range m.bindings {
		if b.Scope == scope && b.defaultKeys[0] == known {
			return b, true
		}
	}
	return KeyBinding{}, false
}

// Bindings are all of a scope, in the order of the table.
func (m KeyMap) Bindings(scope KeyScope) []KeyBinding {
	return slices.DeleteFunc(slices.Clone(m.bindings), func(b KeyBinding) bool { return b.Scope != scope })
}

// Labels are the binding's keys as people write them: "PgUp, Ctrl+B".
func (b KeyBinding) Labels() string {
	labels := make([]string, len(b.Keys))
	for i, key := range b.Keys {
		labels[i] = KeyLabel(key)
	}
	return strings.Join(labels, ", ")
}
