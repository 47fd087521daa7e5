package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Config holds the settings of one run of the program. Load returns one.
//
// A field with the tag key is a setting. Its type and the tag kind define the allowed values; Setting
// describes the other tags.
type Config struct {
	Model   string `key:"model" flag:"--model" project:"true" doc:"model as provider/name or name; offline is the built-in assistant"`
	BaseURL string `key:"base_url" kind:"server" doc:"URL of an OpenAI-compatible server"`
	// APIKey is a secret: never print, log or store it.
	APIKey          string        `key:"api_key" secret:"true" doc:"API key for base_url; use the environment variable rather than a file"`
	KeyStore        string        `key:"key_store" choices:"auto file" default:"auto" doc:"where nfa auth stores keys: auto is the system keyring, else auth.json; file is auth.json"`
	Offline         bool          `key:"offline" default:"false" flag:"--offline" project:"true" doc:"built-in assistant and sample data, no network"`
	LogLevel        string        `key:"log_level" choices:"debug info warn error" default:"info" flag:"--log-level" project:"true" doc:"minimum level of log messages"`
	Agent           string        `key:"agent" default:"advisor" flag:"--agent" project:"true" doc:"agent that answers"`
	RequestProfile  string        `key:"request_profile" choices:"auto large small tiny" default:"auto" project:"true" doc:"size of requests to the model; auto depends on the model's context window"`
	MaxSteps        int           `key:"max_steps" default:"25" flag:"--max-steps" min:"1" max:"200" project:"true" doc:"maximum model steps per turn"`
	MaxTime         time.Duration `key:"max_time" default:"1h0m0s" flag:"--timeout" project:"true" doc:"maximum time per turn, including approvals"`
	MaxCost         string        `key:"max_cost" kind:"amount" flag:"--max-cost" doc:"maximum cost per turn in US dollars; requires a model with a known price; usage that the server does not report is estimated"`
	MaxSessionSteps int           `key:"max_session_steps" default:"0" max:"100000" zero:"unlimited" doc:"maximum model steps per session, including resumed ones; 0 is unlimited"`
	MaxSessionTime  time.Duration `key:"max_session_time" default:"0s" max:"1000h" zero:"unlimited" doc:"maximum total time of the turns in a session; 0 is unlimited"`
	MaxSessionCost  string        `key:"max_session_cost" kind:"amount" doc:"maximum cost per session in US dollars; requires a model with a known price"`
	Color           string        `key:"color" choices:"auto always never" default:"auto" flag:"--no-color" project:"true" doc:"colors on the screen"`
	Charts          string        `key:"charts" choices:"auto braille block ascii" default:"auto" project:"true" doc:"characters for charts: braille is finest, block for fonts without braille, ascii for other terminals"`
	Plain           bool          `key:"plain" default:"false" flag:"--plain" project:"true" doc:"line-by-line chat for screen readers, logs and pipes; ACCESSIBLE=1 enables it too"`
	History         string        `key:"history" choices:"on off" default:"on" doc:"save chat messages for recall in later sessions; messages that look like a key or start with a space are never saved"`
	Motion          string        `key:"motion" choices:"full reduced" default:"full" project:"true" doc:"animation on the screen"`
	Notify          string        `key:"notify" choices:"off bell desktop" default:"off" project:"true" doc:"notification after long turns: terminal bell or desktop notification, if the terminal supports it"`
	Title           bool          `key:"title" default:"true" project:"true" doc:"set the window title of the terminal"`
	Data            Data
	BaseCurrency    string   `key:"base_currency" kind:"currency" doc:"currency of portfolio values; default: the only currency of the portfolio"`
	Benchmark       string   `key:"benchmark" kind:"symbol" doc:"default benchmark for portfolio and decisions, such as VTI"`
	ShareAmounts    bool     `key:"share_amounts" default:"true" doc:"let models see amounts and quantities of the portfolio; if false, only weights and percentages"`
	SkillPaths      []string `key:"skills.paths" doc:"additional skill folders, relative to the settings file"`
	Store           string   `key:"store" kind:"database" doc:"address of a shared store on PostgreSQL, such as postgres://anna@db.example.org/nfa; default: the data folder"`
	StoreInsecure   bool     `key:"store_insecure" default:"false" doc:"allow sslmode=require in the store address, which does not verify the identity of the server"`
	SharedBars      bool     `key:"shared_bars" default:"false" doc:"use price history that other people saved in the shared store, if they share their portfolio with you"`
	Owner           string   `key:"owner" flag:"--owner" doc:"owner of the data to open in the shared store, or all to view everyone's portfolio; default: you"`
	Python          Python
	Timeouts        Timeouts
	QuietHours      string `key:"alerts.quiet_hours" doc:"hours without alert messages, in your time zone, such as 22:00-07:00"`

	Channels  []AlertChannel // of alerts, in order
	Keys      []Key          // other keys of the chat, in order
	Providers []Provider     // in order
	Servers   []MCPServer    // MCP servers, in order; of two with one name the first counts
	// Warnings are for the user; the settings are valid.
	Warnings []string
	// FolderNotice says which settings the project's file changed; "" if none. The user sees it at each
	// start, because anybody may have written the file.
	FolderNotice string

	origins map[string]string // by key
	project string            // the project's file, if it was read
}

