// Package skillset is the skills of a home as they can be used here and now: by the
// agent that answers, with its tools, and as the user decided.
//
// A Set lists them (Rows, Health, Detail, Catalogue), holds them to the rules
// (Problems, CannotRun), makes what the user types into what is sent (Input, Activate),
// gives their steps to a router (WithWorkflows), and changes those that are the user's
// own (Own, Installer, Begin, OpenDraft and Finish, Exported, Move, Rescan).
package skillset

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/state"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Options are what a Set stands on. What depends on who answers is asked for each time.
type Options struct {
	Dir      string // of the user's own skills
	Registry *skill.Registry
	State    *state.State // what the user decided
	Store    skill.Store  // of skills, while Dir cannot be written
	Python   func() *python.Runner
	All      func() *tool.Router      // of all tools but those that run skills
	Tools    func() *tool.Router      // of those of the agent that answers
	May      func() func(string) bool // what that agent may use; a nil func is everything
	Answers  func() string            // the name of that agent
	Now      func() time.Time
	Log      zerolog.Logger
}

// Set is the skills of a home.
type Set struct {
	o       Options
	loaded  *skill.Cache
	waiting []install.Waiting
}

// New makes a Set. Nothing is read.
func New(o Options) *Set { return &Set{o: o, loaded: skill.NewCache(o.Registry, o.Now)} }

// Loaded are the skills that each conversation has had.
func (set *Set) Loaded() *skill.Cache { return set.loaded }

// Waiting are the skills that could not be moved out of the database.
func (set *Set) Waiting() []install.Waiting { return set.waiting }

// Catalogue is what the agent that answers is told of the skills it may choose. window
// is the context window of its model in tokens, 0 where it is not known.
func (set *Set) Catalogue(window int) string {
	offered, _ := skill.Eligible(set.o.Registry.List(), set.HasTool, set.o.State.Disabled)
	within, report := skill.Budget(offered, skill.BudgetOptions{ContextTokens: window, Uses: set.o.State.Uses()})
	if warning := report.Warning(); warning != "" {
		set.o.Log.Warn().Msg(warning)
	}
	return skill.Catalogue(within)
}

// CountUse remembers which skills are used, for the day when there are more than
// the prompt has room for.
func (set *Set) CountUse(ctx context.Context, name string) {
	if err := set.o.State.CountUse(ctx, name); err != nil {
		set.o.Log.Warn().Err(err).Str("skill", name).Msg("counting the use of a skill")
	}
}

// Move puts what waits in the database on disk, where that can be written
// now, and remembers what has to wait on.
func (set *Set) Move(notice, told func(string)) {
	moved, err := set.Installer().Move()
	if err != nil {
		// The registry has the same to tell of the store, as a diagnostic.
		set.o.Log.Warn().Err(err).Msg("moving skills out of the database")
	}
	for _, s := range moved.Skills {
		told(fmt.Sprintf("the skill %s, which was kept in the database, is on disk now: %s", s.Name, s.Path))
	}
	for _, w := range moved.Waiting {
		set.o.Log.Warn().Str("skill", w.Name).Str("reason", w.Reason).Msg("skill waits in the database")
		if w.Taken {
			notice(fmt.Sprintf("the skill %s waits in the database: %s; %s", w.Name, w.Reason, w.Mend))
		}
	}
	set.waiting = moved.Waiting
}

// Rescan looks for skills again, and says what is different, a line each. In
// every conversation each comes whole the next time.
func (set *Set) Rescan() ([]string, error) {
	if err := set.o.State.Reload(context.Background()); err != nil {
		return nil, err
	}
	var found []string
	note := func(text string) { found = append(found, text) }
	changes := set.o.Registry.Rescan()
	set.loaded.ClearAll()
	set.Move(func(string) {}, note) // what waits on is for doctor to say
	if changes.Empty() && len(found) == 0 {
		return []string{fmt.Sprintf("nothing has changed: %s", console.Count(len(set.o.Registry.List()), "skill"))}, nil
	}
	for _, list := range []struct {
		what  string
		names []string
	}{{"added", changes.Added}, {"removed", changes.Removed}, {"changed", changes.Changed}} {
		if len(list.names) > 0 {
			found = append(found, list.what+": "+strings.Join(list.names, ", "))
		}
	}
	if n := set.Skipped(); n > 0 {
		found = append(found, fmt.Sprintf("skipped: %d; /skills says why", n))
	}
	return found, nil
}

// Skipped counts the skill files that cannot be used.
func (set *Set) Skipped() int {
	n := 0
	for _, d := range set.o.Registry.Diagnostics() {
		if d.Skipped() {
			n++
		}
	}
	return n
}
