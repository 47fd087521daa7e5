package sshserver

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// servedVariable tells a chat that it is served, and later that it is confined.
const (
	servedVariable = "NFA_SERVED"
	served         = "1"
	confined       = "confined"
)

// Confine restricts a served chat, and the processes that it starts, to the files of the user's home and
// the few system files that a chat needs. It does nothing in a program that is not served. It runs the
// program again, because the kernel's rules apply to one thread and the processes that the thread starts.
// The program can start no program other than itself.
func Confine() error {
	if os.Getenv(servedVariable) != served {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	runtime.LockOSThread() // for good: the process ends, or is replaced
	if err := restrict(os.Getenv("HOME"), self); err != nil {
		return fmt.Errorf("this kernel cannot confine a chat to its folder (Landlock, Linux 6.2 or newer): %w", err)
	}
	if err := os.Setenv(servedVariable, confined); err != nil {
		return err
	}
	return syscall.Exec(self, os.Args, os.Environ())
}

// Rights of Landlock (https://docs.kernel.org/userspace-api/landlock.html).
const (
	readFile = unix.LANDLOCK_ACCESS_FS_READ_FILE
	readDir  = readFile | unix.LANDLOCK_ACCESS_FS_READ_DIR
	useFile  = readFile | unix.LANDLOCK_ACCESS_FS_WRITE_FILE
	runFile  = readFile | unix.LANDLOCK_ACCESS_FS_EXECUTE
	change   = useFile | readDir | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_MAKE_DIR |
		unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO |
		unix.LANDLOCK_ACCESS_FS_REFER | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	handled = change | runFile | unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK
)

// restrict applies the rules to this thread.
func restrict(home, self string) error {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: handled}
	rules, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr.Handled_access_fs), 0)
	if errno != 0 {
		return errno
	}
	defer unix.Close(int(rules))
	terminal, err := os.Readlink("/proc/self/fd/0")
	if err != nil {
		return err
	}
	loader, libraries := dynamicLoader(self)
	for _, rule := range []struct {
		rights uint64
		paths  []string
	}{
		{change, []string{home}},
		{runFile, append([]string{self}, loader...)},
		{readDir, libraries},
		{readDir, []string{"/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/usr/share/zoneinfo", "/usr/share/ca-certificates", "/usr/local/share/ca-certificates", "/usr/share/terminfo", "/lib/terminfo"}},
		{readFile, []string{"/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/localtime", "/dev/urandom"}},
		{useFile, []string{"/dev/null", "/dev/tty", terminal}}, // not all of /dev/pts: other chats have the same user ID
	} {
		for _, path := range rule.paths {
			if err := allow(int(rules), rule.rights, path); err != nil && (path == home || path == self || !errors.Is(err, fs.ErrNotExist)) {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, rules, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// dynamicLoader returns what starts a program that is linked dynamically, as one built with cgo is, and
// the folders of its libraries. Releases of nfa are linked statically.
func dynamicLoader(program string) (loader, libraries []string) {
	f, err := elf.Open(program)
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type != elf.PT_INTERP {
			continue
		}
		name, err := io.ReadAll(p.Open())
		if err != nil {
			return nil, nil
		}
		return []string{strings.TrimRight(string(name), "\x00")}, []string{"/lib", "/lib64", "/usr/lib", "/usr/lib64"}
	}
	return nil, nil
}

func allow(rules int, rights uint64, path string) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(rules), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}
