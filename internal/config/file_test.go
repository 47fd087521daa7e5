package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/config"
)

func TestLoad_ProjectMayNotRedirectQuestions(t *testing.T) {
	p := newTestConfig(t)
	path := p.project("offline: true\nbase_url: https://evil.example/v1\napi_key: sk-theirs\n")
	p.wantRefused(
		path+":2: base_url cannot be set by a project",
		path+":3: api_key cannot be set by a project",
	)
	if _, err := config.Load(p.opts); strings.Contains(err.Error(), "sk-theirs") || strings.Contains(err.Error(), "offline") {
		t.Errorf("Load error = %v, want neither the key nor what a project may set", err)
	}
}

func TestSettings_OnlyHarmlessOnesAreForProjects(t *testing.T) {
	// Servers and keys would redirect the user's questions; skill folders would give a stranger's
	// instructions to the model without asking.
	forTheUser := map[string]bool{"base_url": true, "api_key": true, "skills.paths": true, "key_store": true, "max_cost": true,
		// A session may use many folders: none of them may raise its limits.
		"max_session_steps": true, "max_session_time": true, "max_session_cost": true,
		// They identify the user, and where the user searches.
		"sec.contact": true, "searxng_url": true,
		// Another server would receive the portfolio.
		"store": true, "store_insecure": true, "owner": true, "shared_bars": true,
		// When the user may be disturbed is the user's decision.
		"alerts.quiet_hours": true,
		// Whether to store what the user types is the user's decision.
		"history": true,
		// A project must not change how the portfolio is shown, or whether a model sees its
		// amounts.
		"base_currency": true, "benchmark": true, "share_amounts": true,
		// A project must not choose the interpreter or the download that runs code.
		"python.runtime": true, "python.interpreter": true, "python.wasm_url": true, "python.wasm_sha256": true, "python.timeout": true, "python.memory_mb": true,
	}
	for _, s := range config.Settings() {
		if s.Project == forTheUser[s.Key] {
			t.Errorf("%s: Project = %v", s.Key, s.Project)
		}
	}
}

func TestLoad_StartedInTheUsersFolderTheHomeIsNoProject(t *testing.T) {
	p := newTestConfig(t)
	p.opts.Home = filepath.Join(p.opts.ProjectDir, ".nfa")
	path := p.user("base_url: https://example.com/v1\n")
	if got := valueOf(t, p.load(), "base_url"); got.Origin != path+":1" {
		t.Errorf("base_url = %+v, want it from %s", got, path)
	}
}

func TestLoad_ConfigFlagStandsInForTheUsersFile(t *testing.T) {
	p := newTestConfig(t)
	p.user("model: home/model\nmax_steps: 9\n")
	p.opts.File = p.write(filepath.Join(t.TempDir(), "other.yaml"), "model: other/model\n")
	cfg := p.load()
	if cfg.Model != "other/model" || cfg.MaxSteps != 25 {
		t.Errorf("model, max_steps = %s, %d; want those of --config alone", cfg.Model, cfg.MaxSteps)
	}
}

func TestLoad_MissingConfigFlagFileIsAnError(t *testing.T) {
	p := newTestConfig(t)
	p.opts.File = filepath.Join(t.TempDir(), "absent.yaml")
	p.wantRefused(p.opts.File, "no such file")
}

func TestLoad_UnreadableFileIsAClearError(t *testing.T) {
	for _, tc := range []struct {
		name, want string
		make       func(t *testing.T, path string) error
	}{
		{"directory", "is a folder, not a settings file", func(_ *testing.T, path string) error {
			return os.Mkdir(path, 0o700)
		}},
		{"over 1 MB", "larger than 1 MB", func(_ *testing.T, path string) error {
			return os.WriteFile(path, []byte(strings.Repeat("# padding\n", 110_000)), 0o600)
		}},
		{"Latin-1", "not UTF-8", func(_ *testing.T, path string) error {
			return os.WriteFile(path, []byte("model: caf\xe9\n"), 0o600)
		}},
		{"device", "not a regular file", func(t *testing.T, path string) error {
			if runtime.GOOS == "windows" {
				t.Skip("no /dev/zero on Windows")
			}
			return os.Symlink("/dev/zero", path)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := newTestConfig(t)
			path := filepath.Join(p.opts.Home, "config.yaml")
			if err := tc.make(t, path); err != nil {
				t.Fatal(err)
			}
			p.wantRefused(path, tc.want)
		})
	}
}

