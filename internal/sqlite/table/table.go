// Package table is what stands in the tables of a book: the rows in which transactions,
// settings and the journal are kept, and how they are read again. It works within a
// transaction that was begun elsewhere, and knows neither the file nor the driver.
//
// LoadLedger, LoadRemoved, LoadDecisions and LoadWatches read; Record writes a change of
// the ledger, and the Entry of a decision or a watch puts itself in.
package table

import (
	"errors"
	"fmt"
)

// ErrUnsound means that the tables are not what their version says.
var ErrUnsound = errors.New("not a sound database")

// Numbers of SQLite (https://www.sqlite.org/rescode.html), whatever the driver.
const (
	wrongStatement     = 1
	violatesConstraint = 19
	violatesCheck      = violatesConstraint | 1<<8
	violatesForeignKey = violatesConstraint | 3<<8
	violatesNotNull    = violatesConstraint | 5<<8
	violatesUnique     = violatesConstraint | 8<<8
)

// code is SQLite's number for err, or -1.
func code(err error) int {
	var numbered interface {
		error
		Code() int
	}
	if !errors.As(err, &numbered) {
		return -1
	}
	return numbered.Code()
}

// notOurs is for a statement that is right for every file of its version: where
// SQLite finds it wrong, the tables are not what the version says.
func notOurs(err error) error {
	if code(err) == wrongStatement {
		return fmt.Errorf("%w: %w", ErrUnsound, err)
	}
	return err
}
