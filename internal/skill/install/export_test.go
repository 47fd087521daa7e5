package install

import (
	"io/fs"

	"github.com/nfa-cli/nfa/internal/skill"
)

// NewFaulty returns an Installer that calls fail before each change of the disk; an error of fail
// replaces the change.
func NewFaulty(dir string, r *skill.Registry, fail func(op, name string) error) *Installer {
	return &Installer{Dir: dir, Registry: r, disk: func(d disk) disk { return faultyDisk{d, fail} }}
}

type faultyDisk struct {
	disk
	fail func(op, name string) error
}

func (t faultyDisk) MkdirAll(name string, perm fs.FileMode) error {
	if err := t.fail("mkdir", name); err != nil {
		return err
	}
	return t.disk.MkdirAll(name, perm)
}

// WriteFile fails like a full disk, with half of the file written.
func (t faultyDisk) WriteFile(name string, data []byte) error {
	if err := t.fail("write", name); err != nil {
		_ = t.disk.WriteFile(name, data[:len(data)/2])
		return err
	}
	return t.disk.WriteFile(name, data)
}

func (t faultyDisk) Rename(from, to string) error {
	if err := t.fail("rename", from); err != nil {
		return err
	}
	return t.disk.Rename(from, to)
}

func (t faultyDisk) RemoveAll(name string) error {
	if err := t.fail("remove", name); err != nil {
		return err
	}
	return t.disk.RemoveAll(name)
}

// Unpack returns the files of an archive by path, as an import reads them.
func Unpack(packed []byte) (map[string]string, error) {
	bundles, err := readArchive(packed, "skills.zip")
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, b := range bundles {
		for _, f := range b.files {
			files[b.folder+"/"+f.path] = string(f.data)
		}
	}
	return files, nil
}

// Repack packs an archive's skills again.
func Repack(packed []byte, w interface{ Write([]byte) (int, error) }) error {
	bundles, err := readArchive(packed, "skills.zip")
	if err != nil {
		return err
	}
	return writeArchive(w, bundles)
}

// Import limits.
const (
	MaxFiles    = maxFiles
	MaxFileSize = maxFileSize
	MaxExpanded = maxExpanded
	MaxPacked   = maxPacked
)
