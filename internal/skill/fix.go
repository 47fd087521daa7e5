package skill

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nfa-cli/nfa/internal/atomicfile"
)

// FixFile repairs a SKILL.md, or the one in a directory, where it is, and gives it
// that name. It reports what was done, which may be nothing. The file is replaced
// whole or not at all.
func FixFile(name string) (file string, changes []string, err error) {
	found, misnamed, err := FindFile(name)
	if err != nil {
		return "", nil, fmt.Errorf("repairing %s: %w", name, err)
	}
	content, err := ReadFile(found, MaxFile)
	if err != nil {
		return "", nil, fmt.Errorf("repairing %s: %w", found, err)
	}
	file = filepath.Join(filepath.Dir(found), FileName)
	if misnamed && isDifferentFile(found, file) {
		return "", nil, fmt.Errorf("repairing %s: %w: there is a %s beside it", found, fs.ErrExist, FileName)
	}
	fixed, changes, err := Repair(content, DirectoryName(found))
	if err != nil {
		return "", nil, fmt.Errorf("repairing %s: %w", found, err)
	}
	if len(changes) > 0 {
		if err := replaceFile(found, fixed); err != nil {
			return "", nil, fmt.Errorf("repairing %s: %w", found, err)
		}
	}
	if !misnamed {
		return found, changes, nil
	}
	if err := os.Rename(found, file); err != nil {
		return "", nil, fmt.Errorf("repairing %s: %w", found, err)
	}
	return file, append(changes, fmt.Sprintf("renamed %s to %s", filepath.Base(found), FileName)), nil
}

// isDifferentFile is false where the system takes both names for one file.
func isDifferentFile(a, b string) bool {
	first, errA := os.Stat(a)
	second, errB := os.Stat(b)
	return errA == nil && errB == nil && !os.SameFile(first, second)
}

// replaceFile writes through a link, to the file it leads to, and keeps the
// file's permissions.
func replaceFile(name string, data []byte) (err error) {
	if name, err = filepath.EvalSymlinks(name); err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	return atomicfile.Replace(name, data, info.Mode().Perm())
}
