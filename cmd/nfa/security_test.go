package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/market/feed"
)

// canaryEnv and the next constants are keys, one for each place that can hold one. They must not
// appear anywhere else. Their middle part is the same, so that one search finds all of them.
const (
	canaryEnv  = "sk-CANARYenvironment0123456789"
	canaryFile = "sk-CANARYsettings0123456789"
	canaryKept = "CANARYkept0123456789abcdef" // of no known format
	canaryData = "CANARYdata0123456789abcdef"
	// typedKey is a key that the user writes to the model. It is stored with the conversation and
	// nowhere else.
	typedKey = "sk-TYPEDcanary0123456789abcdef"
)

// hostileText is what a terminal would obey or what could fool a reader, in a form that YAML and CSV files
// can contain in quotes.
const hostileText = "x\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07\x1b[2J\u009b31m\u202eevil\u2066y"

// controlPattern matches everything in the output of a program that a terminal acts on.
var controlPattern = regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f\u202a-\u202e\u2066-\u2069]")

// tour runs every command in a home full of keys and hostile text.
type tour struct {
	t       *testing.T
	home    string // data folder
	user    string // the user's home folder, which contains it
	env     map[string]string
	visited map[string]bool // commands that ran
	said    map[string]int  // exit codes
	typed   bool            // a conversation stores the key that the user typed into it
}

func newTour(t *testing.T, server *llmtest.Server) *tour {
	t.Helper()
	user := t.TempDir()
	tr := &tour{t: t, user: user, home: filepath.Join(user, ".nfa"), visited: map[string]bool{}, said: map[string]int{}}
	tr.env = map[string]string{
		"HOME": user, "NFA_HOME": tr.home, "NFA_BASE_URL": server.URL, "NFA_API_KEY": canaryEnv, "NFA_MODEL": "m",
		"NFA_KEY_STORE": "file", "NFA_DATA": "sample", "NFA_LOG_LEVEL": "debug", "EDITOR": "true",
	}
	for _, p := range feed.KeyedProviders() {
		tr.env[p.KeyVars[0]] = canaryData
	}
	for name, value := range tr.env {
		t.Setenv(name, value)
	}
	withStoredPrices(t, tr.home)
	work := filepath.Join(user, "work")
	table := func(note string) string {
		return "date,kind,account,symbol,quantity,currency,amount,fee,note,cost_unknown,to_account,source_id,id\n2020-01-02,buy,main,AAPL,10,USD,750,1,\"" + note + "\",,,,\n"
	}
	for path, text := range map[string]string{
		".nfa/config.yaml":            "api_key: " + canaryFile + "\n",
		".nfa/agents/mine.md":         fmt.Sprintf("---\nname: mine\ndescription: %q\n---\n%s\n", hostileText, hostileText),
		".nfa/skills/mine/SKILL.md":   fmt.Sprintf("---\nname: mine\ndescription: %q\ncategory: %q\n---\n# %s\n", hostileText, hostileText, hostileText),
		".nfa/skills/bad/SKILL.md":    fmt.Sprintf("---\nname: %q\n---\n", hostileText),
		"work/other/SKILL.md":         fmt.Sprintf("---\nname: other\ndescription: %q\n---\n%s\n", hostileText, hostileText),
		"work/letter.txt":             hostileText,
		"work/clean.txt":              "\u009b31m\u202eevil", // valid text, judged by its bytes
		"work/book.csv":               table("my first"),
		"work/hostile.csv":            table(hostileText),
		"work/.nfa/skills/p/SKILL.md": fmt.Sprintf("---\nname: p\ndescription: %q\n---\n", hostileText),
	} {
		path = filepath.Join(user, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, path, []byte(text))
	}
	t.Chdir(work)
	return tr
}

