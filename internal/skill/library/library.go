package library

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Agent is the current agent. Its methods are called each time, because it can change while the
// Library is in use.
type Agent interface {
	Name() string
	Tools() *tool.Router // tools it may use; all tools before an agent is chosen
	MayUse(tool string) bool
	RequestProfile() agent.RequestProfile
}

// Options are the dependencies of a Library.
type Options struct {
	Dir      string // the user's skills folder
	Registry *skill.Registry
	State    *skill.State // the user's decisions
	Store    skill.Store  // of skills while Dir cannot be written
	Agent    Agent
	// AllTools and Python are created after the Library: all tools except those that run skills,
	// and the runner of Python steps.
	AllTools func() *tool.Router
	Python   func() *python.Runner
	// ParseCommand returns the tool and the arguments of a command such as "quote AAPL", for the calls in
	// the bodies of skills.
	ParseCommand func(command string) (name, args string, err error)
	// TestDraft runs the evaluations of a skill that does not exist yet, given its files. It returns how
	// many cases passed, and why others did not.
	TestDraft func(ctx context.Context, name string, files map[string][]byte) (passed int, failures []string, err error)
	// Subsessions runs skills in separate sessions; nil runs none.
	Subsessions Subsessions
	Now         func() time.Time
	Log         zerolog.Logger
}

// Library is the skills of a data folder.
type Library struct {
	opts    Options
	cache   *skill.Cache
	waiting []install.WaitingSkill
	ranks   atomic.Pointer[catalogRanks]
}

// New returns a Library without reading anything.
func New(o Options) *Library { return &Library{opts: o, cache: skill.NewCache(o.Registry, o.Now)} }

// Lookup returns a skill by its name or the name of its directory.
func (lib *Library) Lookup(name string) (skill.Skill, bool) { return lib.opts.Registry.Lookup(name) }

// Cache returns the cache of loaded skills.
func (lib *Library) Cache() *skill.Cache { return lib.cache }

// Waiting returns the skills that could not be moved out of the database.
func (lib *Library) Waiting() []install.WaitingSkill { return lib.waiting }

// CountUse counts a use of a skill. If the prompt cannot list all skills, recently used ones are
// preferred.
func (lib *Library) CountUse(ctx context.Context, name string) {
	if err := lib.opts.State.CountUse(ctx, name, lib.opts.Now()); err != nil {
		lib.opts.Log.Warn().Err(err).Str("skill", name).Msg("count skill use")
	}
}

// Move moves skills from the database to disk if possible, and remembers those that must wait.
func (lib *Library) Move(notice, report func(string)) {
	moved, err := lib.Installer().Move()
	if err != nil {
		// The registry reports the same problem of the store as a diagnostic.
		lib.opts.Log.Warn().Err(err).Msg("move skills out of the database")
	}
	for _, s := range moved.Skills {
		report(fmt.Sprintf("skill %s was moved from the database to disk: %s", s.Name, s.Path))
	}
	for _, w := range moved.Waiting {
		lib.opts.Log.Warn().Str("skill", w.Name).Str("reason", w.Reason).Msg("skill is still in the database")
		if w.Taken {
			notice(fmt.Sprintf("skill %s is still in the database: %s; %s", w.Name, w.Reason, w.Fix))
		}
	}
	lib.waiting = moved.Waiting
}

// Rescan scans for skills again and returns the changes, one per line. Each session gets the whole
// text of each skill at its next load.
func (lib *Library) Rescan() ([]string, error) {
	if err := lib.opts.State.Reload(context.Background()); err != nil {
		return nil, err
	}
	var lines []string
	note := func(text string) { lines = append(lines, text) }
	before := lib.opts.Registry.Diagnostics()
	changes := lib.opts.Registry.Rescan()
	lib.cache.ClearAll()
	lib.ranks.Store(nil)
	lib.Move(func(string) {}, note) // doctor reports waiting skills
	broken := newlySkipped(before, lib.opts.Registry.Diagnostics())
	if changes.Empty() && len(lines) == 0 && len(broken) == 0 {
		return []string{fmt.Sprintf("No changes: %s", cli.CountNoun(len(lib.opts.Registry.List()), "skill"))}, nil
	}
	for _, list := range []struct {
		what  string
		names []string
	}{{"added", changes.Added}, {"removed", changes.Removed}, {"changed", changes.Changed}, {"broken", broken}} {
		if len(list.names) > 0 {
			lines = append(lines, list.what+": "+strings.Join(list.names, ", "))
		}
	}
	if n := lib.Skipped(); n > 0 {
		lines = append(lines, fmt.Sprintf("%d skipped; see /skills", n))
	}
	return lines, nil
}

// newlySkipped returns the names of files that cannot be used since a rescan.
func newlySkipped(before, after []skill.Diagnostic) []string {
	known := map[string]bool{}
	for _, d := range before {
		known[d.Path+"\x00"+d.Reason] = true
	}
	var names []string
	for _, d := range after {
		if d.Skipped() && d.Err != nil && !known[d.Path+"\x00"+d.Reason] {
			names = append(names, d.Name+" ("+d.Reason+")")
		}
	}
	return names
}

// Skipped returns the number of skill files that cannot be used.
func (lib *Library) Skipped() int {
	n := 0
	for _, d := range lib.opts.Registry.Diagnostics() {
		if d.Skipped() {
			n++
		}
	}
	return n
}
