// Package toolbox is the bridge between the two wings: every tool that a model,
// a slash command or a verb can call. Each room inside holds the tools of one
// subject, one file each, and lists them in its Tools; All of them together are
// here.
package toolbox

import (
	"context"
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/allocation"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/bookkeeping"
	"github.com/nfa-cli/nfa/internal/toolbox/calculator"
	"github.com/nfa-cli/nfa/internal/toolbox/company"
	"github.com/nfa-cli/nfa/internal/toolbox/decision"
	"github.com/nfa-cli/nfa/internal/toolbox/earnings"
	"github.com/nfa-cli/nfa/internal/toolbox/economy"
	"github.com/nfa-cli/nfa/internal/toolbox/guidance"
	"github.com/nfa-cli/nfa/internal/toolbox/holdings"
	"github.com/nfa-cli/nfa/internal/toolbox/intake"
	"github.com/nfa-cli/nfa/internal/toolbox/marketdata"
	"github.com/nfa-cli/nfa/internal/toolbox/personal"
	"github.com/nfa-cli/nfa/internal/toolbox/planning"
	"github.com/nfa-cli/nfa/internal/toolbox/publication"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
	"github.com/nfa-cli/nfa/internal/toolbox/skills"
	"github.com/nfa-cli/nfa/internal/toolbox/statistics"
	"github.com/nfa-cli/nfa/internal/toolbox/taxlots"
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
	// SkillsLoaded are those of Skills that each conversation has had; nil starts anew.
	SkillsLoaded *skill.Cache
	// SkillDisabled tells which skills the user has switched off; nil means none.
	SkillDisabled func(name string) bool
	// Has tells which tools the agent that answers can call; nil means all.
	Has func(tool string) bool
	// Book is the user's own; nil has no tools of it.
	Book Book
	// Base is the currency that the user wants the book in, or "".
	Base string
	// Benchmark is the symbol that the book and decisions are held against where a call
	// names none, or "".
	Benchmark string
	// HideAmounts keeps the sums of the book from a model.
	HideAmounts bool
	// ReadFile reads a whole file for the book; nil leaves out the tool that imports.
	ReadFile func(path string) (name string, raw []byte, err error)
	// NewIDs names what is recorded in the book.
	NewIDs func(n int) ([]string, error)
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

// Book is all that is kept of the user: what they hold, who they are, what they
// watch and decided.
type Book interface {
	portfolio.Store
	intake.Mappings
	investor.Store
	journal.Store
}

// ChartKinds are the kinds that the tool chart draws, the usual first.
func ChartKinds() []string { return statistics.ChartKinds() }

// All lists the tools, a line for each heading that people find them under.
func All(d Deps) []tool.Tool {
	if d.Now == nil {
		d.Now = time.Now
	}
	prices := question.Prices{Bars: d.Bars, Directory: d.Directory, Now: d.Now, Replay: d.Replay}
	tools := slices.Concat(
		under("Prices and instruments", marketdata.Tools(marketdata.Deps{Prices: prices, Quotes: d.Quotes, Options: d.Options, Searches: d.Searches})),
		under("Companies",
			company.Tools(company.Deps{Prices: prices, Statements: d.Statements, Profiles: d.Profiles, Insiders: d.Insiders, Quotes: d.Quotes}),
			publication.Tools(publication.Deps{Directory: d.Directory, Filings: d.Filings, News: d.News, Now: d.Now, Replay: d.Replay})),
		under("The economy", economy.Tools(economy.Deps{Series: d.Series, Curves: d.Curves, Rates: d.Rates, Now: d.Now})),
		under("Charts, return and risk", statistics.Tools(statistics.Deps{Prices: prices})),
		d.ofBook(prices),
		under("Portfolios and plans", d.mixes(prices), planning.Tools(planning.Deps{Prices: prices})),
		under("Valuation and calculation", valuation.Tools(), d.calculators(prices)),
		under("Files, web and this computer", world.Tools(world.Deps{
			Files: d.Files, Machine: d.Machine, Web: d.Web, Search: d.WebSearch, Online: d.Online, Now: d.Now, Replay: d.Replay,
		})),
	)
	if d.Has == nil {
		d.Has = contains(tools)
	}
	tools = append(tools, under("Skills", skills.Tools(skills.Deps{Skills: d.Skills, Loaded: d.SkillsLoaded, Disabled: d.SkillDisabled, Has: d.Has, Now: d.Now}))...)
	for i := range tools {
		tools[i].Place = i + 1
	}
	return tools
}

// under puts the tools of some rooms under a heading, in their order.
func under(heading string, rooms ...[]tool.Tool) []tool.Tool {
	tools := slices.Concat(rooms...)
	for i := range tools {
		tools[i].Heading = heading
	}
	return tools
}

// own is the user's book for the rooms that look into it.
func (d Deps) own(prices question.Prices) book.Deps {
	return book.Deps{Prices: prices, Store: d.Book, Quotes: d.Quotes, Rates: d.Rates, Base: d.Base, HideAmounts: d.HideAmounts}
}

// What suggests how much of something to hold passes the limits of the user first,
// where there is a place to keep some.

func (d Deps) mixes(prices question.Prices) []tool.Tool {
	if d.Book == nil {
		return allocation.Tools(allocation.Deps{Prices: prices})
	}
	return allocation.Tools(allocation.Deps{Prices: prices, Judge: d.limits(prices).JudgeMix})
}

func (d Deps) calculators(prices question.Prices) []tool.Tool {
	if d.Book == nil {
		return calculator.Tools()
	}
	return calculator.Judged(d.limits(prices).JudgeSize)
}

func (d Deps) limits(prices question.Prices) guidance.Deps {
	return guidance.Deps{Deps: d.own(prices), Profiles: d.Book}
}

// ofBook lists the tools of the user's own things.
func (d Deps) ofBook(prices question.Prices) []tool.Tool {
	if d.Book == nil {
		return nil
	}
	own, newest := d.own(prices), question.Newest{Prices: prices, Quotes: d.Quotes}
	tools := append(under("Your book",
		holdings.Tools(holdings.Deps{Deps: own}),
		earnings.Tools(earnings.Deps{Deps: own, Benchmark: d.Benchmark}),
		guidance.Tools(d.limits(prices)),
		taxlots.Tools(taxlots.Deps{Deps: own, Jurisdiction: d.jurisdiction}),
		intake.Tools(intake.Deps{Deps: own, NewIDs: d.NewIDs, Read: d.ReadFile, Mappings: d.Book, Searches: d.Searches}),
		bookkeeping.Tools(bookkeeping.Deps{Deps: own, NewIDs: d.NewIDs, Searches: d.Searches}),
	), under("You and your decisions",
		personal.Tools(personal.Deps{Newest: newest, Investor: d.Book, Watchlist: d.Book, HideAmounts: d.HideAmounts}),
		decision.Tools(decision.Deps{Newest: newest, Journal: d.Book, NewID: d.newID, Benchmark: d.Benchmark, HideAmounts: d.HideAmounts}),
	)...)
	for i := range tools {
		tools[i].Private = d.HideAmounts
	}
	return tools
}

// jurisdiction names the tax rules of the user, "" where they have not said.
func (d Deps) jurisdiction(ctx context.Context) (string, error) {
	p, _, err := d.Book.Profile(ctx)
	return p.Tax.Jurisdiction, err
}

func (d Deps) newID() (string, error) {
	ids, err := d.NewIDs(1)
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

func contains(tools []tool.Tool) func(name string) bool {
	return func(name string) bool {
		return name == "Skill" || name == "read_skill_file" ||
			slices.ContainsFunc(tools, func(t tool.Tool) bool { return t.Name == name })
	}
}
