package mcpclient

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/aymanbagabas/go-udiff"
	"github.com/gofrs/flock"

	"github.com/nfa-cli/nfa/internal/atomicfile"
)

// maxStateFile is enough for the tools of some hundred servers.
const maxStateFile = 16 << 20

// stateFile keeps what the user accepted. It is read each time, because another nfa may change it.
type stateFile struct {
	path string
	mu   sync.Mutex
}

// state is the content of the file.
type state struct {
	// Trusted has the digest of each trusted project's servers.
	Trusted map[string]string `json:"trusted,omitempty"`
	// Servers has the tools of each server, by connection.id.
	Servers map[string]knownServer `json:"servers,omitempty"`
	// Requested are servers that an editor requested and the user has not trusted yet, by project, without
	// the values of their variables.
	Requested map[string]request `json:"requested,omitempty"`
}

type request struct {
	Digest  string
	Servers []Server
}

// knownServer records the tools that a server offered.
type knownServer struct {
	Name string `json:"name"`
	// Tools are as the user accepted them, with tools that the server no longer offers: a tool that
	// comes back must be the same.
	Tools   []toolSpec `json:"tools"`
	Gone    []string   `json:"gone,omitempty"`
	Changed []toolSpec `json:"changed,omitempty"` // as the server offers them now
}

// toolSpec is a tool as its server describes it, sanitized.
type toolSpec struct {
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	Input       json.RawMessage `json:"input"`
	Output      json.RawMessage `json:"output,omitempty"`
}

func indexOf(specs []toolSpec, name string) int {
	return slices.IndexFunc(specs, func(t toolSpec) bool { return t.Name == name })
}

func (k knownServer) find(name string) (toolSpec, bool) {
	i := indexOf(k.Tools, name)
	if i < 0 {
		return toolSpec{}, false
	}
	return k.Tools[i], true
}

// usable returns the tools that the server offers as the user accepted them.
func (k knownServer) usable() []toolSpec {
	return slices.DeleteFunc(slices.Clone(k.Tools), func(t toolSpec) bool {
		return slices.Contains(k.Gone, t.Name) || indexOf(k.Changed, t.Name) >= 0
	})
}

func (k knownServer) changed() []string {
	var names []string
	for _, t := range k.Changed {
		names = append(names, t.Name)
	}
	return names
}

// accept stores the current version of a tool as accepted.
func (k *knownServer) accept(spec toolSpec) {
	if i := indexOf(k.Tools, spec.Name); i >= 0 {
		k.Tools[i] = spec
		return
	}
	k.Tools = append(k.Tools, spec)
}

// updated compares the tools that the server offers now with the accepted ones. A new tool is accepted,
// because each call of it asks the user.
func (k knownServer) updated(offered []toolSpec) knownServer {
	k.Tools, k.Gone, k.Changed = slices.Clone(k.Tools), nil, nil
	for _, t := range k.Tools {
		if indexOf(offered, t.Name) < 0 {
			k.Gone = append(k.Gone, t.Name)
		}
	}
	for _, o := range offered {
		before, known := k.find(o.Name)
		switch {
		case !known:
			k.accept(o)
		case digest(before) != digest(o):
			k.Changed = append(k.Changed, o)
		}
	}
	return k
}

// diff returns the changes of the changed tools.
func (k knownServer) diff() string {
	var out strings.Builder
	for _, now := range k.Changed {
		before, _ := k.find(now.Name)
		out.WriteString(udiff.Unified(now.Name+" (accepted)", now.Name+" (now)", indented(before), indented(now)))
	}
	return out.String()
}

func indented(spec toolSpec) string {
	text, _ := json.MarshalIndent(spec, "", "  ") // was JSON before
	return string(text) + "\n"
}

// digest identifies a value by its JSON.
func digest(value any) string {
	text, _ := json.Marshal(value) // texts only
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// set sets an entry of a map that may be nil.
func set[V any](m *map[string]V, key string, value V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[key] = value
}

// read returns the state. If the file is missing or damaged, the state is empty: nfa lists all tools again,
// and the user must trust each project again.
func (f *stateFile) read() state {
	var s state
	if text, _, err := atomicfile.Read(f.path, maxStateFile); err == nil && json.Unmarshal(text, &s) != nil {
		return state{}
	}
	return s
}

// change changes the file under a lock.
func (f *stateFile) change(apply func(*state)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return fmt.Errorf("save the tools of MCP servers: %w", err)
	}
	lock := flock.New(f.path+".lock", flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("lock %s: %w", f.path, err)
	}
	defer func() { _ = lock.Unlock() }()
	s := f.read()
	apply(&s)
	text, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	return atomicfile.Replace(f.path, append(text, '\n'), 0o600)
}
