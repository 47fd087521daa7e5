//go:build unix

package config

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// foreignOwner returns why a file may be another user's, or "".
func foreignOwner(info fs.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok || int(stat.Uid) == os.Geteuid():
		return ""
	case stat.Uid != 0:
		return fmt.Sprintf("it belongs to another user (ID %d)", stat.Uid)
	case info.Mode().Perm()&0o022 != 0:
		return "other users can change it"
	}
	return ""
}
