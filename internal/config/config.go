package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Config is the settings of one start of the program. Make one with Load.
//
// A field with the tag key is a setting. Its type and the tag kind say what values are allowed; the
// other tags are described at Setting.
type Config struct {
	Model   string `key:"model" flag:"--model" project:"true" doc:"model as provider/name or name; "offline" is the built-in assistant"`
	BaseURL string `key:"base_url" kind:"server" doc:"URL of an OpenAI-compatible server"`
	// APIKey is a secret: never print, log or store it.
	APIKey          string        `key:"api_key" secret:"true" doc:"API key of that server; better set in the environment than in a file"`
	KeyStore        string        `key:"key_store" choices:"auto file" default:"auto" doc:"where nfa auth saves keys: the system's keyring if available, or always auth.json"`
	Offline         bool          `key:"offline" default:"false" flag:"--offline" project:"true" doc:"no network: built-in assistant and sample data"`
	LogLevel        string        `key:"log_level" choices:"debug info warn error" default:"info" flag:"--log-level" project:"true" doc:"lowest level written to the log"`
	Agent           string        `key:"agent" default:"advisor" flag:"--agent" project:"true" doc:"agent to use"`
	RequestProfile  string        `key:"request_profile" choices:"auto large small tiny" default:"auto" project:"true" doc:"size of a request to the model; auto depends on its context window"`
	MaxSteps        int           `key:"max_steps" default:"25" flag:"--max-steps" min:"1" max:"200" project:"true" doc:"model responses per turn at most"`
	MaxTime         time.Duration `key:"max_time" default:"1h0m0s" flag:"--timeout" project:"true" doc:"maximum duration of a turn, including approvals"`
	MaxCost         string        `key:"max_cost" kind:"amount" flag:"--max-cost" doc:"maximum cost of a turn in US dollars; needs a model with a known price; usage that the server does not report is estimated"`
	MaxSessionSteps int           `key:"max_session_steps" default:"0" max:"100000" zero:"unlimited" doc:"model responses per session at most, also after resuming; 0 for no limit"`
	MaxSessionTime  time.Duration `key:"max_session_time" default:"0s" max:"1000h" zero:"unlimited" doc:"maximum total duration of the turns of a session; 0 for no limit"`
	MaxSessionCost  string        `key:"max_session_cost" kind:"amount" doc:"maximum cost of a session in US dollars; needs a model with a known price"`
	Color           string        `key:"color" choices:"auto always never" default:"auto" flag:"--no-color" project:"true" doc:"colors on the screen"`
	Charts          string        `key:"charts" choices:"auto braille block ascii" default:"auto" project:"true" doc:"chart characters: braille (finest), block for fonts without braille, ascii for other terminals"`
	Plain           bool          `key:"plain" default:"false" flag:"--plain" project:"true" doc:"line-by-line chat for screen readers and logs; ACCESSIBLE=1 also enables it"`
	History         string        `key:"history" choices:"on off" default:"on" doc:"save your messages for the input history; text that looks like a key or starts with a space is never saved"`
	Motion          string        `key:"motion" choices:"full reduced" default:"full" project:"true" doc:"animations on the screen"`
	Notify          string        `key:"notify" choices:"off bell desktop" default:"off" project:"true" doc:"how nfa notifies you after a long turn: terminal bell, or a desktop notification if the terminal supports it"`
	Title           bool          `key:"title" default:"true" project:"true" doc:"set the title of the terminal window"`
	Data            Data
	BaseCurrency    string   `key:"base_currency" kind:"currency" doc:"currency of portfolio totals (default the currency of the portfolio if it has only one)"`
	Benchmark       string   `key:"benchmark" kind:"symbol" doc:"default benchmark for your portfolio and your decisions, such as VTI"`
	ShareAmounts    bool     `key:"share_amounts" default:"true" doc:"send amounts and quantities of your portfolio to the model; false sends only weights and percentages"`
	SkillPaths      []string `key:"skills.paths" doc:"more skill folders, relative to the settings file"`
	Python          Python
	Timeouts        Timeouts

	Keys      []Key      // other keys of the chat, in order
	Providers []Provider // what the user says of model providers, in order
	// Warnings are what the user should know although the settings are valid.
	Warnings []string

	origins map[string]string // by key
}

// Data says where market data come from.
type Data struct {
	Mode       string `key:"data" choices:"live sample" default:"live" project:"true" doc:"market data: "live" (sample data as fallback) or "sample""`
	SECContact string `key:"sec.contact" kind:"email" doc:"your email address, which SEC EDGAR requires with each request; it is sent to nobody else"`
	SearXNG    string `key:"searxng_url" kind:"server" doc:"your SearXNG server, for web_search"`
}

