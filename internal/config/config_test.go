package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/config"
)

// testConfig is a home and a project on disk, with an environment and flags.
type testConfig struct {
	t    *testing.T
	opts config.Options
	env  map[string]string
}

func newTestConfig(t *testing.T) *testConfig {
	t.Helper()
	p := &testConfig{t: t, env: map[string]string{}}
	p.opts = config.Options{
		Home: t.TempDir(), ProjectDir: t.TempDir(), Flags: map[string]string{},
		Env: func(name string) string { return p.env[name] },
	}
	return p
}

func (p *testConfig) user(text string) string {
	return p.write(filepath.Join(p.opts.Home, "config.yaml"), text)
}

func (p *testConfig) project(text string) string {
	return p.write(filepath.Join(p.opts.ProjectDir, ".nfa", "config.yaml"), text)
}

func (p *testConfig) write(path, text string) string {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
	return path
}

func (p *testConfig) load() *config.Config {
	p.t.Helper()
	cfg, err := config.Load(p.opts)
	if err != nil {
		p.t.Fatalf("Load: %v", err)
	}
	return cfg
}

// wantRefused checks that the error of Load contains each of wants.
func (p *testConfig) wantRefused(wants ...string) {
	p.t.Helper()
	cfg, err := config.Load(p.opts)
	if err == nil {
		p.t.Fatalf("Load = %+v, want an error with %q", cfg.Values(), wants)
	}
	for _, want := range wants {
		if !strings.Contains(err.Error(), want) {
			p.t.Errorf("Load error:\n%v\nwant it to hold %q", err, want)
		}
	}
}

func valueOf(t *testing.T, cfg *config.Config, key string) config.Value {
	t.Helper()
	for _, v := range cfg.Values() {
		if v.Key == key {
			return v
		}
	}
	t.Fatalf("no setting %s in %v", key, cfg.Values())
	return config.Value{}
}

func TestLoad_NothingSetGivesTheDefaults(t *testing.T) {
	cfg := newTestConfig(t).load()
	if cfg.LogLevel != "info" || cfg.MaxSteps != 25 || cfg.Color != "auto" || cfg.Offline || cfg.Model != "" {
		t.Errorf("defaults = %v", cfg.Values())
	}
	want := config.Timeouts{Connect: 10 * time.Second, FirstByte: time.Minute, Idle: 90 * time.Second}
	if cfg.Timeouts != want {
		t.Errorf("timeouts = %v, want %v", cfg.Timeouts, want)
	}
	for _, v := range cfg.Values() {
		if v.Origin != "default" {
			t.Errorf("%s comes from %q, want default", v.Key, v.Origin)
		}
	}
}

func TestLoad_EachPlaceYieldsToTheStrongerOne(t *testing.T) {
	p := newTestConfig(t)
	steps := func(value, origin string) {
		t.Helper()
		got := valueOf(t, p.load(), "max_steps")
		if diff := cmp.Diff(config.Value{Key: "max_steps", Value: value, Origin: origin}, got); diff != "" {
			t.Errorf("max_steps (-want +got):\n%s", diff)
		}
	}
	steps("25", "default")
	user := p.user("model: a/b\n\nmax_steps: 3\n")
	steps("3", user+":3")
	project := p.project("max_steps: 4\n")
	steps("4", project+":1")
	p.env["NFA_MAX_STEPS"] = "5"
	steps("5", "env NFA_MAX_STEPS")
	p.opts.Flags["max_steps"] = "6"
	steps("6", "flag --max-steps")
	if got := valueOf(t, p.load(), "model"); got.Value != "a/b" || got.Origin != user+":1" {
		t.Errorf("model = %+v, want the user's own, which nothing overrides", got)
	}
}

func TestLoad_EveryKindOfSettingIsReadFromAFile(t *testing.T) {
	p := newTestConfig(t)
	p.user(`
model: openai/gpt-4o-mini
base_url: https://example.com/v1
api_key: sk-canary
offline: true
log_level: debug
max_steps: 200
color: never
skills:
  paths: [extra, /opt/skills, ~/mine]
timeouts:
  connect: 1s
  first_byte: 2m
  idle: 1h
`)
	p.env["HOME"] = filepath.FromSlash("/home/ann")
	cfg := p.load()
	if cfg.Model != "openai/gpt-4o-mini" || cfg.BaseURL != "https://example.com/v1" || cfg.APIKey != "sk-canary" ||
		!cfg.Offline || cfg.LogLevel != "debug" || cfg.MaxSteps != 200 || cfg.Color != "never" {
		t.Errorf("settings = %+v", cfg)
	}
	paths := []string{filepath.Join(p.opts.Home, "extra"), filepath.FromSlash("/opt/skills"), filepath.FromSlash("/home/ann/mine")}
	if diff := cmp.Diff(paths, cfg.SkillPaths); diff != "" {
		t.Errorf("skills.paths (-want +got):\n%s", diff)
	}
	want := config.Timeouts{Connect: time.Second, FirstByte: 2 * time.Minute, Idle: time.Hour}
	if cfg.Timeouts != want {
		t.Errorf("timeouts = %v, want %v", cfg.Timeouts, want)
	}
}

