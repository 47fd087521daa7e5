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
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/nfa-cli/nfa/internal/crash"
)

const (
	// MaxDepth is the maximum depth of a skill below a root.
	MaxDepth = 4
	// StagingDir is where changes of a skills folder are prepared. It is not searched.
	StagingDir = ".nfa-staging"
	// maxDirs limits the search of one root, in case a whole disk is linked into it.
	maxDirs = 5000
	// maxScanned limits the bytes read per root, because a folder full of large files would delay
	// every start.
	maxScanned = 32 << 20
)

// entry is a skill with the information to read it again.
type entry struct {
	skill Skill
	root  Root
	dir   string // of the skill, in root's files
	hash  uint64 // of the whole file
}

func (e *entry) file() string { return path.Join(e.dir, FileName) }

// scanner searches one root for skills.
type scanner struct {
	root       Root
	files      fs.FS
	seed       maphash.Seed
	visited    map[string]bool // real directories, to stop cycles of links
	dirs       int
	candidates []candidate
	diags      []Diagnostic
}

// candidate is a directory with a SKILL.md, and the result of reading it.
type candidate struct {
	dir     string
	regular bool // a regular file according to the directory
	entry   *entry
	err     error
}

// Scan returns the current skills of one root, including duplicates of a name.
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
	if root.CheckTrust != nil {
		if err := root.CheckTrust(); err != nil {
			s.report(".", err)
			return nil, s.diags
		}
	}
	if root.onDisk() && !s.prepare() {
		return nil, s.diags
	}
	s.walk(".", s.resolveLinks("."), 0)
	entries := s.readAll()
	if s.dirs >= maxDirs {
		s.report(".", fmt.Errorf("%w: the search stopped after %d", ErrTooMany, maxDirs))
	}
	return entries, s.diags
}

// prepare creates the folder if requested, and reports whether it exists.
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
			s.report(".", fmt.Errorf("%w: create the skills folder: %w", ErrUnreadable, err))
		}
	}
	return false
}

// resolveLinks returns the path of dir without links, to recognize a directory that is reached
// twice.
func (s *scanner) resolveLinks(dir string) string {
	if !s.root.onDisk() {
		return dir
	}
	real, err := filepath.EvalSymlinks(s.root.displayPath(dir))
	if err != nil {
		return s.root.displayPath(dir)
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
	// All files in a skill's directory belong to the skill. A SKILL.md in the root itself would
	// have no directory.
	if depth > 0 && s.addSkill(dir, items, depth) {
		return
	}
	if depth > MaxDepth {
		return
	}
	for _, item := range items {
		if item.Name() == ".git" || item.Name() == "node_modules" || item.Name() == StagingDir {
			continue
		}
		child := path.Join(dir, item.Name())
		switch {
		case item.IsDir():
			s.walk(child, filepath.Join(real, item.Name()), depth+1)
		case item.Type()&fs.ModeSymlink != 0:
			s.followLink(child, depth+1)
		}
	}
}

func (s *scanner) followLink(link string, depth int) {
	info, err := fs.Stat(s.files, link)
	if err != nil {
		s.report(link, fmt.Errorf("%w: %w", ErrBrokenLink, err))
		return
	}
	if info.IsDir() {
		s.walk(link, s.resolveLinks(link), depth)
	}
}

// addSkill adds the SKILL.md among items and reports whether there is one.
func (s *scanner) addSkill(dir string, items []fs.DirEntry, depth int) bool {
	for _, item := range items {
		switch name := item.Name(); {
		case name == FileName && depth > MaxDepth:
			s.report(path.Join(dir, name), fmt.Errorf("%w: skills must be at most %d directories deep", ErrTooDeep, MaxDepth))
			return true
		case name == FileName:
			s.candidates = append(s.candidates, candidate{dir: dir, regular: item.Type().IsRegular()})
			return true
		case strings.EqualFold(name, FileName) || strings.EqualFold(name, "SKILLS.md"):
			s.diags = append(s.diags, Diagnostic{
				Path: s.root.displayPath(path.Join(dir, name)), Name: path.Base(dir), Source: s.root.Source,
				Reason: "not named " + FileName, Fix: "rename it to " + FileName, Severity: SeverityWarning, skipped: true,
			})
		}
	}
	return false
}

// readAll reads the candidates in parallel, because the program's start waits for it.
func (s *scanner) readAll() []*entry {
	var next, scanned atomic.Int64
	var wg crash.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(s.candidates)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(s.candidates)); i = next.Add(1) - 1 {
				s.read(&s.candidates[i], &scanned)
			}
		})
	}
	wg.Wait()
	entries := make([]*entry, 0, len(s.candidates))
	for _, c := range s.candidates {
		if c.err != nil {
			s.report(path.Join(c.dir, FileName), c.err)
			continue
		}
		entries = append(entries, c.entry)
	}
	return entries
}

// read reads a skill, unless the limit was reached. A panic affects only this skill.
func (s *scanner) read(c *candidate, scanned *atomic.Int64) {
	defer crash.Catch(&c.err)
	if scanned.Load() > maxScanned {
		c.err = fmt.Errorf("%w: the search stopped after %d MB", ErrTooMany, maxScanned>>20)
		return
	}
	read := readSkillFile
	if c.regular {
		read = readRegularFile
	}
	content, err := read(s.files, path.Join(c.dir, FileName))
	scanned.Add(int64(len(content)))
	if err != nil {
		c.err = err
		return
	}
	skill, err := s.parse(c.dir, content)
	if err != nil {
		c.err = err
		return
	}
	c.entry = &entry{root: s.root, dir: c.dir, hash: maphash.Bytes(s.seed, content)}
	c.entry.skill = c.entry.withLocation(skill)
}

// parsedBuiltins caches the parsed built-in skills by directory. They never change, but are scanned
// again with every rescan.
var parsedBuiltins sync.Map

func (s *scanner) parse(dir string, content []byte) (Skill, error) {
	_, isBuiltin := s.files.(builtinSkills)
	if known, ok := parsedBuiltins.Load(dir); isBuiltin && ok {
		return known.(Skill), nil
	}
	skill, _, err := Parse(content)
	if isBuiltin && err == nil {
		skill.Warnings = slices.Clip(skill.Warnings) // withLocation may add to them
		parsedBuiltins.Store(dir, skill)
	}
	return skill, err
}

// withLocation adds the location to a skill, and a warning if its directory has another name.
func (e *entry) withLocation(skill Skill) Skill {
	skill.Source = e.root.Source
	skill.Path = e.root.displayPath(e.file())
	skill.Directory = e.root.displayPath(e.dir)
	skill.Alias = CanonicalName(path.Base(e.dir))
	if skill.Alias != skill.Name {
		skill.Warnings = append(skill.Warnings, fmt.Sprintf("the name is %q, but the folder is named %q; both names work", skill.Name, skill.Alias))
	}
	return skill
}

func (s *scanner) report(name string, err error) {
	dir := name
	if path.Base(name) == FileName {
		dir = path.Dir(name)
	}
	s.diags = append(s.diags, skippedDiagnostic(s.root.displayPath(name), path.Base(dir), s.root.Source, err))
}
