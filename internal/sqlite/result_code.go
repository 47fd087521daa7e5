package sqlite

import (
	"errors"
	"fmt"
)

// ErrUnsound means that the tables are not what their version says.
var ErrUnsound = errors.New("not a sound database")

// Result codes of SQLite (https://www.sqlite.org/rescode.html), the same for every driver.
const (
	genericError       = 1
	violatesConstraint = 19
	violatesCheck      = violatesConstraint | 1<<8
	violatesForeignKey = violatesConstraint | 3<<8
	violatesNotNull    = violatesConstraint | 5<<8
	violatesUnique     = violatesConstraint | 8<<8
)

// resultCode is SQLite's number for err, or -1.
func resultCode(err error) int {
	var numbered interface {
		error
		Code() int
	}
	if !errors.As(err, &numbered) {
		return -1
	}
	return numbered.Code()
}

// markUnsound is for a statement that is right for every file of its version: where
// SQLite finds it wrong, the tables are not what the version says.
func markUnsound(err error) error {
	if resultCode(err) == genericError {
		return fmt.Errorf("%w: %w", ErrUnsound, err)
	}
	return err
}
