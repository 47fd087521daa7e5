package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/llm/openai"
)

const (
	// listAge is how long the list of a server is valid.
	listAge = 24 * time.Hour
	// maxListFile limits the file of lists. The longest known list has 1.5 MB with descriptions, which
	// are not kept.
	maxListFile = 8 << 20
)

// serverLists keeps the model lists of providers for a day, in memory and in a file. It is safe for
// concurrent use. Errors of the file are ignored: the lists can be fetched again.
type serverLists struct {
	path string // of the file; "" for none
	now  func() time.Time

	mu    sync.Mutex
	read  bool
	saved savedLists
}

// savedLists is the content of the file.
type savedLists struct {
	Lists map[string]serverList `json:"lists"` // by the provider's name
	// Reported is the day on which the user was last told that a model will be retired.
	Reported map[string]string `json:"reported,omitempty"`
	// Rejected are the keys that a server rejected last, by the provider's name.
	Rejected map[string]rejectedKey `json:"rejected,omitempty"`
}

// rejectedKey identifies a key without containing it.
type rejectedKey struct {
	From string `json:"from"` // as Selector.KeyFrom describes it
	Hash string `json:"hash"` // of the key, so that another key of the same variable is a new one
}

type serverList struct {
	URL    string               `json:"url"`
	At     time.Time            `json:"at"`
	Models []openai.ListedModel `json:"models"`
}

// load reads the file, once.
func (l *serverLists) load() *savedLists {
	if !l.read {
		l.read = true
		if l.path == "" {
			return &l.saved
		}
		if text, _, err := atomicfile.Read(l.path, maxListFile); err == nil {
			_ = json.Unmarshal(text, &l.saved)
		}
	}
	return &l.saved
}

func (l *serverLists) save() {
	if l.path == "" {
		return
	}
	text, err := json.Marshal(l.saved)
	if err == nil && len(text) <= maxListFile && os.MkdirAll(filepath.Dir(l.path), 0o700) == nil {
		_ = atomicfile.Replace(l.path, text, 0o600)
	}
}

func (l *serverLists) keep(p Provider, models []openai.ListedModel) {
	l.mu.Lock()
	defer l.mu.Unlock()
	saved := l.load()
	if saved.Lists == nil {
		saved.Lists = map[string]serverList{}
	}
	saved.Lists[p.Name] = serverList{URL: p.BaseURL, At: l.now(), Models: models}
	l.save()
}

// apply returns a provider with the list of its server, if one was fetched within a day.
func (l *serverLists) apply(p Provider) Provider {
	l.mu.Lock()
	defer l.mu.Unlock()
	list, ok := l.load().Lists[p.Name]
	if age := l.now().Sub(list.At); !ok || list.URL != p.BaseURL || age < 0 || age > listAge {
		return p
	}
	return p.withList(list.Models)
}

// report records that the user was told today that a model will be retired. It returns false if it was recorded before.
func (l *serverLists) report(model string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	saved, today := l.load(), l.now().Format(time.DateOnly)
	if saved.Reported[model] == today {
		return false
	}
	saved.Reported = map[string]string{model: today}
	l.save()
	return true
}

// noteKey remembers whether the server of an endpoint rejected its key.
func (l *serverLists) noteKey(e Endpoint, rejected bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	saved := l.load()
	key := rejectedKey{From: e.KeyFrom, Hash: hashKey(e.key)}
	if known, found := saved.Rejected[e.Provider.Name]; e.KeyFrom == "" || rejected && known == key || !rejected && !found {
		return
	}
	if delete(saved.Rejected, e.Provider.Name); rejected {
		if saved.Rejected == nil {
			saved.Rejected = map[string]rejectedKey{}
		}
		saved.Rejected[e.Provider.Name] = key
	}
	l.save()
}

// forgetRejected forgets the key of a provider, because it has another one.
func (l *serverLists) forgetRejected(provider string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if saved := l.load(); saved.Rejected[provider].From != "" {
		delete(saved.Rejected, provider)
		l.save()
	}
}

// rejected returns the key of a provider that was rejected last, or a zero value.
func (l *serverLists) rejected(provider string) rejectedKey {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.load().Rejected[provider]
}

func hashKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:8])
}

// withList returns a provider with the list of its server. The list takes precedence over the catalog, and
// the user's settings over both. A list may omit models that the server accepts, so none is dropped, except
// those of a local server.
func (p Provider) withList(list []openai.ListedModel) Provider {
	models := slices.Clone(p.Models)
	at := map[string]int{}
	for i, m := range models {
		at[m.Name], models[i].NotListed = i, true
	}
	for _, listed := range list {
		i, known := at[listed.Model]
		if !known {
			i = len(models)
			models = append(models, Model{Name: listed.Model, Ends: p.Retired[listed.Model].Ends})
		}
		m := &models[i]
		m.NotListed = false
		if plausibleWindow(listed.Window) {
			m.Window, m.WindowOrigin = listed.Window, windowFromList
		}
		if listed.Input.Valid {
			m.Price = &Price{Input: listed.Input.Decimal, Cached: listed.Cached, Output: listed.Output.Decimal}
		}
		if listed.Ends != "" {
			m.Ends = listed.Ends
		}
	}
	if p.Local {
		models = slices.DeleteFunc(models, func(m Model) bool { return m.NotListed })
	}
	p.Models = models
	return p.withSettings()
}
