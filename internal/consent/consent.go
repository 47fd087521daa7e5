// Package consent remembers what the user has allowed for always: calls of a tool
// by their pattern, in one file of the home directory.
package consent

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

	"github.com/nfa-cli/nfa/internal/diskfile"
)

const (
	fileName = "approvals.json"
	maxFile  = 1 << 20
	maxRules = 1000
	retry    = 5 * time.Millisecond
	patience = 5 * time.Second // with another process
)

// ErrTooMany means that no more can be remembered.
var ErrTooMany = fmt.Errorf("more than %d approvals are kept; take some back with: nfa approvals remove", maxRules)

// Rule is something that was allowed.
type Rule struct {
	Tool    string    `json:"tool"`
	Pattern string    `json:"pattern"`
	Since   time.Time `json:"since"`
}

func (r Rule) is(tool, pattern string) bool { return r.Tool == tool && r.Pattern == pattern }

// Rules are the approvals that are kept. They are safe for concurrent use, also by
// several processes on one home: what one of them takes back is not allowed in any
// other from then on, so that the file is asked each time.
type Rules struct {
	path string
	now  func() time.Time

	changing sync.Mutex
}

// Open reads the rules of a home; without the file there are none. A file that
// cannot be read or understood allows nothing, is left as it is, and is told.
func Open(home string, now func() time.Time) (*Rules, error) {
	r := &Rules{path: filepath.Join(home, fileName), now: now}
	_, err := read(r.path)
	return r, err
}

func read(path string) ([]Rule, error) {
	text, _, err := diskfile.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the approvals: %w", err)
	}
	var rules []Rule
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
func (r *Rules) List() []Rule {
	rules, err := read(r.path)
	if err != nil {
		return nil
	}
	return rules
}

// Allows reports whether calls of this pattern are allowed.
func (r *Rules) Allows(tool, pattern string) bool {
	return slices.ContainsFunc(r.List(), func(k Rule) bool { return k.is(tool, pattern) })
}

// Allow remembers that calls of this pattern are allowed.
func (r *Rules) Allow(ctx context.Context, tool, pattern string) error {
	return r.change(ctx, func(rules []Rule) ([]Rule, error) {
		switch {
		case slices.ContainsFunc(rules, func(k Rule) bool { return k.is(tool, pattern) }):
			return rules, nil
		case len(rules) >= maxRules:
			return nil, ErrTooMany
		}
		return append(rules, Rule{tool, pattern, r.now().UTC().Truncate(time.Second)}), nil
	})
}

// Remove takes back what was allowed of a tool: one pattern, or all of them where
// pattern is empty. It reports how many that were.
func (r *Rules) Remove(ctx context.Context, tool, pattern string) (removed int, err error) {
	err = r.change(ctx, func(rules []Rule) ([]Rule, error) {
		left := slices.DeleteFunc(slices.Clone(rules), func(k Rule) bool { return k.Tool == tool && (pattern == "" || k.Pattern == pattern) })
		removed = len(rules) - len(left)
		return left, nil
	})
	return removed, err
}

// change makes one change to the file as it is now, under a lock.
func (r *Rules) change(ctx context.Context, apply func([]Rule) ([]Rule, error)) error {
	r.changing.Lock()
	defer r.changing.Unlock()
	if err := os.MkdirAll(filepath.Dir(r.path), 0o700); err != nil {
		return fmt.Errorf("keeping the approvals: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	lock := flock.New(r.path + ".lock")
	if _, err := lock.TryLockContext(ctx, retry); err != nil {
		return fmt.Errorf("locking the approvals: %w", err)
	}
	defer func() { _ = lock.Unlock() }()
	rules, err := read(r.path)
	if err != nil {
		return err
	}
	if rules, err = apply(rules); err != nil {
		return err
	}
	if err := write(r.path, rules); err != nil {
		return fmt.Errorf("keeping the approvals: %w", err)
	}
	return nil
}

// write replaces the file in one step.
func write(path string, rules []Rule) error {
	if rules == nil {
		rules = []Rule{}
	}
	text, err := json.MarshalIndent(rules, "", "  ")
	if err != nil {
		return err
	}
	return diskfile.Replace(path, append(text, '\n'), 0o600)
}
