package skill

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
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"github.com/nfa-cli/nfa/internal/atomicfile"
)

const (
	stateFileName = "skills.json"
	// maxStateBytes is far larger than any real file.
	maxStateBytes = 4 << 20
	// lockRetry is the interval for retrying a lock held by another process.
	lockRetry = 5 * time.Millisecond
)

// State holds the user's decisions about skills: which are disabled, trusted and reviewed, and how
// often and when each was last used. It is stored in skills.json of the home directory, readable
// only by its owner. Several processes can share it: every change is applied to the current file.
// It is safe for concurrent use.
type State struct {
	path string

	mu     sync.Mutex
	values stateValues
}

// stateValues is the file's content. Unknown members may come from a later version of nfa and are
// preserved.
type stateValues struct {
	Disabled []string             `json:"disabled"`
	Trusted  map[string]string    `json:"trusted"` // hash by folder
	Uses     map[string]int       `json:"uses"`
	LastUsed map[string]time.Time `json:"last_used,omitempty"`
	Reviewed map[string]string    `json:"reviewed,omitempty"` // hash by skill

	unknown map[string]json.RawMessage
}

// DamagedStateError means that skills.json was damaged and was moved. No skill is then disabled or
// trusted.
type DamagedStateError struct {
	Path, Aside string
	Err         error
}

func (e *DamagedStateError) Error() string {
	return fmt.Sprintf("%s was damaged (%v) and was moved to %s; all skills are now enabled and no folder is trusted; disable or trust them again as needed", e.Path, e.Err, e.Aside)
}

func (e *DamagedStateError) Unwrap() error { return e.Err }

// OpenState reads skills.json in home; a missing file means no decisions. A damaged file is moved
// and reported as a *DamagedStateError. The State is usable in any case.
func OpenState(ctx context.Context, home string) (*State, error) {
	s := &State{path: filepath.Join(home, stateFileName)}
	return s, s.Reload(ctx)
}

// Reload reads changes by other processes. Its errors are those of OpenState.
func (s *State) Reload(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	values, err := readState(s.path)
	var damaged *stateDecodeError
	if errors.As(err, &damaged) {
		// Read again under the lock, because it may have been fixed meanwhile.
		err = s.withFileLock(ctx, func() error {
			values, err = s.readOrSetAside()
			return err
		})
	}
	// If the file cannot be read, the known values still apply.
	if setAsideErr := (*DamagedStateError)(nil); err == nil || errors.As(err, &setAsideErr) {
		s.values = values
	}
	return err
}

// Disabled reports whether the user disabled a skill.
func (s *State) Disabled(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, found := slices.BinarySearch(s.values.Disabled, CanonicalName(name))
	return found
}

// Uses returns how often and when each skill was used, by name.
func (s *State) Uses() map[string]Use {
	s.mu.Lock()
	defer s.mu.Unlock()
	uses := make(map[string]Use, len(s.values.Uses))
	for name, count := range s.values.Uses {
		uses[name] = Use{Count: count, Last: s.values.LastUsed[name]}
	}
	return uses
}

// FolderTrust reports whether the current content of a folder is trusted.
func (s *State) FolderTrust(l Listing) Trust {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.values.Trusted[l.Folder] {
	case "":
		return Untrusted
	case l.Hash:
		return Trusted
	}
	return TrustChanged
}

// TrustedFolders returns the trusted folders, sorted.
func (s *State) TrustedFolders() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.values.Trusted))
}

// SetDisabled disables or enables a skill, which need not exist.
func (s *State) SetDisabled(ctx context.Context, name string, disabled bool) error {
	name = CanonicalName(name)
	return s.update(ctx, func(v *stateValues) {
		index, found := slices.BinarySearch(v.Disabled, name)
		switch {
		case disabled && !found:
			v.Disabled = slices.Insert(v.Disabled, index, name)
		case !disabled && found:
			v.Disabled = slices.Delete(v.Disabled, index, index+1)
		}
	})
}

// SetTrusted trusts the skills of a listing in their current version; after a change the user is
// asked again. With trusted false the folder is no longer trusted.
func (s *State) SetTrusted(ctx context.Context, l Listing, trusted bool) error {
	return s.update(ctx, func(v *stateValues) {
		if trusted {
			v.Trusted[l.Folder] = l.Hash
		} else {
			delete(v.Trusted, l.Folder)
		}
	})
}

// Reviews returns the hash of the text of each skill that the user has read, by name.
func (s *State) Reviews() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.values.Reviewed)
}

// RemoveReview forgets that the user has read a skill, and reports whether they had.
func (s *State) RemoveReview(ctx context.Context, name string) (bool, error) {
	name = CanonicalName(name)
	if _, ok := s.Reviews()[name]; !ok {
		return false, nil
	}
	return true, s.update(ctx, func(v *stateValues) { delete(v.Reviewed, name) })
}

// Reviewed reports whether the user said that they have read a skill in this version.
func (s *State) Reviewed(name, hash string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return hash != "" && s.values.Reviewed[CanonicalName(name)] == hash
}

