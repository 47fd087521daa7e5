package openai

import (
	"crypto/rand"
	"encoding/json"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
)

// maxCalls limits the calls of one answer; more mean that the model is out of control.
const maxCalls = 128

// callBuilder assembles tool calls from fragments. Servers identify the call of a fragment by
// index, by ID, or only by position, and some send an index that is always zero.
type callBuilder struct {
	partials []*partialCall
	byIndex  map[int]*partialCall
	byID     map[string]*partialCall
	byPlace  map[int]*partialCall
	last     *partialCall
}

type partialCall struct {
	id, name string
	args     []byte
	extra    map[string]json.RawMessage
}

// add adds the fragments of one event.
func (c *callBuilder) add(fragments []wireCall) {
	for place, f := range fragments {
		s := c.find(f, place, len(fragments))
		if s == nil {
			return
		}
		s.merge(f)
		c.last = s
	}
}

func (c *callBuilder) find(f wireCall, place, of int) *partialCall {
	switch {
	case f.Index != nil:
		s := c.byIndex[*f.Index]
		if s == nil || s.startsNewCall(f) {
			s = c.open(f.ID)
			set(&c.byIndex, *f.Index, s)
		}
		return s
	case f.ID != "":
		if s := c.byID[f.ID]; s != nil {
			return s
		}
		s := c.open(f.ID)
		set(&c.byPlace, place, s)
		return s
	default:
		return c.findByPlace(f, place, of)
	}
}

// findByPlace treats a single fragment without a name as a continuation of the last call.
func (c *callBuilder) findByPlace(f wireCall, place, of int) *partialCall {
	if f.Function.Name == "" && of == 1 && c.last != nil {
		return c.last
	}
	s := c.byPlace[place]
	if s == nil || f.Function.Name != "" && (s.name != f.Function.Name || json.Valid(s.args)) {
		s = c.open("")
		set(&c.byPlace, place, s)
	}
	return s
}

func (c *callBuilder) open(id string) *partialCall {
	if len(c.partials) == maxCalls {
		return nil
	}
	s := &partialCall{id: id}
	c.partials = append(c.partials, s)
	if id != "" {
		set(&c.byID, id, s)
	}
	return s
}

func set[K comparable](m *map[K]*partialCall, key K, s *partialCall) {
	if *m == nil {
		*m = map[K]*partialCall{}
	}
	(*m)[key] = s
}

// startsNewCall reports whether f starts another call although it has the index of s: f has its own
// ID and name, and the arguments of s are complete. This distinguishes a server that invents an ID
// for each fragment from one that gives every call the index zero.
func (s *partialCall) startsNewCall(f wireCall) bool {
	if f.ID == "" || s.id == "" || f.ID == s.id || f.Function.Name == "" {
		return false
	}
	return len(s.args) == 0 || json.Valid(s.args)
}

func (s *partialCall) merge(f wireCall) {
	if s.id == "" {
		s.id = f.ID
	}
	s.mergeName(f.Function.Name)
	s.mergeArguments(f.Function.Arguments)
	s.extra = f.addTo(s.extra)
}

// mergeName joins a name that arrives in pieces. A name that is repeated, whole or growing, is used once.
func (s *partialCall) mergeName(name string) {
	switch {
	case strings.HasPrefix(name, s.name):
		s.name = name
	case len(s.args) == 0 && !strings.HasPrefix(s.name, name):
		s.name += name
	}
}

func (s *partialCall) mergeArguments(a arguments) {
	switch {
	case a.text == "":
	case a.whole:
		s.args = append(s.args[:0], a.text...)
	case string(s.args) == a.text && json.Valid(s.args):
		// Some servers repeat the whole call when it is done.
	default:
		s.args = append(s.args, a.text...)
	}
}

// size returns the number of bytes in the calls.
func (c *callBuilder) size() int {
	n := 0
	for _, s := range c.partials {
		n += len(s.id) + len(s.name) + len(s.args)
		for _, value := range s.extra {
			n += len(value)
		}
	}
	return n
}

// finished returns the calls, each with a unique ID. If the answer was cut off by its length, incomplete
// calls are dropped, because their arguments could mean something else.
func (c *callBuilder) finished(cut bool) []llm.ToolCall {
	var out []llm.ToolCall
	seen := map[string]bool{}
	for _, s := range c.partials {
		if s.name == "" && len(s.args) == 0 || cut && !json.Valid(s.args) {
			continue
		}
		if s.id == "" || seen[s.id] {
			s.id = "call_" + rand.Text()[:16]
		}
		seen[s.id] = true
		out = append(out, llm.ToolCall{ID: s.id, Name: s.name, Arguments: string(s.args), Extra: s.extra})
	}
	return out
}
