package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/nfa-cli/nfa/internal/atomicfile"
)

const (
	permissionsFile        = "approvals.json"
	maxPermissionsSize     = 1 << 20
	maxPermissions         = 1000
	permissionsLockRetry   = 5 * time.Millisecond
	permissionsLockTimeout = 5 * time.Second // with another process
)

// ErrTooManyPermissions means that no more can be remembered.
var ErrTooManyPermissions = fmt.Errorf("more than %d approvals are kept; take some back with: nfa approvals remove", maxPermissions)

// Permission is something that was allowed.
type Permission struct {
	Tool    string    `json:"tool"`
	Pattern string    `json:"pattern"`
	Since   time.Time `json:"since"`
}

func (r Permission) matches(tool, pattern string) bool { return r.Tool == tool && r.Pattern == pattern }

// Permissions are the approvals that are kept. They are safe for concurrent use, also by
// several processes on one home: what one of them takes back is not allowed in any
// other from then on, so that the file is asked each time.
type Permissions struct {
	path string
	now  func() time.Time

	changing sync.Mutex
}

// OpenPermissions reads the rules in the data folder home; without the file there are none. A file
// that cannot be read or understood allows nothing, is left unchanged, and is returned as an error.
func OpenPermissions(home string, now func() time.Time) (*Permissions, error) {
	r := &Permissions{path: filepath.Join(home, permissionsFile), now: now}
	_, err := readPermissions(r.path)
	return r, err
}

func readPermissions(path string) ([]Permission, error) {
	text, _, err := atomicfile.Read(path, maxPermissionsSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the approvals: %w", err)
	}
	var rules []Permission
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err = d.Decode(&rules); err == nil {
		if _, after := d.Token(); !errors.Is(after, io.EOF) {
			err = errors.New("something stands after its end")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("reading the approvals in %s: %w; nothing in it is allowed until it is mended or removed", path, err)
	}
	return rules, nil
}

// List gives the rules, oldest first; none where the file cannot be understood.
func (r *Permissions) List() []Permission {
	rules, err := readPermissions(r.path)
	if err != nil {
		return nil
	}
	return rules
}

// Allows reports whether calls of this pattern are allowed.
func (r *Permissions) Allows(tool, pattern string) bool {
	return slices.ContainsFunc(r.List(), func(k Permission) bool { return k.matches(tool, pattern) })
}

// Allow remembers that calls of this pattern are allowed.
func (r *Permissions) Allow(ctx context.Context, tool, pattern string) error {
	return r.change(ctx, func(rules []Permission) ([]Permission, error) {
		switch {
		case slices.ContainsFunc(rules, func(k Permission) bool { return k.matches(tool, pattern) }):
			return rules, nil
		case len(rules) >= maxPermissions:
			return nil, ErrTooManyPermissions
		}
		return append(rules, Permission{tool, pattern, r.now().UTC().Truncate(time.Second)}), nil
	})
}

// Remove takes back what was allowed of a tool: one pattern, or all of them where
// pattern is empty. It reports how many that were.
func (r *Permissions) Remove(ctx context.Context, tool, pattern string) (removed int, err error) {
	err = r.change(ctx, func(rules []Permission) ([]Permission, error) {
		remaining := slices.DeleteFunc(slices.Clone(rules), func(k Permission) bool { return k.Tool == tool && (pattern == "" || k.Pattern == pattern) })
		removed = len(rules) - len(remaining)
		return remaining, nil
	})
	return removed, err
}

// change makes one change to the file as it is now, under a lock.
func (r *Permissions) change(ctx context.Context, apply func([]Permission) ([]Permission, error)) error {
	r.changing.Lock()
	defer r.changing.Unlock()
	if err := os.MkdirAll(filepath.Dir(r.path), 0o700); err != nil {
		return fmt.Errorf("keeping the approvals: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, permissionsLockTimeout)
	defer cancel()
	lock := flock.New(r.path + ".lock")
	if _, err := lock.TryLockContext(ctx, permissionsLockRetry); err != nil {
		return fmt.Errorf("locking the approvals: %w", err)
	}
	defer func() { _ = lock.Unlock() }()
	rules, err := readPermissions(r.path)
	if err != nil {
		return err
	}
	if rules, err = apply(rules); err != nil {
		return err
	}
	if err := writePermissions(r.path, rules); err != nil {
		return fmt.Errorf("keeping the approvals: %w", err)
	}
	return nil
}

// writePermissions replaces the file in one step.
func writePermissions(path string, rules []Permission) error {
	if rules == nil {
		rules = []Permission{}
	}
	text, err := json.MarshalIndent(rules, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Replace(path, append(text, '\n'), 0o600)
}
