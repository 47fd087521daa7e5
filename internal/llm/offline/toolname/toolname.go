// Package toolname holds the names of the tools that the offline assistant knows, as
// requests offer them and calls carry them. A question is about what one of them
// answers, an answer is told from what one of them gave: this is all that the two
// have in common.
package toolname

import "strings"

// Tools of instruments, of sums and of the clock.
const (
	Quote     = "quote"
	History   = "price_history"
	Returns   = "returns_stats"
	Chart     = "chart"
	Calculate = "calculate"
	Time      = "current_time"
)

// Tools that give the text of a skill.
const (
	Skill     = "Skill"
	SkillFile = "read_skill_file"
)

// Tools that answer from what the user keeps: the book, the journal, the profile.
const (
	Positions   = "portfolio_positions"
	Allocation  = "portfolio_allocation"
	Performance = "portfolio_performance"
	Checkup     = "portfolio_checkup"
	Rebalance   = "rebalance_plan"
	Lots        = "tax_lots"
	Watchlist   = "watchlist"
	Journal     = "decision_journal"
	Profile     = "investor_profile"
)

// Kinds of Lots that a question may ask for; "" are the lots that are held.
const (
	LotsClosed  = "closed"
	LotsHarvest = "harvest"
	LotsWash    = "wash"
)

// WorkflowPrefix begins the name of a tool that runs a skill's steps.
const WorkflowPrefix = "skill_"

// IsWorkflow tells a tool by which the program runs a skill's steps.
func IsWorkflow(name string) bool { return strings.HasPrefix(name, WorkflowPrefix) }
