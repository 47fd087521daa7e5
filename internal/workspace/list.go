package workspace

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

// Bounds of a listing.
const (
	mostListed  = 200
	mostLooked  = 20_000
	deepest     = 12
	readAtATime = 256
)

// Entry is a file or a folder.
type Entry struct {
	Path     string // to hand to Read or List
	Folder   bool
	Size     int64 // of a file, in bytes
	Modified time.Time
}

// Listing is what a folder holds, in the order of its paths.
type Listing struct {
	Path     string
	Entries  []Entry
	Withheld int  // hidden files, files with keys, links, devices
	Partial  bool // there is more than was looked at or is listed
}

// ErrPattern means that a pattern is not one.
var ErrPattern = errors.New("not a pattern; use * and ?, such as *.csv")

// List lists a folder. With a pattern such as *.csv it lists the files whose
// name matches, in the folders below as well. It is bounded, and says when more
// is there.
func (w *Workspace) List(ctx context.Context, folder, pattern string) (Listing, error) {
	pattern = strings.TrimPrefix(pattern, "**/")
	if _, err := path.Match(pattern, ""); err != nil {
		return Listing{}, fmt.Errorf("%q: %w", pattern, ErrPattern)
	}
	p, err := w.locate(folder)
	if err != nil {
		return Listing{}, err
	}
	at, p, err := w.open(p, len(p.steps), reading)
	if err != nil {
		return Listing{}, err
	}
	defer func() { _ = at.Close() }()
	l := &lister{Workspace: w, pattern: pattern}
	if err := l.list(ctx, at, p); err != nil {
		return Listing{}, fmt.Errorf("%s: %w", p, err)
	}
	slices.SortFunc(l.found, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
	out := Listing{Path: p.String(), Entries: l.found, Withheld: l.withheld, Partial: l.partial}
	if len(out.Entries) > mostListed {
		out.Entries, out.Partial = out.Entries[:mostListed], true
	}
	return out, nil
}

type lister struct {
	*Workspace
	pattern string

	found            []Entry
	looked, withheld int
	partial          bool
}

func (l *lister) list(ctx context.Context, at *os.Root, p place) error {
	return eachName(at, func(name string) error {
		if l.looked++; l.looked > mostLooked {
			l.partial = true
			return fs.SkipAll
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		return l.look(ctx, at, place{p.root, append(p.steps[:len(p.steps):len(p.steps)], name), p.home})
	})
}

func (l *lister) look(ctx context.Context, at *os.Root, p place) error {
	name := p.steps[len(p.steps)-1]
	info, err := at.Lstat(name)
	if err != nil {
		return nil // gone since it was listed
	}
	locked := p.home && homeAllows(p.steps, reading) != nil
	if locked || allowed(name) != nil || !info.IsDir() && !info.Mode().IsRegular() {
		l.withheld++
		return nil
	}
	matched, _ := path.Match(l.pattern, name)
	if l.pattern == "" || matched && !info.IsDir() {
		e := Entry{Path: p.String(), Folder: info.IsDir(), Modified: info.ModTime()}
		if !e.Folder {
			e.Size = info.Size()
		}
		l.found = append(l.found, e)
	}
	if l.pattern == "" || !info.IsDir() {
		return nil
	}
	return l.enter(ctx, at, p, name)
}

// enter lists a folder below. One that cannot be opened is left out, because the
// others can.
func (l *lister) enter(ctx context.Context, at *os.Root, p place, name string) error {
	if len(p.steps) > deepest {
		l.partial = true
		return nil
	}
	below, err := step(at, name)
	if err != nil {
		l.partial = true
		return nil
	}
	defer func() { _ = below.Close() }()
	if !p.home && l.isHome(below) {
		p = place{withoutLinks(l.home), nil, true}
	}
	return l.list(ctx, below, p)
}

// eachName gives the names in a folder, in no order, until do returns an error;
// fs.SkipAll ends it without one.
func eachName(at *os.Root, do func(name string) error) error {
	f, err := at.Open(".")
	if err != nil {
		return cause(err)
	}
	defer func() { _ = f.Close() }()
	for {
		names, err := f.Readdirnames(readAtATime)
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
			return cause(err)
		}
	}
}
