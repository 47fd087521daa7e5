package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// These bounds limit a listing.
const (
	maxListed  = 200
	maxScanned = 20_000
	maxDepth   = 12
	readBatch  = 256
)

// FolderEntry is an entry of a folder.
type FolderEntry struct {
	Path     string    `json:"path"` // for Read or List
	Kind     EntryKind `json:"kind"`
	Size     int64     `json:"size,omitempty"` // of a file, in bytes
	Modified time.Time `json:"modified"`       // in UTC, to the second
}

// EntryKind is the kind of a folder entry.
type EntryKind string

// These are the kinds of entries. KindHidden stands for all hidden entries of a folder together.
const (
	KindFile   EntryKind = "file"
	KindFolder EntryKind = "folder"
	KindHidden EntryKind = "hidden entries"
)

// FolderListing lists a folder, sorted by path.
type FolderListing struct {
	Path     string        `json:"path"`
	Pattern  string        `json:"pattern,omitempty"` // as given
	Entries  []FolderEntry `json:"entries"`
	Withheld int           `json:"withheld"` // hidden files, files with keys, links, devices
	Partial  bool          `json:"partial"`  // a limit was reached
}

// ErrBadPattern marks an invalid pattern.
var ErrBadPattern = errors.New("invalid pattern; use * and ?, such as *.csv")

// List lists a folder. With a pattern such as *.csv it lists matching files, including those in
// subfolders. It is bounded, and reports if there is more.
func (w *Workspace) List(ctx context.Context, folder, pattern string) (FolderListing, error) {
	given := pattern
	pattern = strings.TrimPrefix(pattern, "**/")
	if _, err := path.Match(pattern, ""); err != nil {
		return FolderListing{}, fmt.Errorf("%q: %w", pattern, ErrBadPattern)
	}
	p, err := w.locate(folder)
	if err != nil {
		return FolderListing{}, err
	}
	root, p, err := w.open(p, len(p.segments), purposeRead)
	if err != nil {
		return FolderListing{}, err
	}
	defer func() { _ = root.Close() }()
	l := &lister{Workspace: w, pattern: pattern, found: []FolderEntry{}}
	if err := l.list(ctx, root, p); err != nil {
		return FolderListing{}, fmt.Errorf("%s: %w", p, err)
	}
	slices.SortFunc(l.found, func(a, b FolderEntry) int { return cmp.Compare(a.Path, b.Path) })
	listing := FolderListing{Path: p.String(), Pattern: given, Entries: l.found, Withheld: l.withheld, Partial: l.partial}
	if len(listing.Entries) > maxListed {
		listing.Entries, listing.Partial = listing.Entries[:maxListed], true
	}
	return listing, nil
}

type lister struct {
	*Workspace
	pattern string

	found          []FolderEntry
	seen, withheld int
	partial        bool
}

func (l *lister) list(ctx context.Context, root *os.Root, p location) error {
	return eachName(root, func(name string) error {
		if l.seen++; l.seen > maxScanned {
			l.partial = true
			return fs.SkipAll
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		return l.visit(ctx, root, location{p.root, append(p.segments[:len(p.segments):len(p.segments)], name), p.inHome})
	})
}

func (l *lister) visit(ctx context.Context, root *os.Root, p location) error {
	name := p.segments[len(p.segments)-1]
	info, err := root.Lstat(name)
	if err != nil {
		return nil // deleted since it was listed
	}
	locked := p.inHome && checkHomeAccess(p.segments, purposeRead) != nil
	if locked || checkName(name) != nil || !info.IsDir() && !info.Mode().IsRegular() {
		l.withheld++
		return nil
	}
	matched, _ := path.Match(l.pattern, name)
	if l.pattern == "" || matched && !info.IsDir() {
		e := FolderEntry{Path: p.String(), Kind: KindFolder, Modified: info.ModTime().UTC().Truncate(time.Second)}
		if !info.IsDir() {
			e.Kind, e.Size = KindFile, info.Size()
		}
		l.found = append(l.found, e)
	}
	if l.pattern == "" || !info.IsDir() {
		return nil
	}
	if len(p.segments) > maxDepth {
		l.partial = true
		return nil
	}
	below, err := openSubfolder(root, name)
	if err != nil {
		l.partial = true // the other folders can still be listed
		return nil
	}
	defer func() { _ = below.Close() }()
	if !p.inHome && l.isHomeFolder(below) {
		p = location{resolveLinks(l.home), nil, true}
	}
	return l.list(ctx, below, p)
}

// eachName calls do with the names in a folder, in no particular order, until it returns an error; fs.SkipAll
// ends it without one.
func eachName(root *os.Root, do func(name string) error) error {
	f, err := root.Open(".")
	if err != nil {
		return stripPath(err)
	}
	defer func() { _ = f.Close() }()
	for {
		names, err := f.Readdirnames(readBatch)
		for _, name := range names {
			switch err := do(name); {
			case errors.Is(err, fs.SkipAll):
				return nil
			case err != nil:
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return stripPath(err)
		}
	}
}
