package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
)

// openPrecious opens a file that must never be replaced.
func openPrecious(ctx context.Context, path string, l layout) (*DB, error) {
	if err := look(ctx, path, l); damaged(err) {
		return nil, refuseDamaged(path, err)
	}
	db, err := open(ctx, path, l)
	if damaged(err) {
		return nil, refuseDamaged(path, err)
	}
	return db, err
}

// look reads a file as open does and cannot write to it. A connection that can
// write moves the log into the file when it is closed, which is no good where
// either is damaged. What is not damage is left for open to say.
func look(ctx context.Context, path string, l layout) error {
	if sizeOf(path) <= 0 {
		return lookAtNothing(path, sizeOf(path+"-wal"))
	}
	if err := inspect(path, l); err != nil {
		return err
	}
	if sizeOf(path+"-journal") > 0 {
		return nil // it has to be rolled back before anything can be read
	}
	pool, err := sql.Open("sqlite", dsn(path)+readOnly(path))
	if err != nil {
		return err
	}
	defer pool.Close()
	pool.SetMaxOpenConns(1)
	return lookInside(ctx, pool, path, l)
}

func lookInside(ctx context.Context, pool *sql.DB, path string, l layout) error {
	if err := checkSuspect(ctx, pool, path); err != nil {
		return err
	}
	if err := recognise(ctx, pool, l); err != nil {
		return err
	}
	have, err := version(ctx, pool)
	if err != nil {
		return err
	}
	if files, err := l.scripts(); err != nil || have != len(files) {
		return err // of an older version, which the migration checks
	}
	if err := checkSchema(ctx, pool, l); err != nil {
		return err
	}
	return probe(ctx, pool, l)
}

// lookAtNothing tells a book that was never begun from one that was emptied.
func lookAtNothing(path string, log int64) error {
	if log > 0 {
		return fmt.Errorf("%w: it is empty or gone, but its log is not", errDamaged)
	}
	if sizeOf(path) < 0 {
		return nil
	}
	kept, err := backups(path)
	if err == nil && len(kept) > 0 {
		return fmt.Errorf("%w: it is empty, but was backed up", errDamaged)
	}
	return err
}

// sizeOf is -1 where there is no file.
func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return -1
	}
	return info.Size()
}

// refuseDamaged says how to go on where a book is damaged.
func refuseDamaged(path string, err error) error {
	if errors.Is(err, ErrDamagedBook) {
		return err
	}
	kept, listErr := backups(path)
	if listErr != nil || len(kept) == 0 {
		return fmt.Errorf("%w %s: %w; nothing was changed and there is no backup beside it: move it, with its -wal and -shm files, "+
			"to another place to begin a new one, and keep it: sqlite3 with .recover reads what can be read", ErrDamagedBook, path, err)
	}
	return fmt.Errorf("%w %s: %w; nothing was changed: to go on, end every nfa, move it, with its -wal and -shm files, "+
		"to another place and copy the newest backup, %s, to where it was", ErrDamagedBook, path, err, kept[0])
}

// ErrDamagedBook means that the file of a book is no sound one. It is left as it is,
// and the error says how to go on, with the name of the newest backup.
var ErrDamagedBook = errors.New("damaged book")
