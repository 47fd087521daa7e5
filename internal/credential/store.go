// Package credential keeps the user's keys: in the keyring of the operating
// system, or where there is none in a file that only the user may read.
//
// Which keys there are, and where each is, stands in that file either way: a
// keyring cannot be asked for a list, and a program that never stored a key
// should not make it ask for its password. A key is never part of an error.
package credential

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/nfa-cli/nfa/internal/crash"
)

// ErrNone is the answer where no key is kept under a name.
var ErrNone = errors.New("no key is kept")

// Keyring keeps secrets by account. Missing is ErrNone.
type Keyring interface {
	Get(account string) (string, error)
	Set(account, secret string) error
	Delete(account string) error
}

// Place is where a key is kept.
type Place string

// The places, as the file names them.
const (
	InKeyring Place = "keyring"
	InFile    Place = "file"
)

// Entry is a key that is kept, without the key.
type Entry struct {
	Name  string
	Place Place
}

// Kept tells what became of a key.
type Kept struct {
	Place Place
	// Instead is why the key is in the file and not in the keyring, or nil where
	// no keyring was wanted.
	Instead error
}

// Store keeps keys by name. Nothing is read before it is asked. It is safe for
// use by several goroutines and processes.
type Store struct {
	path    string
	keyring Keyring
	patient time.Duration
	crashed func(*crash.Site)
}

// DefaultPatience is how long a keyring is waited for: somebody may have to type
// its password.
const DefaultPatience = 30 * time.Second

// Open is the store of a home. A nil keyring keeps all in the file; patience is
// DefaultPatience when zero. Where the keyring panics, crashed is told where, on a
// goroutine of the store's, also when the one who asked waits no longer; nil is for
// nobody. A panic is an error of the keyring beside that.
func Open(home string, keyring Keyring, patience time.Duration, crashed func(*crash.Site)) *Store {
	if patience <= 0 {
		patience = DefaultPatience
	}
	if crashed == nil {
		crashed = func(*crash.Site) {}
	}
	return &Store{path: filepath.Join(home, "auth.json"), keyring: keyring, patient: patience, crashed: crashed}
}

// Path is the file.
func (s *Store) Path() string { return s.path }

// List is the keys that are kept, by name.
func (s *Store) List() ([]Entry, error) {
	kept, err := read(s.path)
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		entries = append(entries, Entry{name, kept[name].In})
	}
	return entries, nil
}

// Get is the key of a name. Where none is kept, ErrNone is in the error.
func (s *Store) Get(ctx context.Context, name string) (string, error) {
	kept, err := read(s.path)
	if err != nil {
		return "", err
	}
	record, ok := kept[name]
	switch {
	case !ok:
		return "", fmt.Errorf("%w for %s", ErrNone, name)
	case record.In == InFile:
		return record.Key, nil
	case s.keyring == nil:
		return "", fmt.Errorf("the key of %s is in the keyring, which is not used here", name)
	}
	secret := ""
	err = s.ask(ctx, func() (err error) {
		secret, err = s.keyring.Get(name)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("reading the key of %s from the keyring: %w", name, err)
	}
	return secret, nil
}

// Set keeps a key, in the place of the one before.
func (s *Store) Set(ctx context.Context, name, secret string) (Kept, error) {
	secret, err := tidy(secret)
	if err != nil {
		return Kept{}, err
	}
	done := Kept{Place: InFile}
	record := record{In: InFile, Key: secret}
	if s.keyring != nil {
		done.Instead = s.ask(ctx, func() error { return s.keyring.Set(name, secret) })
		if ctx.Err() != nil {
			return Kept{}, ctx.Err()
		}
		if done.Instead == nil {
			done.Place, record.In, record.Key = InKeyring, InKeyring, ""
		}
	}
	return done, s.change(ctx, func(kept records) error {
		kept[name] = record
		return nil
	})
}

// Remove forgets a key. Where none is kept, ErrNone is in the error. A keyring
// that has lost it, or does not answer, does not keep the name alive.
func (s *Store) Remove(ctx context.Context, name string) (Kept, error) {
	var done Kept
	err := s.change(ctx, func(kept records) error {
		record, ok := kept[name]
		if !ok {
			return fmt.Errorf("%w for %s", ErrNone, name)
		}
		done.Place = record.In
		delete(kept, name)
		return nil
	})
	if err != nil || done.Place != InKeyring {
		return done, err
	}
	if s.keyring == nil {
		done.Instead = errors.New("the keyring is not used here")
		return done, nil
	}
	err = s.ask(ctx, func() error { return s.keyring.Delete(name) })
	if err != nil && !errors.Is(err, ErrNone) {
		done.Instead = err
	}
	return done, nil
}

// ask waits for a keyring no longer than is bearable. A call that hangs is left
// behind: its library knows no context.
func (s *Store) ask(ctx context.Context, call func() error) error {
	result := make(chan error, 1)
	go func() {
		var err error
		defer func() {
			if at, ok := errors.AsType[*crash.Site](err); ok {
				s.crashed(at)
			}
			result <- err
		}()
		defer crash.Catch(&err) // what it panicked with may be the key
		err = call()
	}()
	late := time.NewTimer(s.patient)
	defer late.Stop()
	select {
	case err := <-result:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-late.C:
		return fmt.Errorf("no answer for %s; it may be waiting for its password", s.patient)
	}
}

// change makes one change to the file while no other process may.
func (s *Store) change(ctx context.Context, apply func(records) error) error {
	if err := makeFolder(filepath.Dir(s.path)); err != nil {
		return err
	}
	lock := flock.New(s.path+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil {
		return fmt.Errorf("locking %s: %w", s.path, err)
	}
	defer func() { _ = lock.Unlock() }()
	kept, err := read(s.path)
	if err != nil {
		return err
	}
	if err := apply(kept); err != nil {
		return err
	}
	return kept.write(s.path)
}

// longestSecret is more than any key has.
const longestSecret = 8 << 10

// tidy takes the blanks off that a paste brings, and refuses what no header can
// carry.
func tidy(secret string) (string, error) {
	secret = strings.TrimSpace(secret)
	switch {
	case secret == "":
		return "", errors.New("no key was given")
	case len(secret) > longestSecret:
		return "", errors.New("the key is longer than 8 KB: that is something else")
	case strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", errors.New("the key has a space, a line break or a special character in it: copy it again")
	}
	return secret, nil
}
