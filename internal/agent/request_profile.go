package agent

// RequestProfile says how much a request may hold. It follows from the model's context
// window, so that a small local model is not sent more than it can read.
type RequestProfile struct {
	Name        string // "large", "small" or "tiny"
	CoreTools   int    // tools that are sent from the start, find_tools and Skill included
	MaxTools    int    // tools in any request
	FoundTools  int    // tools that one search loads
	ResultBytes int    // most bytes of a tool result; 0 for the router's own limit
	Role        bool   // the prompt has the agent's part
	ShortRules  bool   // the prompt has only the rules that no answer can do without
	SkillLines  bool   // the skill catalogue has descriptions
	Skills      bool   // the prompt has a skill catalogue
}

// The windows, in tokens, from which the profiles begin.
const (
	smallWindow = 6_000
	largeWindow = 32_000
)

var requestProfiles = []RequestProfile{
	{Name: "large", CoreTools: 14, MaxTools: 40, FoundTools: 5, Role: true, SkillLines: true, Skills: true},
	{Name: "small", CoreTools: 8, MaxTools: 14, FoundTools: 3, ResultBytes: 4_096, Skills: true},
	{Name: "tiny", CoreTools: 4, MaxTools: 8, FoundTools: 3, ResultBytes: 1_536, ShortRules: true},
}

// RequestProfileFor returns the named profile; any other name, such as auto, yields the
// profile of a window of so many tokens. A window of 0 counts as DefaultWindow.
func RequestProfileFor(name string, window int) RequestProfile {
	for _, p := range requestProfiles {
		if p.Name == name {
			return p
		}
	}
	switch {
	case window == 0 || window >= largeWindow:
		return requestProfiles[0]
	case window >= smallWindow:
		return requestProfiles[1]
	}
	return requestProfiles[2]
}
