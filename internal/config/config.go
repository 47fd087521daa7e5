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
type Config struct {
	Model    string        // "provider/name", bare name, "offline", or "" for the best that is there
	BaseURL  string        // of an OpenAI-compatible server, or ""
	APIKey   string        // secret: never print, log or store it
	Offline  bool          // built-in assistant and sample data, no network
	LogLevel string        // debug, info, warn or error
	Agent    string        // name of the agent
	MaxTime  time.Duration // of one turn
	MaxCost  string        // US dollars for one turn, or "" for no limit
	MaxSteps int           // answers of the model in one turn
	// RequestProfile is how much a request may hold: auto, large, small or tiny.
	RequestProfile string
	// The limits of a whole session; zero, or "", is none.
	MaxSessionSteps int
	MaxSessionTime  time.Duration
	MaxSessionCost  string
	Color           string // auto, always or never
	Plain           bool   // plain text chat, without a screen
	Motion          string // full or reduced
	History         string // on or off: whether messages are kept for later chats
	Charts          string // auto, braille, block or ascii: characters of charts
	Data            Data
	BaseCurrency    string   // ISO 4217, or "" where the user has not said
	Benchmark       string   // the symbol that the portfolio and decisions are compared with, or ""
	ShareAmounts    bool     // whether a model sees amounts and quantities of the portfolio
	SkillPaths      []string // more folders of skills, absolute
	Timeouts        Timeouts
	Python          Python
	KeyStore        string     // auto or file: where nfa auth keeps keys
	Notify          string     // off, bell or desktop
	Title           bool       // of the terminal's window
	Keys            []Key      // other keys of the chat, in order
	Providers       []Provider // what the user says of model providers, in order
	// Warnings are what the user should know although the settings hold.
	Warnings []string

	origins map[string]string // by key
}

// Data says where market data come from.
type Data struct {
	Mode       string // live or sample
	SECContact string // e-mail address, or ""
	SearXNG    string // URL of a server, or ""
}

// Python says where the Python steps of skills run, and within which limits.
type Python struct {
	Runtime     string // auto, system or wasm
	Interpreter string
	URL, SHA256 string // of the sandbox; empty for the one nfa is tested with
	Timeout     time.Duration
	MemoryMB    int
}

// Timeouts bound the waits for a model's server.
type Timeouts struct {
	Connect   time.Duration // until the connection stands
	FirstByte time.Duration // from the request to the first byte of the answer
	Idle      time.Duration // between two bytes of a stream
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