// runCommand runs a command with input on its standard input, and checks everything that it prints.
func (tr *tour) runCommand(input string, args ...string) (code int, out string) {
	tr.t.Helper()
	file := filepath.Join(tr.t.TempDir(), "input")
	write(tr.t, file, []byte(input))
	in, err := os.Open(file)
	if err != nil {
		tr.t.Fatal(err)
	}
	defer in.Close()
	var stdout, stderr bytes.Buffer
	code = run(args, terminal{in: in, out: &stdout, err: &stderr, env: os.Getenv})
	tr.said[strings.Join(args, " ")] = code
	if cmd, _, err := newRoot(terminal{env: os.Getenv}, allCommands).Find(args); err == nil {
		tr.visited[cmd.CommandPath()] = true
	}
	for name, text := range map[string]string{"standard output": stdout.String(), "standard error": stderr.String()} {
		if at := strings.Index(text, "CANARY"); at >= 0 {
			tr.t.Errorf("nfa %q prints a key on %s: …%.120q", args, name, text[max(0, at-60):])
		}
		// In a pipe, --raw prints a file byte for byte; on a terminal it does not.
		if at := controlPattern.FindStringIndex(text); at != nil && !slices.Contains(args, "--raw") {
			tr.t.Errorf("nfa %q writes %q to %s: …%.120q", args, text[at[0]:at[1]], name, text[max(0, at[0]-60):])
		}
	}
	return code, stdout.String()
}

// firstMatch returns the first match of the pattern's group in the output of a command.
func (tr *tour) firstMatch(pattern string, args ...string) string {
	tr.t.Helper()
	_, out := tr.runCommand("", args...)
	found := regexp.MustCompile(pattern).FindStringSubmatch(out)
	if found == nil {
		tr.t.Fatalf("nfa %q says nothing like %s:\n%s", args, pattern, out)
	}
	return found[1]
}

// runAll runs every command.
func (tr *tour) runAll(server *llmtest.Server) {
	tr.t.Helper()
	say := func(args ...string) { tr.t.Helper(); tr.runCommand("", args...) }
	tr.runCommand(canaryKept+"\n", "auth", "set", "fred")
	say("auth", "list")
	say("auth", "list", "--json")
	tr.askModels(server)
	tr.usePortfolio()
	tr.sessions()
	tr.skills()
	for _, c := range app.Commands() {
		if c.Slash != "" && c.Tool != "" && c.Slash == c.Name && c.Example != "" {
			example, _, _ := strings.Cut(strings.TrimSpace(c.Example), "\n")
			say(strings.Fields(example)[1:]...) // after nfa
		}
	}
	for _, line := range []string{
		"agents list", "agents list --json", "agents show mine", "agents show mine --raw", "agents show x\x1b[2J",
		"config permissions list", "config permissions remove quote",
		"chart AAPL", "chart AAPL 1y candles --json", "config keys", "config path", "config show", "config show --json", "config set color never", "config set api_key x\x1b[2J",
		"context", "context --json", "doctor", "doctor --json", "doctor --live", "history AAPL 1y", "history x\x1b[2J",
		"models list", "models list --json", "models use deepseek/x", "models use x\x1b[2J/y", "skills python status", "skills python status --json", "skills python remove", "skills python install --help",
		"quote AAPL --json", "quote x\x1b]0;t\x07", "search x\x1b[2J", "setup",
		"mcp --tools x\x1b[2J", "mcp install x\x1b[2J", "mcp install cursor", "mcp add x\x1b[2J -- no-such-program", "mcp add broker -- no-such-program \x1b[2J", "mcp list", "mcp list --json", "mcp test broker", "mcp test x\x1b[2J", "mcp trust", "mcp trust x\x1b[2J", "portfolio reconcile broker", "portfolio reconcile x\x1b[2J", "mcp import book.csv", "mcp import x\x1b[2J", "mcp remove x\x1b[2J", "mcp remove broker", "acp", "eval bench tat-qa x\x1b[2J",
		"serve ssh --listen x\x1b[2J", "serve ssh install --listen x\x1b[2J", "store", "store init x\x1b[2J", "store adduser postgres://a@localhost/x\x1b[2J b", "store share x\x1b[2J", "store unshare x\x1b[2J", "store check x\x1b[2J", "store copy --from x\x1b[2J",
		"tools list", "tools list --json", "tools show quote", "tools show x\x1b[2J", "tools call read_file --args {\"path\":\"letter.txt\"}", "tools call read_file --json --args {\"path\":\"letter.txt\"}",
		"tools call read_file --args {\"path\":\"clean.txt\"}", "tools call read_file --json --args {\"path\":\"clean.txt\"}", "tools call x\x1b[2J", "tools call quote --args {x\x1b[2J", "verify book.csv", "verify x\x1b[2J", "version", "version --json", "version man pages", "x\x1b[2J", "--model x\x1b[2J ask hi",
		"--home /dev/null/x\x1b[2J doctor", "--config x\x1b[2J doctor", "--as-of x\x1b[2J quote AAPL", "quote AAPL --x\x1b[2J",
	} {
		say(strings.Fields(line)...)
	}
	say("auth", "remove", "fred")
}

