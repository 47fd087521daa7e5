package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Bounds of measuring a folder.
const (
	mostMeasured    = 200_000
	deepestMeasured = 40
	mostParts       = 50
)

// Space is what the disk of a folder has, in bytes.
type Space struct {
	Total, Free uint64 // Free is what this user can still write
}

// Part is an entry of a folder with all that is below it.
type Part struct {
	Name   string
	Folder bool
	Bytes  int64 // of content, which is not what it takes on the disk
	Files  int
}

// Usage says what takes up room in a folder. Links count nothing.
type Usage struct {
	Path    string
	Bytes   int64
	Files   int
	Parts   []Part // the largest first, at most fifty
	Partial bool   // some of it could not be read, or there was too much
	Disk    Space
}

// HiddenPart is the name of all hidden entries of a folder together.
const HiddenPart = "(hidden)"

// Usage measures a folder, nfa's home when path is empty. It tells sizes and the
// names right below the folder, never those of hidden files.
func (w *Workspace) Usage(ctx context.Context, path string) (Usage, error) {
	p := place{withoutLinks(w.home), nil, true}
	if path != "" {
		var err error
		if p, err = w.locate(path); err != nil {
			return Usage{}, err
		}
	}
	why := reading
	if p.home && len(p.steps) == 0 {
		why = measuring // the sizes of all of it; its names are nfa's own
	}
	at, p, err := w.open(p, len(p.steps), why)
	missing := errors.Is(err, fs.ErrNotExist) && path == ""
	if err != nil && !missing {
		return Usage{}, err
	}
	u := Usage{Path: p.String()}
	if !missing { // a home that nothing was kept in yet has no size
		defer func() { _ = at.Close() }()
		if err := u.measure(ctx, at); err != nil {
			return u, fmt.Errorf("measuring %s: %w", p, err)
		}
	}
	if u.Disk, err = spaceOf(existing(p.abs())); err != nil {
		return u, fmt.Errorf("%s: asking for the free space: %w", p, cause(err))
	}
	return u, nil
}

// existing is the nearest folder above a path that is there.
func existing(path string) string {
	for {
		if _, err := os.Stat(path); err == nil || filepath.Dir(path) == path {
			return path
		}
		path = filepath.Dir(path)
	}
}

func (u *Usage) measure(ctx context.Context, at *os.Root) error {
	m := &meter{}
	parts := map[string]Part{}
	err := eachName(at, func(name string) error {
		part, err := m.measure(ctx, at, name, 0)
		if strings.HasPrefix(name, ".") {
			name, part.Folder = HiddenPart, false
		}
		sum := parts[name]
		parts[name] = Part{name, part.Folder, sum.Bytes + part.Bytes, sum.Files + part.Files}
		u.Bytes, u.Files = u.Bytes+part.Bytes, u.Files+part.Files
		return err
	})
	for _, part := range parts {
		u.Parts = append(u.Parts, part)
	}
	slices.SortFunc(u.Parts, func(a, b Part) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Name, b.Name))
	})
	if len(u.Parts) > mostParts {
		u.Parts = u.Parts[:mostParts]
	}
	u.Partial = m.partial
	return err
}

// meter counts what it looks at.
type meter struct {
	seen    int
	partial bool
}

// measure sums an entry up. What cannot be read makes the sum partial.
func (m *meter) measure(ctx context.Context, at *os.Root, name string, depth int) (Part, error) {
	part := Part{Name: name}
	if m.seen++; m.seen > mostMeasured || depth > deepestMeasured {
		m.partial = true
		return part, nil
	}
	if err := ctx.Err(); err != nil {
		return part, err
	}
	info, err := at.Lstat(name)
	switch {
	case err != nil:
		return part, nil // gone since it was listed
	case info.Mode().IsRegular():
		part.Bytes, part.Files = info.Size(), 1
		return part, nil
	case !info.IsDir():
		return part, nil
	}
	part.Folder = true
	below, err := step(at, name)
	if err != nil {
		m.partial = true
		return part, nil
	}
	defer func() { _ = below.Close() }()
	err = eachName(below, func(name string) error {
		inner, err := m.measure(ctx, below, name, depth+1)
		part.Bytes, part.Files = part.Bytes+inner.Bytes, part.Files+inner.Files
		return err
	})
	if err != nil && ctx.Err() == nil {
		m.partial, err = true, nil
	}
	return part, err
}
