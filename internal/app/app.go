package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/mcpclient"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools"
	"github.com/nfa-cli/nfa/internal/tools/files"
	"github.com/nfa-cli/nfa/internal/usage"
)

// Options configure a run.
type Options struct {
	CommandLine
	Env     func(string) string
	Now     func() time.Time
	Version string
	Stdin   *os.File // read where a path is "-"

	Approver tool.Approver // nil denies every approval
	Notice   func(string)  // receives messages during startup; nil drops them
	Warn     func(string)  // receives later warnings, such as a failed backup
	// Servers are MCP servers that an editor requests. They start only after the user trusts them.
	Servers []mcpclient.Server
	// Agent opens the sessions, the model and the agent.
	Agent bool
	// Chat means that texts name commands as they are typed in the chat: /quote instead of nfa quote.
	Chat bool
	// UserInvoked means that the user runs a tool as a command: no model sees the result, and the
	// tool may read files in any folder.
	UserInvoked bool
}

// App is the running program: its settings and its services.
type App struct {
	Settings
	Version     string
	Log         zerolog.Logger
	Market      *Market
	Models      *Models // nil without Options.Agent
	Skills      *Skills
	Servers     *mcpclient.Client // MCP servers
	Stores      *Stores
	Agents      *Agents
	Tools       *tool.Router // all tools except workflows
	Permissions *tool.Permissions

	userInvoked  bool
	commands     func(text string) string // rewrites tool names and command lines in texts for people
	stdin        *os.File
	locks        *sessionLocks
	agent        *agent.Agent // nil without Options.Agent
	conversation atomic.Pointer[agent.Conversation]
	turnTools    atomic.Pointer[tool.Router] // of the newest turn, for the built-in assistant
	log          io.Closer
}

// Open opens the program. Close closes it.
func Open(ctx context.Context, o Options) (a *App, err error) {
	settings, err := LoadSettings(o.CommandLine, o.Env, o.Now)
	if err != nil {
		return nil, err
	}
	notice := o.Notice
	if notice == nil {
		notice = func(string) {}
	}
	commands := humanize.ForPeople
	if o.Chat {
		plain := notice
		commands, notice = InChat, func(text string) { plain(InChat(text)) }
	}
	for _, warning := range settings.Warnings {
		notice(warning)
	}
	if o.Agent && settings.FolderNotice != "" {
		notice(settings.FolderNotice)
	}
	log, logFile, err := settings.OpenLog()
	if err != nil {
		return nil, err
	}
	a = &App{
		Settings: settings, Version: o.Version, Log: log, log: logFile, userInvoked: o.UserInvoked, commands: commands, stdin: o.Stdin,
		Stores: openStores(settings, log, o.Warn),
	}
	a.locks = &sessionLocks{locks: a.Stores.Locks(), held: map[string]func(){}}
	a.Market = OpenMarket(settings, log, a.Stores.Bars)
	defer func() {
		if err != nil {
			a.Close()
		}
	}()
	if a.Permissions, err = tool.OpenPermissions(a.Home, a.Now); err != nil {
		notice(err.Error()) // no permissions then
	}
	if a.Skills, err = openSkills(ctx, a, notice, o.Warn); err != nil {
		return a, err
	}
	a.Tools, err = tool.NewRouter(tools.All(a.toolDeps(a.userInvoked)), tool.Options{
		Approver: o.Approver, Rules: a.Permissions, Secrets: a.Secrets(), HideAmounts: a.hidesAmounts, Commands: a.commands, Log: log,
	})
	if err != nil {
		return a, fmt.Errorf("register the tools: %w", err)
	}
	a.Servers = openServers(a, o)
	a.Agents = &Agents{settings: settings, tools: a.Tools}
	if !o.Agent {
		return a, nil
	}
	if a.Models, err = OpenModels(settings, log, a.builtInAssistant()); err != nil {
		return a, err
	}
	a.Agents.models = a.Models
	if names := untrustedServers(a.Servers); names != "" {
		notice("This folder has MCP servers that are not trusted (" + names + "). Review and trust them: nfa mcp trust")
	}
	if err := a.Agents.Switch(ctx, a.firstAgent(notice)); err != nil {
		return a, usage.Errorf("%w", err)
	}
	sessions, err := a.Stores.Sessions(ctx)
	if err != nil {
		return a, err
	}
	a.agent, err = agent.New(agent.Config{
		Setup: a.Setup, ModelName: a.ActiveModel, Store: sessions, Limits: turnLimits(settings), SkillLoaded: a.Skills.CountUse, HidesAmounts: a.hidesAmounts, Secrets: a.Secrets(), Names: instrumentNames, Now: a.Now, Log: log,
	})
	return a, err
}

