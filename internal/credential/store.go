package credential

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/nfa-cli/nfa/internal/crash"
)

// ErrNotFound means that no key is stored under a name.
var ErrNotFound = errors.New("no saved key")

// Keyring stores secrets by account. A missing secret is ErrNotFound.
type Keyring interface {
	Get(account string) (string, error)
	Set(account, secret string) error
	Delete(account string) error
}

// Place is where a key is stored.
type Place string

// The places, as spelled in the file.
const (
	InKeyring Place = "keyring"
	InFile    Place = "file"
)

// Entry names a stored key, without the key itself.
type Entry struct {
	Name  string
	Place Place
}

// Placement reports where a key was stored.
type Placement struct {
	Place Place
	// KeyringErr is why the key is in the file instead of the keyring. It is nil if no keyring was
	// requested.
	KeyringErr error
}

// Store stores keys by name. It reads nothing before the first call. It is safe for concurrent use,
// also by several processes.
type Store struct {
	path    string
	keyring Keyring
	timeout time.Duration
	onCrash func(*crash.Site)
}

// DefaultTimeout limits the wait for a keyring, which may ask the user for a password.
const DefaultTimeout = 30 * time.Second

// Open returns the store of a data folder. A nil keyring keeps all keys in the file; a zero timeout
// means DefaultTimeout. If the keyring panics, the call returns an error and crashed, if not nil,
// receives the site. crashed runs on a goroutine of the store, possibly after the call has timed
// out.
func Open(home string, keyring Keyring, timeout time.Duration, crashed func(*crash.Site)) *Store {
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	if crashed == nil {
		crashed = func(*crash.Site) {}
	}
	return &Store{path: filepath.Join(home, "auth.json"), keyring: keyring, timeout: timeout, onCrash: crashed}
}

// Path returns the path of the file.
func (s *Store) Path() string { return s.path }

// List returns the stored keys sorted by name.
func (s *Store) List() ([]Entry, error) {
	stored, err := read(s.path)
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for _, name := range slices.Sorted(maps.Keys(stored)) {
		entries = append(entries, Entry{name, stored[name].In})
	}
	return entries, nil
}

// Get returns the key with a name. If there is no such key, the error wraps ErrNotFound.
func (s *Store) Get(ctx context.Context, name string) (string, error) {
	stored, err := read(s.path)
	if err != nil {
		return "", err
	}
	record, ok := stored[name]
	switch {
	case !ok:
		return "", fmt.Errorf("%w for %s", ErrNotFound, name)
	case record.In == InFile:
		return record.Key, nil
	case s.keyring == nil:
		return "", fmt.Errorf("the key for %s is in the keyring, which is disabled (key_store = file)", name)
	}
	secret := ""
	err = s.callKeyring(ctx, func() (err error) {
		secret, err = s.keyring.Get(name)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("read the key for %s from the keyring: %w", name, err)
	}
	used.add(secret)
	return secret, nil
}

// FileKeys returns the keys in the file; none if it cannot be read, which List reports.
func (s *Store) FileKeys() []string {
	stored, err := read(s.path)
	if err != nil {
		return nil
	}
	var keys []string
	for _, record := range stored {
		if record.In == InFile {
			keys = append(keys, record.Key)
		}
	}
	return keys
}

// usedKeys are the keys that this process has stored, or has read from a keyring.
type usedKeys struct {
	mu   sync.Mutex
	keys []string
}

var used usedKeys

func (u *usedKeys) add(key string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !slices.Contains(u.keys, key) {
		u.keys = append(u.keys, key)
	}
}

// Used returns the keys that this process has stored, or has read from a keyring.
func Used() []string {
	used.mu.Lock()
	defer used.mu.Unlock()
	return slices.Clone(used.keys)
}

// Set stores a key and replaces the previous one.
func (s *Store) Set(ctx context.Context, name, secret string) (Placement, error) {
	secret, err := cleanSecret(secret)
	if err != nil {
		return Placement{}, err
	}
	used.add(secret)
	placement := Placement{Place: InFile}
	record := record{In: InFile, Key: secret}
	if s.keyring != nil {
		placement.KeyringErr = s.callKeyring(ctx, func() error { return s.keyring.Set(name, secret) })
		if ctx.Err() != nil {
			return Placement{}, ctx.Err()
		}
		if placement.KeyringErr == nil {
			placement.Place, record.In, record.Key = InKeyring, InKeyring, ""
		}
	}
	return placement, s.change(ctx, func(stored records) error {
		stored[name] = record
		return nil
	})
}

// Remove deletes a key. If there is no such key, the error wraps ErrNotFound. The name is deleted
// even if the keyring has lost the key or does not respond.
func (s *Store) Remove(ctx context.Context, name string) (Placement, error) {
	var placement Placement
	err := s.change(ctx, func(stored records) error {
		record, ok := stored[name]
		if !ok {
			return fmt.Errorf("%w for %s", ErrNotFound, name)
		}
		placement.Place = record.In
		delete(stored, name)
		return nil
	})
	if err != nil || placement.Place != InKeyring {
		return placement, err
	}
	if s.keyring == nil {
		placement.KeyringErr = errors.New("the keyring is disabled")
		return placement, nil
	}
	err = s.callKeyring(ctx, func() error { return s.keyring.Delete(name) })
	if err != nil && !errors.Is(err, ErrNotFound) {
		placement.KeyringErr = err
	}
	return placement, nil
}

// callKeyring calls the keyring with a timeout. A call that hangs is abandoned, because the library
// does not support contexts.
func (s *Store) callKeyring(ctx context.Context, call func() error) error {
	result := make(chan error, 1)
	go func() {
		var err error
		defer func() {
			if site, ok := errors.AsType[*crash.Site](err); ok {
				s.onCrash(site)
			}
			result <- err
		}()
		defer crash.Catch(&err) // the panic value may be the key
		err = call()
	}()
	timer := time.NewTimer(s.timeout)
	defer timer.Stop()
	select {
	case err := <-result:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return fmt.Errorf("no response for %s; the keyring may be waiting for its password", s.timeout)
	}
}

// change changes the file under a lock.
func (s *Store) change(ctx context.Context, apply func(records) error) error {
	if err := makeFolder(filepath.Dir(s.path)); err != nil {
		return err
	}
	lock := flock.New(s.path+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil {
		return fmt.Errorf("lock %s: %w", s.path, err)
	}
	defer func() { _ = lock.Unlock() }()
	stored, err := read(s.path)
	if err != nil {
		return err
	}
	if err := apply(stored); err != nil {
		return err
	}
	return stored.write(s.path)
}

// maxSecretLength is longer than any known key.
const maxSecretLength = 8 << 10

// cleanSecret trims pasted spaces, and rejects keys that cannot be sent in an HTTP header.
func cleanSecret(secret string) (string, error) {
	secret = strings.TrimSpace(secret)
	switch {
	case secret == "":
		return "", errors.New("no key")
	case len(secret) > maxSecretLength:
		return "", errors.New("the key is longer than 8 KB; check that you copied the right text")
	case strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", errors.New("the key contains a space, a line break or a special character; copy it again")
	}
	return secret, nil
}