// askModels has conversations with two models: one rejects the key, and the words and calls of the other are
// hostile.
func (tr *tour) askModels(server *llmtest.Server) {
	tr.t.Helper()
	read := llmtest.Call(toolCallOf("c1", "read_file", map[string]any{"path": "letter.txt"}), toolCallOf("c2", hostileText, map[string]any{hostileText: hostileText}), toolCallOf("c3", "read_file", map[string]any{"path": "clean.txt"}))
	server.Add(llmtest.Unauthorized())
	server.Add(llmtest.Answers(read, llmtest.Say(hostileText), read, llmtest.Say(hostileText), read, llmtest.Say(hostileText))...)
	tr.runCommand("", "ask", "--log-level", "debug", "hi")
	tr.runCommand("", "ask", "--yes", hostileText)
	tr.runCommand("", "ask", "--yes", "--output", "stream-json", "again")
	tr.runCommand("hello, my key is "+typedKey+"\n/quit\n", "chat", "--plain")
	server.Add(llmtest.Unauthorized())
	tr.runCommand("hello\n/model\n/tools\n/skills\n/quit\n", "--plain")
	server.Add(llmtest.Unauthorized())
	tr.runCommand("", "models", "test")
	server.Add(llmtest.Answers(llmtest.Say(hostileText))...)
	tr.runCommand("", "models", "test")
}

func (tr *tour) usePortfolio() {
	tr.t.Helper()
	say := func(args ...string) { tr.t.Helper(); tr.runCommand("", args...) }
	say("portfolio", "import", "book.csv", "--yes")
	say("portfolio", "import", "hostile.csv", "--yes")
	say("portfolio", "import", "letter.txt", "--yes")
	say("portfolio", "import", "no\x1b[2J.csv", "--yes")
	say("portfolio", "add", "buy", "MSFT", "1", "--price", "100", "--currency", "USD", "--date", "2021-01-04", "--account", "main", "--note", hostileText, "--yes")
	say("portfolio", "add", hostileText, "--yes")
	say("portfolio", "account", "main", "--cash", "untracked", "--yes")
	say("portfolio", "account", hostileText, "--cash", "tracked", "--yes")
	for _, line := range []string{
		"portfolio", "portfolio --json", "portfolio allocation", "portfolio checkup", "portfolio classify AAPL", "portfolio list", "portfolio list --json", "portfolio lots", "portfolio map AAPL MSFT",
		"portfolio performance", "portfolio targets AAPL=1 --yes", "portfolio rebalance", "portfolio settings", "portfolio export -o out.csv", "income", "income --json", "income export -o out.ics", "income export -o x\x1b[2J/out.csv", "portfolio export -o x\x1b[2J/out.csv", "portfolio export",
		"profile", "profile answer horizon 2040 --yes", "profile answer horizon x\x1b[2J --yes", "profile ask", "profile edit", "profile clear --yes",
		"watchlist remove AAPL --yes", "alerts", "alerts add AAPL below 150", "alerts add x\x1b[2J", "alerts pause r1", "alerts log", "alerts test r1", "alerts test x\x1b[2J", "alerts run", "alerts run --dry-run --json",
		"alerts send x\x1b[2J", "alerts install systemd", "alerts install x\x1b[2J", "alerts uninstall systemd", "alerts remove r1 --yes", "why x\x1b[2J", "journal review", "journal review x\x1b[2J", "hours", "macro yields",
	} {
		say(strings.Fields(line)...)
	}
	say("portfolio", "remove", tr.firstMatch(`"id": "([^"]+)"`, "portfolio", "list", "--json"), "--yes")
	say("watchlist", "add", "AAPL", "--note", hostileText, "--yes")
	say("watchlist", "add", "AAPL", "--note", "fine", "--yes")
	say("watchlist")
	say("watchlist", "--json")
	say("journal", "record", "buy", "MSFT", "--thesis", hostileText, "--disproof", hostileText, "--benchmark", "none", "--yes")
	say("journal", "record", "buy", "MSFT", "--thesis", "cheap", "--disproof", "dear", "--benchmark", "none", "--yes")
	say("journal")
	decision := tr.firstMatch(`"id": "([^"]+)"`, "journal", "--json")
	say("journal", "review", decision)
	say("journal", "close", decision, hostileText, "--yes")
	say("journal", "remove", decision, "--yes")
}

