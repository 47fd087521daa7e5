package skill

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// maxResources is the maximum number of listed files; the rest are counted.
	maxResources = 50
	// ResourceChunk is the default and maximum length of a read, in bytes.
	ResourceChunk = 16 << 10
)

// maxResourceEntries limits counting. Tests lower it.
var maxResourceEntries = 10_000

// EvalsFile has the test cases of a skill. It is not shown to the model.
const EvalsFile = "evals.yaml"

// ResourceGroup is the purpose of a resource, from its folder.
type ResourceGroup string

// Groups, in listing order.
const (
	GroupReferences ResourceGroup = "references"
	GroupAssets     ResourceGroup = "assets"
	GroupScripts    ResourceGroup = "scripts"
	GroupOther      ResourceGroup = "other"
)

// Resource is a file of a skill other than SKILL.md.
type Resource struct {
	Path  string        `json:"path"` // relative to the skill's directory, with slashes
	Group ResourceGroup `json:"group"`
	Size  int64         `json:"size"` // in bytes
}

// Resources lists the files of a skill, by group and then path. Omitted counts those beyond the
// first fifty.
type Resources struct {
	Files   []Resource
	Omitted int
}

// Resources lists the files in a skill's directory without reading them. It skips hidden files and
// links out of the directory.
func (r *Registry) Resources(name string) (Resources, error) {
	e, ok := r.scanned().lookup(name)
	if !ok {
		return Resources{}, &NotFoundError{Name: name}
	}
	fsys, done, err := e.root.openConfined(e.dir)
	if err != nil {
		return Resources{}, fmt.Errorf("list %s: %w", e.skill.Directory, err)
	}
	defer done()
	return listResources(fsys), nil
}

func listResources(fsys fs.FS) Resources {
	var list Resources
	seen := 0
	// Unreadable files are skipped: the skill works without them, and reading one by name reports
	// the error.
	_ = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case seen > maxResourceEntries:
			return fs.SkipAll
		case name == "." || name == FileName || name == EvalsFile:
			return nil
		case err != nil || strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules":
			return skipFolder(d)
		case d.IsDir():
			return nil
		}
		if info, err := fs.Stat(fsys, name); err == nil && info.Mode().IsRegular() {
			list.Files = append(list.Files, Resource{Path: name, Group: groupOf(name), Size: info.Size()})
		}
		return nil
	})
	order := []ResourceGroup{GroupReferences, GroupAssets, GroupScripts, GroupOther}
	slices.SortStableFunc(list.Files, func(a, b Resource) int {
		return slices.Index(order, a.Group) - slices.Index(order, b.Group)
	})
	if excess := len(list.Files) - maxResources; excess > 0 {
		list.Files, list.Omitted = list.Files[:maxResources], excess
	}
	return list
}

// Files opens the directory of a skill, confined to it, until done is called.
func (r *Registry) Files(name string) (s Skill, fsys fs.FS, done func(), err error) {
	e, ok := r.scanned().lookup(name)
	if !ok {
		return Skill{}, nil, nil, &NotFoundError{Name: name}
	}
	fsys, done, err = e.root.openConfined(e.dir)
	return e.skill, fsys, done, err
}

