package skill

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/usage"
)

// Options define where a Registry looks for skills.
type Options struct {
	// Roots are the only places searched, lowest precedence first. Of two skills with one name, the
	// one with the higher Source wins, independent of the order of roots; within one source, the
	// later root wins.
	Roots []Root
	Log   zerolog.Logger
	// Logged is a file that remembers which diagnostics were logged, so that a folder of broken
	// files is not logged at every start. Empty logs all of them at every scan.
	Logged string
}

// Registry holds the front matter of the skills found by the last scan; bodies are read on demand.
// It is safe for concurrent use.
type Registry struct {
	roots []Root
	log   diagnosticLog
	seed  maphash.Seed

	scanning sync.Mutex
	current  atomic.Pointer[index]
}

// index is the result of one scan. It is never changed.
type index struct {
	skills  []Skill // sorted by name
	byName  map[string]*entry
	byAlias map[string]*entry
	diags   []Diagnostic
}

// New returns a Registry that scans the roots when it is first used, because most commands use no
// skill. New folders are created for their owner only. A scan never fails: a problem becomes a
// Diagnostic and a log line, and the other skills are usable.
func New(o Options) *Registry {
	return &Registry{roots: o.Roots, log: diagnosticLog{o.Log, o.Logged}, seed: maphash.MakeSeed()}
}

// Open returns a Registry that has scanned the roots.
func Open(o Options) *Registry {
	r := New(o)
	r.scanned()
	return r
}

// scanned returns the result of the last scan. The first call scans.
func (r *Registry) scanned() *index {
	if x := r.current.Load(); x != nil {
		return x
	}
	r.scanning.Lock()
	defer r.scanning.Unlock()
	if r.current.Load() == nil {
		r.current.Store(r.scan())
	}
	return r.current.Load()
}

// List returns the usable skills, sorted by name.
func (r *Registry) List() []Skill { return slices.Clone(r.scanned().skills) }

// Empty reports whether there are no skills. It does not scan if the built-in skills are a root.
func (r *Registry) Empty() bool {
	hasBuiltins := slices.ContainsFunc(r.roots, func(root Root) bool { return root.Source == SourceBuiltin })
	return !hasBuiltins && len(r.scanned().skills) == 0
}

// Diagnostics returns skipped files with reasons, then warnings about usable skills, from the last
// scan.
func (r *Registry) Diagnostics() []Diagnostic { return slices.Clone(r.scanned().diags) }

// Lookup returns a skill by the name in its front matter, or else by its directory name.
func (r *Registry) Lookup(name string) (Skill, bool) {
	e, ok := r.scanned().lookup(name)
	if !ok {
		return Skill{}, false
	}
	return e.skill, true
}

func (x *index) lookup(name string) (*entry, bool) {
	name = CanonicalName(name)
	if e, ok := x.byName[name]; ok {
		return e, true
	}
	e, ok := x.byAlias[name]
	return e, ok
}

// Changes are the names of skills that differ after a Rescan, each list sorted.
type Changes struct{ Added, Removed, Changed []string }

// Empty reports whether nothing changed.
func (c Changes) Empty() bool { return len(c.Added)+len(c.Removed)+len(c.Changed) == 0 }

// Rescan scans again. A skill counts as changed if its SKILL.md changed, or if its name now refers
// to another file.
func (r *Registry) Rescan() Changes {
	r.scanned()
	r.scanning.Lock()
	defer r.scanning.Unlock()
	before, after := r.current.Load(), r.scan()
	r.current.Store(after)
	return diffIndexes(before, after)
}

func diffIndexes(before, after *index) Changes {
	var c Changes
	for _, s := range after.skills {
		previous, ok := before.byName[s.Name]
		switch current := after.byName[s.Name]; {
		case !ok:
			c.Added = append(c.Added, s.Name)
		case previous.hash != current.hash || previous.skill.Path != s.Path:
			c.Changed = append(c.Changed, s.Name)
		}
	}
	for _, s := range before.skills {
		if _, ok := after.byName[s.Name]; !ok {
			c.Removed = append(c.Removed, s.Name)
		}
	}
	return c
}

