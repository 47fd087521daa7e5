package skill

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// storeFS shows stored skills as the files NAME/SKILL.md, without links and
// read-only. With err set there is nothing that could be shown.
type storeFS struct {
	skills []StoredSkill // by name
	err    error
}

// Open gives the root, a skill's directory or a SKILL.md.
func (s storeFS) Open(name string) (fs.File, error) {
	file, err := s.open(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return file, nil
}

func (s storeFS) open(name string) (fs.File, error) {
	switch {
	case !fs.ValidPath(name):
		return nil, fs.ErrInvalid
	case s.err != nil:
		return nil, s.err
	case name == ".":
		return s.root(), nil
	}
	dir, file, nested := strings.Cut(name, "/")
	i := slices.IndexFunc(s.skills, func(k StoredSkill) bool { return k.Name == dir })
	switch {
	case i < 0:
		return nil, fs.ErrNotExist
	case !nested:
		return s.skills[i].dir(), nil
	case file != FileName:
		return nil, fs.ErrNotExist
	}
	return s.skills[i].file(), nil
}

func (s storeFS) root() *storeDir {
	d := &storeDir{info: storeInfo{name: ".", mode: fs.ModeDir | 0o500}}
	for _, k := range s.skills {
		d.unread = append(d.unread, fs.FileInfoToDirEntry(k.dir().info))
	}
	return d
}

func (s StoredSkill) dir() *storeDir {
	return &storeDir{
		info:   storeInfo{name: s.Name, mode: fs.ModeDir | 0o500, changed: s.ChangedAt},
		unread: []fs.DirEntry{fs.FileInfoToDirEntry(s.file().info)},
	}
}

func (s StoredSkill) file() *storeFile {
	return &storeFile{
		Reader: strings.NewReader(s.Text),
		info:   storeInfo{name: FileName, mode: 0o400, size: int64(len(s.Text)), changed: s.ChangedAt},
	}
}

// storeFile is an open SKILL.md.
type storeFile struct {
	*strings.Reader
	info storeInfo
}

func (f *storeFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *storeFile) Close() error               { return nil }

// storeDir is an open directory.
type storeDir struct {
	info   storeInfo
	unread []fs.DirEntry // not yet read
}

func (d *storeDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *storeDir) Close() error               { return nil }

func (d *storeDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.name, Err: fs.ErrInvalid}
}

// ReadDir gives the next n entries, or with n <= 0 all that are left.
func (d *storeDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n > 0 && len(d.unread) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.unread) {
		n = len(d.unread)
	}
	next := d.unread[:n]
	d.unread = d.unread[n:]
	return next, nil
}

type storeInfo struct {
	name    string
	mode    fs.FileMode
	size    int64
	changed time.Time
}

func (i storeInfo) Name() string       { return path.Base(i.name) }
func (i storeInfo) Size() int64        { return i.size }
func (i storeInfo) Mode() fs.FileMode  { return i.mode }
func (i storeInfo) ModTime() time.Time { return i.changed }
func (i storeInfo) IsDir() bool        { return i.mode.IsDir() }
func (i storeInfo) Sys() any           { return nil }