// Data holds the settings of market data.
type Data struct {
	Mode       string `key:"data" choices:"live sample" default:"live" project:"true" doc:"market data: live, or only built-in sample data"`
	SECContact string `key:"sec.contact" kind:"email" doc:"email address that the SEC requires with each request for filings; sent only to the SEC"`
	SearXNG    string `key:"searxng_url" kind:"server" doc:"URL of your SearXNG server, for web_search"`
}

// Python holds the settings and limits of Python steps.
type Python struct {
	Runtime     string        `key:"python.runtime" choices:"auto system wasm" default:"auto" doc:"where Python steps of skills run: auto is the sandbox (wasm) for skills you did not write, otherwise the system interpreter"`
	Interpreter string        `key:"python.interpreter" doc:"name or path of the Python interpreter; default: python3"`
	URL         string        `key:"python.wasm_url" kind:"server" doc:"download URL of the sandbox"`
	SHA256      string        `key:"python.wasm_sha256" doc:"expected SHA-256 of the sandbox, in hexadecimal"`
	Timeout     time.Duration `key:"python.timeout" default:"1m0s" doc:"maximum run time of a script"`
	MemoryMB    int           `key:"python.memory_mb" default:"512" min:"32" max:"65536" doc:"maximum memory of a script in MB"`
}

// Timeouts limits the waits for a model provider.
type Timeouts struct {
	Connect   time.Duration `key:"timeouts.connect" default:"10s" project:"true" doc:"maximum wait for a connection to the model provider"`
	FirstByte time.Duration `key:"timeouts.first_byte" default:"1m0s" project:"true" doc:"maximum wait for an answer to start"`
	Idle      time.Duration `key:"timeouts.idle" default:"1m30s" project:"true" doc:"maximum pause within an answer"`
}

// Options defines where Load looks for settings.
type Options struct {
	Home       string // holds config.yaml
	ProjectDir string // holds .nfa/config.yaml; empty means no project
	// File replaces config.yaml of the data folder. Unlike that file, it must exist.
	File string
	// Env looks up an environment variable; nil means no variables.
	Env func(string) string
	// Flags holds the values of flags by setting key.
	Flags map[string]string
}

// Load reads the settings. Flags override NFA_* environment variables, which override the project's
// file, the user's file and the defaults. One error reports all problems, one per line, also those of
// overridden values.
func Load(opts Options) (*Config, error) {
	if opts.Env == nil {
		opts.Env = func(string) string { return "" }
	}
	l := &loader{opts: opts, cfg: &Config{origins: map[string]string{}}, settings: Settings()}
	l.defaults()
	user := l.files()
	l.environment()
	l.flags()
	l.limitProject(user)
	if n := len(l.problems); n > maxProblems {
		more := fmt.Errorf("and %d more", n-maxProblems)
		l.problems = append(l.problems[:maxProblems], more)
	}
	if len(l.problems) > 0 {
		return nil, errors.Join(l.problems...)
	}
	return l.cfg, nil
}

// maxProblems limits the output for a file that is not a settings file at all.
const maxProblems = 20

// loader fills a Config in order of increasing precedence.
type loader struct {
	opts     Options
	cfg      *Config
	settings []Setting
	problems []error
}

func (l *loader) problem(position, format string, args ...any) {
	l.problems = append(l.problems, fmt.Errorf("%s: %w", position, fmt.Errorf(format, args...)))
}

// set parses texts into the field of s and records their origin.
func (l *loader) set(s Setting, texts []string, origin string) error {
	if err := s.parse(l.cfg, texts); err != nil {
		return err
	}
	l.cfg.origins[s.Key] = origin
	return nil
}

func (l *loader) defaults() {
	for _, s := range l.settings {
		var texts []string
		if s.Default != "" {
			texts = []string{s.Default}
		}
		if err := l.set(s, texts, "default"); err != nil {
			l.problem("default of "+s.Key, "%w", err)
		}
	}
}

// files reads the user's and the project's file. It returns the settings without the project.
func (l *loader) files() (own Config) {
	user, required := filepath.Join(l.opts.Home, fileName), false
	if l.opts.File != "" {
		user, required = l.opts.File, true
	}
	l.file(source{path: absolute(user), required: required})
	defer l.dropRepeatedServers()
	own = *l.cfg
	own.origins = maps.Clone(own.origins)
	if l.opts.ProjectDir == "" {
		return own
	}
	l.projectServers()
	project := absolute(filepath.Join(l.opts.ProjectDir, ".nfa", fileName))
	// In the user's home folder, ./.nfa is the data folder, so its settings are the user's own.
	if sameFile(project, absolute(user)) || sameFile(project, absolute(filepath.Join(l.opts.Home, fileName))) {
		return own
	}
	l.file(source{path: project, project: true})
	return own
}

