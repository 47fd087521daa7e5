package skill

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/nfa-cli/nfa/internal/atomicfile"
)

// MaxFile is the maximum size, in bytes, of a file in a skill.
const MaxFile = 1 << 20

// FindFile returns name itself, or the SKILL.md in the directory name. If only other spellings
// exist, it returns the alphabetically first and misnamed is set.
func FindFile(name string) (file string, misnamed bool, err error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "", false, fmt.Errorf("%w: %w", ErrUnreadable, StripPath(err))
	case !info.IsDir():
		return name, filepath.Base(name) != FileName && IsFileName(filepath.Base(name)), nil
	}
	items, err := os.ReadDir(name)
	if err != nil {
		return "", false, fmt.Errorf("%w: %w", ErrUnreadable, StripPath(err))
	}
	var other string
	for _, item := range items {
		if item.Name() == FileName {
			return filepath.Join(name, FileName), false, nil
		}
		if other == "" && !item.IsDir() && IsFileName(item.Name()) {
			other = item.Name()
		}
	}
	if other == "" {
		return "", false, ErrNoSkillFile
	}
	return filepath.Join(name, other), true, nil
}

// IsFileName accepts common spellings of SKILL.md.
func IsFileName(name string) bool {
	return strings.EqualFold(name, FileName) || strings.EqualFold(name, "skills.md")
}

// DirectoryName returns the name of the directory of a SKILL.md, or "" for any other file.
func DirectoryName(file string) string {
	full, err := filepath.Abs(file)
	if err != nil || !IsFileName(filepath.Base(file)) {
		return ""
	}
	return filepath.Base(filepath.Dir(full))
}

// StripPath removes the path from an error, because the caller reports it separately.
func StripPath(err error) error {
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		return pe.Err
	}
	return err
}

// ReadFile reads a regular file of at most limit bytes; a larger one is ErrSizeLimit.
func ReadFile(name string, limit int64) ([]byte, error) {
	content, _, err := atomicfile.Read(name, limit)
	switch {
	case errors.Is(err, atomicfile.ErrNotRegular):
		return nil, ErrNotRegular
	case errors.Is(err, atomicfile.ErrTooLarge):
		return nil, fmt.Errorf("%w: over %d bytes", ErrSizeLimit, limit)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, StripPath(err))
	}
	return content, nil
}
