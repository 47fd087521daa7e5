package catalog

import (
	"slices"
	"sync"
)

// fetchedLists caches the model lists of providers while the program runs. The zero value is ready
// to use; it is safe for concurrent use.
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

// merge returns the models of a provider in the catalog, then those only in its fetched list. The
// list has the current data of a model. It may omit models that the server accepts, so none is
// dropped.
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
