package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/tui"
)

// TestDocs_EveryPageCanBeFollowed runs every command of nfa in the README and the docs, in order, in a new
// home for each page, without a key and without a network.
func TestDocs_EveryPageCanBeFollowed(t *testing.T) {
	total := 0
	for _, name := range pages(t) {
		commands, err := commandsOf(page(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		total += len(commands)
		exceptions := pageExceptions()[name]
		t.Run(filepath.Base(name), func(t *testing.T) {
			r := newReader(t)
			if prepare := preparations()[name]; prepare != nil {
				prepare(r)
			}
			for _, c := range commands {
				r.checkCommand(c, exceptions[c.text])
				delete(exceptions, c.text)
			}
			for text := range exceptions {
				t.Errorf("%s is an exception, but does not stand on the page", text)
			}
		})
	}
	if total < 90 {
		t.Errorf("%d commands on all pages, want more", total)
	}
}

// pages returns the paths of the README and all docs.
func pages(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"README.md"}
	for _, path := range paths {
		names = append(names, "docs/"+filepath.Base(path))
	}
	return names
}

// An exception is a command of a page that does not exit with 0 if nobody can answer and no model is
// connected. It exits with code and prints message.
type exception struct {
	code    int
	message string
}

// pageExceptions returns the exceptions of each page.
func pageExceptions() map[string]map[string]exception {
	return map[string]map[string]exception{
		"README.md":               {"go run ./cmd/nfa": {exitUsage, "the chat needs a terminal"}},
		"docs/configuration.md":   {"nfa models test": {exitUsage, "offline is set"}, "nfa mcp test broker": {1, "start broker-mcp"}},
		"docs/getting-started.md": {`cat notes.txt | nfa ask "What does this say about dividends?"`: {exitNoData, ""}},
		"docs/portfolio.md":       {"nfa portfolio import statement.csv": {exitRefused, "confirmation required"}},
		"docs/skills.md":          {"nfa skills test get-price --live": {exitUsage, "needs a model"}},
	}
}

// preparations create what a page assumes: files of the reader.
func preparations() map[string]func(*reader) {
	return map[string]func(*reader){
		"README.md": func(r *reader) {
			r.putFile("cmd/nfa/testdata/statement.csv", r.file("cmd/nfa/testdata/statement.csv"))
		},
		"docs/shared-store.md": prepareSharedStore,
		"docs/chat.md":         func(r *reader) { r.putFile("questions.txt", "What is a bond?\n/quit\n") },
		"docs/configuration.md": func(r *reader) {
			r.putFile(".mcp.json", `{"mcpServers": {}}`)
			r.placeholders["PROVIDER"], r.placeholders["PROVIDER/MODEL"] = "deepseek", "ollama/qwen3"
		},
		"docs/portfolio.md": func(r *reader) {
			r.putFile("statement.csv", r.file("cmd/nfa/testdata/statement.csv"))
			r.putFile("table.csv", "Date,Type,Symbol,Quantity,Price,Amount,Currency,Fee\n2021-01-29,Buy,AAPL,5,130.00,650.00,USD,1\n")
			r.putFile("mapping.json", `{"name":"mine","decimal":".","date":"YYYY-MM-DD","columns":{"date":"Date","kind":"Type","symbol":"Symbol","quantity":"Quantity","price":"Price","amount":"Amount","currency":"Currency","fee":"Fee"},"kinds":{"Buy":"buy"},"quantities":"unsigned","amounts":"unsigned","costs":"positive","totals":"gross"}`)
			r.putFile("profile.yaml", "horizon: 2040\nlargest_holding: 50 %\n")
		},
		"docs/skills.md": func(r *reader) {
			skill := regexp.MustCompile("(?s)```markdown\n(---\nname: position-value\n.*?)```").FindStringSubmatch(r.file("docs/skills.md"))
			if skill == nil {
				r.t.Fatal("docs/skills.md does not show the skill position-value, which it runs")
			}
			r.putFile(filepath.Join(r.env["NFA_HOME"], "skills", "position-value", "SKILL.md"), skill[1])
		},
		"docs/getting-started.md": (*reader).writeConversation,
		"docs/alerts.md": func(r *reader) { // a portfolio for the morning note
			r.putFile("statement.csv", r.file("cmd/nfa/testdata/statement.csv"))
			if code, out, errOut := r.runLine([]string{"portfolio", "import", "statement.csv", "--yes"}, "", nil); code != exitOK {
				r.t.Fatalf("import = %d\n%s\n%s", code, out, errOut)
			}
		},
	}
}

// writeConversation saves a conversation of three questions with a report, apple.md.
func (r *reader) writeConversation() {
	r.putFile("notes.txt", "Dividends are paid out of profits.\n")
	server := llmtest.StartServer(llmtest.Answers(
		llmtest.Call(toolCallOf("c1", "quote", map[string]any{"symbols": []string{"AAPL"}})),
		llmtest.Call(toolCallOf("c2", "write_report", map[string]any{"path": "apple.md", "content": "# Apple\n\nAAPL has a price of 137.44 USD.\n"})),
		llmtest.Say("Written."), llmtest.Say("Yes."), llmtest.Say("No."))...)
	defer server.Close()
	env := maps.Clone(r.env)
	maps.Copy(r.env, map[string]string{"NFA_OFFLINE": "false", "NFA_BASE_URL": server.URL, "NFA_API_KEY": "sk-canary-1234567890", "NFA_MODEL": "m"})
	for _, args := range [][]string{
		{"ask", "--yes", "Write a report on Apple"}, {"ask", "--continue", "Is it done?"}, {"ask", "--continue", "Is more to be done?"},
	} {
		if code, out, errOut := r.runLine(args, "", nil); code != exitOK {
			r.t.Fatalf("%q = %d, want 0\n%s\n%s", args, code, out, errOut)
		}
	}
	r.env = env
	_, out, _ := r.runLine([]string{"sessions", "list", "--json"}, "", nil)
	id := regexp.MustCompile(`"id":\s*"([^"]+)"`).FindStringSubmatch(out)
	if id == nil {
		r.t.Fatalf("sessions list --json gives no id:\n%s", out)
	}
	r.placeholders["ID"] = id[1]
}

// A pageCommand is one line that calls nfa.
type pageCommand struct {
	text string            // as on the page, without its comment
	args []string          // after nfa
	env  map[string]string // set before it
	from string            // the file that it reads, if redirected
	in   string            // text that is piped into it
	to   string            // the file that its output goes to
}

// commandsOf returns the commands of nfa on a page. They must be in sh blocks that readCommand can parse;
// others are errors.
func commandsOf(text string) (commands []pageCommand, err error) {
	mention := regexp.MustCompile(`(^|[\s|;&($])(\./)?nfa(\s|$)|go run \./cmd/nfa`)
	elsewhere := regexp.MustCompile(`^(\$ )?((\./)?nfa|go run \./cmd/nfa)(\s|$)`)
	fence := "" // with its language, while in a block
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, "```") && fence == "":
			fence = trimmed
		case strings.HasPrefix(trimmed, "```"):
			fence = ""
		case fence == "```sh":
			typed, _, _ := strings.Cut(trimmed, " #")
			if typed = strings.TrimSpace(typed); strings.HasPrefix(typed, "#") || strings.HasPrefix(typed, "git ") || !mention.MatchString(typed) {
				continue
			}
			c, wrong := readCommand(typed)
			if wrong != nil {
				err = errors.Join(err, fmt.Errorf("%q: %w", typed, wrong))
				continue
			}
			commands = append(commands, c)
		case fence != "" && elsewhere.MatchString(line):
			err = errors.Join(err, fmt.Errorf("%q is a command in a block %s, want ```sh, whose commands are tried", line, fence))
		}
	}
	return commands, err
}