func (tr *tour) sessions() {
	tr.t.Helper()
	say := func(args ...string) { tr.t.Helper(); tr.runCommand("", args...) }
	say("sessions", "list")
	id := tr.firstMatch(`"id": "([^"]+)"`, "sessions", "list", "--json")
	say("sessions", "show", id)
	say("sessions", "show", id, "--json")
	_, ids := tr.runCommand("", "sessions", "list", "--json")
	for i, found := range regexp.MustCompile(`"id": "([^"]+)"`).FindAllStringSubmatch(ids, -1) {
		say("sessions", "export", found[1], "-o", fmt.Sprint("session", i, ".md"))
		say("sessions", "export", found[1], "-o", fmt.Sprint("session", i, ".json"))
		if _, text := tr.runCommand("", "sessions", "export", found[1]); strings.Contains(text, typedKey) {
			tr.t.Errorf("an export holds a key: %s", text)
		}
	}
	say("sessions", "import", "session0.json")
	say("sessions", "import", "letter.txt")
	say("sessions", "fork", id)
	say("sessions", "show", hostileText)
	say("sessions", "delete", id, "--yes")
}

func (tr *tour) skills() {
	tr.t.Helper()
	for _, line := range []string{
		"skills list", "skills list --json", "skills doctor", "skills doctor --json", "skills show mine", "skills show mine --raw", "skills show x\x1b[2J", "skills clone mine again", "skills create fresh --description Something",
		"skills disable mine", "skills enable mine", "skills edit fresh", "skills edit fresh --from letter.txt", "skills export mine -o mine.zip", "skills import other", "skills import letter.txt", "skills import mine.zip",
		"skills install ./nowhere", "skills outdated", "skills update", "skills rollback mine",
		"skills fix other", "skills validate other letter.txt", "skills validate " + filepath.Join(tr.home, "skills", "bad"), "skills run mine --offline", "skills run get-price AAPL --offline", "skills run x\x1b[2J",
		"skills test get-price", "skills test mine", "skills trust", "skills trust --yes", "skills trust --list", "skills delete again --yes",
	} {
		tr.runCommand("", strings.Fields(line)...)
	}
}

// TestSecurity_NoVerbTellsAKeyOrActsOnATerminal runs every command at the most detailed log level,
// in a home full of keys and hostile text. No key is printed or saved except where the user put it,
// and no output acts on a terminal.
func TestSecurity_NoVerbTellsAKeyOrActsOnATerminal(t *testing.T) {
	server := llmtest.StartServer()
	t.Cleanup(server.Close)
	tr := newTour(t, server)
	tr.runAll(server)
	tr.checkAllCommandsRan()
	tr.checkStoredKeys()
	tr.checkPermissions()
	if !tr.typed {
		t.Error("no conversation keeps what was said in it: the test sees nothing")
	}
}

