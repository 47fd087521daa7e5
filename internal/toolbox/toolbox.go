// Package toolbox is the bridge between the two wings: every tool that a model,
// a slash command or a verb can call, one file each, and All of them together.
package toolbox

import (
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Deps is what the tools stand on.
type Deps struct {
	Quotes    market.QuoteSource
	Bars      market.BarSource
	Directory market.Directory
	// Series and Filings may be missing, and then so are their tools.
	Series  market.SeriesSource
	Filings market.FilingSource
	Skills  *skill.Registry
	// SkillDisabled tells which skills the user has switched off; nil means none.
	SkillDisabled func(name string) bool
	// Has tells which tools the agent that answers can call; nil means all.
	Has func(tool string) bool
	// Files, Machine and Web are the world around the program; what is nil has no
	// tools.
	Files   Files
	Machine Machine
	Web     Web
	// Online tells whether the network may be used; nil means that it may.
	Online func() bool
	// Now is the clock, time.Now where nil. No price after it is given, so a
	// clock set back replays what was known then.
	Now func() time.Time
}

// All lists the tools, one line each.
func All(d Deps) []tool.Tool {
	if d.Now == nil {
		d.Now = time.Now
	}
	tools := []tool.Tool{
		newQuote(d),
		newPriceHistory(d),
		newReturnsStats(d),
		newCompareAssets(d),
		newCorrelation(d),
		newTechnicalIndicators(d),
		newCalculate(),
		newCurrentTime(d.Now),
	}
	if d.Series != nil {
		tools = append(tools, newMacroSeries(d))
	}
	if d.Filings != nil {
		tools = append(tools, newFilings(d), newFilingSection(d))
	}
	tools = append(tools, d.world()...)
	if d.Skills == nil || len(d.Skills.List()) == 0 {
		return tools // without skills a tool to load them would only mislead
	}
	if d.Has == nil {
		d.Has = contains(tools)
	}
	return append(tools, newSkillTool(d), newReadSkillFile(d.Skills, d.SkillDisabled))
}

func contains(tools []tool.Tool) func(name string) bool {
	return func(name string) bool {
		return name == "Skill" || name == "read_skill_file" ||
			slices.ContainsFunc(tools, func(t tool.Tool) bool { return t.Name == name })
	}
}