func TestLoad_KeyInAFileThatOthersReadIsWarnedOf(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permission bits mean nothing on Windows")
	}
	p := newTestConfig(t)
	path := p.user("api_key: sk-canary\n")
	if cfg := p.load(); len(cfg.Warnings) != 0 {
		t.Errorf("0600: warnings = %q, want none", cfg.Warnings)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	cfg := p.load()
	if len(cfg.Warnings) != 1 || !strings.Contains(cfg.Warnings[0], "chmod 600 "+path) {
		t.Errorf("0644: warnings = %q, want one that says how to fix it", cfg.Warnings)
	}
	if cfg.APIKey != "sk-canary" {
		t.Error("0644: the key is not used, want it used and warned of")
	}
}

func TestValues_SecretsAreOnlySetOrUnset(t *testing.T) {
	p := newTestConfig(t)
	if got := valueOf(t, p.load(), "api_key"); got.Value != "unset" {
		t.Errorf("api_key = %+v, want unset", got)
	}
	p.env["NFA_API_KEY"] = " sk-canary\n"
	cfg := p.load()
	if cfg.APIKey != "sk-canary" {
		t.Errorf("APIKey = %q, want it without the space around it", cfg.APIKey)
	}
	if got := valueOf(t, cfg, "api_key"); got.Value != "set" || got.Origin != "env NFA_API_KEY" {
		t.Errorf("api_key = %+v, want set, from env NFA_API_KEY", got)
	}
	if shown := fmt.Sprint(cfg.Values(), cfg.Warnings); strings.Contains(shown, "canary") {
		t.Errorf("values show the key: %s", shown)
	}
}

func TestSettings_EveryRowIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range config.Settings() {
		if seen[s.Key] || seen[s.Env()] {
			t.Errorf("%s stands twice in the table", s.Key)
		}
		seen[s.Key], seen[s.Env()] = true, true
		if s.Doc == "" || s.Expects() == "" {
			t.Errorf("%s lacks its words", s.Key)
		}
		// A row whose kind and field disagree would panic or be lost here.
		p := newTestConfig(t)
		p.env[s.Env()] = sampleValue(s)
		if got := valueOf(t, p.load(), s.Key); got.Origin != "env "+s.Env() || (!s.Secret && got.Value != sampleValue(s)) {
			t.Errorf("%s=%s gives %+v", s.Env(), sampleValue(s), got)
		}
	}
}

func TestLoad_ABaseCurrencyThatIsNoneIsRefused(t *testing.T) {
	for _, text := range []string{"eur", "EURO", "ABQ", "E"} {
		p := newTestConfig(t)
		p.env["NFA_BASE_CURRENCY"] = text
		if _, err := config.Load(p.opts); err == nil || !strings.Contains(err.Error(), "three letters of ISO 4217") {
			t.Errorf("base_currency %q: %v, want what it has to be", text, err)
		}
	}
}

func TestLoad_ABenchmarkThatCanBeNoSymbolIsRefused(t *testing.T) {
	for text, fine := range map[string]bool{
		"VTI": true, "^GSPC": true, "brk-b": true, "BRK/B": true, "EURUSD=X": true, "VWCE.DE": true,
		"none": false, "NONE": false, "total market": false, "VTI,VXUS": false, "^": false, "S&P_500": false, "a-very-long-name-of-a-fund": false,
	} {
		p := newTestConfig(t)
		p.env["NFA_BENCHMARK"] = text
		cfg, err := config.Load(p.opts)
		switch {
		case fine && (err != nil || cfg.Benchmark != text):
			t.Errorf("benchmark %q: %v, want it kept", text, err)
		case !fine && (err == nil || !strings.Contains(err.Error(), "such as VTI or ^GSPC")):
			t.Errorf("benchmark %q: %v, want what it has to be", text, err)
		}
	}
}

// sampleValue returns a valid value of s that is not its default.
func sampleValue(s config.Setting) string {
	switch s.Kind {
	case config.Switch:
		return "true"
	case config.Number:
		return fmt.Sprint(s.Max)
	case config.Choice:
		return s.Choices[len(s.Choices)-1]
	case config.Duration:
		return "7s"
	case config.Server:
		return "https://example.com/v1"
	case config.Paths:
		return filepath.Join(os.TempDir(), "skills")
	case config.Amount:
		return "0.50"
	case config.Currency:
		return "EUR"
	case config.Symbol:
		return "^GSPC"
	case config.Email:
		return "ann@example.com"
	default:
		return "words"
	}
}

