package skill_test

import "io/fs"

// unreadableFS is a file system in which one path may not be opened.
type unreadableFS struct {
	fs.FS
	path string
}

func (s unreadableFS) Open(name string) (fs.File, error) {
	if name == s.path {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return s.FS.Open(name)
}