// SetReviewed records that the user has read a skill in this version.
func (s *State) SetReviewed(ctx context.Context, name, hash string) error {
	return s.update(ctx, func(v *stateValues) { v.Reviewed[CanonicalName(name)] = hash })
}

// CountUse adds one use of a skill, at a time.
func (s *State) CountUse(ctx context.Context, name string, at time.Time) error {
	name = CanonicalName(name)
	return s.update(ctx, func(v *stateValues) {
		v.Uses[name]++
		v.LastUsed[name] = at.UTC().Truncate(time.Second)
	})
}

// update applies a change to the current file, and to the values in memory only after the file is
// written. If the file was damaged meanwhile, it is moved and update returns the
// *DamagedStateError, although the change was made.
func (s *State) update(ctx context.Context, apply func(*stateValues)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return fmt.Errorf("create the folder of %s: %w", s.path, err)
	}
	return s.withFileLock(ctx, func() error {
		values, damaged := s.readOrSetAside()
		if setAsideErr := (*DamagedStateError)(nil); damaged != nil && !errors.As(damaged, &setAsideErr) {
			return damaged
		}
		apply(&values)
		if err := values.write(s.path); err != nil {
			return fmt.Errorf("write %s: %w", s.path, err)
		}
		s.values = values
		return damaged
	})
}

// withFileLock runs f while no other process may change the file.
func (s *State) withFileLock(ctx context.Context, f func() error) error {
	lock := flock.New(s.path+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
			return fmt.Errorf("%s was not changed: make it and its folder writable, or choose another data folder with --home or NFA_HOME (%w)", s.path, err)
		}
		return fmt.Errorf("lock %s: %w", s.path, err)
	}
	defer func() { _ = lock.Unlock() }()
	return f()
}

// stateDecodeError means that a state file cannot be decoded.
type stateDecodeError struct{ err error }

func (d *stateDecodeError) Error() string { return d.err.Error() }
func (d *stateDecodeError) Unwrap() error { return d.err }

func (s *State) readOrSetAside() (stateValues, error) {
	values, err := readState(s.path)
	var damaged *stateDecodeError
	if !errors.As(err, &damaged) {
		return values, err
	}
	aside, err := setAside(s.path)
	if err != nil {
		return values, fmt.Errorf("move %s, which is damaged (%w): %w", s.path, damaged.err, err)
	}
	return values, &DamagedStateError{Path: s.path, Aside: aside, Err: damaged.err}
}

// setAside moves a damaged file to an unused name.
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

// Trust is whether the user trusts a folder's skills.
type Trust string

// Trust levels.
const (
	Untrusted    Trust = "untrusted" // never asked, or rejected
	TrustChanged Trust = "changed"   // trusted before, but changed since
	Trusted      Trust = "trusted"
)

// readState reads the file at path; a missing file is empty. A file that cannot be decoded is a
// *stateDecodeError. The values can be changed in any case.
func readState(path string) (stateValues, error) {
	v := newStateValues()
	text, _, err := atomicfile.Read(path, maxStateBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return v, nil
	case errors.Is(err, atomicfile.ErrTooLarge):
		return v, &stateDecodeError{errors.New("larger than 4 MB")}
	case err != nil:
		return v, fmt.Errorf("read decisions about skills: %w", err)
	}
	if err := errors.Join(json.Unmarshal(text, &v), json.Unmarshal(text, &v.unknown)); err != nil {
		return newStateValues(), &stateDecodeError{err}
	}
	if v.unknown == nil {
		return newStateValues(), &stateDecodeError{errors.New("not a JSON object")}
	}
	for _, name := range []string{"disabled", "trusted", "uses", "last_used", "reviewed"} {
		delete(v.unknown, name)
	}
	// The file may have been edited by hand. A null becomes an empty map.
	empty := newStateValues()
	if v.Trusted == nil {
		v.Trusted = empty.Trusted
	}
	if v.Uses == nil {
		v.Uses = empty.Uses
	}
	if v.LastUsed == nil {
		v.LastUsed = empty.LastUsed
	}
	if v.Reviewed == nil {
		v.Reviewed = empty.Reviewed
	}
	if v.Disabled == nil {
		v.Disabled = empty.Disabled
	}
	for i, name := range v.Disabled {
		v.Disabled[i] = CanonicalName(name)
	}
	slices.Sort(v.Disabled)
	v.Disabled = slices.Compact(v.Disabled)
	return v, nil
}

func newStateValues() stateValues {
	return stateValues{
		Disabled: []string{}, Trusted: map[string]string{}, Uses: map[string]int{}, LastUsed: map[string]time.Time{}, Reviewed: map[string]string{},
	}
}

func (v stateValues) encode() ([]byte, error) {
	known, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	members := maps.Clone(v.unknown)
	if err := json.Unmarshal(known, &members); err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(members, "", "  ")
	return append(text, '\n'), err
}

// write replaces the file atomically, so that a crash leaves the old or the new file.
func (v stateValues) write(path string) error {
	text, err := v.encode()
	if err != nil {
		return err
	}
	// Keep a link, because some users keep their settings in a repository.
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return atomicfile.Replace(path, text, 0o600)
}