// isOwn reports whether the user or the administrator wrote a project's file. Otherwise it adds a
// warning: another user of this computer must not change what nfa does. info belongs to the text that was
// read, because the file at path may be another one by now.
func (l *loader) isOwn(path string, info fs.FileInfo) bool {
	reason := foreignOwner(info)
	if reason != "" {
		l.cfg.Warnings = append(l.cfg.Warnings, fmt.Sprintf("%s was ignored: %s", path, reason))
	}
	return reason == ""
}

// limitProject reverts project settings that would send questions and the portfolio to a server that the user
// did not choose: a model of another provider, and network access for a user who is offline or uses sample
// data. It notes what else the project changed.
func (l *loader) limitProject(own Config) {
	if l.cfg.project == "" {
		return
	}
	takeBack := func(key, format string, args ...any) {
		l.cfg.origins[key] = own.origins[key]
		l.cfg.Warnings = append(l.cfg.Warnings, l.cfg.project+" may not "+fmt.Sprintf(format, args...))
	}
	model := l.cfg.Model
	if l.cfg.FromProject("model") && model != own.Model && model != "offline" && l.cfg.BaseURL == "" && !sameProvider(model, own.Model) {
		l.cfg.Model = own.Model
		takeBack("model", "choose the model %s: a folder may only choose among models of the provider in your own settings", model)
	}
	if l.cfg.FromProject("offline") && own.Offline && !l.cfg.Offline {
		l.cfg.Offline = true
		takeBack("offline", "use the network: your own settings turn it off")
	}
	if l.cfg.FromProject("data") && own.Data.Mode == "sample" && l.cfg.Data.Mode != "sample" {
		l.cfg.Data.Mode = "sample"
		takeBack("data", "use live data: your own settings require sample data")
	}
	var changed []string
	for _, s := range l.settings {
		if l.cfg.FromProject(s.Key) {
			changed = append(changed, s.Key+" = "+s.show(l.cfg))
		}
	}
	if len(changed) > 0 {
		l.cfg.FolderNotice = fmt.Sprintf("This folder changes settings: %s (%s)", strings.Join(changed, ", "), l.cfg.project)
	}
}

// sameProvider reports whether two models name the same provider.
func sameProvider(a, b string) bool {
	provider, _, ok := strings.Cut(a, "/")
	other, _, otherOK := strings.Cut(b, "/")
	return ok && otherOK && provider == other
}

func (l *loader) environment() {
	for _, s := range l.settings {
		text := strings.TrimSpace(l.opts.Env(s.Env()))
		if text == "" {
			continue
		}
		if err := l.set(s, l.splitList(s, text), "env "+s.Env()); err != nil {
			l.problem(s.Env(), "%w", err)
		}
	}
}

func (l *loader) flags() {
	for _, key := range slices.Sorted(maps.Keys(l.opts.Flags)) {
		s, ok := lookupSetting(l.settings, key)
		if !ok || s.Flag == "" {
			l.problem("flag for "+key, "this setting has no flag")
			continue
		}
		if err := l.set(s, l.splitList(s, l.opts.Flags[key]), "flag "+s.Flag); err != nil {
			l.problem(s.Flag, "%w", err)
		}
	}
}

// splitList splits the text of a list setting like PATH.
func (l *loader) splitList(s Setting, text string) []string {
	if s.Kind != Paths {
		return []string{text}
	}
	return l.resolve(filepath.SplitList(text), "")
}

// resolve makes paths absolute: "~/" is the user's home folder, other paths are relative to dir.
func (l *loader) resolve(paths []string, dir string) []string {
	out := make([]string, 0, len(paths))
	for _, path := range paths {
		if rest, ok := strings.CutPrefix(filepath.ToSlash(path), "~/"); ok {
			if user := cmp.Or(l.opts.Env("HOME"), l.opts.Env("USERPROFILE")); user != "" {
				path = filepath.Join(user, filepath.FromSlash(rest))
			}
		}
		if path != "" && !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		out = append(out, absolute(path))
	}
	return out
}

// Value is one setting as `nfa config show` prints it.
type Value struct {
	Key    string `json:"key"`
	Value  string `json:"value"`  // a secret is "set" or "unset"
	Origin string `json:"origin"` // "flag --model", "env NFA_MODEL", "/path/config.yaml:3" or "default"
}

// Values returns every setting in the order of Settings, then the providers.
func (c *Config) Values() []Value {
	settings := Settings()
	out := make([]Value, len(settings))
	for i, s := range settings {
		out[i] = Value{Key: s.Key, Value: s.show(c), Origin: c.origins[s.Key]}
	}
	return slices.Concat(out, c.providerValues(), c.channelValues(), c.serverValues())
}

// Origin returns where the value of a setting comes from, formatted as in Value.
func (c *Config) Origin(key string) string { return c.origins[key] }

// FromProject reports whether the value of a setting comes from the project's file.
func (c *Config) FromProject(key string) bool {
	return c.project != "" && strings.HasPrefix(c.origins[key], c.project+":")
}

// absolute returns an empty path unchanged, and also any path if the working directory is gone;
// opening it then reports why.
func absolute(path string) string {
	if path == "" {
		return ""
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	return abs
}

func sameFile(a, b string) bool {
	if a == b {
		return true
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
