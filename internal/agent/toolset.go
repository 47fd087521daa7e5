package agent

import (
	"cmp"
	"slices"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// alwaysSent are in every request of a profile that has room for them.
var alwaysSent = []string{tool.FindToolsName, "Skill"}

// profileCore are the tools that the smaller profiles send first, whatever the agent.
var profileCore = map[string][]string{
	"small": {"quote", "returns_stats", "portfolio_positions", "financial_statements", "calculate"},
	"tiny":  {"quote", "returns_stats", "calculate"},
}

// CoreTools returns the tools of an agent's first request: those that every request has, those of the
// profile, and those in core. An empty core means all tools of an agent that may call only a few, otherwise
// DefaultCore. Tools of MCP servers are never included.
func CoreTools(p RequestProfile, core []string, router *tool.Router) []string {
	may := router.ForModel()
	if len(core) == 0 {
		var all []string
		for _, t := range may.Tools() {
			if !slices.Contains(alwaysSent, t.Name) && t.Group != tool.WorkflowGroup && t.Group != tool.ServerGroup {
				all = append(all, t.Name)
			}
		}
		core = all
		if len(all)+len(alwaysSent) > p.CoreTools {
			core = DefaultCore()
		}
	}
	var out []string
	add := func(names []string) {
		for _, name := range names {
			if t, ok := may.Lookup(name); ok && t.Group != tool.ServerGroup && len(out) < p.CoreTools && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	if p.ShortRules {
		add(alwaysSent[:1])
	} else {
		add(alwaysSent)
	}
	add(profileCore[p.Name])
	add(core)
	return out
}

// DefaultCore returns the core of an agent that names none and may call many tools.
func DefaultCore() []string {
	return []string{
		"quote", "returns_stats", "compare_assets", "financial_statements", "key_ratios", "portfolio_positions", "portfolio_performance", "calculate", "search_symbol",
	}
}

// toolset holds the tools that a session has loaded in addition to the core, in the order of loading. It
// grows only at its end, so that the provider's cached prefix stays valid, until the maximum is reached.
type toolset struct {
	loaded []loadedTool
	clock  int // counts uses
}

type loadedTool struct {
	name    string
	lastUse int
}

// evicted is how many tools are removed at once, because each removal invalidates the cached prefix.
const evicted = 5

// load adds tools that are not in core. If there would be more than most, it removes the least recently
// used.
func (s *toolset) load(names, core []string, most int) {
	for _, name := range names {
		s.clock++
		if i := slices.IndexFunc(s.loaded, func(l loadedTool) bool { return l.name == name }); i >= 0 {
			s.loaded[i].lastUse = s.clock
			continue
		}
		if slices.Contains(core, name) {
			continue
		}
		if len(core)+len(s.loaded) >= most {
			s.evict()
		}
		if len(core)+len(s.loaded) < most {
			s.loaded = append(s.loaded, loadedTool{name, s.clock})
		}
	}
}

func (s *toolset) evict() {
	byUse := slices.Clone(s.loaded)
	slices.SortFunc(byUse, func(a, b loadedTool) int { return cmp.Compare(a.lastUse, b.lastUse) })
	oldest := byUse[:min(evicted, len(byUse))]
	s.loaded = slices.DeleteFunc(s.loaded, func(l loadedTool) bool { return slices.Contains(oldest, l) })
}

// names returns the tools of the next request in order, without loaded tools that the router no longer
// has.
func (s *toolset) names(core []string, router *tool.Router, most int) []string {
	out := slices.Clone(core)
	for _, l := range s.loaded {
		if _, ok := router.Lookup(l.name); ok && !slices.Contains(core, l.name) && len(out) < most {
			out = append(out, l.name)
		}
	}
	return out
}

// modelSpecs describes the named tools to a model, in this order.
func modelSpecs(router *tool.Router, names []string) []llm.ToolSpec {
	out := make([]llm.ToolSpec, 0, len(names))
	for _, name := range names {
		if t, ok := router.Lookup(name); ok {
			out = append(out, t.ModelSpec())
		}
	}
	return out
}
