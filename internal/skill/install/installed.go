package install

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	udiff "github.com/aymanbagabas/go-udiff"

	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/skill"
)

// previousFolder, next to the skills folder, has the version of each skill before its last update.
const previousFolder = "skills-previous"

// Offer is a skill of a repository.
type Offer struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Path        string   `json:"path"` // in the repository
	Files       []string `json:"files"`
	Problem     string   `json:"problem,omitempty"` // why it cannot be installed
}

// Fetched is a repository at one commit, to install skills from.
type Fetched struct {
	Repository Repository
	Commit     string
	Offers     []Offer

	bundles map[string]bundle
}

// Fetch reads the skills of a repository and installs nothing.
func (i *Installer) Fetch(ctx context.Context, f Fetcher, r Repository) (Fetched, error) {
	c, err := f.fetch(ctx, r)
	if err != nil {
		return Fetched{}, fmt.Errorf("fetch %s: %w", r.URL, err)
	}
	fetched := Fetched{Repository: r, Commit: c.commit, bundles: map[string]bundle{}}
	for k, b := range c.bundles {
		offer := Offer{Name: b.folder, Path: c.paths[k]}
		result, err := b.prepare("")
		if err != nil {
			offer.Problem = err.Error()
		} else {
			offer.Name = result.Name
			if s, _, err := skill.Parse(b.text()); err == nil {
				offer.Description = s.Description
			}
		}
		if _, taken := fetched.bundles[offer.Name]; taken {
			continue // a repository may have a skill for several programs
		}
		for _, file := range b.files {
			offer.Files = append(offer.Files, file.path)
		}
		slices.Sort(offer.Files)
		fetched.bundles[offer.Name] = b
		fetched.Offers = append(fetched.Offers, offer)
	}
	slices.SortFunc(fetched.Offers, func(a, b Offer) int { return strings.Compare(a.Name, b.Name) })
	return fetched, nil
}

// Usable returns the names of the skills that can be installed.
func (f Fetched) Usable() []string {
	var names []string
	for _, offer := range f.Offers {
		if offer.Problem == "" {
			names = append(names, offer.Name)
		}
	}
	return names
}

// Describe returns what an installation of skills would add, a line each.
func (f Fetched) Describe(names []string) []string {
	var lines []string
	for _, offer := range f.Offers {
		if !slices.Contains(names, offer.Name) {
			continue
		}
		lines = append(lines, offer.Name+"  "+offer.Description)
		for _, file := range offer.Files {
			lines = append(lines, "  + "+file)
		}
	}
	return lines
}

// text returns the SKILL.md of a prepared bundle.
func (b *bundle) text() []byte {
	file, err := b.skillFile()
	if err != nil {
		return nil
	}
	return file.data
}

// contents returns the files of a bundle by path.
func (b *bundle) contents() map[string][]byte {
	files := map[string][]byte{}
	for _, f := range b.files {
		files[f.path] = f.data
	}
	return files
}

