package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	sqlite3 "modernc.org/sqlite/lib"
)

// errDiskFull starts every message about a full disk.
var errDiskFull = errors.New("not enough disk space")

// isDiskFull reports whether err means that the disk or a quota is full. For the index of its log,
// SQLite has a separate error code.
func isDiskFull(err error) bool {
	return errorCode(err)&0xff == sqlite3.SQLITE_FULL || errorCode(err) == sqlite3.SQLITE_IOERR_SHMSIZE || errors.Is(err, syscall.ENOSPC)
}

// explainDiskFull adds the next step to SQLite's error about a full disk.
func explainDiskFull(path string, err error) error {
	if !isDiskFull(err) || errors.Is(err, errDiskFull) {
		return err
	}
	return fmt.Errorf("%w: %w for %s; free some and try again", err, errDiskFull, path)
}

// ErrFileMoved means that the file was moved, deleted or replaced while it was open. Data written
// to it would be lost when the program ends.
var ErrFileMoved = errors.New("moved or deleted while nfa was running")

// checkNotMoved returns ErrFileMoved if the file was moved. SQLite and the system would still allow
// writing to a file without a name.
func (d *DB) checkNotMoved() error {
	info, err := os.Stat(d.path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), err == nil && !os.SameFile(d.fileInfo, info):
		return fmt.Errorf("%s was %w: nothing more can be saved; copy what you need from the screen and restart nfa", d.path, ErrFileMoved)
	}
	return nil // other problems here do not keep SQLite from writing
}
