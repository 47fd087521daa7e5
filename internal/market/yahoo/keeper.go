package yahoo

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// pass is what lets a program at the services that need a crumb.
type pass struct {
	Crumb    string    `json:"crumb,omitempty"`
	Cookies  []cookie  `json:"cookies,omitempty"`
	Obtained time.Time `json:"obtained,omitzero"`
}

type cookie struct {
	Name    string    `json:"name"`
	Value   string    `json:"value"`
	Expires time.Time `json:"expires,omitzero"`
}

// passLife is how long Yahoo's own cookies live.
const passLife = 365 * 24 * time.Hour

func (p pass) valid(now time.Time) bool {
	return p.Crumb != "" && p.header(now) != "" && !p.Obtained.After(now) && now.Sub(p.Obtained) < passLife
}

// header is the cookies as they are sent, without those that have run out.
func (p pass) header(now time.Time) string {
	var sent []string
	for _, c := range p.Cookies {
		if c.Expires.IsZero() || now.Before(c.Expires) {
			sent = append(sent, c.Name+"="+c.Value)
		}
	}
	return strings.Join(sent, "; ")
}

// Bounds of what a server may leave here.
const (
	mostCookies   = 20
	longestCookie = 4096
	longestKept   = 256 << 10
)

// add takes what a response of Yahoo's sets for all of its hosts, and what it sets
// for its own one alone where own is true. A later value replaces an earlier one.
func (p *pass) add(header http.Header, now time.Time, own bool) {
	response := http.Response{Header: header}
	for _, set := range response.Cookies() {
		domain := strings.TrimPrefix(set.Domain, ".")
		if domain != domainYahoo && !own || len(set.Name)+len(set.Value) > longestCookie || strings.ContainsAny(set.Value, "\r\n;") {
			continue
		}
		one := cookie{Name: set.Name, Value: set.Value, Expires: set.Expires}
		if set.MaxAge != 0 {
			one.Expires = now.Add(time.Duration(set.MaxAge) * time.Second)
		}
		p.put(one)
	}
}

func (p *pass) put(one cookie) {
	for i, have := range p.Cookies {
		if have.Name == one.Name {
			p.Cookies[i] = one
			return
		}
	}
	if len(p.Cookies) < mostCookies {
		p.Cookies = append(p.Cookies, one)
	}
}

// keeper remembers the pass, and which name Yahoo took last, here and on the disk.
// What cannot be written is remembered here alone: it can be got again.
type keeper struct {
	file string // nowhere where empty
	busy chan struct{}

	mu     sync.Mutex
	loaded bool
	kept   record
	reason error // why no pass is asked for; nil where that was in another run
}

// record is the file.
type record struct {
	Agent int  `json:"agent"`
	Pass  pass `json:"pass"`
	// Refused is until when Yahoo is not asked for another pass.
	Refused time.Time `json:"refused,omitzero"`
}

func newKeeper(dir string) *keeper {
	k := &keeper{busy: make(chan struct{}, 1)}
	if dir != "" {
		k.file = filepath.Join(dir, "yahoo-session.json")
	}
	return k
}

// load reads the file once. One that is damaged, foreign or another kind of thing
// than a file counts as none.
func (k *keeper) load() {
	if k.loaded {
		return
	}
	k.loaded = true
	if k.file == "" {
		return
	}
	if info, err := os.Stat(k.file); err != nil || !info.Mode().IsRegular() {
		return // opening a pipe would wait for somebody to write
	}
	f, err := os.Open(k.file)
	if err != nil {
		return
	}
	defer f.Close()
	var found record
	if json.NewDecoder(io.LimitReader(f, longestKept)).Decode(&found) != nil || !crumbText(found.Pass.Crumb) && found.Pass.Crumb != "" {
		return
	}
	var sound pass
	sound.Crumb, sound.Obtained = found.Pass.Crumb, found.Pass.Obtained
	for _, c := range found.Pass.Cookies {
		if c.Name != "" && len(c.Name)+len(c.Value) <= longestCookie && !strings.ContainsAny(c.Name+c.Value, "\r\n;") {
			sound.put(c)
		}
	}
	found.Pass = sound
	if found.Agent < 0 || found.Agent >= len(agents()) {
		found.Agent = 0
	}
	k.kept = found
}

// save writes the file for its owner alone, whole or not at all.
func (k *keeper) save() {
	if k.file == "" {
		return
	}
	text, err := json.Marshal(k.kept)
	if err != nil {
		return
	}
	dir := filepath.Dir(k.file)
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(dir, ".yahoo-session-*") // made with mode 0600
	if err != nil {
		return
	}
	_, err = f.Write(text)
	if closing := f.Close(); err != nil || closing != nil || os.Rename(f.Name(), k.file) != nil {
		_ = os.Remove(f.Name())
	}
}

// agent is which of the names worked last.
func (k *keeper) agent() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.load()
	return k.kept.Agent
}

func (k *keeper) prefer(agent int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.load()
	if k.kept.Agent != agent {
		k.kept.Agent = agent
		k.save()
	}
}

// have is the pass in hand, if it may still be good, or why there is none and none
// is being asked for.
func (k *keeper) have(now time.Time) (pass, bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.load()
	// A clock that was set back does not make a short respite a long one.
	if until := k.kept.Refused; now.Before(until) && until.Sub(now) <= respite {
		if k.reason == nil {
			return pass{}, false, fmt.Errorf("%w: Yahoo gave or took no crumb some minutes ago", market.ErrUnavailable)
		}
		return pass{}, false, k.reason
	}
	return k.kept.Pass, k.kept.Pass.valid(now), nil
}

func (k *keeper) keep(p pass) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.load()
	k.kept.Pass, k.kept.Refused = p, time.Time{}
	k.save()
}

// giveUp keeps Yahoo from being asked for a pass until a time.
func (k *keeper) giveUp(until time.Time, reason error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.load()
	k.kept.Refused, k.reason = until, reason
	k.save()
}
