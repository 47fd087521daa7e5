// Package keymap is the keys of the chat: what they do, which they are unless the
// user says otherwise, and how people write them.
//
// Components know their keys by the names that stand in this table. A Map stands
// before them and says the key that the table names where the user pressed the one
// they chose for it, so that no component knows of settings.
package keymap

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/spelling"
)

// Scope is where on the screen a key means what it does.
type Scope string

// Scopes, in the order in which the help lists them. A key of Anywhere keeps its
// meaning whatever is open.
const (
	Anywhere Scope = "Anywhere"
	Writing  Scope = "Writing"
	Reading  Scope = "Reading"
	Chosen   Scope = "With a message or a card chosen"
	Finding  Scope = "While searching"
	Listed   Scope = "In a list over the line"
	Asked    Scope = "When a tool asks for approval"
	Form     Scope = "In a form"
	Shelf    Scope = "On a screen with a list"
	Skills   Scope = "On the screen of skills"
	Models   Scope = "On the screen of models"
	Sessions Scope = "On the screen of sessions"
	Meant    Scope = "When a screen asks whether it is meant"
)

// Scopes are all of them.
func Scopes() []Scope {
	return []Scope{Anywhere, Writing, Reading, Chosen, Finding, Listed, Asked, Form, Shelf, Skills, Models, Sessions, Meant}
}

// OfShelf reports whether keys of the scope work on a screen with a list, in the
// place of the transcript.
func (s Scope) OfShelf() bool {
	return slices.Contains([]Scope{Shelf, Skills, Models, Sessions, Meant}, s)
}

// Binding is something that keys do.
type Binding struct {
	Name  string // as settings have it: "page-up"
	Scope Scope
	Keys  []string // as Bubble Tea names them; components know the first
	About string   // for the help, after the keys
	fixed bool     // may not be given other keys: the way out
	known []string // the keys of the table, whatever the user chose
}

// Map is the keys in use. The zero value is not usable: make one with New.
type Map struct {
	bindings []Binding
	names    map[Scope]map[string]string // pressed to known
}

// Default is the map that nobody has changed.
func Default() Map {
	m, err := New(nil)
	if err != nil {
		panic(err) // the table contradicts itself, which a test would have said
	}
	return m
}

// Choice is what a user says of a binding: the keys that it has from now on, none
// for a binding that is not wanted. Where says where it was said.
type Choice struct {
	Name, Where string
	Keys        []string
}

// New makes the map of the table and what the user chose. All problems come in one
// error: a name that is not in the table, a text that is no key, a key that does
// two things in one place, a way out that is taken away.
func New(choices []Choice) (Map, error) {
	m := Map{bindings: table()}
	for i := range m.bindings {
		m.bindings[i].known = m.bindings[i].Keys
	}
	var problems []error
	for _, c := range choices {
		if err := m.choose(c); err != nil {
			problems = append(problems, fmt.Errorf("%s%w", where(c), err))
		}
	}
	m.index()
	for _, b := range m.bindings {
		problems = append(problems, m.clashes(b, choices)...)
	}
	return m, errors.Join(problems...)
}

func where(c Choice) string {
	if c.Where == "" {
		return ""
	}
	return c.Where + ": "
}

func (m *Map) choose(c Choice) error {
	at := slices.IndexFunc(m.bindings, func(b Binding) bool { return b.Name == c.Name })
	if at < 0 {
		return fmt.Errorf("keys.%s: there is no such action; %s", c.Name, m.suggest(c.Name))
	}
	b := &m.bindings[at]
	if b.fixed {
		return fmt.Errorf("keys.%s stays %s: it is the way out", c.Name, Label(b.Keys[0]))
	}
	var keys []string
	for _, text := range c.Keys {
		key, err := Parse(text)
		if err != nil {
			return fmt.Errorf("keys.%s: %w", c.Name, err)
		}
		keys = append(keys, key)
	}
	b.Keys = keys
	return nil
}

func (m *Map) suggest(name string) string {
	names := make([]string, len(m.bindings))
	for i, b := range m.bindings {
		names[i] = b.Name
	}
	return cmp.Or(spelling.Hint(name, names), "nfa config keys lists them")
}

// index maps what is pressed to what components know. A key that the user took
// away maps to nothing.
func (m *Map) index() {
	m.names = map[Scope]map[string]string{}
	for _, scope := range Scopes() {
		m.names[scope] = map[string]string{}
	}
	for _, b := range m.bindings {
		for _, key := range b.known {
			m.names[b.Scope][key] = ""
		}
	}
	for _, b := range m.bindings {
		for _, key := range b.Keys {
			m.names[b.Scope][key] = b.known[0]
			if slices.Contains(b.known, key) {
				m.names[b.Scope][key] = key
			}
		}
	}
}

// clashes are the keys of b that also do something else where b holds.
func (m *Map) clashes(b Binding, choices []Choice) []error {
	var problems []error
	for _, other := range m.bindings {
		if other.Name == b.Name || !meet(b, other) {
			continue
		}
		for _, key := range b.Keys {
			if !slices.Contains(other.Keys, key) {
				continue
			}
			at := ""
			for _, c := range choices {
				if c.Name == b.Name || c.Name == other.Name {
					at = where(c)
				}
			}
			problems = append(problems, fmt.Errorf("%s%s does two things: %s and %s; give one of them another key", at, Label(key), b.Name, other.Name))
		}
	}
	return problems
}

// meet reports whether a key of both would do two things: pairs are told once.
func meet(b, other Binding) bool {
	switch other.Scope {
	case b.Scope:
		return b.Name < other.Name
	case Anywhere:
		return true
	case Shelf:
		// What all of them do goes before what one does.
		return b.Scope == Skills || b.Scope == Models || b.Scope == Sessions
	case Reading:
		// One can read on whatever stands below, but a screen of its own.
		return !b.Scope.OfShelf() && b.Scope != Anywhere
	}
	return false
}

// Known gives the name under which a component of the scope knows the pressed key:
// the key itself where nobody spoke of it, "" where the user took it away.
func (m Map) Known(scope Scope, pressed string) string {
	if known, ok := m.names[scope][pressed]; ok {
		return known
	}
	return pressed
}

// Empty reports whether the map is none at all.
func (m Map) Empty() bool { return len(m.bindings) == 0 }

// Keys are the keys of the named binding, or nil.
func (m Map) Keys(name string) []string {
	for _, b := range m.bindings {
		if b.Name == name {
			return b.Keys
		}
	}
	return nil
}

// Label is the first key of the named binding as people write it, or "" where the
// user left it none.
func (m Map) Label(name string) string {
	keys := m.Keys(name)
	if len(keys) == 0 {
		return ""
	}
	return Label(keys[0])
}

// Find gives the binding of a scope whose components know it by the key known.
func (m Map) Find(scope Scope, known string) (Binding, bool) {
	for _, b := range m.bindings {
		if b.Scope == scope && b.known[0] == known {
			return b, true
		}
	}
	return Binding{}, false
}

// Bindings are all of a scope, in the order of the table.
func (m Map) Bindings(scope Scope) []Binding {
	return slices.DeleteFunc(slices.Clone(m.bindings), func(b Binding) bool { return b.Scope != scope })
}

// Labels are the binding's keys as people write them: "PgUp, Ctrl+B".
func (b Binding) Labels() string {
	labels := make([]string, len(b.Keys))
	for i, key := range b.Keys {
		labels[i] = Label(key)
	}
	return strings.Join(labels, ", ")
}
