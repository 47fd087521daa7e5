package sshserver

import (
	"fmt"
	"os"

	"github.com/landlock-lsm/go-landlock/landlock"
	access "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// Confine keeps this process, and the processes that it starts, from all files but those in home and
// the few of the system that a chat needs. It starts no programs but itself. It cannot be undone.
func Confine(home string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	const read = access.AccessFSReadFile | access.AccessFSReadDir
	const use = access.AccessFSReadFile | access.AccessFSWriteFile
	system := func(rights landlock.AccessFSSet, paths ...string) landlock.Rule {
		return landlock.PathAccess(rights, paths...).IgnoreIfMissing()
	}
	err = landlock.V3.RestrictPaths(
		landlock.PathAccess(access.AccessFSReadFile|access.AccessFSExecute, self),
		landlock.RWDirs(home).WithRefer(),
		system(read, "/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/usr/share/zoneinfo", "/usr/share/ca-certificates", "/usr/local/share/ca-certificates", "/usr/share/terminfo", "/lib/terminfo"),
		system(access.AccessFSReadFile, "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/localtime", "/etc/gai.conf", "/dev/urandom"),
		system(use, "/dev/null", "/dev/tty"),
		system(use|access.AccessFSReadDir, "/dev/pts"),
	)
	if err != nil {
		return fmt.Errorf("this kernel cannot confine a chat to its folder (Landlock, Linux 6.2 or newer): %w", err)
	}
	return nil
}