// Python says where the Python steps of skills run, and within which limits.
type Python struct {
	Runtime     string        `key:"python.runtime" choices:"auto system wasm" default:"auto" doc:"runtime of Python steps: the system's interpreter, the sandbox, or auto for the first available"`
	Interpreter string        `key:"python.interpreter" doc:"name or path of the interpreter (default python3)"`
	URL         string        `key:"python.wasm_url" kind:"server" doc:"download URL of the sandbox"`
	SHA256      string        `key:"python.wasm_sha256" doc:"SHA-256 of the download, in hexadecimal"`
	Timeout     time.Duration `key:"python.timeout" default:"1m0s" doc:"maximum duration of a script"`
	MemoryMB    int           `key:"python.memory_mb" default:"512" min:"32" max:"65536" doc:"maximum memory of a script, in MB"`
}

// Timeouts limit the waits for a model's server.
type Timeouts struct {
	Connect   time.Duration `key:"timeouts.connect" default:"10s" project:"true" doc:"maximum wait for a connection to the model"`
	FirstByte time.Duration `key:"timeouts.first_byte" default:"1m0s" project:"true" doc:"maximum wait for the first byte of a response"`
	Idle      time.Duration `key:"timeouts.idle" default:"1m30s" project:"true" doc:"maximum pause within a response"`
}

// Options says where Load looks for settings.
type Options struct {
	Home       string // holds config.yaml
	ProjectDir string // holds .nfa/config.yaml; empty means no project
	// File is a settings file to read instead of the home's. It must exist,
	// while the home's need not.
	File string
	// Env looks up an environment variable; nil means that there are none.
	Env func(string) string
	// Flags are the flags that were given, by setting key.
	Flags map[string]string
}

// Load reads the settings: flags over NFA_* environment variables over the
// project's file over the user's file over the defaults. All problems are
// reported in one error, one to a line, also those of values that a stronger
// place overrides.
func Load(opts Options) (*Config, error) {
	if opts.Env == nil {
		opts.Env = func(string) string { return "" }
	}
	l := &loader{opts: opts, cfg: &Config{origins: map[string]string{}}, settings: Settings()}
	l.defaults()
	l.files()
	l.environment()
	l.flags()
	if n := len(l.problems); n > maxProblems {
		more := fmt.Errorf("and %d more", n-maxProblems)
		l.problems = append(l.problems[:maxProblems], more)
	}
	if len(l.problems) > 0 {
		return nil, errors.Join(l.problems...)
	}
	return l.cfg, nil
}

// maxProblems keeps a file that is something else altogether from filling the
// screen.
const maxProblems = 20

// loader fills a Config from the weakest place to the strongest.
type loader struct {
	opts     Options
	cfg      *Config
	settings []Setting
	problems []error
}

func (l *loader) problem(position, format string, args ...any) {
	l.problems = append(l.problems, fmt.Errorf("%s: %w", position, fmt.Errorf(format, args...)))
}

// set parses texts into the field of s and notes where they came from.
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

func (l *loader) files() {
	user, required := filepath.Join(l.opts.Home, fileName), false
	if l.opts.File != "" {
		user, required = l.opts.File, true
	}
	l.file(source{path: absolute(user), required: required})
	if l.opts.ProjectDir == "" {
		return
	}
	project := absolute(filepath.Join(l.opts.ProjectDir, ".nfa", fileName))
	// Started in the user's own folder, ./.nfa is the home, and what the user
	// wrote there is not a stranger's.
	if sameFile(project, absolute(user)) || sameFile(project, absolute(filepath.Join(l.opts.Home, fileName))) {
		return
	}
	l.file(source{path: project, project: true})
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
			l.problem("flag for "+key, "no setting of that name takes a flag")
			continue
		}
		if err := l.set(s, l.splitList(s, l.opts.Flags[key]), "flag "+s.Flag); err != nil {
			l.problem(s.Flag, "%w", err)
		}
	}
}

// splitList splits the text of a flag or variable where the setting is a list, as
// PATH is split.
func (l *loader) splitList(s Setting, text string) []string {
	if s.Kind != Paths {
		return []string{text}
	}
	return l.resolve(filepath.SplitList(text), "")
}

// resolve makes paths absolute: "~/" is the user's folder, the rest is relative
// to dir.
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

// Values lists every setting in the order of Settings, then the providers that a
// file names.
func (c *Config) Values() []Value {
	settings := Settings()
	out := make([]Value, len(settings))
	for i, s := range settings {
		out[i] = Value{Key: s.Key, Value: s.show(c), Origin: c.origins[s.Key]}
	}
	return append(out, c.providerValues()...)
}

// Origin returns where the value of a setting comes from, in the words of Value.
func (c *Config) Origin(key string) string { return c.origins[key] }

// absolute keeps an empty path empty, and a path as it is where the working
// directory is gone: opening it then says why.
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
