package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/library"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tool/search"
	"github.com/nfa-cli/nfa/internal/trace"
	"github.com/nfa-cli/nfa/internal/usage"
)

// Skills holds the usable skills, the user's decisions about them, and the runner of their Python
// steps.
type Skills struct {
	*library.Library
	Registry *skill.Registry
	State    *skill.State
	Python   *python.Runner
}

// openSkills opens the skills of a. It needs a.Stores, and reads a.Tools and a.Agents when a skill is
// used.
func openSkills(ctx context.Context, a *App, notice, warn func(string)) (*Skills, error) {
	state, err := skill.OpenState(ctx, a.Home)
	if err != nil {
		notice(err.Error()) // usable, but without decisions
	}
	store := a.Stores.Skills()
	registry := skill.New(skill.Options{Roots: a.skillRoots(store, state, notice), Log: a.Log, Logged: filepath.Join(a.Home, "cache", "skills-logged")})
	runner, err := python.New(python.Config{
		Runtime: python.Runtime(a.Config.Python.Runtime), Interpreter: a.Config.Python.Interpreter,
		Distribution: python.SandboxDistribution{URL: a.Config.Python.URL, SHA256: a.Config.Python.SHA256},
		Dir:          a.PythonFolder(),
		Limits:       python.Limits{Time: a.Config.Python.Timeout, Memory: int64(a.Config.Python.MemoryMB) << 20},
	})
	if err != nil {
		return nil, usage.Errorf("python: %w", err)
	}
	lib := library.New(library.Options{
		Dir: filepath.Join(a.Home, "skills"), Registry: registry, State: state, Store: store,
		Agent: currentAgent{a}, Python: func() *python.Runner { return runner }, AllTools: func() *tool.Router { return a.Tools }, Subsessions: subsessions{a}, ParseCommand: a.parseCommand, TestDraft: a.testSkillDraft, Now: a.Now, Log: a.Log,
	})
	lib.Move(notice, warn)
	return &Skills{Library: lib, Registry: registry, State: state, Python: runner}, nil
}

// FetchSkills reads the skills of a repository, as install.ParseRepository reads its name.
func (a *App) FetchSkills(ctx context.Context, written string) (install.Fetched, error) {
	repository, err := install.ParseRepository(written)
	if err != nil {
		return install.Fetched{}, usage.Errorf("%w", err)
	}
	if a.Config.Offline && !strings.HasPrefix(repository.URL, "file://") {
		return install.Fetched{}, usage.Errorf("cannot install from %s: nfa is offline", repository.URL)
	}
	return a.Skills.Installer().Fetch(ctx, install.Fetcher{}, repository)
}

// PythonFolder returns the folder of the Python sandbox.
func (a *App) PythonFolder() string { return filepath.Join(a.Home, "cache", "python") }

// currentAgent returns the active agent for the skill library. Without one, everything is allowed.
type currentAgent struct{ app *App }

func (c currentAgent) Name() string        { return c.app.Agents.Active().Profile.Name }
func (c currentAgent) Tools() *tool.Router { return c.app.Agents.ActiveTools() }

func (c currentAgent) MayUse(name string) bool {
	now := c.app.Agents.Active()
	return now == nil || now.Profile.Allows(name)
}

func (c currentAgent) RequestProfile() agent.RequestProfile {
	window := 0
	if now := c.app.Agents.Active(); now != nil {
		window = now.Endpoint.Window()
	}
	return agent.RequestProfileFor(c.app.Config.RequestProfile, window)
}

// skillRoots returns the skill folders; later ones take precedence.
func (a *App) skillRoots(store skill.Store, state *skill.State, notice func(string)) []skill.Root {
	roots := []skill.Root{skill.Builtin()}
	if user, err := os.UserHomeDir(); err == nil {
		roots = append(roots, skill.Root{Dir: filepath.Join(user, ".agents", "skills"), Source: skill.SourceShared})
	}
	for _, dir := range a.SkillPaths {
		roots = append(roots, skill.Root{Dir: dir, Source: skill.SourceUser})
	}
	userSkills := filepath.Join(a.Home, "skills")
	roots = append(roots, skill.Root{Dir: userSkills, Source: skill.SourceUser, Create: true}, skill.StoreRoot(store))
	return append(roots, projectSkillRoots(a.folder, userSkills, state, notice)...)
}

// projectSkillFolders are the folders of skills in a project, lowest precedence first.
var projectSkillFolders = []string{filepath.Join(".claude", "skills"), filepath.Join(".agents", "skills"), filepath.Join(".nfa", "skills")}

