package skills

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// Needs lists what a skill requires but nfa does not provide.
type Needs struct {
	Programs  []string // of a shell: bash, curl
	Packages  []string // Python packages that the runtime lacks
	Network   bool     // a script needs it, and the sandbox has none
	Variables []string // environment variables, which are not passed to scripts
	Languages []string // languages of scripts other than Python
	Runtime   string   // why no script can run, or ""
	Runnable  []string // scripts that can run
	scripts   int      // all Python scripts
}

// Needs determines what a skill asks for that is not available here. It reads the skill's text and
// scripts, and may start the interpreter to ask for packages.
func (w Workflows) Needs(ctx context.Context, s skill.Skill, body string) Needs {
	var n Needs
	found := shellPrograms(body)
	if len(found) == 0 {
		for _, entry := range s.AllowedTools {
			if slices.Contains(unrestrictedShell, entry) {
				found["bash"] = true
			}
		}
	}
	n.Programs = slices.Sorted(maps.Keys(found))
	packages, variables, languages, modules := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, name := range w.scriptsOf(s) {
		if language := otherLanguage(name); language != "" {
			languages[language] = true
			continue
		}
		n.scripts++
		script, err := w.readScript(s, workflow.Step{Python: name})
		if err != nil {
			continue // the run reports it
		}
		for i, file := range script.Files() {
			if i > 0 {
				modules[file.Path] = true
			}
			for _, m := range environmentVariable().FindAllStringSubmatch(file.Text, -1) {
				variables[m[1]] = true
			}
		}
		if w.Python == nil {
			continue
		}
		plan, err := w.Python.Describe(ctx, script, w.Author(s))
		var missing *python.ImportError
		switch {
		case errors.As(err, &missing):
			for _, m := range missing.Missing {
				if m.Reason == "no network" {
					n.Network = true
				} else {
					packages[m.Module] = true
				}
			}
		case err != nil:
			n.Runtime = strings.TrimPrefix(withPythonHint(err).Error(), "plan "+name+": ")
		case plan.Sandboxed && script.UsesNetwork():
			n.Network = true
		default:
			n.Runnable = append(n.Runnable, name)
		}
		n.Network = n.Network || missing != nil && missing.Runtime == python.SandboxName && script.UsesNetwork()
	}
	n.Runnable = slices.DeleteFunc(n.Runnable, func(name string) bool { return modules[name] })
	n.Packages, n.Variables, n.Languages = slices.Sorted(maps.Keys(packages)), slices.Sorted(maps.Keys(variables)), slices.Sorted(maps.Keys(languages))
	return n
}

// scriptsOf returns the files below scripts that are programs.
func (w Workflows) scriptsOf(s skill.Skill) []string {
	_, files, done, err := w.Skills.Files(s.Name)
	if err != nil {
		return nil
	}
	defer done()
	var scripts []string
	_ = fs.WalkDir(files, "scripts", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (strings.HasPrefix(d.Name(), ".") || d.Name() == "tests" || d.Name() == "node_modules" || d.Name() == "__pycache__") {
			return fs.SkipDir
		}
		switch path.Ext(name) {
		case ".py", ".sh", ".bash", ".js", ".mjs", ".ts", ".rb", ".ps1", ".bat":
			if !d.IsDir() && d.Name() != "__init__.py" && !strings.HasPrefix(d.Name(), "test_") && d.Name() != "conftest.py" && len(scripts) < 50 {
				scripts = append(scripts, name)
			}
		}
		return nil
	})
	return scripts
}

