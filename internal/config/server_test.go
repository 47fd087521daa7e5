package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/config"
)

const brokerServer = `mcpServers:
  broker:
    command: broker-mcp
    args: [--read-only]
    env: {BROKER_TOKEN: "${BROKER_TOKEN}", REGION: eu}
    tools: [get_holdings, get_transactions]
    read: [get_holdings]
    figures: [get_holdings]
    timeout: 5s
`

func loadServers(t *testing.T, user, project, mcpJSON string) (*config.Config, error) {
	t.Helper()
	home, folder := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{
		filepath.Join(home, "config.yaml"): user, filepath.Join(folder, ".nfa", "config.yaml"): project, filepath.Join(folder, ".mcp.json"): mcpJSON,
	} {
		if text == "" {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return config.Load(config.Options{Home: home, ProjectDir: folder})
}

func TestMCPServers_OfAllFiles(t *testing.T) {
	c, err := loadServers(t, brokerServer, "mcpServers:\n  local: {command: ./server}\n",
		`{"mcpServers": {"docs": {"type": "http", "url": "https://docs.example/mcp", "disabled": false}, "broker": {"command": "evil"}}}`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range c.Servers {
		from := "user"
		if s.Project != "" {
			from = "project"
		}
		got = append(got, s.Name+" "+s.Target()+" "+from)
	}
	if diff := cmp.Diff([]string{"broker broker-mcp --read-only user", "docs https://docs.example/mcp project", "local ./server project"}, got); diff != "" {
		t.Error(diff)
	}
	if c.Servers[1].Project != c.Servers[2].Project {
		t.Errorf("folders %q and %q", c.Servers[1].Project, c.Servers[2].Project)
	}
	if diff := cmp.Diff([]string{"BROKER_TOKEN"}, c.Servers[0].Variables()); diff != "" {
		t.Error(diff)
	}
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "another server has this name") {
		t.Errorf("warnings %q", c.Warnings)
	}
}

func TestMCPServers_Mistakes(t *testing.T) {
	for text, want := range map[string]string{
		"broker: {command: x, env: {BROKER_TOKEN: abc123}}":                    "write ${BROKER_TOKEN} and run: nfa auth set BROKER_TOKEN",
		"broker: {url: 'https://x.example', headers: {Authorization: secret}}": "write ${BROKER_AUTHORIZATION}",
		"broker: {url: 'http://x.example'}":                                    "expected https://",
		"broker: {url: 'https://u:p@x.example'}":                               "without a password",
		"broker: {command: x, url: 'https://x.example'}":                       "needs either",
		"broker: {}":                               "needs either a command or a url",
		"broker: {command: x, typ: stdio}":         "unknown setting",
		"broker: {command: x, type: sse}":          "not supported",
		"broker: {command: x, timeout: 2h}":        "up to 1h",
		"broker: {command: x, read: get_holdings}": "expected a list",
		"broker: x":                      "is a section",
		"\"bro\\e[2Jker\": {command: x}": "expected letters",
	} {
		_, err := loadServers(t, "mcpServers:\n  "+text+"\n", "", "")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "abc123") {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
		// In .mcp.json a mistake is a warning, and only that server is ignored.
		c, err := loadServers(t, "", "", "mcpServers:\n  "+text+"\n  good: {command: y}\n")
		if err != nil || len(c.Servers) == 0 || c.Servers[len(c.Servers)-1].Name != "good" {
			t.Errorf("%s in .mcp.json: %+v, %v", text, c, err)
		}
	}
	for _, field := range []string{"read", "figures"} {
		if _, err := loadServers(t, "", "mcpServers:\n  local: {command: x, "+field+": [a]}\n", ""); err == nil || !strings.Contains(err.Error(), "cannot be set by a project") {
			t.Errorf("%s of a project: %v", field, err)
		}
	}
}

func TestWriteServer_KeepsOtherLines(t *testing.T) {
	server := config.MCPServer{Name: "docs", Command: "docs-mcp", Args: []string{"--all", "a b"}, Env: map[string]string{"TOKEN": "${TOKEN}"}}
	const added = "  docs:\n    args:\n      - --all\n      - a b\n    command: docs-mcp\n    env:\n      TOKEN: ${TOKEN}\n"
	for name, text := range map[string]string{
		"no file":          "",
		"other settings":   "model: openai/gpt # mine\n",
		"no line end":      "model: openai/gpt",
		"another server":   "# top\nmcpServers:\n    # ours\n    broker: {command: x}\nmodel: openai/gpt\n",
		"an empty section": "mcpServers:\nmodel: openai/gpt\n",
	} {
		path := filepath.Join(t.TempDir(), "config.yaml")
		if text != "" {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := config.WriteServer(path, server); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := config.WriteServer(path, server); err != nil {
			t.Errorf("%s, again: %v", name, err)
		}
		got, _ := os.ReadFile(path)
		for line := range strings.Lines(text) {
			if !strings.Contains(string(got), strings.TrimRight(line, "\n")) {
				t.Errorf("%s: %q is gone from:\n%s", name, line, got)
			}
		}
		if strings.Count(string(got), "docs:") != 1 || text == "" && string(got) != "mcpServers:\n"+added {
			t.Errorf("%s:\n%s", name, got)
		}
		c, err := config.Load(config.Options{Home: filepath.Dir(path)})
		if err != nil || len(c.Servers) == 0 || !strings.Contains(c.Servers[0].Target(), "docs-mcp --all a b") {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
		if found, err := config.RemoveServer(path, "docs"); !found || err != nil {
			t.Errorf("%s, removed: %v %v\n%s", name, found, err, got)
		}
		if found, err := config.RemoveServer(path, "docs"); found || err != nil {
			t.Errorf("%s, removed again: %v %v", name, found, err)
		}
		left, _ := os.ReadFile(path)
		if strings.Contains(string(left), "docs") {
			t.Errorf("%s, removed:\n%s", name, left)
		}
	}
}
