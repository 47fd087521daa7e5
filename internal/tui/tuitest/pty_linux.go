package tuitest

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// OpenTestPTY opens a pseudo-terminal of that many rows and columns. inside is the terminal of a
// program; outside sends its keys and receives its screen. The caller closes both. If the system
// has no pseudo-terminals, the error is that of opening /dev/ptmx.
func OpenTestPTY(rows, columns uint16) (outside, inside *os.File, err error) {
	outside, err = os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	inside, err = openPTYInside(outside, rows, columns)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("open a pseudo-terminal: %w", err), outside.Close())
	}
	return outside, inside, nil
}

func openPTYInside(outside *os.File, rows, columns uint16) (*os.File, error) {
	fd := int(outside.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return nil, err
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return nil, err
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns}); err != nil {
		return nil, err
	}
	return os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
}
