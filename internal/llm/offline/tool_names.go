package offline

import "strings"

// Tools of instruments, of sums and of the clock.
const (
	ToolQuote     = "quote"
	ToolHistory   = "price_history"
	ToolReturns   = "returns_stats"
	ToolChart     = "chart"
	ToolCalculate = "calculate"
	ToolTime      = "current_time"
)

// Tools that give the text of a skill.
const (
	ToolSkill     = "Skill"
	ToolSkillFile = "read_skill_file"
)

// Tools that answer from the user's own data: the portfolio, the journal, the profile.
const (
	ToolPositions   = "portfolio_positions"
	ToolAllocation  = "portfolio_allocation"
	ToolPerformance = "portfolio_performance"
	ToolCheckup     = "portfolio_checkup"
	ToolRebalance   = "rebalance_plan"
	ToolLots        = "tax_lots"
	ToolWatchlist   = "watchlist"
	ToolJournal     = "decision_journal"
	ToolProfile     = "investor_profile"
)

// Kinds of tax lots that a question may ask for; "" means the open lots.
const (
	LotsClosed  = "closed"
	LotsHarvest = "harvest"
	LotsWash    = "wash"
)

// WorkflowPrefix begins the name of a tool that runs a skill's steps.
const WorkflowPrefix = "skill_"

// IsWorkflowTool tells a tool by which the program runs a skill's steps.
func IsWorkflowTool(name string) bool { return strings.HasPrefix(name, WorkflowPrefix) }