// hash identifies the files of a bundle.
func (b *bundle) hash() string {
	sum := sha256.New()
	files := b.contents()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(sum, "%q %d\n", name, len(files[name]))
		_, _ = sum.Write(files[name])
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// Install installs skills of a repository, all or none, and pins its commit.
func (i *Installer) Install(f Fetched, names []string, o Options) (Report, error) {
	var bundles []bundle
	hashes, paths := map[string]string{}, map[string]string{}
	for _, name := range names {
		b, ok := f.bundles[name]
		at := slices.IndexFunc(f.Offers, func(offer Offer) bool { return offer.Name == name })
		if !ok || f.Offers[at].Problem != "" {
			return Report{}, fmt.Errorf("install %s: %w", name, &skill.NotFoundError{Name: name})
		}
		bundles = append(bundles, b)
		hashes[name], paths[name] = b.hash(), f.Offers[at].Path
	}
	report, err := i.install(bundles, o)
	if err != nil {
		return Report{}, fmt.Errorf("install from %s: %w", f.Repository.URL, err)
	}
	return report, i.recordOrigins(report, func(done Result) *Origin {
		return &Origin{Source: f.Repository.URL, Path: paths[done.Name], Ref: f.Repository.Ref, Commit: f.Commit, Hash: hashes[done.Name], At: i.now().UTC()}
	})
}

// InstalledSkill is a skill that was installed from a repository.
type InstalledSkill struct {
	Name      string `json:"name"`
	Source    string `json:"source"`
	Ref       string `json:"ref,omitempty"`
	Commit    string `json:"commit"`
	Available string `json:"available,omitempty"` // the newest commit, if known
	Outdated  bool   `json:"outdated"`
	Modified  bool   `json:"modified"` // changed here since it was installed
	Problem   string `json:"problem,omitempty"`
}

// Outdated compares the pinned commits with the repositories.
func (i *Installer) Outdated(ctx context.Context, f Fetcher) ([]InstalledSkill, error) {
	origins, err := i.Lock.Origins()
	if err != nil {
		return nil, err
	}
	type newest struct {
		commit string
		err    error
	}
	repositories := map[Repository]newest{}
	rows := []InstalledSkill{}
	for _, name := range slices.Sorted(maps.Keys(origins)) {
		o := origins[name]
		if o.Commit == "" {
			continue
		}
		r := Repository{URL: o.Source, Ref: o.Ref}
		if _, known := repositories[r]; !known {
			commit, err := f.newestCommit(ctx, r)
			repositories[r] = newest{commit, err}
		}
		row := InstalledSkill{Name: name, Source: o.Source, Ref: o.Ref, Commit: o.Commit, Available: repositories[r].commit, Modified: i.modified(name, o)}
		if err := repositories[r].err; err != nil {
			row.Problem = err.Error()
		} else {
			row.Outdated = !strings.HasPrefix(o.Commit, row.Available)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func (i *Installer) modified(name string, o Origin) bool {
	b, err := i.readBundle(name)
	return err == nil && b.hash() != o.Hash
}

// Update is a new version of an installed skill, to review before it replaces the old one.
type Update struct {
	Name     string
	From, To string // commits
	Diff     []string
	Modified bool // the installed files were changed here

	fetched Fetched
}

// PlanUpdate fetches the newest version of an installed skill and compares it.
func (i *Installer) PlanUpdate(ctx context.Context, f Fetcher, name string) (Update, error) {
	origins, err := i.Lock.Origins()
	if err != nil {
		return Update{}, err
	}
	o, ok := origins[name]
	if !ok || o.Commit == "" {
		return Update{}, fmt.Errorf("%s was not installed from a repository", name)
	}
	fetched, err := i.Fetch(ctx, f, Repository{URL: o.Source, Ref: o.Ref})
	if err != nil {
		return Update{}, err
	}
	b, ok := fetched.bundles[name]
	if !ok {
		return Update{}, fmt.Errorf("%s is no longer in %s", name, o.Source)
	}
	installed, err := i.readBundle(name)
	if err != nil {
		return Update{}, err
	}
	return Update{
		Name: name, From: o.Commit, To: fetched.Commit, Diff: diffFiles(installed.contents(), b.contents()), Modified: installed.hash() != o.Hash, fetched: fetched,
	}, nil
}

// diffFiles returns a unified diff. Files that are not text are only named.
func diffFiles(before, after map[string][]byte) []string {
	names := map[string]bool{}
	for name := range before {
		names[name] = true
	}
	for name := range after {
		names[name] = true
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		a, b := before[name], after[name]
		switch {
		case bytes.Equal(a, b):
		case !utf8.Valid(a) || !utf8.Valid(b) || bytes.ContainsRune(a, 0) || bytes.ContainsRune(b, 0):
			lines = append(lines, fmt.Sprintf("%s: binary file changed from %d to %d bytes", name, len(a), len(b)))
		default:
			text := udiff.Unified("installed/"+name, "new/"+name, string(a), string(b))
			lines = append(lines, strings.Split(strings.TrimRight(text, "\n"), "\n")...)
		}
	}
	return lines
}

// Apply replaces a skill by its new version and keeps the old one for Rollback.
func (i *Installer) Apply(u Update) (Report, error) {
	origins, err := i.Lock.Origins()
	if err != nil {
		return Report{}, err
	}
	previous := origins[u.Name]
	previous.Previous = nil
	if err := i.keepPrevious(u.Name); err != nil {
		return Report{}, err
	}
	report, err := i.Install(u.fetched, []string{u.Name}, Options{Replace: true})
	if err != nil {
		return Report{}, err
	}
	return report, i.Lock.Update(func(origins map[string]Origin) {
		o := origins[u.Name]
		o.Previous = &previous
		origins[u.Name] = o
	})
}

func (i *Installer) previousFile(name string) string {
	return filepath.Join(filepath.Dir(i.Dir), previousFolder, name+".zip")
}

func (i *Installer) keepPrevious(name string) error {
	var packed bytes.Buffer
	if _, err := i.Export(&packed, name); err != nil {
		return err
	}
	file := i.previousFile(name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return atomicfile.Replace(file, packed.Bytes(), 0o600)
}

// ErrNoPrevious means that a skill has no version before an update.
var ErrNoPrevious = errors.New("no earlier version")

// Rollback brings back the version of a skill before its last update.
func (i *Installer) Rollback(name string) (Report, error) {
	origins, err := i.Lock.Origins()
	if err != nil {
		return Report{}, err
	}
	previous := origins[name].Previous
	if previous == nil {
		return Report{}, fmt.Errorf("roll back %s: %w", name, ErrNoPrevious)
	}
	bundles, err := readBundles(i.previousFile(name))
	if err != nil {
		return Report{}, fmt.Errorf("roll back %s: %w", name, err)
	}
	report, err := i.install(bundles, Options{Replace: true})
	if err != nil {
		return Report{}, fmt.Errorf("roll back %s: %w", name, err)
	}
	return report, i.recordOrigins(report, func(Result) *Origin { return previous })
}
