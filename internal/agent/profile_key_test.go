package agent_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/agent"
)

func TestParse_AMisspeltFenceIsAFaultAndNotAnAgentWithEveryTool(t *testing.T) {
	for key, meant := range map[string]string{
		"toolz": "tools", "tool": "tools", "Tools_": "tools", "tolos": "tools", "modle": "model", "mdoel": "model", "models": "model",
	} {
		_, err := agent.ParseProfile([]byte("---\ndescription: d\n"+key+": [quote]\n---\nx"), "own")
		if !errors.Is(err, agent.ErrProfileKey) || !strings.Contains(err.Error(), key+": did you mean "+meant+"?") {
			t.Errorf("Parse with %s = %v, want to be asked for %s", key, err, meant)
		}
	}
}

func TestParse_OtherUnknownKeysAreWarnings(t *testing.T) {
	for _, key := range []string{"colour", "author", "temperature", "version", strings.Repeat("tools", 30)} {
		p, err := agent.ParseProfile([]byte("---\ndescription: d\n"+key+": 1\n---\nx"), "own")
		if err != nil || len(p.Warnings) != 1 || !strings.HasPrefix(p.Warnings[0], "unknown key "+key) {
			t.Errorf("Parse with %s = %v, %v; want a warning", key, p.Warnings, err)
		}
	}
}

func TestOpen_AMisspeltFileIsLeftOutWithItsMend(t *testing.T) {
	r := agent.LoadProfiles(profileFolder(t, map[string]string{"own.md": "---\ndescription: d\ntoolz: [quote]\n---\nx"}))
	faults := r.Errors()
	if _, there := r.Lookup("own"); there || len(faults) != 1 || !strings.Contains(faults[0].Fix, "all tools") {
		t.Errorf("faults = %+v, found %v; want one that says why it matters", faults, there)
	}
}