// firstAgent returns the agent in the settings. A project's settings must not choose an agent that sets its
// own model, because that model may be on another server.
func (a *App) firstAgent(notice func(string)) string {
	profile, ok := a.Agents.Lookup(a.Config.Agent)
	if !ok || profile.Model == "" || !a.FromProject("agent") {
		return a.Config.Agent
	}
	notice(fmt.Sprintf("%s cannot choose the agent %s, because the agent sets its own model; choose it with --agent or /agent", a.Origin("agent"), profile.Name))
	return agent.DefaultProfile
}

// Close closes the services.
func (a *App) Close() {
	a.locks.releaseOthers("")
	if a.Servers != nil {
		a.Servers.Close()
	}
	for _, c := range []io.Closer{a.Stores, a.log} {
		if err := c.Close(); err != nil {
			a.Log.Warn().Err(err).Msg("closing")
		}
	}
}

// UserTools returns the tools for commands that the user sends in the chat. No model sees their
// results, so amounts are not hidden, and the user may name any file.
func (a *App) UserTools(approver tool.Approver) (*tool.Router, error) {
	return tool.NewRouter(tools.All(a.toolDeps(true)), tool.Options{Approver: approver, Secrets: a.Secrets(), Commands: a.commands, Log: a.Log})
}

// toolDeps returns the dependencies of the tools. If the user invokes them, they may read any file.
func (a *App) toolDeps(userInvoked bool) tools.Deps {
	workspace := a.Workspace()
	d := tools.Deps{
		Now: a.DataClock(), Skills: a.Skills.Registry, SkillsLoaded: a.Skills.Cache(), SkillDisabled: a.Skills.State.Disabled, SkillScripts: a.Skills.Workflows, SkillCreator: a.Skills.Library, Has: a.Skills.HasTool,
		Alerts: a.Stores.AlertStore, AlertChannels: a.alertChannelNames(),
		Store: a.Stores.Portfolio, Owner: a.OtherOwner(), StoredIn: a.storedIn(), Base: a.BaseCurrency, Benchmark: a.Benchmark, Broker: a.brokerSource(),
		NewIDs:  func(n int) ([]string, error) { return portfolio.NewIDs(a.Now(), rand.Reader, n) },
		Files:   workspace,
		Machine: func() files.MachineFacts { return files.InspectMachine(a.Version, os.Getenv, os.Stdout) },
		Web:     files.NewWebClient(files.WebOptions{Agent: "nfa/" + a.Version + " (+https://github.com/nfa-cli/nfa)"}),
		Online:  func() bool { return !a.Offline },
		ReadFile: func(path string) (string, []byte, error) {
			switch {
			case strings.HasPrefix(path, ServerPath):
				return a.readServer(path)
			case userInvoked && path == "-":
				return readStdin(a.stdin)
			case userInvoked:
				return ReadNamedFile(path)
			}
			return workspace.ReadBytes(path, importer.MaxFileSize)
		},
	}
	if a.Stores.Shared.viewsAll() {
		d.ReadOnly = errViewsAll
	}
	a.Market.addTo(&d)
	return d
}

// Workspace returns the folder that tools may read and write: the working directory.
func (a *App) Workspace() *files.Workspace {
	return files.NewWorkspace(files.WorkspaceOptions{Dir: a.folder, Home: a.Home})
}

// AttachableFiles returns the folder whose files a message may attach. Files with names of secrets can only
// be attached by a message that the user typed.
func (a *App) AttachableFiles(in agent.Input) *files.Workspace {
	return files.NewWorkspace(files.WorkspaceOptions{Dir: a.folder, Home: a.Home, SecretNames: !in.Pasted})
}