// ProjectSkillDirs returns the existing skill folders of a project, with links resolved, lowest precedence
// first: those in the root of the repository, then those in the folders from there down to dir.
func ProjectSkillDirs(dir string) ([]string, error) {
	here, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	var parents []string
	for parent := here; ; parent = filepath.Dir(parent) {
		parents = append(parents, parent)
		if _, err := os.Stat(filepath.Join(parent, ".git")); err == nil {
			break
		}
		if parent == filepath.Dir(parent) {
			parents = parents[:1] // not in a repository
			break
		}
	}
	home, _ := os.UserHomeDir()
	var dirs []string
	for _, parent := range slices.Backward(parents) {
		for _, folder := range projectSkillFolders {
			full := filepath.Join(parent, folder)
			// In the home directory these are the user's own.
			if info, err := os.Stat(full); err != nil || !info.IsDir() || parent == home && folder != projectSkillFolders[2] {
				continue
			}
			if full, err = filepath.EvalSymlinks(full); err != nil {
				return nil, err
			}
			if !slices.Contains(dirs, full) {
				dirs = append(dirs, full)
			}
		}
	}
	return dirs, nil
}

// projectSkillRoots returns the skill folders of a project that the user trusts. A cloned folder must not
// instruct the assistant unless the user agreed, and neither must a folder that changes while the program
// runs.
func projectSkillRoots(project, userSkills string, state *skill.State, notice func(string)) []skill.Root {
	folders, err := ProjectSkillDirs(project)
	if err != nil {
		notice(fmt.Sprintf("cannot use the skills in this folder: %v", err))
		return nil
	}
	own, _ := os.Stat(userSkills)
	var roots []skill.Root
	untrusted, changed := false, false
	for _, folder := range folders {
		info, err := os.Stat(folder)
		switch {
		case err != nil, own != nil && os.SameFile(info, own):
			continue
		case !slices.Contains(state.TrustedFolders(), folder):
			untrusted = true // do not read it: the user has not trusted it yet
			continue
		}
		trusted := func() error {
			listing, err := skill.ListFolder(folder)
			if err != nil {
				return err
			}
			if state.FolderTrust(listing) != skill.Trusted {
				return skill.ErrNotTrusted
			}
			return nil
		}
		if trusted() != nil {
			changed = true
			continue
		}
		roots = append(roots, skill.Root{Dir: folder, Source: skill.SourceProject, CheckTrust: trusted})
	}
	if untrusted {
		notice("This folder has untrusted skills. Review and trust them: nfa skills trust")
	}
	if changed {
		notice("The skills in this folder have changed since you trusted them, so they are not used. Review them: nfa skills trust")
	}
	return roots
}

// toolFinder returns what find_tools searches in addition to tools: skills, and names of
// instruments, which count as symbols.
func (a *App) toolFinder() tool.Finder {
	return tool.Finder{Skills: a.Skills.SearchDocuments, Options: searchOptions}
}

// inOrdinaryWords are Chinese company names that also appear inside ordinary words: 高通 in 高通胀 (high
// inflation), 长和 in 增长和波动 (growth and volatility).
var inOrdinaryWords = map[string]bool{
	"高通": true, "长和": true, "長和": true, "中行": true, "工行": true, "建行": true, "交行": true, "农行": true,
	"中移动": true, "中海外": true, "中通": true, "中钢": true, "中鋼": true, "新地": true, "美的": true, "理想": true,
	"大众": true, "大金": true, "达能": true, "達能": true, "好时": true, "好時": true, "开利": true, "開利": true,
	"日产": true, "日立": true, "松下": true, "联想": true, "聯想": true, "新航": true,
}

// unambiguousNames returns the names that are not part of ordinary words.
func unambiguousNames(names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return inOrdinaryWords[name] })
}

// instrumentNames are the names of the built-in instruments, for the figures of an answer.
var instrumentNames = sync.OnceValue(func() *trace.Directory { return trace.NewDirectory(figureNames{reference.NewSymbolTable()}) })

// figureNames is the built-in symbol table for the figures of an answer.
type figureNames struct{ table *reference.SymbolTable }

func (n figureNames) HasSymbol(symbol string) bool {
	_, ok := n.table.Lookup(symbol)
	return ok
}

func (n figureNames) Named(word string) map[string][]string {
	names := map[string][]string{}
	for _, i := range n.table.Named(word) {
		names[string(i.Symbol)] = append(unambiguousNames(i.Aliases), i.Name)
	}
	return names
}

func searchOptions() search.Options {
	instruments, err := reference.NewSymbolTable().Instruments(context.Background())
	if err != nil {
		return search.Options{} // the search still works by words
	}
	symbols := map[string]bool{}
	var o search.Options
	for _, i := range instruments {
		symbols[strings.ToUpper(string(i.Symbol))] = true
		o.Names = append(o.Names, i.Name)
		o.Names = append(o.Names, unambiguousNames(i.Aliases)...)
	}
	o.IsSymbol = func(word string) bool { return symbols[strings.ToUpper(word)] }
	return o
}