func TestLoad_ListInTheEnvironmentIsSplitLikePATH(t *testing.T) {
	p := newTestConfig(t)
	p.env["NFA_SKILLS_PATHS"] = strings.Join([]string{filepath.FromSlash("/a"), filepath.FromSlash("/b")}, string(filepath.ListSeparator))
	want := []string{filepath.FromSlash("/a"), filepath.FromSlash("/b")}
	if diff := cmp.Diff(want, p.load().SkillPaths); diff != "" {
		t.Errorf("skills.paths (-want +got):\n%s", diff)
	}
}

func TestLoad_SeveralProblemsAreReportedAtOnce(t *testing.T) {
	p := newTestConfig(t)
	user := p.user("modle: a\nmax_steps: many\n")
	project := p.project("timeouts:\n  idel: 3s\n")
	p.env["NFA_LOG_LEVEL"] = "loud"
	p.opts.Flags["color"] = "pink"
	p.wantRefused(
		user+`:1: unknown setting "modle"; did you mean model?`,
		user+`:2: max_steps is text; expected a whole number from 1 to 200`,
		project+`:2: unknown setting "timeouts.idel"; did you mean timeouts.idle?`,
		`NFA_LOG_LEVEL: log_level is "loud"; expected one of debug, info, warn, error`,
		`--no-color: color is "pink"; expected one of auto, always, never`,
	)
}

func TestLoad_ManyProblemsAreCounted(t *testing.T) {
	p := newTestConfig(t)
	p.user(strings.Repeat("model: a\n", 51))
	p.wantRefused("set twice", "and 30 more")
}

func TestLoad_WrongValueInAFileNamesItsLine(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"number as text", "model: 4\n", ":1: model is a number; expected text"},
		{"nothing", "\nmodel:\n", ":2: model is empty; expected text"},
		{"list as text", "model: [a]\n", ":1: model is a list; expected text"},
		{"yes is not true", "offline: yes\n", ":1: offline is text; expected true or false"},
		{"too many steps", "max_steps: 201\n", `:1: max_steps is "201"; expected a whole number from 1 to 200`},
		{"no steps", "max_steps: 0\n", `:1: max_steps is "0"`},
		{"hex is not how people count", "max_steps: 0x10\n", `:1: max_steps is "0x10"`},
		{"bare number as duration", "timeouts:\n  idle: 3\n", ":2: timeouts.idle is a number; expected a duration"},
		{"negative duration", "timeouts:\n  idle: -3s\n", `:2: timeouts.idle is "-3s"`},
		{"endless duration", "timeouts:\n  idle: 61m\n", `:2: timeouts.idle is "61m"`},
		{"longer than a thousand hours", "max_session_time: 1001h\n", `expected a duration up to 1000h, such as 10s or 1m30s; 0 is unlimited`},
		{"less than no limit", "max_session_steps: -1\n", `:1: max_session_steps is "-1"; expected a whole number from 0 to 100000; 0 is unlimited`},
		{"no time at all", "max_time: 0s\n", `:1: max_time is "0s"; expected a duration up to 1h, such as 10s or 1m30s`},
		{"amount as a power", "max_cost: 1e3\n", `:1: max_cost is "1e3"; expected an amount of US dollars, such as 0.50`},
		{"amount with its currency", "max_cost: $5\n", `:1: max_cost is "$5"`},
		{"one path", "skills:\n  paths: a\n", ":2: skills.paths is text; expected a list of paths"},
		{"empty path", "skills:\n  paths: ['']\n", ":2: skills.paths has an empty or unprintable path"},
		{"path of numbers", "skills:\n  paths: [1]\n", ":2: skills.paths is a list; expected a list of paths"},
		{"section as text", "timeouts: 3s\n", ":1: timeouts is a section"},
		{"setting as section", "model:\n  name: x\n", ":2: model is a section; expected text"},
		{"control sequence", `model: "a\e[2Jb"` + "\n", ":1: model is"},
		{"binary tag", "model: !!binary aGk=\n", ":1: model is a value of type !!binary"},
		{"twice", "model: a\nmodel: b\n", ":2: model is set twice, first on line 1"},
		{"alias", "model: &m a\ncolor: *m\n", ":1: YAML anchors and aliases are not supported"},
		{"merge", "<<: {model: a}\n", ":1: YAML anchors and aliases are not supported"},
		{"two documents", "model: a\n---\nmodel: b\n", ": second YAML document"},
		{"list of settings", "- model: a\n", ":1: expected lines of the form"},
		{"not YAML", "model: a\n  b: [\n", "not valid YAML"},
		{"far from all", "xyzzy_plugh_quux: 1\n", `:1: unknown setting "xyzzy_plugh_quux"; known: model, base_url`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := newTestConfig(t)
			path := p.user(tc.text)
			p.wantRefused(path, tc.want)
		})
	}
}

