package library

import (
	"bytes"
	"io/fs"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/skill"
)

// Export gives the bytes of an archive, or of one SKILL.md, and what they do
// not hold.
func (lib *Library) Export(names []string, single bool) (packed []byte, leftOut []string, err error) {
	if !single {
		var archive bytes.Buffer
		leftOut, err = lib.Installer().Export(&archive, names...)
		return archive.Bytes(), leftOut, err
	}
	content, err := lib.opts.Registry.Load(names[0])
	if err != nil {
		return nil, nil, err
	}
	n, err := lib.countFiles(names[0])
	if err != nil {
		return nil, nil, err
	}
	if n > 0 {
		leftOut = []string{cli.CountNoun(n, "other file") + " of the skill; a .zip takes them along"}
	}
	return []byte(content.Text), leftOut, nil
}

// countFiles counts the files of a skill that an archive takes along, trials too.
func (lib *Library) countFiles(name string) (int, error) {
	resources, err := lib.opts.Registry.Resources(name)
	if err != nil {
		return 0, err
	}
	n := len(resources.Files) + resources.Omitted
	_, files, done, err := lib.opts.Registry.Files(name)
	if err != nil {
		return 0, err
	}
	defer done()
	if _, err := fs.Stat(files, skill.EvalsFile); err == nil {
		n++
	}
	return n, nil
}
