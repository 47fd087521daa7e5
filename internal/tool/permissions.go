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
	permissionsLockTimeout = 5 * time.Second // how long to wait for a lock that another process holds
)

// ErrTooManyPermissions means that no more permissions can be saved.
var ErrTooManyPermissions = fmt.Errorf("too many saved permissions (limit %d); revoke some with: nfa config permissions remove TOOL", maxPermissions)

// Permission is a saved rule that always allows calls of Tool that match Pattern.
type Permission struct {
	Tool    string    `json:"tool"`
	Pattern string    `json:"pattern"`
	Since   time.Time `json:"since"`
}

func (r Permission) matches(tool, pattern string) bool { return r.Tool == tool && r.Pattern == pattern }

// Permissions holds the saved permissions. It is safe for concurrent use, also by several
// processes on one data folder: it reads the file each time, so a permission that one process
// revokes no longer holds in the others.
type Permissions struct {
	path string
	now  func() time.Time

	changing sync.Mutex
}

// OpenPermissions reads the permissions in the data folder home; without the file there are none. A
// file that cannot be read or parsed allows nothing and stays unchanged, and the error says why.
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
		return nil, fmt.Errorf("read saved permissions: %w", err)
	}
	var rules []Permission
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err = d.Decode(&rules); err == nil {
		if _, after := d.Token(); !errors.Is(after, io.EOF) {
			err = errors.New("extra data after the JSON value")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read saved permissions in %s: %w; they are ignored until you fix or delete the file", path, err)
	}
	return rules, nil
}

// List returns the permissions, oldest first; none if the file cannot be parsed.
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

// Allow saves a permission for calls of this pattern.
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

// Remove revokes one permission of a tool, or all of them if pattern is empty. It returns how
// many it revoked.
func (r *Permissions) Remove(ctx context.Context, tool, pattern string) (removed int, err error) {
	err = r.change(ctx, func(rules []Permission) ([]Permission, error) {
		remaining := slices.DeleteFunc(slices.Clone(rules), func(k Permission) bool { return k.Tool == tool && (pattern == "" || k.Pattern == pattern) })
		removed = len(rules) - len(remaining)
		return remaining, nil
	})
	return removed, err
}

// change applies one change to the current file, under a lock.
func (r *Permissions) change(ctx context.Context, apply func([]Permission) ([]Permission, error)) error {
	r.changing.Lock()
	defer r.changing.Unlock()
	if err := os.MkdirAll(filepath.Dir(r.path), 0o700); err != nil {
		return fmt.Errorf("save permission: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, permissionsLockTimeout)
	defer cancel()
	lock := flock.New(r.path + ".lock")
	if _, err := lock.TryLockContext(ctx, permissionsLockRetry); err != nil {
		return fmt.Errorf("lock saved permissions: %w", err)
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
		return fmt.Errorf("save permission: %w", err)
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
