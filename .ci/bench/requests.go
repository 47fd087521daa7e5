package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// request is the size in bytes of an agent's first request with a profile.
type request struct {
	agent, profile        string
	prompt, skills, tools int
	all                   int
}

// requests measures the first request of each agent and profile with `nfa context`.
func (b *bench) requests(ctx context.Context, binary string) ([]request, error) {
	home := filepath.Join(b.work, "requests")
	var all []request
	for _, r := range []request{
		{agent: "advisor", profile: "large"}, {agent: "analyst", profile: "large"}, {agent: "portfolio-manager", profile: "large"},
		{agent: "planner", profile: "large"}, {agent: "advisor", profile: "small"}, {agent: "advisor", profile: "tiny"},
	} {
		cmd := exec.CommandContext(ctx, binary, "context", "--json", "--home", home, "--model", "ollama/none")
		cmd.Env = append(os.Environ(), "NFA_AGENT="+r.agent, "NFA_REQUEST_PROFILE="+r.profile)
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("nfa context for %s: %w", r.agent, err)
		}
		if err := r.read(out); err != nil {
			return nil, fmt.Errorf("nfa context for %s: %w", r.agent, err)
		}
		all = append(all, r)
	}
	return all, nil
}

// read parses the output of `nfa context --json`.
func (r *request) read(output []byte) error {
	var size struct {
		Profile string `json:"profile"`
		Bytes   int    `json:"bytes"`
		Parts   []struct {
			Name  string `json:"name"`
			Bytes int    `json:"bytes"`
		} `json:"parts"`
	}
	if err := json.Unmarshal(output, &size); err != nil {
		return err
	}
	if size.Profile != r.profile || size.Bytes == 0 {
		return fmt.Errorf("profile %q with %d bytes, want profile %q", size.Profile, size.Bytes, r.profile)
	}
	r.all = size.Bytes
	for _, part := range size.Parts {
		switch part.Name {
		case "prompt":
			r.prompt = part.Bytes
		case "skills":
			r.skills = part.Bytes
		case "tools":
			r.tools = part.Bytes
		}
	}
	return nil
}

func requestTable(all []request) string {
	var b strings.Builder
	b.WriteString("\n## First request to a model\n\nSize in bytes, by part. The [profile](tools.md#see-what-a-model-receives) depends on the model's context window.\n\n")
	b.WriteString("| agent | profile | prompt | skills | tools | total |\n|---|---|--:|--:|--:|--:|\n")
	for _, r := range all {
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d |\n", r.agent, r.profile, r.prompt, r.skills, r.tools, r.all)
	}
	return b.String()
}
