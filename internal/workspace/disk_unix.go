//go:build unix

package workspace

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// withoutWaiting opens a pipe without waiting for who is at its other end.
const withoutWaiting = syscall.O_NONBLOCK

func spaceOf(dir string) (Space, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return Space{}, err
	}
	block := uint64(s.Bsize)
	return Space{Total: uint64(s.Blocks) * block, Free: uint64(s.Bavail) * block}, nil
}
