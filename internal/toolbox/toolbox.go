// Package toolbox is the bridge between the two wings: every tool that a model,
// a slash command or a verb can call. Each room inside holds the tools of one
// subject, one file each, and lists them in its Tools; All of them together are
// here.
package toolbox

import (
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/allocation"
	"github.com/nfa-cli/nfa/internal/toolbox/calculator"
	"github.com/nfa-cli/nfa/internal/toolbox/company"
	"github.com/nfa-cli/nfa/internal/toolbox/economy"
	"github.com/nfa-cli/nfa/internal/toolbox/marketdata"
	"github.com/nfa-cli/nfa/internal/toolbox/planning"
	"github.com/nfa-cli/nfa/internal/toolbox/publication"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
	"github.com/nfa-cli/nfa/internal/toolbox/skills"
	"github.com/nfa-cli/nfa/internal/toolbox/statistics"
	"github.com/nfa-cli/nfa/internal/toolbox/valuation"
	"github.com/nfa-cli/nfa/internal/toolbox/world"
)

// Deps is what the tools stand on.
type Deps struct {
	Quotes    market.QuoteSource
	Bars      market.BarSource
	Directory market.Directory
	// Searches finds instruments beyond the Directory.
	Searches market.SearchSource
	// What follows may be missing, and then so are its tools.
	Series     market.SeriesSource
	Filings    market.FilingSource
	Curves     market.CurveSource
	Rates      market.RateSource
	News       market.NewsSource
	Options    market.OptionSource
	Statements market.StatementSource
	Profiles   market.ProfileSource
	Insiders   market.InsiderSource
	WebSearch  market.WebSource
	Skills     *skill.Registry
	// SkillDisabled tells which skills the user has switched off; nil means none.
	SkillDisabled func(name string) bool
	// Has tells which tools the agent that answers can call; nil means all.
	Has func(tool string) bool
	// Files, Machine and Web are the world around the program; what is nil has no
	// tools.
	Files   world.Files
	Machine world.Machine
	Web     world.Web
	// Online tells whether the network may be used; nil means that it may.
	Online func() bool
	// Now is the clock, time.Now where nil. Nothing after it is given, so a clock
	// set back replays what was known then; Replay says that it was, since what
	// tells no date has to be left out then.
	Now    func() time.Time
	Replay bool
}

// All lists the tools, a line for each room.
func All(d Deps) []tool.Tool {
	if d.Now == nil {
		d.Now = time.Now
	}
	prices := question.Prices{Bars: d.Bars, Directory: d.Directory, Now: d.Now, Replay: d.Replay}
	tools := slices.Concat(
		marketdata.Tools(marketdata.Deps{Prices: prices, Quotes: d.Quotes, Options: d.Options, Searches: d.Searches}),
		company.Tools(company.Deps{Prices: prices, Statements: d.Statements, Profiles: d.Profiles, Insiders: d.Insiders, Quotes: d.Quotes}),
		economy.Tools(economy.Deps{Series: d.Series, Curves: d.Curves, Rates: d.Rates, Now: d.Now}),
		publication.Tools(publication.Deps{Directory: d.Directory, Filings: d.Filings, News: d.News, Now: d.Now, Replay: d.Replay}),
		statistics.Tools(statistics.Deps{Prices: prices}),
		allocation.Tools(allocation.Deps{Prices: prices}),
		calculator.Tools(),
		valuation.Tools(),
		planning.Tools(planning.Deps{Prices: prices}),
		world.Tools(world.Deps{
			Files: d.Files, Machine: d.Machine, Web: d.Web, Search: d.WebSearch, Online: d.Online, Now: d.Now, Replay: d.Replay,
		}),
	)
	if d.Has == nil {
		d.Has = contains(tools)
	}
	return append(tools, skills.Tools(skills.Deps{Skills: d.Skills, Disabled: d.SkillDisabled, Has: d.Has, Now: d.Now})...)
}

func contains(tools []tool.Tool) func(name string) bool {
	return func(name string) bool {
		return name == "Skill" || name == "read_skill_file" ||
			slices.ContainsFunc(tools, func(t tool.Tool) bool { return t.Name == name })
	}
}
