package skill

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/maphash"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
)

// maxTrustedBytes limits the data that is hashed to recognize a folder.
const maxTrustedBytes = 64 << 20

// ErrTooLargeToTrust means that a folder is too large to be hashed at each use.
var ErrTooLargeToTrust = errors.New("larger than 64 MB or 10,000 files")

// Listing is the content of a skills folder: everything that trusting it allows.
type Listing struct {
	Folder string  // absolute, links resolved
	Skills []Skill // in the order found
	Hash   string  // of all files of these skills: paths and content
}

// ListFolder lists a folder of skills without using them. It finds the same skills as a Registry,
// including links, so that none is trusted unseen.
func ListFolder(dir string) (Listing, error) {
	absolute, err := filepath.Abs(dir)
	if err == nil {
		absolute, err = filepath.EvalSymlinks(absolute)
	}
	if err != nil {
		return Listing{}, fmt.Errorf("list skills in %s: %w", dir, err)
	}
	list := Listing{Folder: absolute}
	sum := &folderHash{hash: sha256.New()}
	entries, _ := scanRoot(Root{Dir: absolute, Source: SourceProject}, maphash.MakeSeed())
	for _, e := range entries {
		list.Skills = append(list.Skills, e.skill)
		if err := sum.add(e); err != nil {
			return Listing{}, fmt.Errorf("list skill %s in %s: %w", e.skill.Name, absolute, err)
		}
	}
	list.Hash = "sha256:" + hex.EncodeToString(sum.hash.Sum(nil))
	return list, nil
}

type folderHash struct {
	hash    hash.Hash
	bytes   int64
	entries int
}

func (f *folderHash) add(e *entry) error {
	// Read it separately, because SKILL.md may be a link out of the directory and resources may
	// not.
	text, err := readSkillFile(e.root.files(), e.file())
	if err != nil {
		return err
	}
	f.writeLabel(e.file(), int64(len(text)))
	_, _ = f.hash.Write(text)
	fsys, done, err := e.root.openConfined(e.dir)
	if err != nil {
		return err
	}
	defer done()
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		// Count links and folders too, because they also take time.
		if f.entries++; f.entries > maxResourceEntries {
			return ErrTooLargeToTrust
		}
		if d.IsDir() || name == FileName {
			return nil
		}
		return f.addFile(fsys, e.dir+"/"+name, name)
	})
}

// addFile adds a file that a model could read. A link out of the directory cannot be read; only its
// name is added.
func (f *folderHash) addFile(fsys fs.FS, label, name string) error {
	info, err := fs.Stat(fsys, name)
	if err != nil || !info.Mode().IsRegular() {
		f.writeLabel(label, -1)
		return nil
	}
	f.writeLabel(label, info.Size())
	if f.bytes += info.Size(); f.bytes > maxTrustedBytes {
		return ErrTooLargeToTrust
	}
	file, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	n, err := io.Copy(f.hash, io.LimitReader(file, maxTrustedBytes))
	f.writeLabel("", n)
	return err
}

// writeLabel separates files, so that bytes cannot move between a file's content and the next name
// undetected.
func (f *folderHash) writeLabel(name string, size int64) {
	_, _ = io.WriteString(f.hash, strconv.Quote(name)+" "+strconv.FormatInt(size, 10)+"\n")
}

// ContentHash returns a hash of all files in a skill's directory: paths and content.
func (r *Registry) ContentHash(name string) (string, error) {
	e, ok := r.scanned().lookup(name)
	if !ok {
		return "", &NotFoundError{Name: name}
	}
	sum := &folderHash{hash: sha256.New()}
	if err := sum.add(e); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.hash.Sum(nil)), nil
}
