package agent

// RequestProfile limits the size of requests according to the model's context window.
type RequestProfile struct {
	Name        string // "large", "small" or "tiny"
	CoreTools   int    // tools in the first request, including find_tools and Skill
	MaxTools    int    // tools in any request
	FoundTools  int    // tools that one search loads
	ResultBytes int    // maximum of a tool result; 0 for the router's limit
	Role        bool   // the prompt includes the agent's role
	ShortRules  bool   // the prompt has only the essential rules
	SkillLines  bool   // the skill catalog has descriptions
	Skills      bool   // the prompt has a skill catalog
}

// Smallest context windows of the profiles, in tokens.
const (
	smallWindow = 6_000
	largeWindow = 32_000
)

var requestProfiles = []RequestProfile{
	{Name: "large", CoreTools: 14, MaxTools: 40, FoundTools: 5, Role: true, SkillLines: true, Skills: true},
	{Name: "small", CoreTools: 8, MaxTools: 14, FoundTools: 3, ResultBytes: 4_096, Skills: true},
	{Name: "tiny", CoreTools: 4, MaxTools: 8, FoundTools: 3, ResultBytes: 1_536, ShortRules: true},
}

// RequestProfileFor returns the named profile or, for any other name such as auto, the profile for a
// context window. A window of 0 means DefaultWindow.
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