func TestLoad_LimitsOfASessionMayBeLiftedAgain(t *testing.T) {
	p := newTestConfig(t)
	p.user("max_session_steps: 40\nmax_session_time: 36h\nmax_session_cost: 2.50\n")
	if cfg := p.load(); cfg.MaxSessionSteps != 40 || cfg.MaxSessionTime != 36*time.Hour || cfg.MaxSessionCost != "2.50" {
		t.Errorf("limits = %d, %s, %q; want those of the file", cfg.MaxSessionSteps, cfg.MaxSessionTime, cfg.MaxSessionCost)
	}
	p.env["NFA_MAX_SESSION_STEPS"], p.env["NFA_MAX_SESSION_TIME"] = "0", "0"
	if cfg := p.load(); cfg.MaxSessionSteps != 0 || cfg.MaxSessionTime != 0 {
		t.Errorf("limits = %d, %s; want none, as the environment says", cfg.MaxSessionSteps, cfg.MaxSessionTime)
	}
}

func TestLoad_FileWithoutSettingsIsFine(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "comment": "# later\n", "null": "~\n", "marker": "---\n", "BOM": "\ufeffmodel: a\n"} {
		t.Run(name, func(t *testing.T) {
			p := newTestConfig(t)
			p.user(text)
			p.load()
		})
	}
}

func TestLoad_BadServerURLIsRefusedWithoutShowingIt(t *testing.T) {
	for _, url := range []string{"ftp://h/", "localhost:8080", "http://", "https://ann:hunter2@h/v1", "http://h/\x00hunter2"} {
		p := newTestConfig(t)
		p.env["NFA_BASE_URL"] = url
		p.wantRefused("NFA_BASE_URL: base_url is invalid")
		if _, err := config.Load(p.opts); strings.Contains(err.Error(), "hunter2") {
			t.Errorf("Load with base_url %q shows a password: %v", url, err)
		}
	}
}

func TestLoad_AStoreWithAPasswordIsRefusedWithoutShowingIt(t *testing.T) {
	for _, address := range []string{
		"postgres://ann:hunter2@h/nfa", "postgres://ann@h/nfa?password=hunter2", "postgres://ann@h/nfa?sslmode=verify-full&sslpassword=hunter2",
		"postgres://ann:hunter2 @h/nfa", "postgres://ann:hunter2%@h/nfa",
	} {
		p := newTestConfig(t)
		p.env["NFA_STORE"] = address
		p.wantRefused("NFA_STORE: store is invalid; expected an address that must not contain a password")
		if _, err := config.Load(p.opts); strings.Contains(err.Error(), "hunter2") {
			t.Errorf("Load with store %q shows a password: %v", address, err)
		}
		if _, err := config.Write(filepath.Join(t.TempDir(), "config.yaml"), "store", address); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("Write with store %q = %v", address, err)
		}
	}
}

func TestLoad_ContactIsAnAddress(t *testing.T) {
	for _, row := range []struct {
		text string
		ok   bool
	}{
		{"you@example.com", true}, {" you@example.com ", true}, {"", true},
		{"you", false}, {"@example.com", false}, {"you@", false}, {"a@b@c", false}, {"you @example.com", false},
		{"Jane Doe <jane@example.com>", false}, {"jané@example.com", false},
	} {
		env := func(name string) string { return map[string]string{"NFA_SEC_CONTACT": row.text}[name] }
		cfg, err := config.Load(config.Options{Home: t.TempDir(), Env: env})
		if (err == nil) != row.ok {
			t.Errorf("sec.contact %q = %v, want it taken: %v", row.text, err, row.ok)
		}
		if err == nil && cfg.Data.SECContact != strings.TrimSpace(row.text) {
			t.Errorf("sec.contact %q is kept as %q", row.text, cfg.Data.SECContact)
		}
		if err != nil && !strings.Contains(err.Error(), "an email address, such as you@example.com") {
			t.Errorf("sec.contact %q = %v, want what is expected", row.text, err)
		}
	}
}

func TestLoad_FlagOfASecretIsRefused(t *testing.T) {
	p := newTestConfig(t)
	p.opts.Flags["api_key"] = "sk-canary"
	p.wantRefused("flag for api_key: this setting has no flag")
}
