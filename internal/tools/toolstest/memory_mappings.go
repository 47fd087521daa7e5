package toolstest

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
)

// MappingStore keeps import mappings in memory. The zero value is empty. It is safe for
// concurrent use.
type MappingStore struct {
	mu   sync.Mutex
	docs map[string]json.RawMessage
}

// Mapping returns the mapping with the name, and false if there is none.
func (m *MappingStore) Mapping(_ context.Context, name string) (json.RawMessage, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	doc, ok := m.docs[name]
	return doc, ok, nil
}

// SaveMapping adds or replaces a mapping.
func (m *MappingStore) SaveMapping(_ context.Context, name string, doc json.RawMessage) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.docs == nil {
		m.docs = map[string]json.RawMessage{}
	}
	m.docs[name] = doc
	return nil
}

// Mappings returns the names, sorted.
func (m *MappingStore) Mappings(context.Context) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(maps.Keys(m.docs)), nil
}