// ReadNamedFile reads a file that the user named on the command line.
func ReadNamedFile(path string) (name string, raw []byte, err error) {
	// Check first: opening a pipe waits for a writer, and no signal interrupts it.
	info, err := os.Stat(path)
	if err != nil {
		if pathErr, ok := errors.AsType[*os.PathError](err); ok {
			err = fmt.Errorf("%s: %w", path, pathErr.Err)
		}
		return "", nil, err
	}
	if !info.Mode().IsRegular() {
		return "", nil, fmt.Errorf("%s is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	raw, err = readImport(f, path)
	return filepath.Base(path), raw, err
}

func readStdin(in *os.File) (name string, raw []byte, err error) {
	const source = "standard input"
	if cli.IsTerminal(in) {
		return "", nil, fmt.Errorf("no file on %s; run: nfa portfolio import - < FILE", source)
	}
	raw, err = readImport(in, source)
	return source, raw, err
}

func readImport(in io.Reader, name string) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(in, importer.MaxFileSize+1))
	if err == nil && len(raw) > importer.MaxFileSize {
		err = fmt.Errorf("%s is larger than %d MiB", name, importer.MaxFileSize>>20)
	}
	return raw, err
}

// AllTools returns all tools, including workflows, find_tools and the tools of MCP servers.
func (a *App) AllTools() *tool.Router {
	return a.withServers(a.Skills.WithWorkflows(a.Tools), currentAgent{a}.MayUse).WithFinder(a.toolFinder())
}

// hidesAmounts reports whether a tool's amounts are hidden from models. A command that the user
// runs shows them, because no model reads its result.
func (a *App) hidesAmounts(name string) bool {
	if a.ShareAmounts || a.userInvoked {
		return false
	}
	t, ok := a.Tools.Lookup(name)
	return !ok && strings.HasPrefix(name, mcpclient.ToolPrefix) || ok && t.Private
}

// Setup returns the agent, tools and model for the next turn.
func (a *App) Setup() (agent.Setup, error) {
	a.Market.Seen.BeginTurn()
	setup := a.setupOf(a.Agents.Active())
	a.turnTools.Store(setup.Router)
	return setup, nil
}

// setupOf returns the setup of an agent.
func (a *App) setupOf(now *ActiveAgent) agent.Setup {
	window, origin := now.Endpoint.ResolveWindow(context.Background())
	request := agent.RequestProfileFor(a.Config.RequestProfile, window)
	catalogue := a.Skills.Catalog(request, "")
	prompt := func(day time.Time) string {
		parts := agent.PromptParts{Today: day, Data: a.dataNote(), Short: request.ShortRules}
		if request.Role {
			parts.Role = now.Profile.Instructions
		}
		if request.Skills {
			parts.Catalogue = catalogue
		}
		return agent.Prompt(parts)
	}
	router := a.Skills.WithWorkflows(now.Tools)
	if now.Model != catalog.Offline { // the built-in assistant knows only nfa's own tools
		router = a.withServers(router, now.Profile.Allows)
	}
	return agent.Setup{
		Model: now.client, ModelName: now.Model, Profile: now.Profile.Name, Router: router,
		Request: request, Core: now.Profile.Core, Finder: a.toolFinder(),
		Prompt: prompt(a.Now()), PromptOn: prompt, Catalogue: catalogue, Window: window, WindowOrigin: origin,
		RuleBased: now.Model == catalog.Offline, Cost: now.Endpoint.Cost(),
	}
}

// dataNote tells the model where the data comes from, and whose it is.
func (a *App) dataNote() string {
	note := a.Market.Mode.PromptNote()
	if owner := a.OtherOwner(); owner != "" {
		note += " This portfolio belongs to " + owner + " in a shared store, not to the user."
	}
	return note
}

// RequestSize returns the size of the first request of a new session.
func (a *App) RequestSize() (agent.RequestSize, error) { return a.agent.Start().RequestSize() }

// turnLimits returns the limits of turns and sessions in the settings.
func turnLimits(s Settings) agent.Limits {
	amount := func(text string) decimal.Decimal {
		d, err := decimal.NewFromString(text)
		if err != nil {
			return decimal.Zero // unset, because config rejects invalid amounts
		}
		return d
	}
	return agent.Limits{
		Steps: s.MaxSteps, Time: s.MaxTime, Cost: amount(s.MaxCost),
		SessionSteps: s.MaxSessionSteps, SessionTime: s.MaxSessionTime, SessionCost: amount(s.MaxSessionCost),
	}
}

// ActiveModel returns the name of the active model.
func (a *App) ActiveModel() string { return a.Agents.Active().Model }

// UseModel switches to a model from the next turn on, for every agent. On an error the current model
// stays.
func (a *App) UseModel(name string) error {
	if a.Offline && name != catalog.Offline {
		return errors.New("nfa was started offline; restart it without --offline")
	}
	undo := a.Models.Pick(name)
	if err := a.Agents.Switch(context.Background(), a.Agents.Active().Profile.Name); err != nil {
		undo()
		return err
	}
	return nil
}
