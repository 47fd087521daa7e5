package install

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/skill"
)

// Limits of an imported or exported skill, in bytes. Sizes are counted while reading, because
// headers may lie.
const (
	maxFiles      = 512           // of one skill
	maxFileSize   = skill.MaxFile // each
	maxExpanded   = 16 << 20      // all files of an import
	maxPacked     = maxExpanded   // an archive
	maxPathLength = 240           // of a path in a skill
)

// bundle is a whole skill in memory.
type bundle struct {
	folder  string // original directory name
	files   []bundleFile
	leftOut []string // hidden and similar files that are not copied
	// canDropFiles allows saving the SKILL.md without files that it does not need.
	canDropFiles bool
}

type bundleFile struct {
	path string // relative to the skill's directory, with slashes
	data []byte
}

// sizeBudget is the remainder of maxExpanded.
type sizeBudget int64

func newSizeBudget() *sizeBudget {
	a := sizeBudget(maxExpanded)
	return &a
}

// read reads a file and deducts its size from the budget.
func (a *sizeBudget) read(r io.Reader) ([]byte, error) {
	limit := min(maxFileSize, int64(*a))
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(data)) <= limit:
		*a -= sizeBudget(len(data))
		return data, nil
	case limit < maxFileSize:
		return nil, fmt.Errorf("%w: more than %d MB in total", skill.ErrSizeLimit, maxExpanded>>20)
	}
	return nil, fmt.Errorf("%w: a file may have at most %d MB", skill.ErrSizeLimit, maxFileSize>>20)
}

// readBundles reads everything to be imported before anything is written.
func readBundles(name string) ([]bundle, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", skill.ErrUnreadable, skill.StripPath(err))
	case info.IsDir():
		return readDirectory(name)
	}
	content, err := skill.ReadFile(name, maxPacked)
	switch {
	case err != nil:
		return nil, err
	case bytes.HasPrefix(content, []byte("PK")), strings.EqualFold(filepath.Ext(name), ".zip"):
		return readArchive(content, name)
	}
	folderName := skill.DirectoryName(name)
	if folderName == "" {
		folderName = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	}
	return []bundle{{folder: folderName, files: []bundleFile{{skill.FileName, content}}}}, nil
}

func readDirectory(name string) ([]bundle, error) {
	full, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(full)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", skill.ErrUnreadable, skill.StripPath(err))
	}
	defer func() { _ = root.Close() }()
	// Check first, to avoid reading a folder that is not a skill.
	if _, _, err := skill.FindFile(full); err == nil {
		b, err := collect(root.FS(), filepath.Base(full))
		return []bundle{b}, err
	} else if !errors.Is(err, skill.ErrNoSkillFile) {
		return nil, err
	}
	return collectAll(root.FS())
}

// maxSearched limits the search of a folder for skills, in case it is a whole disk.
const maxSearched = 20_000

// collectAll reads the skills in the folders of fsys, which must be confined to its directory.
func collectAll(fsys fs.FS) ([]bundle, error) {
	folders, err := findSkills(fsys)
	if err != nil {
		return nil, err
	}
	bundles := make([]bundle, len(folders))
	for i, folder := range folders {
		sub, err := fs.Sub(fsys, folder)
		if err != nil {
			return nil, err
		}
		if bundles[i], err = collect(sub, path.Base(folder)); err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
	}
	return bundles, nil
}

// findSkills returns the folders of the skills in fsys, or ErrNoSkillFile.
func findSkills(fsys fs.FS) ([]string, error) {
	var files []string
	searched := 0
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		searched++
		switch {
		case err != nil:
			return fmt.Errorf("read %s: %w", name, skill.StripPath(err))
		case searched > maxSearched:
			return fmt.Errorf("%w: more than %d files in the folder", skill.ErrSizeLimit, maxSearched)
		case d.IsDir() && isIgnored(name):
			return fs.SkipDir
		case d.Name() == skill.FileName:
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	folders := skillFolders(files)
	if len(folders) == 0 {
		return nil, skill.ErrNoSkillFile
	}
	return folders, nil
}

// collect reads the skill in fsys, which must be confined to its directory.
func collect(fsys fs.FS, folder string) (bundle, error) {
	b := bundle{folder: folder}
	budget, names := newSizeBudget(), newPathSet()
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("read %s: %w", name, skill.StripPath(err))
		case name == ".":
			return nil
		case isExcluded(name):
			b.leftOut = append(b.leftOut, name)
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		if err := names.addFile(name); err != nil {
			return err
		}
		data, err := readRegular(fsys, name, budget)
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		return b.add(name, data)
	})
	return b, err
}

// isExcluded reports whether a file is not copied: a hidden file, which may hold keys or settings, or a
// file of a desktop or of version control.
func isExcluded(name string) bool {
	return isIgnored(name) || strings.HasPrefix(name, ".") || strings.Contains(name, "/.")
}

// isIgnored reports whether a path belongs to other programs, so that it is not searched for skills.
func isIgnored(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool {
		return part == ".git" || part == "node_modules" || part == "__MACOSX" || part == "__pycache__"
	})
}

func readRegular(fsys fs.FS, name string, budget *sizeBudget) ([]byte, error) {
	// Check before opening, because opening a pipe would block. The confined file system rejects
	// links out of the directory.
	info, err := fs.Lstat(fsys, name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if info, err = fs.Stat(fsys, name); err != nil || !info.Mode().IsRegular() {
			return nil, ErrLink
		}
	}
	switch {
	case err != nil:
		return nil, skill.StripPath(err)
	case !info.Mode().IsRegular():
		return nil, skill.ErrNotRegular
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, skill.StripPath(err)
	}
	defer func() { _ = f.Close() }()
	return budget.read(f)
}

func (b *bundle) add(name string, data []byte) error {
	if len(b.files) == maxFiles {
		return fmt.Errorf("%w: a skill may have at most %d files", skill.ErrSizeLimit, maxFiles)
	}
	b.files = append(b.files, bundleFile{name, data})
	return nil
}

// skillFile returns the file that becomes SKILL.md: the one with that name, or the only one with
// another spelling.
func (b *bundle) skillFile() (*bundleFile, error) {
	var others []*bundleFile
	for i := range b.files {
		switch f := &b.files[i]; {
		case f.path == skill.FileName:
			return f, nil
		case skill.IsFileName(f.path):
			others = append(others, f)
		}
	}
	switch len(others) {
	case 0:
		return nil, fmt.Errorf("%s: %w", b.folder, skill.ErrNoSkillFile)
	case 1:
		return others[0], nil
	}
	return nil, fmt.Errorf("%s: %w; found both %s and %s", b.folder, skill.ErrNoSkillFile, others[0].path, others[1].path)
}

// sort puts SKILL.md first.
func (b *bundle) sort() {
	slices.SortFunc(b.files, func(x, y bundleFile) int {
		switch {
		case x.path == skill.FileName:
			return -1
		case y.path == skill.FileName:
			return 1
		}
		return strings.Compare(x.path, y.path)
	})
}
