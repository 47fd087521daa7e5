package install

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/skill"
)

// encryptedFlag is the zip entry flag for encryption.
const encryptedFlag = 1

// readArchive reads the skills of a zip archive into memory. One invalid entry rejects the whole
// archive. name is that of the file. The archive has
//   - a skill in each top-level folder, the format of Export;
//   - or one skill, with its SKILL.md at the top;
//   - or a repository, as hosts offer it: one folder that is not a skill, with skills anywhere in
//     it. Its other files are ignored.
func readArchive(packed []byte, name string) ([]bundle, error) {
	if len(packed) > maxPacked {
		return nil, fmt.Errorf("%w: %w: over %d MB", ErrArchive, skill.ErrSizeLimit, maxPacked>>20)
	}
	zr, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrArchive, err)
	}
	u := unpacker{byFolder: map[string]*bundle{}, paths: newPathSet(), budget: newSizeBudget()}
	entries := make([]archiveEntry, 0, len(zr.File))
	var files []string
	for _, f := range zr.File {
		clean, err := u.checkEntry(f)
		if err != nil {
			return nil, fmt.Errorf("%w: entry %q: %w", ErrArchive, f.Name, err)
		}
		entries = append(entries, archiveEntry{f, clean})
		if !f.Mode().IsDir() {
			files = append(files, clean)
		}
	}
	switch {
	case slices.Contains(files, skill.FileName):
		u.folders = []string{"."}
		u.byFolder["."] = &bundle{folder: strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))}
	case isRepository(files):
		if u.folders = skillFolders(files); len(u.folders) == 0 {
			return nil, fmt.Errorf("%w: %w", ErrArchive, skill.ErrNoSkillFile)
		}
	}
	for _, e := range entries {
		if err := u.addEntry(e); err != nil {
			return nil, fmt.Errorf("%w: entry %q: %w", ErrArchive, e.file.Name, err)
		}
	}
	return u.skills()
}

// isRepository reports whether files have one top-level folder, without a SKILL.md directly in it.
func isRepository(files []string) bool {
	top := ""
	for _, name := range files {
		folder, inside, nested := strings.Cut(name, "/")
		switch {
		case isExcluded(folder):
		case !nested, skill.IsFileName(inside), top != "" && top != folder:
			return false
		default:
			top = folder
		}
	}
	return top != ""
}

// skillFolders returns the folders that have a SKILL.md, sorted, without those inside another one.
func skillFolders(files []string) []string {
	var folders []string
	for _, name := range files {
		if path.Base(name) == skill.FileName && !isIgnored(name) {
			folders = append(folders, path.Dir(name))
		}
	}
	slices.Sort(folders)
	var outer []string
	for _, folder := range folders {
		if folderOf(outer, folder) == "" {
			outer = append(outer, folder)
		}
	}
	return outer
}

// folderOf returns the folder that is the path or contains it, or "" if there is none.
func folderOf(folders []string, name string) string {
	for _, folder := range folders {
		if folder == "." || name == folder || strings.HasPrefix(name, folder+"/") {
			return folder
		}
	}
	return ""
}

// archiveEntry is a checked entry with its path.
type archiveEntry struct {
	file *zip.File
	path string
}

// unpacker is the state of reading an archive.
type unpacker struct {
	folders  []string // of skills; nil if each top-level folder is one
	byFolder map[string]*bundle
	paths    *pathSet
	budget   *sizeBudget
}

func (u *unpacker) addEntry(e archiveEntry) error {
	folder, inside, nested := strings.Cut(e.path, "/")
	if u.folders != nil {
		if folder = folderOf(u.folders, e.path); folder == "" {
			return nil
		}
		inside, nested = strings.TrimPrefix(e.path, folder+"/"), true
	}
	switch {
	case u.folders == nil && isExcluded(folder):
		return nil
	case !nested && !e.file.Mode().IsDir():
		return fmt.Errorf("%w: outside a skill folder", ErrUnsafePath)
	}
	b := u.byFolder[folder]
	if b == nil {
		b = &bundle{folder: path.Base(folder)}
		u.byFolder[folder] = b
	}
	switch {
	case e.file.Mode().IsDir():
		return nil
	case isExcluded(inside):
		b.leftOut = append(b.leftOut, inside)
		return nil
	}
	data, err := u.unpack(e.file)
	if err != nil {
		return err
	}
	return b.add(inside, data)
}