// readCommand parses the subset of shell that the pages use: variables before a command, cat FILE | and echo
// TEXT | before nfa, < and > after it.
func readCommand(text string) (pageCommand, error) {
	c := pageCommand{text: text, env: map[string]string{}}
	// EditorCommand splits a line as a shell does.
	read, err := cli.EditorCommand(func(string) string { return text }, "")
	if err != nil {
		return c, err
	}
	args := read.Args[:len(read.Args)-1]
	if bar := slices.Index(args, "|"); bar >= 0 {
		switch {
		case args[0] == "cat" && bar == 2:
			c.from = args[1]
		case args[0] == "echo" && bar == 2:
			c.in = args[1] + "\n"
		default:
			return c, fmt.Errorf("nothing is known of a pipe from %s", args[0])
		}
		args = args[bar+1:]
	}
	for len(args) > 0 && regexp.MustCompile(`^[A-Z_]+=`).MatchString(args[0]) {
		key, value, _ := strings.Cut(args[0], "=")
		c.env[key], args = value, args[1:]
	}
	switch {
	case len(args) > 0 && args[0] == "nfa":
		args = args[1:]
	case len(args) > 2 && slices.Equal(args[:3], []string{"go", "run", "./cmd/nfa"}):
		args = args[3:]
	default:
		return c, fmt.Errorf("it does not begin with nfa")
	}
	args, from, to := parseRedirects(args)
	c.to = to
	if c.from = cmp.Or(from, c.from); slices.ContainsFunc(args, func(w string) bool { return w == "|" || w == "&&" || w == ";" || w == `\` }) {
		return c, fmt.Errorf("more than one command in a line, or one in more")
	}
	c.args = args
	return c, nil
}

// A reader follows a page: it has a home, a working folder, and values for the placeholders.
type reader struct {
	t            *testing.T
	root         string // of the project
	env          map[string]string
	placeholders map[string]string // values of the words in capitals
}

func newReader(t *testing.T) *reader {
	t.Helper()
	home := t.TempDir()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", filepath.Join(home, "user"))
	t.Chdir(t.TempDir())
	withStoredPrices(t, filepath.Join(home, "nfa"))
	return &reader{t: t, root: root, placeholders: map[string]string{}, env: map[string]string{
		"NFA_HOME": filepath.Join(home, "nfa"), "NFA_KEY_STORE": "file", "NFA_OFFLINE": "true", "LC_ALL": "C.UTF-8",
	}}
}

// file returns the content of a file of the project, whatever folder the reader is in.
func (r *reader) file(name string) string {
	r.t.Helper()
	b, err := os.ReadFile(filepath.Join(r.root, name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(b)
}

// putFile writes a file in the reader's folder.
func (r *reader) putFile(path, text string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.t.Fatal(err)
	}
	write(r.t, path, []byte(text))
}

// runLine runs nfa with the content of a file as its input, or with no input if from is "".
func (r *reader) runLine(args []string, from string, env map[string]string) (code int, out, errOut string) {
	r.t.Helper()
	in, err := os.Open(cmp.Or(from, os.DevNull))
	if err != nil {
		r.t.Fatal(err)
	}
	defer in.Close()
	var stdout, stderr bytes.Buffer
	code = run(args, terminal{in: in, out: &stdout, err: &stderr, env: func(key string) string {
		if value, ok := env[key]; ok {
			return value
		}
		return r.env[key]
	}})
	return code, stdout.String(), stderr.String()
}

// checkCommand runs a command of a page and checks how it ends.
func (r *reader) checkCommand(c pageCommand, e exception) {
	r.t.Helper()
	args := slices.Clone(c.args)
	for i, w := range args {
		args[i] = cmp.Or(r.placeholders[w], w)
	}
	from := c.from
	if len(args) > 1 && args[0] == "auth" && args[1] == "set" {
		c.in = "sk-canary-1234567890\n"
	}
	if c.in != "" {
		from = filepath.Join(r.t.TempDir(), "in")
		r.putFile(from, c.in)
	}
	switch code, out, errOut := r.runLine(args, from, c.env); {
	case code != e.code || !strings.Contains(errOut, e.message):
		r.t.Errorf("%s = %d, want %d %s\n%s\n%s", c.text, code, e.code, e.message, out, errOut)
	case c.to != "" && !strings.Contains(out, "Assistant: "):
		r.t.Errorf("%s writes\n%s\nwant the answers to what stood in %s", c.text, out, from)
	case out == "" && errOut == "":
		r.t.Errorf("%s says nothing", c.text)
	}
}

// Everything that "/" offers in the chat has a row in the docs, whichever list it is from.
func TestDocs_EverySlashCommandHasARow(t *testing.T) {
	p, _ := newSetupProgram(t, nil, noLocalServers)
	text, offered := page(t, "docs/chat.md"), 0
	for _, c := range slices.Concat(tui.OwnCommands(), screens.Commands(p, screens.Environment{})) {
		if c.Kind == tui.KindSkill || c.Hidden {
			continue
		}
		if offered++; !regexp.MustCompile("(?m)^\\| `/" + regexp.QuoteMeta(c.Name) + "[ `]").MatchString(text) {
			t.Errorf("docs/chat.md has no row for /%s, which the chat offers", c.Name)
		}
	}
	if offered < 30 {
		t.Errorf("the chat offers %d commands, want more", offered)
	}
}

func TestCommandsOf_NoCommandIsLeftOut(t *testing.T) {
	block := func(language, text string) string {
		return "Words, `nfa x`.\n\n```" + language + "\n" + text + "\n```\n"
	}
	for _, row := range []struct {
		name, text string
		want       string // what follows nfa; "" for an error
	}{
		{"a comment", block("sh", "nfa quote AAPL   # the newest"), "quote AAPL"},
		{"from source", block("sh", "go run ./cmd/nfa skills list"), "skills list"},
		{"in a list", "- so:\n\n  ```sh\n  nfa skills list\n  ```\n", "skills list"},
		{"behind other lines", block("sh", "# nfa is\nmake check\nmkdir nfa-files\nnfa doctor"), "doctor"},
		{"a pipe", block("sh", "cat a.txt | nfa ask 'b c'"), "ask b c"},
		{"a variable", block("sh", "NFA_DATA=sample nfa doctor"), "doctor"},
		{"files", block("sh", "nfa --plain < a > b"), "--plain"},
		{"no language", block("", "nfa doctor"), ""},
		{"another language", block("console", "$ nfa doctor"), ""},
		{"two commands", block("sh", "cd x && nfa doctor"), ""},
		{"two commands, turned", block("sh", "nfa doctor && ls"), ""},
		{"over two lines", block("sh", "nfa ask \\\n  b"), ""},
		{"an open quote", block("sh", "nfa ask 'b"), ""},
		{"a pipe from elsewhere", block("sh", "curl x | nfa ask b"), ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := commandsOf(row.text)
			switch {
			case row.want == "" && err == nil:
				t.Errorf("commandsOf(%q) = %v, want an error", row.text, got)
			case row.want != "" && (err != nil || len(got) != 1 || strings.Join(got[0].args, " ") != row.want):
				t.Errorf("commandsOf(%q) = %v, %v, want %q", row.text, got, err, row.want)
			}
		})
	}
}

// Commands and flags that a sentence of the docs or of the built-in assistant names, `nfa verb --flag`,
// exist. Those in blocks are run by another test.
func TestDocs_EveryVerbInASentenceIsThere(t *testing.T) {
	mention, flag := regexp.MustCompile("`nfa ([^`\n]+)`"), regexp.MustCompile(`(?:^| )--([a-z][a-z-]*)`)
	for _, name := range append(pages(t), "internal/llm/offline/help.go", "internal/llm/offline/decide.go", "internal/llm/offline/decline.go") {
		for _, m := range mention.FindAllStringSubmatch(page(t, name), -1) {
			root := newRoot(terminal{env: func(string) string { return "" }}, allCommands)
			cmd, rest, err := root.Find(strings.Fields(m[1]))
			if len(rest) > 0 && cmd.HasSubCommands() && regexp.MustCompile(`^[a-z]+$`).MatchString(rest[0]) {
				err = fmt.Errorf("%s has no %s", cmd.CommandPath(), rest[0])
			}
			if err != nil {
				t.Errorf("%s names `nfa %s`: %v", name, m[1], err)
				continue
			}
			for _, f := range flag.FindAllStringSubmatch(m[1], -1) {
				if cmd.Flag(f[1]) == nil {
					t.Errorf("%s names `nfa %s`, but %s has no --%s", name, m[1], cmd.CommandPath(), f[1])
				}
			}
		}
	}
}
