package skillset

import (
	"bytes"
	"io/fs"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/skill"
)

// Exported gives the bytes of an archive, or of one SKILL.md, and what they do
// not hold.
func (set *Set) Exported(names []string, alone bool) (packed []byte, leftOut []string, err error) {
	if !alone {
		var archive bytes.Buffer
		leftOut, err = set.Installer().Export(&archive, names...)
		return archive.Bytes(), leftOut, err
	}
	content, err := set.o.Registry.Load(names[0])
	if err != nil {
		return nil, nil, err
	}
	n, err := set.filesBeside(names[0])
	if err != nil {
		return nil, nil, err
	}
	if n > 0 {
		leftOut = []string{console.Count(n, "other file") + " of the skill; a .zip takes them along"}
	}
	return []byte(content.Text), leftOut, nil
}

// filesBeside counts the files of a skill that an archive takes along, trials too.
func (set *Set) filesBeside(name string) (int, error) {
	resources, err := set.o.Registry.Resources(name)
	if err != nil {
		return 0, err
	}
	n := len(resources.Files) + resources.Omitted
	_, files, done, err := set.o.Registry.Files(name)
	if err != nil {
		return 0, err
	}
	defer done()
	if _, err := fs.Stat(files, skill.EvalsFile); err == nil {
		n++
	}
	return n, nil
}