// checkEntry checks an entry without unpacking it, and returns its path.
func (u *unpacker) checkEntry(f *zip.File) (string, error) {
	mode := f.Mode()
	switch {
	case f.Flags&encryptedFlag != 0:
		return "", fmt.Errorf("%w: encrypted", skill.ErrNotRegular)
	case mode.Type()&^fs.ModeDir != 0:
		return "", fmt.Errorf("%w: %s", skill.ErrNotRegular, mode.Type())
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return "", zip.ErrAlgorithm
	case !mode.IsDir():
		return f.Name, u.paths.addFile(f.Name)
	case f.UncompressedSize64 > 0:
		return "", fmt.Errorf("%w: a folder with content", skill.ErrNotRegular)
	}
	name := strings.TrimSuffix(f.Name, "/")
	return name, u.paths.addFolder(name)
}

func (u *unpacker) unpack(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	return u.budget.read(r)
}

func (u *unpacker) skills() ([]bundle, error) {
	if len(u.byFolder) == 0 {
		return nil, fmt.Errorf("%w: it contains no skills", ErrArchive)
	}
	var skills []bundle
	for _, b := range u.byFolder {
		if _, err := b.skillFile(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrArchive, err)
		}
		b.sort()
		skills = append(skills, *b)
	}
	slices.SortFunc(skills, func(a, b bundle) int { return cmp.Compare(a.folder, b.folder) })
	return skills, nil
}

// writeArchive packs skills in the format of readArchive. Equal skills give equal bytes.
func writeArchive(w io.Writer, skills []bundle) error {
	var packed bytes.Buffer
	zw := zip.NewWriter(&packed)
	paths, budget := newPathSet(), newSizeBudget()
	for _, b := range skills {
		b.sort()
		for _, f := range b.files {
			name := path.Join(b.folder, f.path)
			if err := paths.addFile(name); err != nil {
				return err
			}
			if _, err := budget.read(bytes.NewReader(f.data)); err != nil {
				return fmt.Errorf("pack %s: %w", name, err)
			}
			if err := packFile(zw, name, f.data); err != nil {
				return fmt.Errorf("pack %s: %w", name, err)
			}
		}
	}
	if err := zw.Close(); err != nil {
		return fmt.Errorf("close the archive: %w", err)
	}
	if packed.Len() > maxPacked {
		return fmt.Errorf("%w: the archive has %d bytes; the maximum is %d", skill.ErrSizeLimit, packed.Len(), maxPacked)
	}
	if _, err := packed.WriteTo(w); err != nil {
		return fmt.Errorf("write the archive: %w", err)
	}
	return nil
}

func packFile(zw *zip.Writer, name string, data []byte) error {
	header := &zip.FileHeader{
		Name:   name,
		Method: zip.Deflate,
		// The earliest zip time; the current time would make two archives of one skill differ.
		Modified: time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC),
	}
	header.SetMode(0o644)
	w, err := zw.CreateHeader(header)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// Export packs skills of any source into a zip archive for Import. It writes to w only if all can
// be packed; equal skills give equal bytes. It returns the hidden files that were left out.
func (i *Installer) Export(w io.Writer, names ...string) (leftOut []string, err error) {
	var bundles []bundle
	for _, name := range names {
		b, err := i.readBundle(name)
		if err != nil {
			return nil, fmt.Errorf("export %s: %w", name, err)
		}
		if slices.ContainsFunc(bundles, func(other bundle) bool { return other.folder == b.folder }) {
			continue
		}
		bundles = append(bundles, b)
		for _, file := range b.leftOut {
			leftOut = append(leftOut, path.Join(b.folder, file))
		}
	}
	slices.SortFunc(bundles, func(a, b bundle) int { return strings.Compare(a.folder, b.folder) })
	if err := writeArchive(w, bundles); err != nil {
		return nil, fmt.Errorf("export %s: %w", strings.Join(names, ", "), err)
	}
	return leftOut, nil
}

// readBundle reads a skill of any source.
func (i *Installer) readBundle(name string) (bundle, error) {
	s, fsys, done, err := i.Registry.Files(name)
	if err != nil {
		return bundle{}, err
	}
	defer done()
	return collect(fsys, s.Name)
}
