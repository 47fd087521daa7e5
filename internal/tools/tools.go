package tools

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/advice"
	"github.com/nfa-cli/nfa/internal/tools/analysis"
	"github.com/nfa-cli/nfa/internal/tools/companies"
	"github.com/nfa-cli/nfa/internal/tools/economy"
	"github.com/nfa-cli/nfa/internal/tools/files"
	"github.com/nfa-cli/nfa/internal/tools/ledger"
	"github.com/nfa-cli/nfa/internal/tools/planning"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/prices"
	"github.com/nfa-cli/nfa/internal/tools/skills"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Deps are the sources, stores and settings of the tools.
type Deps struct {
	Quotes    market.QuoteSource
	Bars      market.BarSource
	Directory market.Directory
	// OwnQuotes and OwnBars price what the user owns or watches, without sample data; nil means Quotes
	// and Bars.
	OwnQuotes market.QuoteSource
	OwnBars   market.BarSource
	// Intraday is optional; nil leaves daily bars and longer.
	Intraday market.IntradaySource
	// Searches finds instruments beyond the Directory.
	Searches market.SearchSource
	// The following sources are optional; nil omits their tools.
	Series     market.SeriesSource
	Filings    market.FilingSource
	Curves     market.CurveSource
	Rates      market.RateSource
	News       market.NewsSource
	Options    market.OptionSource
	Statements market.StatementSource
	Profiles   market.ProfileSource
	Earnings   market.EarningsSource
	Insiders   market.InsiderSource
	WebSearch  market.WebSource
	Skills     *skill.Registry
	// SkillsLoaded records which skills each session has loaded; nil starts empty.
	SkillsLoaded *skill.Cache
	// SkillDisabled reports whether the user has disabled a skill; nil means none.
	SkillDisabled func(name string) bool
	// SkillScripts runs scripts of skills; nil means that none can be run.
	SkillScripts func() skills.Workflows
	// SkillCreator creates skills; nil omits its tool.
	SkillCreator skills.SkillCreator
	// Has reports whether the current agent can call a tool; nil means all tools.
	Has func(tool string) bool
	// Store holds the user's own data; nil omits its tools.
	Store UserStore
	// Owner is whose data Store holds, or "" for the user's own. ReadOnly is why it cannot be changed, or nil.
	Owner    string
	ReadOnly error
	// StoredIn is where the user's data is, for people.
	StoredIn string
	// Base is the currency of the portfolio, or "".
	Base string
	// Benchmark is the default benchmark of the portfolio and of decisions, or "".
	Benchmark string
	// Alerts opens the store of alert rules; nil omits their tool. AlertChannels are the names of channels.
	Alerts        func(ctx context.Context) (alert.Store, error)
	AlertChannels []string
	// ReadFile reads a file to import; nil omits the import tool.
	ReadFile func(path string) (name string, raw []byte, err error)
	// Broker returns the positions that a broker's server reports; nil omits portfolio_reconcile.
	Broker positions.BrokerSource
	// NewIDs creates IDs for new transactions.
	NewIDs func(n int) ([]string, error)
	// Files, Machine and Web give access to files, the machine and the web; a nil field omits its
	// tools.
	Files   files.FileSystem
	Machine files.MachineInspector
	Web     files.WebReader
	// Online reports whether the network may be used; nil means yes.
	Online func() bool
	// Now is the clock; nil means time.Now. Tools return nothing later, so a clock that is set back
	// replays what was known then. Replay must then be true: tools omit data without a date.
	Now    func() time.Time
	Replay bool
}

// UserStore holds all data of the user: ledger, profile, watchlist and decisions.
type UserStore interface {
	portfolio.Store
	ledger.Mappings
	investor.ProfileStore
	investor.JournalStore
}

// ChartKinds returns the kinds of charts of the tool chart, the default first.
func ChartKinds() []string { return analysis.ChartKinds() }

