// Package state keeps what the user decided about skills, and how often each was
// used, in one file of the home directory.
package state

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/nfa-cli/nfa/internal/skill"
)

const (
	stateFile = "skills.json"
	// maxState is far beyond any list of names that people make.
	maxState = 4 << 20
	// lockRetry is how often a lock that another process holds is tried again.
	lockRetry = 5 * time.Millisecond
)

// State is what the user decided about skills: which are disabled, which folders
// are trusted; and how often each was used. It lives in skills.json of the home
// directory, readable by its owner alone, and is shared by processes: every
// change is made to what the file says at that moment. It is safe for concurrent
// use.
type State struct {
	path string

	mu   sync.Mutex
	kept stateValues
}

// stateValues is the file's content. Members this program does not know belong
// to a later version and are written back as they were.
type stateValues struct {
	Disabled []string          `json:"disabled"`
	Trusted  map[string]string `json:"trusted"` // hash by folder
	Uses     map[string]int    `json:"uses"`
	Reviewed map[string]string `json:"reviewed"` // hash by skill

	unknown map[string]json.RawMessage
}

// DamagedError tells that skills.json could not be understood, and where it
// was moved. Nothing is disabled or trusted then.
type DamagedError struct {
	Path, Aside string
	Err         error
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s was damaged (%v) and is kept as %s; no skill is disabled and no folder trusted until you say so again", e.Path, e.Err, e.Aside)
}

func (e *DamagedError) Unwrap() error { return e.Err }

// Open reads skills.json in home; without the file nothing was decided. A
// damaged one is set aside and told with a *DamagedError. The State is
// usable whatever the error.
func Open(ctx context.Context, home string) (*State, error) {
	s := &State{path: filepath.Join(home, stateFile)}
	return s, s.Reload(ctx)
}

// Reload takes in what other processes have changed. Its errors are those of
// Open.
func (s *State) Reload(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	values, err := readState(s.path)
	var damaged *damage
	if errors.As(err, &damaged) {
		// Read again under the lock, for it may have been mended meanwhile.
		err = s.locked(ctx, func() error {
			values, err = s.readOrSetAside()
			return err
		})
	}
	// Where the file merely cannot be read, what was known still holds.
	if told := (*DamagedError)(nil); err == nil || errors.As(err, &told) {
		s.kept = values
	}
	return err
}

// Disabled reports whether the user has switched a skill off.
func (s *State) Disabled(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, found := slices.BinarySearch(s.kept.Disabled, skill.CanonicalName(name))
	return found
}

// Uses gives how often each skill was used, by name.
func (s *State) Uses() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.kept.Uses)
}

// Trusts says whether what a folder holds now is what the user has trusted.
func (s *State) Trusts(l skill.Listing) Trust {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.kept.Trusted[l.Folder] {
	case "":
		return Untrusted
	case l.Hash:
		return Trusted
	}
	return Changed
}

// TrustedFolders lists the folders that were trusted, sorted.
func (s *State) TrustedFolders() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.kept.Trusted))
}

// SetDisabled switches a skill off or on. It need not exist: one that is away
// for now keeps its setting.
func (s *State) SetDisabled(ctx context.Context, name string, disabled bool) error {
	name = skill.CanonicalName(name)
	return s.change(ctx, func(v *stateValues) {
		at, found := slices.BinarySearch(v.Disabled, name)
		switch {
		case disabled && !found:
			v.Disabled = slices.Insert(v.Disabled, at, name)
		case !disabled && found:
			v.Disabled = slices.Delete(v.Disabled, at, at+1)
		}
	})
}

// SetTrusted trusts the very skills of a listing, so that what changed after the
// user saw them is asked for again; with trusted false the folder is forgotten.
func (s *State) SetTrusted(ctx context.Context, l skill.Listing, trusted bool) error {
	return s.change(ctx, func(v *stateValues) {
		if trusted {
			v.Trusted[l.Folder] = l.Hash
		} else {
			delete(v.Trusted, l.Folder)
		}
	})
}

// Reviewed reports whether the user has let a skill run as it is now.
func (s *State) Reviewed(name, hash string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return hash != "" && s.kept.Reviewed[skill.CanonicalName(name)] == hash
}

// SetReviewed remembers that the user has let a skill run as it is now.
func (s *State) SetReviewed(ctx context.Context, name, hash string) error {
	return s.change(ctx, func(v *stateValues) { v.Reviewed[skill.CanonicalName(name)] = hash })
}

// CountUse adds one use of a skill.
func (s *State) CountUse(ctx context.Context, name string) error {
	name = skill.CanonicalName(name)
	return s.change(ctx, func(v *stateValues) { v.Uses[name]++ })
}

// change makes one change to the file as it is now, and to what is kept of it
// only once that is written. A file damaged meanwhile is set aside, and the
// *DamagedError told though the change was made.
func (s *State) change(ctx context.Context, apply func(*stateValues)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return fmt.Errorf("making the folder of %s: %w", s.path, err)
	}
	return s.locked(ctx, func() error {
		values, damaged := s.readOrSetAside()
		if told := (*DamagedError)(nil); damaged != nil && !errors.As(damaged, &told) {
			return damaged
		}
		apply(&values)
		if err := values.write(s.path); err != nil {
			return fmt.Errorf("writing %s: %w", s.path, err)
		}
		s.kept = values
		return damaged
	})
}

// locked runs f while no other process may change the file.
func (s *State) locked(ctx context.Context, f func() error) error {
	lock := flock.New(s.path+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		return fmt.Errorf("locking %s: %w", s.path, err)
	}
	defer func() { _ = lock.Unlock() }()
	return f()
}

// damage is why a state file cannot be understood.
type damage struct{ err error }

func (d *damage) Error() string { return d.err.Error() }
func (d *damage) Unwrap() error { return d.err }

func (s *State) readOrSetAside() (stateValues, error) {
	values, err := readState(s.path)
	var damaged *damage
	if !errors.As(err, &damaged) {
		return values, err
	}
	aside, err := setAside(s.path)
	if err != nil {
		return values, fmt.Errorf("setting aside %s, which is damaged (%w): %w", s.path, damaged.err, err)
	}
	return values, &DamagedError{Path: s.path, Aside: aside, Err: damaged.err}
}

// setAside gives a file a name that no earlier damaged one has.
func setAside(path string) (string, error) {
	for n := 1; ; n++ {
		aside := fmt.Sprintf("%s.damaged-%d", path, n)
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			return aside, os.Rename(path, aside)
		} else if err != nil {
			return "", err
		}
	}
}

// Trust says whether the user has let a folder's skills in.
type Trust string

// Degrees of trust.
const (
	Untrusted Trust = "untrusted" // never asked, or refused
	Changed   Trust = "changed"   // trusted once, but it holds something else now
	Trusted   Trust = "trusted"
)
