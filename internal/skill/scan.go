package skill

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/nfa-cli/nfa/internal/crash"
)

const (
	// MaxDepth is how far below a root skills are looked for.
	MaxDepth = 4
	// maxDirs bounds the search of one root, for the day somebody links the
	// whole disk into it.
	maxDirs = 5000
	// maxScanned bounds what is read of one root, in bytes: a folder full of the
	// largest files would keep every start busy.
	maxScanned = 32 << 20
)

// entry is a skill with what is needed to read it again.
type entry struct {
	skill Skill
	root  Root
	dir   string // of the skill, in root's files
	hash  uint64 // of the whole file
}

func (e *entry) file() string { return path.Join(e.dir, FileName) }

// scanner looks for skills below one root.
type scanner struct {
	root    Root
	files   fs.FS
	seed    maphash.Seed
	visited map[string]bool // real directories, so that links cannot lead in circles
	dirs    int
	found   []string // directories with a SKILL.md
	diags   []Diagnostic
}

// Scan gives the skills of one root as they are now, those of one name too.
func Scan(root Root) ([]Skill, []Diagnostic) {
	entries, diags := scanRoot(root, maphash.MakeSeed())
	skills := make([]Skill, len(entries))
	for i, e := range entries {
		skills[i] = e.skill
	}
	return skills, diags
}

func scanRoot(root Root, seed maphash.Seed) ([]*entry, []Diagnostic) {
	s := &scanner{root: root, files: root.files(), seed: seed, visited: map[string]bool{}}
	if root.Allowed != nil {
		if err := root.Allowed(); err != nil {
			s.report(".", err)
			return nil, s.diags
		}
	}
	if root.onDisk() && !s.prepare() {
		return nil, s.diags
	}
	s.walk(".", s.real("."), 0)
	entries := s.readAll()
	if s.dirs >= maxDirs {
		s.report(".", fmt.Errorf("%w: the search stopped after %d", ErrTooMany, maxDirs))
	}
	return entries, s.diags
}

// prepare makes a folder that is to be created, and reports whether there is one
// to search.
func (s *scanner) prepare() bool {
	info, err := os.Stat(s.root.Dir)
	switch {
	case err == nil && info.IsDir():
		return true
	case err == nil:
		s.report(".", ErrNotDirectory)
	case !errors.Is(err, fs.ErrNotExist):
		s.report(".", fmt.Errorf("%w: %w", ErrUnreadable, err))
	case s.root.Create:
		if err := os.MkdirAll(s.root.Dir, 0o700); err != nil {
			s.report(".", fmt.Errorf("%w: making the skills folder: %w", ErrUnreadable, err))
		}
	}
	return false
}

// real is the path of dir with every link resolved, by which a directory that
// is reached twice is known.
func (s *scanner) real(dir string) string {
	if !s.root.onDisk() {
		return dir
	}
	real, err := filepath.EvalSymlinks(s.root.shown(dir))
	if err != nil {
		return s.root.shown(dir)
	}
	return real
}

func (s *scanner) walk(dir, real string, depth int) {
	if s.visited[real] || s.dirs >= maxDirs {
		return
	}
	s.visited[real] = true
	s.dirs++
	items, err := fs.ReadDir(s.files, dir)
	if err != nil {
		s.report(dir, fmt.Errorf("%w: %w", ErrUnreadable, err))
		return
	}
	// What lies in a skill's directory is the skill's, and a SKILL.md in the
	// root itself would be a skill without a directory.
	if depth > 0 && s.takeSkill(dir, items, depth) {
		return
	}
	if depth > MaxDepth {
		return
	}
	for _, item := range items {
		if item.Name() == ".git" || item.Name() == "node_modules" {
			continue
		}
		child := path.Join(dir, item.Name())
		switch {
		case item.IsDir():
			s.walk(child, filepath.Join(real, item.Name()), depth+1)
		case item.Type()&fs.ModeSymlink != 0:
			s.follow(child, depth+1)
		}
	}
}

func (s *scanner) follow(link string, depth int) {
	info, err := fs.Stat(s.files, link)
	if err != nil {
		s.report(link, fmt.Errorf("%w: %w", ErrBrokenLink, err))
		return
	}
	if info.IsDir() {
		s.walk(link, s.real(link), depth)
	}
}

// takeSkill notes the SKILL.md among items, if one is there.
func (s *scanner) takeSkill(dir string, items []fs.DirEntry, depth int) bool {
	for _, item := range items {
		switch name := item.Name(); {
		case name == FileName && depth > MaxDepth:
			s.report(path.Join(dir, name), fmt.Errorf("%w: skills are looked for %d directories down", ErrTooDeep, MaxDepth))
			return true
		case name == FileName:
			s.found = append(s.found, dir)
			return true
		case strings.EqualFold(name, FileName) || strings.EqualFold(name, "SKILLS.md"):
			s.diags = append(s.diags, Diagnostic{
				Path: s.root.shown(path.Join(dir, name)), Name: path.Base(dir), Source: s.root.Source,
				Reason: "not named " + FileName, Mend: "rename it to " + FileName, Severity: Warning, skipped: true,
			})
		}
	}
	return false
}

// readAll reads what was found, on all processors, because parsing the YAML is
// most of the work of a start. The order stays that of the directories.
func (s *scanner) readAll() []*entry {
	type outcome struct {
		entry *entry
		err   error
	}
	outcomes := make([]outcome, len(s.found))
	var next, scanned atomic.Int64
	var wg crash.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(s.found)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(s.found)); i = next.Add(1) - 1 {
				if scanned.Load() > maxScanned {
					outcomes[i].err = fmt.Errorf("%w: the search stopped after %d MB", ErrTooMany, maxScanned>>20)
					continue
				}
				e, size, err := s.read(s.found[i])
				scanned.Add(int64(size))
				outcomes[i] = outcome{e, err}
			}
		})
	}
	wg.Wait()
	entries := make([]*entry, 0, len(outcomes))
	for i, o := range outcomes {
		if o.err != nil {
			s.report(path.Join(s.found[i], FileName), o.err)
			continue
		}
		entries = append(entries, o.entry)
	}
	return entries
}

func (s *scanner) read(dir string) (e *entry, size int, err error) {
	content, err := readSkillFile(s.files, path.Join(dir, FileName))
	if err != nil {
		return nil, len(content), err
	}
	skill, _, err := Parse(content)
	if err != nil {
		return nil, len(content), err
	}
	e = &entry{root: s.root, dir: dir, hash: maphash.Bytes(s.seed, content)}
	e.skill = e.placed(skill)
	return e, len(content), nil
}

// placed adds to a skill where it is, and warns where that does not fit it.
func (e *entry) placed(skill Skill) Skill {
	skill.Source = e.root.Source
	skill.Path = e.root.shown(e.file())
	skill.Directory = e.root.shown(e.dir)
	skill.Alias = CanonicalName(path.Base(e.dir))
	if skill.Alias != skill.Name {
		skill.Warnings = append(skill.Warnings, fmt.Sprintf("the name is %q, its directory %q; both find it", skill.Name, skill.Alias))
	}
	return skill
}

func (s *scanner) report(name string, err error) {
	dir := name
	if path.Base(name) == FileName {
		dir = path.Dir(name)
	}
	s.diags = append(s.diags, faulty(s.root.shown(name), path.Base(dir), s.root.Source, err))
}