var (
	environmentVariable = lazyregexp.New(`(?:os\.getenv\(|os\.environ(?:\.get\(|\[)|environ(?:\.get\(|\[))\s*["']([A-Z][A-Z0-9_]{2,})["']`)
	codeFence           = lazyregexp.New("(?ms)^[ \t]*```[ \t]*(bash|sh|shell|zsh|console|terminal)?[^\n`]*\n(.*?)^[ \t]*```")
	inlineCommand       = lazyregexp.New("`(?:\\$ )?((?:curl|wget|pip3?|npm|npx|node|git|brew|apt(?:-get)?|docker|jq|uvx?|bash|sh|psql|make) [^`\n]+)`")
	shellOutput         = lazyregexp.New("!`([^`\n]+)`") // syntax of other agents: a command whose output is inserted
	commandWord         = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_.+-]*$`)
	pythonScript        = lazyregexp.New(`^(?:python[0-9.]*|uv run(?: python[0-9.]*)?)\s+(?:-[a-zA-Z]+\s+)*\S*\.py\b`)
)

// shellPrograms returns the programs that the text of a skill tells an agent to run in a shell, without
// Python scripts.
func shellPrograms(body string) map[string]bool {
	found := map[string]bool{}
	for _, block := range codeFence().FindAllStringSubmatch(body, -1) {
		prompt := block[1] == ""
		continued := false
		for line := range strings.Lines(block[2]) {
			line = strings.TrimSpace(line)
			command, prompted := strings.CutPrefix(line, "$ ")
			inner := continued
			continued = strings.HasSuffix(line, "\\")
			if inner || prompt && !prompted {
				continue
			}
			addPrograms(found, command)
		}
	}
	for _, m := range slices.Concat(inlineCommand().FindAllStringSubmatch(body, -1), shellOutput().FindAllStringSubmatch(body, -1)) {
		addPrograms(found, m[1])
	}
	return found
}

// addPrograms adds the programs of a command line.
func addPrograms(found map[string]bool, line string) {
	for _, separator := range []string{"&&", "||", ";", "|"} {
		line = strings.ReplaceAll(line, separator, "\n")
	}
	for command := range strings.Lines(line) {
		command = strings.TrimSpace(command)
		if command == "" || strings.HasPrefix(command, "#") || pythonScript().MatchString(command) {
			continue
		}
		words := strings.Fields(command)
		for len(words) > 1 && (strings.Contains(words[0], "=") || words[0] == "sudo") {
			words = words[1:]
		}
		switch name := words[0]; {
		case !commandWord().MatchString(name):
		case name == "cd", name == "echo", name == "export", name == "ls", name == "cat", name == "mkdir", name == "head", name == "tail", name == "grep", name == "cp", name == "source", name == "for", name == "do", name == "done", name == "if", name == "fi", name == "then":
			found["bash"] = true
		default:
			found[name] = true
		}
	}
}

// insteadOf maps packages and programs to the nfa tool that replaces them.
var insteadOf = map[string]string{
	"yfinance": "prices come from price_history", "pandas_datareader": "prices come from price_history", "alpha_vantage": "prices come from price_history",
	"tiingo": "prices come from price_history", "polygon": "prices come from price_history", "finnhub": "prices come from price_history", "eodhd": "prices come from price_history",
	"fredapi": "macro data comes from macro_series", "ccxt": "crypto prices come from crypto_price", "pycoingecko": "crypto prices come from crypto_price",
	"requests": "web pages come from web_fetch", "httpx": "web pages come from web_fetch", "aiohttp": "web pages come from web_fetch", "bs4": "web pages come from web_fetch",
	"curl": "web pages come from web_fetch", "wget": "web pages come from web_fetch",
	"edgar": "filings come from filings", "sec_api": "filings come from filings", "sec_edgar_downloader": "filings come from filings",
	"matplotlib": "charts come from chart", "plotly": "charts come from chart", "seaborn": "charts come from chart", "mplfinance": "charts come from chart",
	"talib": "indicators come from technical_indicators", "ta": "indicators come from technical_indicators", "pandas_ta": "indicators come from technical_indicators",
	"numpy": "returns and risk come from returns_stats and risk_metrics", "pandas": "returns and risk come from returns_stats and risk_metrics", "scipy": "returns and risk come from returns_stats and risk_metrics",
}

// String returns what is missing in one sentence, or "".
func (n Needs) String() string {
	var asks, instead []string
	add := func(names []string, why string) {
		for _, name := range names {
			asks = append(asks, name+" ("+why+")")
			if text := insteadOf[name]; text != "" && !slices.Contains(instead, text) {
				instead = append(instead, text)
			}
		}
	}
	add(n.Programs, "not available")
	add(n.Packages, "not installed")
	if n.Network {
		asks = append(asks, "the network (the sandbox has none)")
		if text := insteadOf["requests"]; len(instead) == 0 {
			instead = append(instead, text)
		}
	}
	add(n.Variables, "not passed to scripts")
	for _, language := range n.Languages {
		asks = append(asks, language+" scripts (nfa runs only Python)")
	}
	if n.Runtime != "" {
		asks = append(asks, "Python ("+n.Runtime+")")
	}
	if len(asks) == 0 {
		return ""
	}
	text := "asks for " + strings.Join(asks, ", ")
	switch {
	case len(n.Runnable) > 0:
		text += ": " + strings.Join(n.Runnable, ", ") + " can run with " + runSkillScriptName
	case n.scripts+len(n.Languages) > 0:
		text += ": scripts can be read, but not run"
	default:
		text += ": nfa runs no shell commands"
	}
	if len(instead) > 0 {
		text += "; " + strings.Join(instead, "; ") + " instead"
	}
	return text
}
