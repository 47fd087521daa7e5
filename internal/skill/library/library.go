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
	Tools() *tool.Router // that it may use; all tools before an agent is chosen
	MayUse(tool string) bool
	RequestProfile() agent.RequestProfile
}

// Options are the dependencies of a Library.
type Options struct {
	Dir      string // of the user's own skills
	Registry *skill.Registry
	State    *skill.State // what the user decided
	Store    skill.Store  // of skills, while Dir cannot be written
	Agent    Agent
	// AllTools and Python are made after the Library: all tools except those that run skills, and
	// what runs Python steps.
	AllTools func() *tool.Router
	Python   func() *python.Runner
	Now      func() time.Time
	Log      zerolog.Logger
}

// Library is the skills of a home.
type Library struct {
	opts    Options
	cache   *skill.Cache
	waiting []install.WaitingSkill
	uses    atomic.Pointer[map[string]skill.Use] // by which the catalogue is chosen
}

// New makes a Library. Nothing is read.
func New(o Options) *Library { return &Library{opts: o, cache: skill.NewCache(o.Registry, o.Now)} }

// Cache are the skills that each conversation has had.
func (lib *Library) Cache() *skill.Cache { return lib.cache }

// Waiting are the skills that could not be moved out of the database.
func (lib *Library) Waiting() []install.WaitingSkill { return lib.waiting }

// CountUse counts a use of a skill. When the prompt cannot list all skills, the last used ones are
// preferred.
func (lib *Library) CountUse(ctx context.Context, name string) {
	if err := lib.opts.State.CountUse(ctx, name, lib.opts.Now()); err != nil {
		lib.opts.Log.Warn().Err(err).Str("skill", name).Msg("counting the use of a skill")
	}
}

// Move puts what waits in the database on disk, where that can be written
// now, and remembers what has to wait on.
func (lib *Library) Move(notice, report func(string)) {
	moved, err := lib.Installer().Move()
	if err != nil {
		// The registry has the same to tell of the store, as a diagnostic.
		lib.opts.Log.Warn().Err(err).Msg("moving skills out of the database")
	}
	for _, s := range moved.Skills {
		report(fmt.Sprintf("the skill %s, which was kept in the database, is on disk now: %s", s.Name, s.Path))
	}
	for _, w := range moved.Waiting {
		lib.opts.Log.Warn().Str("skill", w.Name).Str("reason", w.Reason).Msg("skill waits in the database")
		if w.Taken {
			notice(fmt.Sprintf("the skill %s waits in the database: %s; %s", w.Name, w.Reason, w.Fix))
		}
	}
	lib.waiting = moved.Waiting
}

// Rescan looks for skills again, and says what is different, a line each. In
// every conversation each comes whole the next time.
func (lib *Library) Rescan() ([]string, error) {
	if err := lib.opts.State.Reload(context.Background()); err != nil {
		return nil, err
	}
	var lines []string
	note := func(text string) { lines = append(lines, text) }
	changes := lib.opts.Registry.Rescan()
	lib.cache.ClearAll()
	lib.uses.Store(nil)
	lib.Move(func(string) {}, note) // what waits on is for doctor to say
	if changes.Empty() && len(lines) == 0 {
		return []string{fmt.Sprintf("nothing has changed: %s", cli.CountNoun(len(lib.opts.Registry.List()), "skill"))}, nil
	}
	for _, list := range []struct {
		what  string
		names []string
	}{{"added", changes.Added}, {"removed", changes.Removed}, {"changed", changes.Changed}} {
		if len(list.names) > 0 {
			lines = append(lines, list.what+": "+strings.Join(list.names, ", "))
		}
	}
	if n := lib.Skipped(); n > 0 {
		lines = append(lines, fmt.Sprintf("skipped: %d; /skills says why", n))
	}
	return lines, nil
}

// Skipped counts the skill files that cannot be used.
func (lib *Library) Skipped() int {
	n := 0
	for _, d := range lib.opts.Registry.Diagnostics() {
		if d.Skipped() {
			n++
		}
	}
	return n
}
