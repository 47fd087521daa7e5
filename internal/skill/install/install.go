package install

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/frontmatter"
	"github.com/nfa-cli/nfa/internal/skill"
)

// Installer changes the skills in one folder. If anything fails, the folder is unchanged; if the
// program is killed, every skill is still complete. It is safe for concurrent use, also by several
// processes.
type Installer struct {
	// Dir is the user's skills folder. The first change creates it, for its owner only.
	Dir string
	// Registry holds the skills of all sources. It is rescanned after a change.
	Registry *skill.Registry
	// Store saves new skills while Dir cannot be written; may be nil. Its skills are in Registry,
	// and take precedence over those in Dir.
	Store skill.Store
	// Lock records where imported and installed skills come from; nil records nothing.
	Lock *Lock
	// Now is the clock for the store; nil means the system clock.
	Now func() time.Time

	disk func(disk) disk // wraps the file system in tests; may be nil
}

// Options say how to resolve a name conflict. The zero value returns an error.
type Options struct {
	// Rename is a new name for a single skill.
	Rename string
	// Replace replaces a skill in the user's folder, and hides one of any other source.
	Replace bool
}

// Result is the result for one skill.
type Result struct {
	Name string `json:"name"`
	Path string `json:"path"` // of the SKILL.md
	// From is its previous name or directory.
	From string `json:"from,omitempty"`
	// Renamed is set if its name was changed on import.
	Renamed  bool     `json:"renamed,omitempty"`
	Repaired []string `json:"repaired,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	Replaced bool     `json:"replaced,omitempty"`
	// Hides is the source of the skill that this one hides.
	Hides   skill.Source `json:"hides,omitempty"`
	LeftOut []string     `json:"left_out,omitempty"` // hidden files, and files that the store cannot hold
	// StoreNote explains why the skill is in the store; empty if it is in the folder.
	StoreNote string `json:"kept,omitempty"`
}

// Report is the result of an import, in the order of folders.
type Report struct {
	Skills []Result `json:"skills"`
}

// Import imports a SKILL.md, a skill's directory, or a zip archive of skill folders. It repairs
// what skill.Repair can and reports it; then each skill must be valid, except for unknown fields,
// which are kept. It imports all skills of an archive or none; if the folder cannot be written,
// into the store. The errors are *ConflictError, *InvalidError, ErrArchive, skill.ErrSizeLimit,
// ErrUnsafePath, ErrLink, skill.ErrNoSkillFile, ErrNotWritable, ErrSkillFileOnly, ErrBusy and those
// of skill.Parse.
func (i *Installer) Import(name string, o Options) (Report, error) {
	bundles, err := readBundles(name)
	if err != nil {
		return Report{}, fmt.Errorf("import %s: %w", name, err)
	}
	report, err := i.install(bundles, o)
	if err != nil {
		return Report{}, fmt.Errorf("import %s: %w", name, err)
	}
	if full, err := filepath.Abs(name); err == nil {
		name = full
	}
	return report, i.recordOrigins(report, func(Result) *Origin { return &Origin{Source: name, At: i.now()} })
}

// recordOrigins records, or with nil removes, the origin of each skill.
func (i *Installer) recordOrigins(report Report, origin func(Result) *Origin) error {
	if i.Lock == nil {
		return nil
	}
	return i.Lock.Update(func(origins map[string]Origin) {
		for _, done := range report.Skills {
			delete(origins, done.Name)
			if o := origin(done); o != nil {
				origins[done.Name] = *o
			}
		}
	})
}

// forgetOrigin removes the origin of a skill that is no longer what was installed.
func (i *Installer) forgetOrigin(name string) error {
	if i.Lock == nil {
		return nil
	}
	if origins, err := i.Lock.Origins(); err == nil && origins[name].Source == "" {
		return nil // do not create a file for nothing
	}
	return i.Lock.Update(func(origins map[string]Origin) { delete(origins, name) })
}

// Create creates a skill from the text of a SKILL.md, by the rules of Import.
func (i *Installer) Create(content []byte, o Options) (Result, error) {
	return i.create(bundle{files: []bundleFile{{skill.FileName, content}}}, o)
}

// CreateWithEvals creates a skill with its evals.yaml. If the skill goes to the store, the evals are left
// out.
func (i *Installer) CreateWithEvals(content, evals []byte, o Options) (Result, error) {
	return i.create(bundle{files: []bundleFile{{skill.FileName, content}, {skill.EvalsFile, evals}}, canDropFiles: true}, o)
}

func (i *Installer) create(b bundle, o Options) (Result, error) {
	report, err := i.install([]bundle{b}, o)
	if err != nil {
		return Result{}, fmt.Errorf("create skill: %w", err)
	}
	return report.Skills[0], i.forgetOrigin(report.Skills[0].Name)
}

// Diff compares the files of a skill with others, by path.
func (i *Installer) Diff(name string, with map[string][]byte) ([]string, error) {
	b, err := i.readBundle(name)
	if err != nil {
		return nil, err
	}
	return diffFiles(b.contents(), with), nil
}

// Clone copies a skill of any source, with its files, under another name. If the copy goes to the
// store, files that the SKILL.md does not need are left out; if it needs some, the error is
// ErrSkillFileOnly.
func (i *Installer) Clone(name, as string) (Result, error) {
	b, err := i.readBundle(name)
	if err != nil {
		return Result{}, fmt.Errorf("clone %s: %w", name, err)
	}
	b.canDropFiles = true
	origin, err := i.cloneOrigin(name)
	if err != nil {
		return Result{}, fmt.Errorf("clone %s: %w", name, err)
	}
	report, err := i.install([]bundle{b}, Options{Rename: as})
	if err != nil {
		return Result{}, fmt.Errorf("clone %s: %w", name, err)
	}
	if origin == nil {
		return report.Skills[0], i.forgetOrigin(report.Skills[0].Name)
	}
	return report.Skills[0], i.recordOrigins(report, func(Result) *Origin { return origin })
}

// cloneOrigin returns the origin of a copy, or nil if the user or nfa wrote the skill. A copy is not
// updated from its source.
func (i *Installer) cloneOrigin(name string) (*Origin, error) {
	s, ok := i.Registry.Lookup(name)
	if !ok || s.Source == skill.SourceBuiltin || i.Lock == nil {
		return nil, nil
	}
	if s.Source != skill.SourceUser && s.Source != skill.SourceStore {
		return &Origin{Source: s.Path, At: i.now()}, nil
	}
	origins, err := i.Lock.Origins()
	if err != nil || origins[name].Source == "" {
		return nil, err
	}
	return &Origin{Source: origins[name].Source, At: i.now()}, nil
}

// install repairs and checks bundles and installs all or none.
func (i *Installer) install(bundles []bundle, o Options) (Report, error) {
	if o.Rename != "" && len(bundles) != 1 {
		return Report{}, fmt.Errorf("cannot rename %d skills at once", len(bundles))
	}
	report := Report{Skills: make([]Result, len(bundles))}
	for k := range bundles {
		result, err := bundles[k].prepare(o.Rename)
		if err != nil {
			return Report{}, err
		}
		report.Skills[k] = result
	}
	superseded, err := i.storedConflicts(report.Skills, o.Replace)
	if err != nil {
		return Report{}, err
	}
	err = i.applyChange(func(c *folderChange) error {
		for k := range bundles {
			if err := i.planInstall(c, bundles[k], &report.Skills[k], o.Replace); err != nil {
				return err
			}
		}
		return nil
	})
	switch {
	case err == nil:
		i.removeSuperseded(superseded, report.Skills)
	case errors.Is(err, ErrNotWritable) && i.Store != nil:
		err = i.saveToStore(bundles, report.Skills, storeChange{replace: o.Replace, cause: err})
	}
	if err != nil {
		return Report{}, err
	}
	i.Registry.Rescan()
	return report, nil
}

// prepare repairs a bundle's SKILL.md, renames it if requested, and returns an error if it is not
// valid.
func (b *bundle) prepare(rename string) (Result, error) {
	file, err := b.skillFile()
	if err != nil {
		return Result{}, err
	}
	result := Result{LeftOut: b.leftOut}
	fixed, changes, err := skill.Repair(file.data, b.folder)
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", file.path, err)
	}
	if file.path != skill.FileName {
		changes = append(changes, fmt.Sprintf("renamed %s to %s", file.path, skill.FileName))
	}
	s, _, err := skill.Parse(fixed)
	if err != nil {
		return Result{}, err
	}
	result.Name, result.Repaired = s.Name, changes
	if b.folder != "" && skill.CanonicalName(b.folder) != s.Name {
		result.From = b.folder
	}
	if rename = skill.CanonicalName(rename); rename != "" && rename != s.Name {
		if fixed, err = frontmatter.SetField(fixed, "name", rename); err != nil {
			return Result{}, fmt.Errorf("rename %s: %w", s.Name, err)
		}
		result.Name, result.From, result.Renamed = rename, s.Name, true
	}
	file.path, file.data = skill.FileName, fixed
	result.Warnings, err = splitWarnings(result.Name, skill.ValidateContent(fixed, ""))
	return result, err
}

// splitWarnings returns unknown fields as warnings. If there are other problems, it returns an
// *InvalidError with all of them.
func splitWarnings(name string, problems []skill.Problem) (warnings []string, err error) {
	for _, p := range problems {
		if !p.Unexpected {
			return nil, &InvalidError{Name: name, Problems: problems}
		}
		warnings = append(warnings, p.String())
	}
	return warnings, nil
}

// planInstall stages a skill and plans its move into the folder.
func (i *Installer) planInstall(c *folderChange, b bundle, result *Result, replace bool) error {
	target, paths := result.Name, newPathSet()
	if slices.ContainsFunc(c.moves, func(m plannedMove) bool { return paths.key(m.To) == paths.key(target) }) {
		return fmt.Errorf("%w: two skills are named %s", ErrArchive, target)
	}
	olds, err := i.conflictingFolders(c, target)
	if err != nil {
		return err
	}
	result.Path = filepath.Join(i.Dir, target, skill.FileName)
	result.Replaced = len(olds) > 0
	other, known := i.Registry.Lookup(target)
	if known && other.Name == target && !i.ownsSkill(other) && other.Source != skill.SourceStore {
		result.Hides = other.Source
	}
	switch {
	case result.Replaced && !replace:
		return &ConflictError{Name: target, Path: filepath.Join(i.Dir, filepath.FromSlash(olds[0])), Source: skill.SourceUser}
	case result.Hides != "" && !replace:
		return &ConflictError{Name: target, Path: other.Path, Source: other.Source}
	}
	for _, old := range olds {
		if err := errors.Join(c.checkNoLinks(old), c.setAside(old, target)); err != nil {
			return err
		}
	}
	staged, err := c.stage(b, target)
	if err != nil {
		return err
	}
	c.moves = append(c.moves, plannedMove{staged, target})
	return nil
}

// conflictingFolders returns the directories that a skill with this name would replace: the one
// with that name, and any with a skill of that name.
func (i *Installer) conflictingFolders(c *folderChange, name string) ([]string, error) {
	var dirs []string
	items, err := fs.ReadDir(c.root.FS(), ".")
	if err != nil {
		return nil, err
	}
	paths := newPathSet()
	for _, item := range items {
		// Compare as a case-insensitive file system would.
		if paths.key(item.Name()) != paths.key(name) {
			continue
		}
		if !i.isSkill(c, item.Name()) {
			return nil, &ConflictError{Name: name, Path: filepath.Join(i.Dir, item.Name()), Final: true}
		}
		dirs = append(dirs, item.Name())
	}
	for _, s := range i.folderSkills() {
		if dir := i.dirOf(s); s.Name == name && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs, nil
}

// isSkill reports whether the directory, or link, dir has a SKILL.md, usable or not. A folder with
// several skills must not be replaced by one.
func (i *Installer) isSkill(c *folderChange, dir string) bool {
	info, err := c.root.Lstat(dir)
	if err != nil {
		return false
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		// The link is removed, not its target.
		return true
	}
	_, _, err = skill.FindFile(filepath.Join(i.Dir, filepath.FromSlash(dir)))
	return info.IsDir() && err == nil
}

// folderSkills returns the current skills of the folder, including hidden ones.
func (i *Installer) folderSkills() []skill.Skill {
	skills, _ := skill.Scan(skill.Root{Dir: i.Dir, Source: skill.SourceUser})
	return skills
}

// dirOf returns the directory of a skill, relative to the folder.
func (i *Installer) dirOf(s skill.Skill) string {
	rel, err := filepath.Rel(i.Dir, s.Directory)
	if err != nil {
		return s.Directory
	}
	return filepath.ToSlash(rel)
}
