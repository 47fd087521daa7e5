package main

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/config"
)

// turnLimits are the limits of a turn and of a session that the settings set.
func turnLimits(cfg *config.Config) agent.Limits {
	return agent.Limits{
		Steps: cfg.MaxSteps, Time: cfg.MaxTime, Cost: parseLimit(cfg.MaxCost),
		SessionSteps: cfg.MaxSessionSteps, SessionTime: cfg.MaxSessionTime, SessionCost: parseLimit(cfg.MaxSessionCost),
	}
}

// parseLimit is zero, no limit, where nothing is set: config lets nothing else by
// that is no amount.
func parseLimit(text string) decimal.Decimal {
	d, err := decimal.NewFromString(text)
	if err != nil {
		return decimal.Zero
	}
	return d
}
