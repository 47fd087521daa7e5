package catalog

import (
	"slices"
	"sync"
)

// fetchedLists are what providers said they serve when they were asked last, for
// as long as the program runs. The zero value is ready; it is safe for concurrent
// use.
type fetchedLists struct {
	mu     sync.Mutex
	models map[string][]Model // by the provider's name
}

func (f *fetchedLists) keep(p Provider) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.models == nil {
		f.models = map[string][]Model{}
	}
	f.models[p.Name] = p.Models
}

// merge are the models of a provider that the catalogue knows, then those that
// only its list has. Of one in both the list says what is true now. Lists leave out
// names that a server takes all the same, so nothing is dropped.
func (f *fetchedLists) merge(p Provider) []Model {
	f.mu.Lock()
	defer f.mu.Unlock()
	joined := slices.Clone(p.Models)
	at := map[string]int{}
	for i, m := range joined {
		at[m.Name] = i
	}
	for _, m := range f.models[p.Name] {
		if i, known := at[m.Name]; known {
			joined[i] = m
			continue
		}
		at[m.Name] = len(joined)
		joined = append(joined, m)
	}
	return joined
}