// TestSecurity_TheLogAndExportsTakeOutKeysOfEveryPlace checks that logs and exports contain no key.
// The message of a panic or of a server may hold one of any shape.
func TestSecurity_TheLogAndExportsTakeOutKeysOfEveryPlace(t *testing.T) {
	server := llmtest.StartServer(llmtest.Answers(llmtest.Say("I see " + canaryKept + " and " + canaryData + "."))...)
	t.Cleanup(server.Close)
	tr := newTour(t, server)
	tr.runCommand(canaryKept+"\n", "auth", "set", "fred")
	g := &globals{terminal: terminal{env: os.Getenv}, home: tr.home}
	p, err := g.open(t.Context(), app.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{canaryEnv, canaryKept, canaryData, "sk-CANARYshape0123456789"} {
		p.Log.Error().Interface("panic", fmt.Errorf("at %s", key)).Bytes("stack", []byte("f(\""+key+"\")")).Interface("value", map[string]string{key: key}).Msg("crashed with " + key)
	}
	p.Close()
	logged, err := os.ReadFile(filepath.Join(tr.home, "nfa.log"))
	if err != nil || strings.Contains(string(logged), "CANARY") || strings.Count(string(logged), "crashed with [secret]") != 4 {
		t.Errorf("the log is %s, %v", logged, err)
	}
	if code := run([]string{"ask", "what is my key?"}, terminal{in: os.Stdin, out: new(bytes.Buffer), err: new(bytes.Buffer), env: os.Getenv}); code != exitOK {
		t.Fatalf("ask = %d", code)
	}
	id := tr.firstMatch(`"id": "([^"]+)"`, "sessions", "list", "--json")
	for _, form := range []string{"md", "json"} {
		if code, text := tr.runCommand("", "sessions", "export", id, "--format", form); code != exitOK || strings.Count(text, "[secret]") < 2 {
			t.Errorf("export as %s = %d, %s; want both keys taken out", form, code, text)
		}
	}
}

// checkAllCommandsRan checks that no command was left out.
func (tr *tour) checkAllCommandsRan() {
	tr.t.Helper()
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if !c.HasSubCommands() && !isOldName(c) && !tr.visited[c.CommandPath()] {
			tr.t.Errorf("%s was not led through: add it to the tour", c.CommandPath())
		}
		for _, child := range c.Commands() {
			walk(child)
		}
	}
	walk(newRoot(terminal{env: os.Getenv}, allCommands))
	for _, line := range []string{"portfolio list", "watchlist", "journal", "sessions list", "agents show mine", "skills list", "doctor", "config show"} {
		if code := tr.said[line]; code != exitOK {
			tr.t.Errorf("nfa %s = %d: the tour saw nothing of it", line, code)
		}
	}
}

// checkStoredKeys looks through every file below the user's home.
func (tr *tour) checkStoredKeys() {
	tr.t.Helper()
	looked := 0
	err := filepath.WalkDir(tr.user, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		looked++
		name, _ := filepath.Rel(tr.home, path)
		if at := bytes.Index(raw, []byte("CANARY")); at >= 0 && name != "config.yaml" {
			tr.t.Errorf("%s holds a key: …%.120q", name, raw[max(0, at-60):])
		}
		at := bytes.Index(raw, []byte(typedKey))
		tr.typed = tr.typed || at >= 0
		if at >= 0 && !strings.HasPrefix(name, "nfa.db") {
			tr.t.Errorf("%s holds a key that was sent to the model: …%.120q", name, raw[max(0, at-60):])
		}
		return nil
	})
	if err != nil || looked < 10 {
		tr.t.Errorf("%d files were looked at, %v", looked, err)
	}
}

// checkPermissions checks that only the owner can access what nfa wrote in its home.
func (tr *tour) checkPermissions() {
	tr.t.Helper()
	if runtime.GOOS == "windows" {
		return
	}
	err := filepath.WalkDir(tr.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			tr.t.Errorf("%s has mode %o, want it for its owner alone", path, info.Mode().Perm())
		}
		return nil
	})
	if err != nil {
		tr.t.Error(err)
	}
}