// All returns all tools, grouped by the headings that people see.
func All(d Deps) []tool.Tool {
	if d.Now == nil {
		d.Now = time.Now
	}
	bars := toolkit.Prices{Bars: d.Bars, Directory: d.Directory, Now: d.Now, Replay: d.Replay}
	tools := slices.Concat(
		withHeading("Prices and instruments", prices.Tools(prices.Deps{Prices: bars, Quotes: d.Quotes, Intraday: d.Intraday, Options: d.Options, Searches: d.Searches})),
		withHeading("Companies",
			companies.FundamentalTools(companies.FundamentalDeps{Prices: bars, Statements: d.Statements, Profiles: d.Profiles, Earnings: d.Earnings, Insiders: d.Insiders, Quotes: d.Quotes}),
			companies.PublicationTools(companies.PublicationDeps{Directory: d.Directory, Filings: d.Filings, News: d.News, Now: d.Now, Replay: d.Replay})),
		withHeading("The economy", economy.Tools(economy.Deps{Series: d.Series, Curves: d.Curves, Rates: d.Rates, Now: d.Now})),
		withHeading("Charts, return and risk", analysis.Tools(analysis.Deps{Prices: bars})),
		d.userTools(),
		withHeading("Portfolios and plans", d.optimizerTools(bars), planning.Tools(planning.Deps{Prices: bars})),
		withHeading("Valuation and calculation", companies.ValuationTools(), d.calculatorTools()),
		withHeading("Files, web and this computer", files.Tools(files.Deps{
			Files: d.Files, Machine: d.Machine, Web: d.Web, Search: d.WebSearch, Online: d.Online, Now: d.Now, ClockSetBack: d.Replay,
		})),
	)
	if d.Has == nil {
		d.Has = hasTool(tools)
	}
	tools = append(tools, withHeading("Skills", skills.Tools(skills.Deps{Skills: d.Skills, Cache: d.SkillsLoaded, Disabled: d.SkillDisabled, HasTool: d.Has, Scripts: d.SkillScripts, Creator: d.SkillCreator, Now: d.Now}))...)
	for i := range tools {
		tools[i].Order, tools[i].Label = i+1, labels[tools[i].Name]
		if slices.Contains(marketHeadings, tools[i].Heading) && tools[i].Sends == nil {
			tools[i].SendsTo = tool.MarketSources
		}
	}
	return tools
}

const portfolioHeading = "Your portfolio"

// marketHeadings are the groups whose tools look up the symbols in their arguments.
var marketHeadings = []string{"Prices and instruments", "Companies", "The economy", "Charts, return and risk", "Portfolios and plans"}

// withHeading sets the heading of the tools in several groups and returns them in order.
func withHeading(heading string, groups ...[]tool.Tool) []tool.Tool {
	tools := slices.Concat(groups...)
	for i := range tools {
		tools[i].Heading = heading
	}
	return tools
}

// portfolioDeps returns what the tools of the portfolio need.
func (d Deps) portfolioDeps() positions.Deps {
	own := d.ownPrices()
	return positions.Deps{Prices: own.Prices, Store: d.Store, Quotes: own.Quotes, Rates: d.Rates, Base: d.Base, Benchmark: d.Benchmark}
}

// ownPrices returns the prices of what the user owns or watches.
func (d Deps) ownPrices() toolkit.LatestPrices {
	own := toolkit.LatestPrices{Prices: toolkit.Prices{Bars: d.OwnBars, Directory: d.Directory, Now: d.Now, Replay: d.Replay}, Quotes: d.OwnQuotes}
	if d.OwnBars == nil {
		own.Bars, own.Quotes = d.Bars, d.Quotes
	}
	return own
}

// Tools that suggest position sizes check the user's limits first, if there is a store for them.

func (d Deps) optimizerTools(bars toolkit.Prices) []tool.Tool {
	if d.Store == nil {
		return analysis.OptimizerTools(analysis.OptimizerDeps{Prices: bars})
	}
	return analysis.OptimizerTools(analysis.OptimizerDeps{Prices: bars, CheckLimits: d.suitabilityDeps().JudgeMix})
}

func (d Deps) calculatorTools() []tool.Tool {
	if d.Store == nil {
		return planning.CalculatorTools()
	}
	return planning.CalculatorToolsWithLimits(d.suitabilityDeps().JudgeSize)
}

