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
	if !ok {
		return ""
	}
	return foreignTo(os.Geteuid(), int(stat.Uid), info.Mode())
}

// foreignTo returns why a user should not trust a file of an owner, or "".
func foreignTo(user, owner int, mode fs.FileMode) string {
	switch {
	case owner == user:
		return ""
	case owner != 0:
		return fmt.Sprintf("it belongs to another user (ID %d)", owner)
	case mode.Perm()&0o022 != 0:
		return "other users can change it"
	}
	return ""
}
