package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	sqlite3 "modernc.org/sqlite/lib"
)

// errDiskFull opens what is said where a disk is full.
var errDiskFull = errors.New("there is no room on the disk")

// isDiskFull reports whether err means that the disk or a quota is full. When it opens a file,
// SQLite makes an index of its log, and has a separate error code for a disk without space for
// that.
func isDiskFull(err error) bool {
	return errorCode(err)&0xff == sqlite3.SQLITE_FULL || errorCode(err) == sqlite3.SQLITE_IOERR_SHMSIZE || errors.Is(err, syscall.ENOSPC)
}

// explainDiskFull adds to what SQLite says of a full disk what it means.
func explainDiskFull(path string, err error) error {
	if !isDiskFull(err) || errors.Is(err, errDiskFull) {
		return err
	}
	return fmt.Errorf("%w: %w for %s; make some and try again", err, errDiskFull, path)
}

// ErrFileMoved means that the file was moved or deleted, or another put in its place,
// while it was open. What is written to it would be lost with the program.
var ErrFileMoved = errors.New("moved or deleted while nfa runs")

// checkNotMoved fails with ErrFileMoved. The system lets a program write to a file that has no
// name any more, and so does SQLite.
func (d *DB) checkNotMoved() error {
	info, err := os.Stat(d.path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), err == nil && !os.SameFile(d.fileInfo, info):
		return fmt.Errorf("%s was %w: nothing more can be kept in it; copy what you need from the screen, and start nfa again", d.path, ErrFileMoved)
	}
	return nil // what else is wrong here need not keep SQLite from writing
}
