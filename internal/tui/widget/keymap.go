package widget

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/usage"
)

// KeyScope is the part of the screen in which a key works.
type KeyScope string

// Scopes, in the order in which the help lists them. A key of ScopeAnywhere works whatever is
// open.
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

// KeyScopes returns all scopes.
func KeyScopes() []KeyScope {
	return []KeyScope{ScopeAnywhere, ScopeWriting, ScopeReading, ScopeSelection, ScopeSearch, ScopeCompletion, ScopeApproval, ScopeForm, ScopeListScreen, ScopeSkills, ScopeModels, ScopeSessions, ScopeConfirm}
}

// OnListScreen reports whether keys of the scope work on a list screen, which replaces the
// transcript.
func (s KeyScope) OnListScreen() bool {
	return slices.Contains([]KeyScope{ScopeListScreen, ScopeSkills, ScopeModels, ScopeSessions, ScopeConfirm}, s)
}

// KeyBinding is a function of the chat with its keys.
type KeyBinding struct {
	Name        string // as settings have it: "page-up"
	Scope       KeyScope
	Keys        []string // as Bubble Tea names them; components know the first
	About       string   // for the help, after the keys
	fixed       bool     // the user cannot change its keys, because it is the way out
	defaultKeys []string // the keys of the default table, whatever the user chose
}

// KeyMap holds the keys in use. The zero value is not usable: create one with NewKeyMap.
type KeyMap struct {
	bindings      []KeyBinding
	componentKeys map[KeyScope]map[string]string // from pressed keys to the names that components know
}

// DefaultKeyMap returns the map without changes of the user.
func DefaultKeyMap() KeyMap {
	m, err := NewKeyMap(nil)
	if err != nil {
		panic(err) // the default table contradicts itself; a test checks that it does not
	}
	return m
}

// KeyOverride changes a binding: Keys are its new keys, none disables it. Where is the setting
// that it comes from.
type KeyOverride struct {
	Name, Source string
	Keys         []string
}

// NewKeyMap returns the default bindings with the overrides. It returns all problems in one error:
// a name that is not in the table, a text that is no key, a key with two functions in one place, a
// way out without a key.
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

// indexKeys maps pressed keys to the names that components know. A key that the user removed maps
// to "".
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
				if c.Name == b.Name || c.Name == other.Name {
					at = sourcePrefix(c)
				}
			}
			problems = append(problems, fmt.Errorf("%s%s does two things: %s and %s; give one of them another key", at, KeyLabel(key), b.Name, other.Name))
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
		return b.Scope == ScopeSkills || b.Scope == ScopeModels || b.Scope == ScopeSessions
	case ScopeReading:
		// Reading keys work whatever is below the transcript, but not on a list screen.
		return !b.Scope.OnListScreen() && b.Scope != ScopeAnywhere
	}
	return false
}

// ComponentKey returns the name by which a component of the scope knows the pressed key: the key
// itself if it is not in the table, "" if the user removed it.
func (m KeyMap) ComponentKey(scope KeyScope, pressed string) string {
	if known, ok := m.componentKeys[scope][pressed]; ok {
		return known
	}
	return pressed
}

// IsZero reports whether m is the zero value.
func (m KeyMap) IsZero() bool { return len(m.bindings) == 0 }

// Keys returns the keys of the named binding, or nil.
func (m KeyMap) Keys(name string) []string {
	for _, b := range m.bindings {
		if b.Name == name {
			return b.Keys
		}
	}
	return nil
}

// Label returns the label of the first key of the named binding, or "" if the user removed its
// keys.
func (m KeyMap) Label(name string) string {
	keys := m.Keys(name)
	if len(keys) == 0 {
		return ""
	}
	return KeyLabel(keys[0])
}

// Find returns the binding of a scope that components know by the key known.
func (m KeyMap) Find(scope KeyScope, known string) (KeyBinding, bool) {
	for _, b := range m.bindings {
		if b.Scope == scope && b.defaultKeys[0] == known {
			return b, true
		}
	}
	return KeyBinding{}, false
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
