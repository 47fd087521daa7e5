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

// session is what lets a program at the services that need a crumb.
type session struct {
	Crumb    string    `json:"crumb,omitempty"`
	Cookies  []cookie  `json:"cookies,omitempty"`
	Obtained time.Time `json:"obtained,omitzero"`
}

type cookie struct {
	Name    string    `json:"name"`
	Value   string    `json:"value"`
	Expires time.Time `json:"expires,omitzero"`
}

// sessionLifetime is how long Yahoo's own cookies live.
const sessionLifetime = 365 * 24 * time.Hour

func (p session) valid(now time.Time) bool {
	return p.Crumb != "" && p.header(now) != "" && !p.Obtained.After(now) && now.Sub(p.Obtained) < sessionLifetime
}

// header is the cookies as they are sent, without those that have run out.
func (p session) header(now time.Time) string {
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
	maxCookies     = 20
	maxCookieLen   = 4096
	maxSessionFile = 256 << 10
)

// addCookies takes what a response of Yahoo's sets for all of its hosts, and what it sets
// for its own one alone where own is true. A later value replaces an earlier one.
func (p *session) addCookies(header http.Header, now time.Time, includeOwn bool) {
	response := http.Response{Header: header}
	for _, set := range response.Cookies() {
		domain := strings.TrimPrefix(set.Domain, ".")
		if domain != domainYahoo && !includeOwn || len(set.Name)+len(set.Value) > maxCookieLen || strings.ContainsAny(set.Value, "\r\n;") {
			continue
		}
		c := cookie{Name: set.Name, Value: set.Value, Expires: set.Expires}
		if set.MaxAge != 0 {
			c.Expires = now.Add(time.Duration(set.MaxAge) * time.Second)
		}
		p.setCookie(c)
	}
}

func (p *session) setCookie(c cookie) {
	for i, existing := range p.Cookies {
		if existing.Name == c.Name {
			p.Cookies[i] = c
			return
		}
	}
	if len(p.Cookies) < maxCookies {
		p.Cookies = append(p.Cookies, c)
	}
}

// sessionStore remembers the pass, and which name Yahoo took last, here and on the disk.
// What cannot be written is remembered here alone: it can be got again.
type sessionStore struct {
	file       string // nowhere where empty
	refreshing chan struct{}

	mu     sync.Mutex
	loaded bool
	record sessionRecord
	reason error // why no pass is asked for; nil where that was in another run
}

// sessionRecord is the file.
type sessionRecord struct {
	Agent int     `json:"agent"`
	Pass  session `json:"pass"`
	// Refused is until when Yahoo is not asked for another pass.
	Refused time.Time `json:"refused,omitzero"`
}

func newSessionStore(dir string) *sessionStore {
	k := &sessionStore{refreshing: make(chan struct{}, 1)}
	if dir != "" {
		k.file = filepath.Join(dir, "yahoo-session.json")
	}
	return k
}

// load reads the file once. One that is damaged, foreign or another kind of thing
// than a file counts as none.
func (k *sessionStore) load() {
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
	var saved sessionRecord
	if json.NewDecoder(io.LimitReader(f, maxSessionFile)).Decode(&saved) != nil || !isCrumb(saved.Pass.Crumb) && saved.Pass.Crumb != "" {
		return
	}
	var valid session
	valid.Crumb, valid.Obtained = saved.Pass.Crumb, saved.Pass.Obtained
	for _, c := range saved.Pass.Cookies {
		if c.Name != "" && len(c.Name)+len(c.Value) <= maxCookieLen && !strings.ContainsAny(c.Name+c.Value, "\r\n;") {
			valid.setCookie(c)
		}
	}
	saved.Pass = valid
	if saved.Agent < 0 || saved.Agent >= len(agents()) {
		saved.Agent = 0
	}
	k.record = saved
}

// save writes the file for its owner alone, whole or not at all.
func (k *sessionStore) save() {
	if k.file == "" {
		return
	}
	text, err := json.Marshal(k.record)
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
func (k *sessionStore) agent() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.load()
	return k.record.Agent
}

func (k *sessionStore) preferAgent(agent int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.load()
	if k.record.Agent != agent {
		k.record.Agent = agent
		k.save()
	}
}

// current is the pass in hand, if it may still be good, or why there is none and none
// is being asked for.
func (k *sessionStore) current(now time.Time) (session, bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.load()
	// A clock that was set back does not make a short respite a long one.
	if until := k.record.Refused; now.Before(until) && until.Sub(now) <= retryPause {
		if k.reason == nil {
			return session{}, false, fmt.Errorf("%w: Yahoo gave or took no crumb some minutes ago", market.ErrUnavailable)
		}
		return session{}, false, k.reason
	}
	return k.record.Pass, k.record.Pass.valid(now), nil
}

func (k *sessionStore) set(p session) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.load()
	k.record.Pass, k.record.Refused = p, time.Time{}
	k.save()
}

// suspend keeps Yahoo from being asked for a pass until a time.
func (k *sessionStore) suspend(until time.Time, reason error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.load()
	k.record.Refused, k.reason = until, reason
	k.save()
}