func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		"", "model: a\n", "timeouts:\n  idle: 3s\n", "skills: {paths: [a, ~/b]}", "a: &a [*a]", "? [x]\n: y",
		"<<: *x", "model: !!binary a", "--- \n...\n---", "max_steps: 1e3", "{{{{", "\ufeff", "model: \"\\e\"",
	} {
		f.Add(seed)
	}
	home := f.TempDir()
	path := filepath.Join(home, "config.yaml")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg, err := config.Load(config.Options{Home: home})
		if err != nil {
			if cfg != nil || !strings.Contains(err.Error(), path) {
				t.Fatalf("Load(%q) = %v, %v; want no settings and an error that names %s", text, cfg, err, path)
			}
			return
		}
		if cfg.MaxSteps < 1 || cfg.MaxSteps > 200 || cfg.Timeouts.Idle <= 0 {
			t.Fatalf("Load(%q) let impossible settings through: %v", text, cfg.Values())
		}
		for _, v := range cfg.Values() {
			if strings.ContainsAny(v.Value, "\x00\x1b\n") {
				t.Fatalf("Load(%q): %s = %q holds a control character", text, v.Key, v.Value)
			}
		}
	})
}

func TestLoad_HomeBelowAFileHoldsNoSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Load(config.Options{Home: filepath.Join(file, "home")}); err != nil {
		t.Fatalf("Load = %v, want the defaults", err)
	}
}

// S1: a folder must not send the questions to another server. A folder may keep nfa off the network, but must
// not let it use the network.
func TestLoad_AProjectDoesNotGoOnline(t *testing.T) {
	for _, row := range []struct{ user, project, wantOffline, wantData string }{
		{"offline: true\ndata: sample\n", "offline: false\ndata: live\n", "true", "sample"},
		{"offline: false\ndata: live\n", "offline: true\ndata: sample\n", "true", "sample"},
		{"", "offline: false\ndata: live\n", "false", "live"},
	} {
		p := newTestConfig(t)
		p.user(row.user)
		p.project(row.project)
		cfg := p.load()
		if got := fmt.Sprint(cfg.Offline); got != row.wantOffline || cfg.Data.Mode != row.wantData {
			t.Errorf("%q, %q: offline %s, data %s; want %s and %s", row.user, row.project, got, cfg.Data.Mode, row.wantOffline, row.wantData)
		}
		if refused := strings.HasPrefix(row.user, "offline: true"); len(cfg.Warnings) > 0 != refused || refused && strings.Contains(cfg.FolderNotice, "offline") {
			t.Errorf("%q, %q: warnings %q, notice %q", row.user, row.project, cfg.Warnings, cfg.FolderNotice)
		}
	}
}

func TestLoad_AProjectChoosesOnlyAmongModelsOfTheUsersProvider(t *testing.T) {
	for _, row := range []struct {
		name, user, project, env string
		want                     string
		warns                    bool
	}{
		{"another model of the provider", "openai/gpt-4o", "openai/gpt-5-mini", "", "openai/gpt-5-mini", false},
		{"another provider", "openai/gpt-4o", "ollama/qwen3", "", "openai/gpt-4o", true},
		{"from a local server to a remote one", "mylocal/a", "cloud/b", "", "mylocal/a", true},
		{"no provider named", "openai/gpt-4o", "qwen3", "", "openai/gpt-4o", true},
		{"the user chose none", "", "ollama/qwen3", "", "", true},
		{"the built-in assistant", "openai/gpt-4o", "offline", "", "offline", false},
		{"the user's own server", "a", "b", "https://mine.example/v1", "b", false},
		{"the same", "openai/gpt-4o", "openai/gpt-4o", "", "openai/gpt-4o", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := newTestConfig(t)
			if row.user != "" {
				p.user("model: " + row.user + "\n")
			}
			p.env["NFA_BASE_URL"] = row.env
			path := p.project("model: " + row.project + "\ncolor: never\n")
			cfg := p.load()
			if cfg.Model != row.want || len(cfg.Warnings) > 0 != row.warns {
				t.Errorf("model = %q, warnings %q; want %q, warned %v", cfg.Model, cfg.Warnings, row.want, row.warns)
			}
			if row.warns && !strings.Contains(cfg.Warnings[0], path) {
				t.Errorf("the warning %q does not name the file", cfg.Warnings[0])
			}
			if !strings.Contains(cfg.FolderNotice, "color = never") || strings.Contains(cfg.FolderNotice, "model") == row.warns {
				t.Errorf("told at the start: %q", cfg.FolderNotice)
			}
		})
	}
}