func (d Deps) suitabilityDeps() advice.SuitabilityDeps {
	return advice.SuitabilityDeps{Deps: d.portfolioDeps(), Profiles: d.Store}
}

// userTools returns the tools for the user's own data.
func (d Deps) userTools() []tool.Tool {
	if d.Store == nil {
		return nil
	}
	deps, latest := d.portfolioDeps(), d.ownPrices()
	alerts := advice.AlertDeps{LatestPrices: latest, Watchlist: d.Store, Series: d.Series, Open: d.Alerts, Channels: d.AlertChannels}
	tools := append(withHeading(portfolioHeading,
		positions.OverviewTools(deps),
		positions.PerformanceTools(deps),
		advice.SuitabilityTools(d.suitabilityDeps()),
		positions.IncomeTools(positions.IncomeDeps{Deps: deps, Earnings: d.Earnings, TaxRate: d.incomeTaxRate}),
		positions.TaxLotTools(positions.TaxLotDeps{Deps: deps, Jurisdiction: d.jurisdiction}),
		d.brokerTools(deps),
		ledger.Tools(ledger.Deps{Deps: deps, ReadOnly: d.ReadOnly, NewIDs: d.NewIDs, Searches: d.Searches, Read: d.ReadFile, Mappings: d.Store}),
	), withHeading("You and your decisions",
		advice.ProfileTools(advice.ProfileDeps{LatestPrices: latest, Investor: d.Store, Watchlist: d.Store, SyncTargets: alerts.SyncTargets}),
		advice.AlertTools(alerts),
		advice.JournalTools(advice.JournalDeps{LatestPrices: latest, Journal: d.Store, NewID: d.newID, Benchmark: d.Benchmark, Alerts: alerts}),
	)...)
	for i := range tools {
		tools[i].Private, tools[i].Data, tools[i].Owner = true, tool.PortfolioData, d.Owner
		if tools[i].Effect == tool.Reads {
			tools[i].Sends = benchmarkOf
		}
		if preview, inPortfolio := tools[i].Preview, tools[i].Heading == portfolioHeading; preview != nil {
			tools[i].Preview = func(ctx context.Context, args json.RawMessage) (tool.Preview, error) {
				p, err := preview(ctx, args)
				p.Touch = tool.Touch{Files: "your data in " + d.StoredIn, Network: "no"}
				if !inPortfolio {
					p.Touch.Network = tool.MarketSources // a target price is shown with the latest one
				}
				return p, err
			}
		}
	}
	return tools
}

func (d Deps) brokerTools(deps positions.Deps) []tool.Tool {
	if d.Broker == nil {
		return nil
	}
	return []tool.Tool{positions.NewReconcile(deps, d.Broker)}
}

// benchmarkOf returns the benchmark that a tool of the portfolio looks up.
func benchmarkOf(args json.RawMessage) []tool.Send {
	var in struct {
		Benchmark string `json:"benchmark"`
	}
	if json.Unmarshal(args, &in) != nil || in.Benchmark == "" {
		return nil
	}
	return []tool.Send{{To: tool.MarketSources, Text: in.Benchmark}}
}

// jurisdiction returns the user's tax jurisdiction, or "" if it is not set.
func (d Deps) jurisdiction(ctx context.Context) (string, error) {
	p, _, err := d.Store.Profile(ctx)
	return p.Tax.Jurisdiction, err
}

// incomeTaxRate returns the user's tax rate on dividends and interest, invalid if it is not set.
func (d Deps) incomeTaxRate(ctx context.Context) (decimal.NullDecimal, error) {
	p, _, err := d.Store.Profile(ctx)
	return p.Tax.Income, err
}

func (d Deps) newID() (string, error) {
	ids, err := d.NewIDs(1)
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

func hasTool(tools []tool.Tool) func(name string) bool {
	return func(name string) bool {
		return name == "Skill" || name == "read_skill_file" ||
			slices.ContainsFunc(tools, func(t tool.Tool) bool { return t.Name == name })
	}
}
