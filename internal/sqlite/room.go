package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	sqlite3 "modernc.org/sqlite/lib"
)

// errNoRoom opens what is said where a disk is full.
var errNoRoom = errors.New("there is no room on the disk")

// full tells that the disk, or a quota, has no room from every other failure. To
// open a file SQLite makes an index of its log, and has a number of its own for a
// disk that has no room for that.
func full(err error) bool {
	return code(err)&0xff == sqlite3.SQLITE_FULL || code(err) == sqlite3.SQLITE_IOERR_SHMSIZE || errors.Is(err, syscall.ENOSPC)
}

// roomless adds to what SQLite says of a full disk what it means.
func roomless(path string, err error) error {
	if !full(err) || errors.Is(err, errNoRoom) {
		return err
	}
	return fmt.Errorf("%w: %w for %s; make some and try again", err, errNoRoom, path)
}

// ErrGone means that the file was moved or deleted, or another put in its place,
// while it was open. What is written to it would be lost with the program.
var ErrGone = errors.New("moved or deleted while nfa runs")

// inPlace fails with ErrGone. The system lets a program write to a file that has no
// name any more, and so does SQLite.
func (d *DB) inPlace() error {
	now, err := os.Stat(d.path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), err == nil && !os.SameFile(d.opened, now):
		return fmt.Errorf("%s was %w: nothing more can be kept in it; copy what you need from the screen, and start nfa again", d.path, ErrGone)
	}
	return nil // what else is wrong here need not keep SQLite from writing
}
