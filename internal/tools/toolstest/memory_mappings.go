package toolstest

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
)

// Mappings keep documents in memory; the zero value is empty. They may be used by
// several goroutines.
type Mappings struct {
	mu   sync.Mutex
	docs map[string]json.RawMessage
}

// Mapping reports false where none has the name.
func (m *Mappings) Mapping(_ context.Context, name string) (json.RawMessage, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	doc, ok := m.docs[name]
	return doc, ok, nil
}

// SaveMapping keeps a document in the place of an older one.
func (m *Mappings) SaveMapping(_ context.Context, name string, doc json.RawMessage) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.docs == nil {
		m.docs = map[string]json.RawMessage{}
	}
	m.docs[name] = doc
	return nil
}

// Mappings are the names, sorted.
func (m *Mappings) Mappings(context.Context) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(maps.Keys(m.docs)), nil
}
