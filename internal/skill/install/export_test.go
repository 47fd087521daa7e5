package install

import (
	"io/fs"

	"github.com/nfa-cli/nfa/internal/skill"
)

// Faulty gives an Installer whose changes of the disk ask trip first; what trip
// answers fails in their place.
func Faulty(dir string, r *skill.Registry, trip func(op, name string) error) *Installer {
	return &Installer{Dir: dir, Registry: r, disk: func(d disk) disk { return tripwire{d, trip} }}
}

type tripwire struct {
	disk
	trip func(op, name string) error
}

func (t tripwire) MkdirAll(name string, perm fs.FileMode) error {
	if err := t.trip("mkdir", name); err != nil {
		return err
	}
	return t.disk.MkdirAll(name, perm)
}

// WriteFile fails as a full disk does: with half of the file written.
func (t tripwire) WriteFile(name string, data []byte) error {
	if err := t.trip("write", name); err != nil {
		_ = t.disk.WriteFile(name, data[:len(data)/2])
		return err
	}
	return t.disk.WriteFile(name, data)
}

func (t tripwire) SyncDir(name string) error {
	if err := t.trip("sync", name); err != nil {
		return err
	}
	return t.disk.SyncDir(name)
}

func (t tripwire) Rename(from, to string) error {
	if err := t.trip("rename", from); err != nil {
		return err
	}
	return t.disk.Rename(from, to)
}

func (t tripwire) RemoveAll(name string) error {
	if err := t.trip("remove", name); err != nil {
		return err
	}
	return t.disk.RemoveAll(name)
}

// Unpack gives the files of an archive by path, as an import reads them.
func Unpack(packed []byte) (map[string]string, error) {
	bundles, err := readArchive(packed)
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
	bundles, err := readArchive(packed)
	if err != nil {
		return err
	}
	return writeArchive(w, bundles)
}

// Limits of an import.
const (
	MaxFiles    = maxFiles
	MaxFileSize = maxFileSize
	MaxExpanded = maxExpanded
	MaxPacked   = maxPacked
)
