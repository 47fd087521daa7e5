package files

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

// These bounds limit measuring a folder.
const (
	maxMeasured      = 200_000
	maxMeasuredDepth = 40
	maxUsageParts    = 50
)

// DiskSpace describes the disk of a folder, in bytes.
type DiskSpace struct {
	Total uint64 `json:"total_bytes"`
	Free  uint64 `json:"free_bytes"` // available to this user
	Used  uint64 `json:"used_bytes"` // including space reserved for the administrator
}

// UsagePart is an entry of a folder, including everything below it.
type UsagePart struct {
	Name  string    `json:"name"`
	Kind  EntryKind `json:"kind"`
	Bytes int64     `json:"bytes"` // size of the content, not of disk blocks
	Files int       `json:"files"`
}

// FolderUsage is the disk space used by a folder. Links are not counted.
type FolderUsage struct {
	Path    string      `json:"path"`
	Bytes   int64       `json:"bytes"`
	Files   int         `json:"files"`
	Parts   []UsagePart `json:"parts"`   // largest first, at most fifty
	Partial bool        `json:"partial"` // some of it could not be read, or a limit was reached
	Disk    DiskSpace   `json:"disk"`
}

// Usage measures a folder, by default nfa's data folder. It reports sizes and the names directly in
// the folder, without hidden files.
func (w *Workspace) Usage(ctx context.Context, path string) (FolderUsage, error) {
	p := location{resolveLinks(w.home), nil, true}
	if path != "" {
		var err error
		if p, err = w.locate(path); err != nil {
			return FolderUsage{}, err
		}
	}
	why := purposeRead
	if p.inHome && len(p.segments) == 0 {
		why = purposeMeasure // everything is measured; its names are nfa's own
	}
	root, p, err := w.open(p, len(p.segments), why)
	missing := errors.Is(err, fs.ErrNotExist) && path == ""
	if err != nil && !missing {
		return FolderUsage{}, err
	}
	u := FolderUsage{Path: p.String(), Parts: []UsagePart{}}
	if !missing { // a data folder that does not exist yet has no size
		defer func() { _ = root.Close() }()
		if err := u.measure(ctx, root); err != nil {
			return u, fmt.Errorf("measure %s: %w", p, err)
		}
	}
	if u.Disk, err = readDiskSpace(nearestExisting(p.abs())); err != nil {
		return u, fmt.Errorf("%s: read free space: %w", p, stripPath(err))
	}
	u.Disk.Used = u.Disk.Total - min(u.Disk.Free, u.Disk.Total)
	return u, nil
}

// nearestExisting returns the nearest existing folder above a path.
func nearestExisting(path string) string {
	for {
		if _, err := os.Stat(path); err == nil || filepath.Dir(path) == path {
			return path
		}
		path = filepath.Dir(path)
	}
}

func (u *FolderUsage) measure(ctx context.Context, root *os.Root) error {
	m := &usageMeter{}
	parts := map[string]UsagePart{}
	err := eachName(root, func(name string) error {
		part, err := m.measure(ctx, root, name, 0)
		if strings.HasPrefix(name, ".") {
			name, part.Kind = "(hidden)", KindHidden
		}
		sum := parts[name]
		parts[name] = UsagePart{name, part.Kind, sum.Bytes + part.Bytes, sum.Files + part.Files}
		u.Bytes, u.Files = u.Bytes+part.Bytes, u.Files+part.Files
		return err
	})
	for _, part := range parts {
		u.Parts = append(u.Parts, part)
	}
	slices.SortFunc(u.Parts, func(a, b UsagePart) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Name, b.Name))
	})
	if len(u.Parts) > maxUsageParts {
		u.Parts = u.Parts[:maxUsageParts]
	}
	u.Partial = m.partial
	return err
}

// usageMeter counts the entries it visits.
type usageMeter struct {
	seen    int
	partial bool
}

// measure adds up an entry. If something cannot be read, the total is partial.
func (m *usageMeter) measure(ctx context.Context, root *os.Root, name string, depth int) (UsagePart, error) {
	part := UsagePart{Name: name, Kind: KindFile}
	if m.seen++; m.seen > maxMeasured || depth > maxMeasuredDepth {
		m.partial = true
		return part, nil
	}
	if err := ctx.Err(); err != nil {
		return part, err
	}
	info, err := root.Lstat(name)
	switch {
	case err != nil:
		return part, nil // deleted since it was listed
	case info.Mode().IsRegular():
		part.Bytes, part.Files = info.Size(), 1
		return part, nil
	case !info.IsDir():
		return part, nil
	}
	part.Kind = KindFolder
	below, err := openSubfolder(root, name)
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
