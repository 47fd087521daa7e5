package skilltest

import (
	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Agent is a library.Agent named advisor that may use every tool of its router.
type Agent struct {
	Router  *tool.Router
	Request *agent.RequestProfile // nil means the large profile
}

// Name returns "advisor".
func (Agent) Name() string { return "advisor" }

// Tools returns the router.
func (a Agent) Tools() *tool.Router { return a.Router }

// MayUse allows every tool.
func (Agent) MayUse(string) bool { return true }

// RequestProfile returns the profile that was set.
func (a Agent) RequestProfile() agent.RequestProfile {
	if a.Request == nil {
		return agent.RequestProfileFor("large", 0)
	}
	return *a.Request
}
