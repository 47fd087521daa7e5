package skill_test

import "io/fs"

// sealed is a file system in which one path may not be opened.
type sealed struct {
	fs.FS
	path string
}

func (s sealed) Open(name string) (fs.File, error) {
	if name == s.path {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return s.FS.Open(name)
}
