//go:build unix

package files

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// nonBlocking keeps opening a pipe from waiting for its other end.
const nonBlocking = syscall.O_NONBLOCK

func readDiskSpace(dir string) (DiskSpace, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return DiskSpace{}, err
	}
	block := uint64(s.Bsize)
	return DiskSpace{Total: uint64(s.Blocks) * block, Free: uint64(s.Bavail) * block}, nil
}
