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

// maxTrustedBytes bounds what is read to know a folder again.
const maxTrustedBytes = 64 << 20

// ErrTooLargeToTrust means that a folder holds more than can be looked through
// each time it is used.
var ErrTooLargeToTrust = errors.New("larger than 64 MB or 10,000 files")

// Listing is what a folder of skills holds: all that trusting it would let in.
type Listing struct {
	Folder string  // absolute, links resolved
	Skills []Skill // in the order they were found
	Hash   string  // of every file of these skills: its path and its bytes
}

// ListFolder looks at a folder of skills without using any. The skills are those
// that a Registry would find there, through links too, so that none comes in
// unseen.
func ListFolder(dir string) (Listing, error) {
	absolute, err := filepath.Abs(dir)
	if err == nil {
		absolute, err = filepath.EvalSymlinks(absolute)
	}
	if err != nil {
		return Listing{}, fmt.Errorf("listing the skills in %s: %w", dir, err)
	}
	list := Listing{Folder: absolute}
	sum := &folderHash{hash: sha256.New()}
	entries, _ := scanRoot(Root{Dir: absolute, Source: SourceProject}, maphash.MakeSeed())
	for _, e := range entries {
		list.Skills = append(list.Skills, e.skill)
		if err := sum.add(e); err != nil {
			return Listing{}, fmt.Errorf("listing the skill %s in %s: %w", e.skill.Name, absolute, err)
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
	// By its own road, because SKILL.md may be a link that leads out of the
	// directory, where resources may not.
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
		// Links and folders too: looking at them takes its time as well.
		if f.entries++; f.entries > maxResourceEntries {
			return ErrTooLargeToTrust
		}
		if d.IsDir() || name == FileName {
			return nil
		}
		return f.addFile(fsys, e.dir+"/"+name, name)
	})
}

// addFile adds a file as a model could read it. A link out of the directory
// cannot be read and adds its name alone.
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

// writeLabel marks off one file from the next, so that bytes cannot move from the end
// of one into the name of another unnoticed.
func (f *folderHash) writeLabel(name string, size int64) {
	_, _ = io.WriteString(f.hash, strconv.Quote(name)+" "+strconv.FormatInt(size, 10)+"\n")
}

// ContentHash is a hash of every file in a skill's directory: their paths and their bytes.
func (r *Registry) ContentHash(name string) (string, error) {
	e, ok := r.current.Load().lookup(name)
	if !ok {
		return "", &NotFoundError{Name: name}
	}
	sum := &folderHash{hash: sha256.New()}
	if err := sum.add(e); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.hash.Sum(nil)), nil
}