func skipFolder(d fs.DirEntry) error {
	if d != nil && d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

func groupOf(name string) ResourceGroup {
	folder, _, nested := strings.Cut(name, "/")
	switch {
	case !nested:
		return GroupOther
	case folder == "references" || folder == "reference":
		return GroupReferences
	case folder == "assets":
		return GroupAssets
	case folder == "scripts":
		return GroupScripts
	}
	return GroupOther
}

// ResourceText is a part of a resource.
type ResourceText struct {
	Path   string
	Text   string
	Offset int64 // of the first byte of Text
	Next   int64 // offset of the next part; zero at the end
	Size   int64 // of the whole file, in bytes
}

// ReadResource reads up to limit bytes of a text file in a skill's directory, from offset, without
// splitting characters. limit is at most ResourceChunk; zero means ResourceChunk. No path or link
// leads out of the directory. The errors are *NotFoundError, ErrResourcePath, ErrResourceNotFound,
// ErrNotRegular and ErrNotText.
func (r *Registry) ReadResource(name, file string, offset int64, limit int) (ResourceText, error) {
	e, ok := r.scanned().lookup(name)
	if !ok {
		return ResourceText{}, &NotFoundError{Name: name}
	}
	clean := path.Clean(file)
	// Reject backslashes too, because they are separators on Windows.
	if !fs.ValidPath(clean) || clean == "." || strings.ContainsAny(file, "\\\x00") || slices.ContainsFunc(strings.Split(file, "/"), isHidden) {
		return ResourceText{}, fmt.Errorf("%q: %w", file, ErrResourcePath)
	}
	fsys, done, err := e.root.openConfined(e.dir)
	if err != nil {
		return ResourceText{}, fmt.Errorf("open %s: %w", e.skill.Directory, err)
	}
	defer done()
	if limit <= 0 || limit > ResourceChunk {
		limit = ResourceChunk
	}
	text, err := readChunk(fsys, clean, max(offset, 0), limit)
	if err != nil {
		return ResourceText{}, fmt.Errorf("read %s of skill %s: %w", clean, e.skill.Name, err)
	}
	return text, nil
}

// isHidden reports whether a path element is never read: a parent directory, or a hidden file, which may
// contain keys.
func isHidden(part string) bool { return len(part) > 1 && part[0] == '.' }

func readChunk(fsys fs.FS, name string, offset int64, limit int) (ResourceText, error) {
	info, err := fs.Stat(fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ResourceText{}, ErrResourceNotFound
	case err != nil:
		return ResourceText{}, err
	case !info.Mode().IsRegular():
		return ResourceText{}, ErrNotRegular
	}
	f, err := fsys.Open(name)
	if err != nil {
		return ResourceText{}, err
	}
	defer func() { _ = f.Close() }()
	piece := ResourceText{Path: name, Offset: min(offset, info.Size()), Size: info.Size()}
	// Read up to three more bytes on both sides, to complete characters at the edges.
	lead := min(piece.Offset, utf8.UTFMax-1)
	if err := skipBytes(f, piece.Offset-lead); err != nil {
		return ResourceText{}, err
	}
	window, err := io.ReadAll(io.LimitReader(f, lead+int64(limit)+utf8.UTFMax-1))
	if err != nil {
		return ResourceText{}, err
	}
	return piece.cutAtRunes(window, int(lead), limit)
}

func skipBytes(f fs.File, n int64) error {
	if s, ok := f.(io.Seeker); ok {
		_, err := s.Seek(n, io.SeekStart)
		return err
	}
	_, err := io.CopyN(io.Discard, f, n)
	return err
}

// cutAtRunes sets Text from window, which begins lead bytes before p.Offset, cut between
// characters.
func (p ResourceText) cutAtRunes(window []byte, lead, limit int) (ResourceText, error) {
	from := runeStart(window, min(lead, len(window)))
	to := runeStart(window, min(lead+limit, len(window)))
	if to <= from {
		_, size := utf8.DecodeRune(window[from:])
		to = from + size
	}
	text := window[from:to]
	if !utf8.Valid(text) || slices.Contains(text, 0) {
		return ResourceText{}, ErrNotText
	}
	p.Text = string(text)
	p.Offset += int64(from - lead)
	if end := p.Offset + int64(len(text)); end < p.Size {
		p.Next = end
	}
	return p, nil
}

// runeStart returns the start of the character at i.
func runeStart[T string | []byte](b T, i int) int {
	for back := i; back > 0 && back > i-utf8.UTFMax && back < len(b); back-- {
		if utf8.RuneStart(b[back]) {
			return back
		}
	}
	return i
}