// scan reads all roots concurrently, because some wait for a disk or database.
func (r *Registry) scan() *index {
	type outcome struct {
		entries []*entry
		diags   []Diagnostic
	}
	outcomes := make([]outcome, len(r.roots))
	var wg crash.WaitGroup
	for i, root := range r.roots {
		wg.Go(func() { outcomes[i].entries, outcomes[i].diags = scanRoot(root, r.seed) })
	}
	wg.Wait()
	var entries []*entry
	var diags []Diagnostic
	for _, o := range slices.Backward(outcomes) {
		entries = append(entries, o.entries...)
		diags = append(diags, o.diags...)
	}
	x := newIndex(entries, diags)
	r.log.write(x.diags)
	return x
}

func newIndex(entries []*entry, diags []Diagnostic) *index {
	slices.SortStableFunc(entries, func(a, b *entry) int {
		return cmp.Compare(b.root.Source.rank(), a.root.Source.rank())
	})
	x := &index{
		byName:  make(map[string]*entry, len(entries)),
		byAlias: make(map[string]*entry, len(entries)),
		diags:   diags,
	}
	for _, e := range entries {
		if winner, taken := x.byName[e.skill.Name]; taken {
			x.diags = append(x.diags, shadowedDiagnostic(e.skill, winner.skill))
			continue
		}
		x.byName[e.skill.Name] = e
		x.skills = append(x.skills, e.skill)
		if _, taken := x.byAlias[e.skill.Alias]; !taken {
			x.byAlias[e.skill.Alias] = e
		}
	}
	slices.SortFunc(x.skills, func(a, b Skill) int { return cmp.Compare(a.Name, b.Name) })
	for _, s := range x.skills {
		for _, warning := range s.Warnings {
			x.diags = append(x.diags, warningDiagnostic(s, warning))
		}
	}
	return x
}

// Content is a skill with the current text of its file.
type Content struct {
	Skill Skill
	Text  string // the whole SKILL.md, byte for byte
	Body  string // what follows the front matter; may be empty
}

// Version returns a short hash of the text.
func (c Content) Version() string {
	sum := sha256.Sum256([]byte(c.Text))
	return hex.EncodeToString(sum[:6])
}

// Load reads a skill. An unknown name is a *NotFoundError. If the file was removed since the last
// scan, the roots are scanned once more; if the skill is still missing, the error is
// ErrFileMissing.
func (r *Registry) Load(name string) (Content, error) {
	e, ok := r.scanned().lookup(name)
	if !ok {
		return Content{}, &NotFoundError{Name: name}
	}
	content, err := e.load()
	if err == nil && e.root.CheckTrust != nil && maphash.String(r.seed, content.Text) != e.hash {
		return Content{}, fmt.Errorf("read %s: %w", e.skill.Path, ErrChangedSinceTrust)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return content, err
	}
	r.Rescan()
	moved, ok := r.scanned().lookup(name)
	if !ok {
		return Content{}, fmt.Errorf("read %s: %w", e.skill.Path, ErrFileMissing)
	}
	return moved.load()
}

func (e *entry) load() (Content, error) {
	text, err := readSkillFile(e.root.files(), e.file())
	if err != nil {
		return Content{}, fmt.Errorf("read %s: %w", e.skill.Path, err)
	}
	skill, body, err := Parse(text)
	if err != nil {
		return Content{}, fmt.Errorf("read %s: %w", e.skill.Path, err)
	}
	return Content{Skill: e.withLocation(skill), Text: string(text), Body: body}, nil
}

// maxSuggestions is the maximum number of suggested names.
const maxSuggestions = 3

// maxNameDistance is larger than any accepted distance, because names that contain one another are
// also sorted by distance.
const maxNameDistance = 100

// Suggest returns up to three names similar to one that was not found, closest first: they differ
// in a few letters, or one contains the other.
func (r *Registry) Suggest(name string) []string {
	requested := strings.ToLower(CanonicalName(name))
	type guess struct {
		name     string
		distance int
	}
	var guesses []guess
	for _, s := range r.List() {
		have := strings.ToLower(s.Name)
		d := usage.Distance(requested, have, maxNameDistance)
		shorter, longer := requested, have
		if len(shorter) > len(longer) {
			shorter, longer = longer, shorter
		}
		contained := len(shorter) >= 3 && strings.Contains(longer, shorter)
		if contained || d <= max(2, utf8.RuneCountInString(have)/4) {
			guesses = append(guesses, guess{s.Name, d})
		}
	}
	slices.SortStableFunc(guesses, func(a, b guess) int { return cmp.Compare(a.distance, b.distance) })
	var names []string
	for _, g := range guesses[:min(len(guesses), maxSuggestions)] {
		names = append(names, g.name)
	}
	return names
}
