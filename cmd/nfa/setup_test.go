package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/golden"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// noLocalServers makes the program look for local servers at an address where there are none.
const noLocalServers = `providers:
  ollama: {base_url: "http://127.0.0.1:1/v1"}
  lmstudio: {base_url: "http://127.0.0.1:1/v1"}
  llamacpp: {base_url: "http://127.0.0.1:1/v1"}
  vllm: {base_url: "http://127.0.0.1:1/v1"}
`

// newSetupProgram opens a program in an empty home. settings holds the addresses of servers.
func newSetupProgram(t *testing.T, env map[string]string, settings string) (*app.App, *globals) {
	t.Helper()
	user := t.TempDir()
	t.Setenv("HOME", user)
	t.Setenv("USERPROFILE", user)
	file := filepath.Join(user, "settings.yaml")
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{"NFA_KEY_STORE": "file", "NFA_DATA": "sample"}
	for name, value := range env {
		all[name] = value
	}
	g := &globals{home: filepath.Join(user, ".nfa"), file: file}
	g.env = func(name string) string { return all[name] }
	p, err := g.open(t.Context(), app.Options{Agent: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p, g
}

// chatView is the chat screen of a program. Tests send it messages step by step.
type chatView struct {
	t     *testing.T
	model *tui.Model
	msgs  chan tea.Msg
}

func drawChat(t *testing.T, p *app.App, width, height int) *chatView {
	t.Helper()
	c := p.StartConversation(t.Context())
	d := &chatView{t: t, msgs: make(chan tea.Msg)}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	chat, err := screens.Chat(ctx, p, screens.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	d.model = tui.New(ctx, tui.Config{
		Start: func() tui.Conversation { return p.StartConversation(ctx) }, Conversation: c, Commands: screens.Commands(p, screens.Environment{}), Theme: tui.ThemePlain,
		Environ: []string{"TERM=dumb"}, StartPage: func() tui.StartPage { return screens.StartPage(p, nil) },
		Status: chat.Status, Now: func() time.Time { return time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC) },
		Message: "/setup",
	})
	d.do(ctx, d.model.Init())
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
	return d
}

func (d *chatView) do(ctx context.Context, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		if msg := cmd(); msg != nil {
			select {
			case d.msgs <- msg:
			case <-ctx.Done():
			}
		}
	}()
}

func (d *chatView) send(msg tea.Msg) {
	if batch, ok := msg.(tea.BatchMsg); ok {
		for _, cmd := range batch {
			d.do(d.t.Context(), cmd)
		}
		return
	}
	_, cmd := d.model.Update(msg)
	d.do(d.t.Context(), cmd)
}

func (d *chatView) view() string {
	lines := strings.Split(d.model.View().Content, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// until handles messages until the screen shows text.
func (d *chatView) until(text string) {
	d.t.Helper()
	for !strings.Contains(d.view(), text) {
		select {
		case msg := <-d.msgs:
			d.send(msg)
		case <-time.After(time.Minute):
			d.t.Fatalf("the screen never showed %q:\n%s", text, d.view())
		}
	}
}

func (d *chatView) press(code rune) { d.send(tea.KeyPressMsg{Code: code}) }

func (d *chatView) write(text string) {
	for _, r := range text {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// modelProvider is a fake provider of models. The key determines its behavior: no credit for "poor", no
// models for "empty", no answer for "slow", and a rejection for every other key except goodKey.
type modelProvider struct {
	*httptest.Server
	requests atomic.Int32
	release  chan struct{}
}

const goodKey = "dk-canary-1234567890"

func startModelProvider(t *testing.T) *modelProvider {
	t.Helper()
	p := &modelProvider{release: make(chan struct{})}
	answers := llmtest.ChatServer{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, r *http.Request) {
		p.requests.Add(1)
		key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		w.Header().Set("Content-Type", "application/json")
		switch key {
		case goodKey, "poor", "", "sk-ant-canary-1234567890":
			fmt.Fprint(w, `{"data":[{"id":"deepseek-v4-flash"},{"id":"another"}]}`)
		case "empty":
			fmt.Fprint(w, `{"data":[]}`)
		case "slow":
			<-p.release
		default:
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"error":{"message":"invalid api key"}}`)
		}
	})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		p.requests.Add(1)
		if r.Header.Get("Authorization") == "Bearer poor" {
			w.WriteHeader(http.StatusPaymentRequired)
			fmt.Fprint(w, `{"error":{"message":"Insufficient Balance"}}`)
			return
		}
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if bytes.Contains(body, []byte(`"name":"add"`)) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"add","arguments":"{\"a\":2,\"b\":3}"}}]},"finish_reason":"tool_calls"}]}`+"\n\ndata: [DONE]\n\n")
			return
		}
		answers.ServeHTTP(w, r)
	})
	p.Server = httptest.NewServer(mux)
	t.Cleanup(func() { close(p.release); p.Close() })
	return p
}

// deepseekAt returns settings with DeepSeek at an address.
func deepseekAt(address string) string {
	return noLocalServers + fmt.Sprintf("  deepseek: {base_url: %q}\n", address+"/v1")
}

// keys presses keys. A name with several letters that is not a key is typed.
func (d *chatView) keys(names ...string) {
	codes := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "down": {Code: tea.KeyDown}, "up": {Code: tea.KeyUp}, "tab": {Code: tea.KeyTab},
		"ctrl+s": {Code: 's', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl},
	}
	for _, name := range names {
		if k, ok := codes[name]; ok {
			d.send(k)
		} else {
			d.write(name)
		}
	}
}

// setupSizes are the sizes of the frames of the setup.
var setupSizes = []struct{ width, height int }{{100, 30}, {60, 20}}

func (d *chatView) goldenAt(name string, width, height int) {
	d.t.Helper()
	timing := regexp.MustCompile(`first reply in \d+\.\d s`)
	frame := timing.ReplaceAllString(d.view(), "first reply in 0.8 s")
	golden.CheckFile(d.t, filepath.Join("testdata", "frames", fmt.Sprintf("%s.%dx%d.txt", name, width, height)), frame, *update)
}

// The frames of the first step: the list, and a filter. internal/tui has the one with a late server.
func TestSetup_TheListLooksAsDrawn(t *testing.T) {
	server := httptest.NewServer(listOf("qwen3"))
	t.Cleanup(server.Close)
	for _, size := range append(setupSizes, struct{ width, height int }{40, 15}, struct{ width, height int }{160, 45}) {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			env := map[string]string{"OPENAI_API_KEY": "sk-canary-1234567890"}
			p, _ := newSetupProgram(t, env, strings.Replace(noLocalServers, "http://127.0.0.1:1/v1", server.URL+"/v1", 1))
			d := drawChat(t, p, size.width, size.height)
			d.until("Ollama")
			frame := func(name string) {
				t.Helper()
				view := regexp.MustCompile(`localhost:\d+`).ReplaceAllStringFunc(d.view(), func(address string) string {
					return "localhost:11434"[:len(address)]
				})
				golden.CheckFile(t, filepath.Join("testdata", "frames", fmt.Sprintf("%s.%dx%d.txt", name, size.width, size.height)), view, *update)
			}
			frame("setup-model")
			d.keys("gem")
			d.until("Google Gemini")
			frame("setup-model-filter")
			d.keys("esc", "esc")
			d.until("Setup canceled. Nothing was changed.")
		})
	}
}

// A fake server answers with 200, 401, 402, not at all, and with no models: each has a frame and a
// sentence. The key stays in its field.
func TestSetup_EachResultOfATestHasAFrameAndASentence(t *testing.T) {
	for _, tt := range []struct{ name, key, want string }{
		{"setup-key", "", "Saved in"},
		{"setup-key-tested", goodKey, "✓ accepted, 2 models"},
		{"setup-key-401", "wrong", "✗ DeepSeek rejected this key (401)."},
		{"setup-key-402", "poor", "✗ This key has no credit (402)."},
		{"setup-key-empty", "empty", "✗ DeepSeek lists no models. Type the name of one."},
		{"setup-key-offline", "off", "✗ Cannot reach 127.0.0.1:1. Press Enter to try again, or Ctrl+S to save without a test."},
		{"setup-key-timeout", "slow", "did not answer in time. Press Enter to try again, or Ctrl+S to save without a test."},
	} {
		for _, size := range setupSizes {
			t.Run(fmt.Sprintf("%s.%dx%d", tt.name, size.width, size.height), func(t *testing.T) {
				server := startModelProvider(t)
				address := server.URL
				if tt.key == "off" {
					address = "http://127.0.0.1:1"
				}
				p, _ := newSetupProgram(t, nil, deepseekAt(address)+"timeouts: {first_byte: 1s}\n")
				d := drawChat(t, p, size.width, size.height)
				d.until("Anthropic")
				d.keys("dee", "enter")
				d.until("Saved in")
				if tt.key != "" {
					d.keys(tt.key, "enter")
				}
				for _, word := range strings.Fields(tt.want) { // a sentence may be wrapped
					d.until(word)
				}
				view := strings.ReplaceAll(d.view(), strings.TrimPrefix(server.URL, "http://"), "api.deepseek.com")
				if size.width == 100 && !strings.Contains(strings.Join(strings.Fields(view), " "), tt.want) {
					t.Errorf("the sentence is missing:\n%s", view)
				}
				if tt.key != "" && !strings.Contains(view, "•") {
					t.Errorf("the key is not in its field any more:\n%s", view)
				}
				timing := regexp.MustCompile(`first reply in \d+\.\d s`)
				golden.CheckFile(t, filepath.Join("testdata", "frames", fmt.Sprintf("%s.%dx%d.txt", tt.name, size.width, size.height)), timing.ReplaceAllString(view, "first reply in 0.8 s"), *update)
			})
		}
	}
}

// From nfa setup to the first answer it takes at most 8 keys and the API key.
func TestSetup_FromTheStartToTheFirstAnswer(t *testing.T) {
	for _, size := range setupSizes {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			server := startModelProvider(t)
			p, g := newSetupProgram(t, map[string]string{"LANG": "de_DE.UTF-8"}, deepseekAt(server.URL))
			d := drawChat(t, p, size.width, size.height)
			d.until("Anthropic")
			d.keys("dee", "enter") // 4 keys
			d.until("Saved in")
			d.send(tea.PasteMsg{Content: "  " + goodKey + "\n"})
			d.keys("enter") // 5
			d.until("tool call works")
			if strings.Contains(d.view(), "canary") {
				t.Errorf("the key is on the screen:\n%s", d.view())
			}
			d.keys("enter") // 6
			d.until("Setup · 2 of 3 · Data")
			d.until("EUR") // from the locale
			d.goldenAt("setup-data", size.width, size.height)
			d.keys("enter") // 7
			d.until("✓ Currency      EUR")
			d.goldenAt("setup-try", size.width, size.height)
			before := server.requests.Load()
			d.keys("enter") // 8
			d.untilIdle()
			d.until("> What changed")
			d.waitWhile(func(string) bool { return server.requests.Load() == before })
			if got := p.Agents.Active().Model; got != "deepseek/deepseek-v4-flash" {
				t.Errorf("%s answers", got)
			}
			key, err := p.Models.Keys.Get(t.Context(), "deepseek")
			if err != nil || key != goodKey {
				t.Errorf("the key is %q, %v", key, err)
			}
			cfg, err := config.Load(config.Options{Home: g.home, File: g.file})
			if err != nil || cfg.Model != "deepseek/deepseek-v4-flash" || cfg.BaseCurrency != "EUR" || cfg.Data.SECContact != "" {
				t.Errorf("the settings hold %q, %q, %q, %v", cfg.Model, cfg.BaseCurrency, cfg.Data.SECContact, err)
			}
			d.untilIdle()
		})
	}
}

// Esc goes back one step and, at the first step, says what was saved.
func TestSetup_EscGoesBackOneStep(t *testing.T) {
	server := startModelProvider(t)
	p, _ := newSetupProgram(t, nil, deepseekAt(server.URL))
	d := drawChat(t, p, 100, 30)
	d.until("Anthropic")
	d.keys("dee", "enter")
	d.until("1 of 3 · DeepSeek")
	d.keys("esc")
	d.until("1 of 3 · Model")
	d.keys("enter")
	d.until("1 of 3 · DeepSeek")
	d.keys("anything", "ctrl+s") // without a test
	d.until("2 of 3 · Data")
	d.keys("enter")
	d.until("3 of 3")
	d.keys("esc")
	d.until("2 of 3 · Data")
	d.keys("esc")
	d.until("1 of 3 · Model")
	d.keys("esc")
	d.until("Setup stopped. Saved: DeepSeek key, model deepseek-v4-flash, currency USD.")
	d.until("deepseek/deepseek-v4-flash, key from") // on the start page
	if n := server.requests.Load(); n != 0 {
		t.Errorf("%d requests were sent without a test", n)
	}
}

// A key in another provider's format leads to the form of that provider.
func TestSetup_AKeyOfAnotherProviderIsRecognized(t *testing.T) {
	server := startModelProvider(t)
	p, _ := newSetupProgram(t, nil, deepseekAt(server.URL)+fmt.Sprintf("  anthropic: {base_url: %q}\n", server.URL+"/v1"))
	d := drawChat(t, p, 100, 30)
	d.until("Anthropic")
	d.keys("dee", "enter")
	d.until("1 of 3 · DeepSeek")
	d.keys("sk-ant-canary-1234567890", "enter")
	d.until("1 of 3 · Anthropic")
	d.until("This key is from Anthropic. Press Enter to test it there.")
	if n := server.requests.Load(); n != 0 {
		t.Errorf("the key was sent %d times to a provider that it does not belong to", n)
	}
	d.keys("enter")
	d.until("✓ accepted")
}

// Each provider of nfa auth list is found by the first three letters of its name and of its title.
func TestSetup_EveryProviderIsFoundByThreeLetters(t *testing.T) {
	p, _ := newSetupProgram(t, nil, noLocalServers)
	keys, err := p.Models.AllKeys()
	if err != nil {
		t.Fatal(err)
	}
	screen := screens.Setup{App: p}.Screen()
	items := screen.Items()
	for _, k := range keys {
		at := slices.IndexFunc(items, func(i tui.ListItem) bool { return i.Name == k.Provider })
		if at < 0 {
			t.Errorf("%s is not offered", k.Provider)
			continue
		}
		for _, text := range []string{k.Provider, k.Title} {
			b := widget.NewBrowser(widget.NewStyles(markdown.PlainTheme()), widget.DefaultKeyMap(), "", "")
			b.SetSize(100, 60)
			b.SetItems(items)
			b.Filter(text[:3])
			if !strings.Contains(strings.Join(b.View(), "\n"), items[at].Title) {
				t.Errorf("%q does not find %s", text[:3], k.Provider)
			}
		}
	}
	for filter, want := range map[string]string{"gpt": "OpenAI", "gem": "Google Gemini", "GEMINI_API": "Google Gemini", "claude": "Anthropic", "dee": "DeepSeek"} {
		b := widget.NewBrowser(widget.NewStyles(markdown.PlainTheme()), widget.DefaultKeyMap(), "", "")
		b.SetSize(100, 30)
		b.SetItems(items)
		b.Filter(filter)
		if !strings.Contains(strings.Join(b.View(), "\n"), "› "+want) {
			t.Errorf("%q does not find %s first:\n%s", filter, want, strings.Join(b.View(), "\n"))
		}
	}
}

// A rejected key is the state of its row, and an amber line on the start page.
func TestSetup_ARejectedKeyIsShown(t *testing.T) {
	server := startModelProvider(t)
	p, _ := newSetupProgram(t, map[string]string{"DEEPSEEK_API_KEY": "wrong"}, deepseekAt(server.URL))
	if _, err := p.Models.TestModel(t.Context(), p.Agents.Active().Endpoint); err != nil {
		t.Fatal(err)
	}
	d := drawChat(t, p, 100, 30)
	d.until("DEEPSEEK_API_KEY is set")
	if strings.Contains(d.view(), "key rejected") {
		t.Fatalf("the key was not rejected yet:\n%s", d.view())
	}
	d.keys("enter")
	d.until("1 of 3 · DeepSeek")
	d.keys("enter")
	d.until("✗ DeepSeek rejected this key (401).")
	d.keys("esc")
	d.until("key rejected")
	d.keys("esc")
	d.until("! DeepSeek rejected the API key from DEEPSEEK_API_KEY: /setup")
}

func TestSetup_AQuestionIsNoContact(t *testing.T) {
	for _, input := range []string{"How has the S&P 500 done since 2008?", "What holds foo@example.com?", "ann"} {
		t.Run(input, func(t *testing.T) {
			p, g := newSetupProgram(t, nil, noLocalServers)
			d := drawChat(t, p, 100, 30)
			d.until("Anthropic")
			d.keys("no model", "enter")
			d.until("2 of 3 · Data")
			d.keys(input, "enter")
			d.until("expected an email address")
			if text, err := os.ReadFile(g.file); err != nil || strings.Contains(string(text), input) {
				t.Errorf("the settings hold %q, %v", text, err)
			}
		})
	}
}

// A custom server is used at once, and choosing a provider of the catalog replaces it.
func TestSetup_AnotherServer(t *testing.T) {
	server := startModelProvider(t)
	p, g := newSetupProgram(t, map[string]string{"DEEPSEEK_API_KEY": goodKey}, deepseekAt(server.URL))
	d := drawChat(t, p, 100, 30)
	d.until("Anthropic")
	d.keys("another", "enter")
	d.until("Address")
	d.keys(server.URL+"/v1", "enter")
	d.until("tool call works")
	d.keys("enter")
	d.until("2 of 3 · Data")
	if got := p.ActiveModel(); got != "custom/another" {
		t.Errorf("%s answers", got)
	}
	d.keys("esc")
	d.until("1 of 3 · Model")
	d.keys("esc", "dee", "enter")
	d.until("1 of 3 · DeepSeek")
	d.keys("ctrl+s")
	d.until("2 of 3 · Data")
	cfg, err := config.Load(config.Options{Home: g.home, File: g.file})
	if err != nil || cfg.BaseURL != "" || p.ActiveModel() != "deepseek/deepseek-v4-flash" {
		t.Errorf("%q, %v; %s answers", cfg.BaseURL, err, p.ActiveModel())
	}
}

func TestSetup_NoModelIsSavedOnlyIfAModelWouldBeFound(t *testing.T) {
	for name, row := range map[string]struct {
		env  map[string]string
		want string
	}{
		"no key":  {nil, ""},
		"one key": {map[string]string{"OPENAI_API_KEY": "sk-canary-1234567890"}, "offline"},
	} {
		t.Run(name, func(t *testing.T) {
			p, g := newSetupProgram(t, row.env, noLocalServers)
			d := drawChat(t, p, 100, 30)
			d.until("Anthropic")
			d.keys("no model", "enter")
			d.until("2 of 3 · Data")
			cfg, err := config.Load(config.Options{Home: g.home, File: g.file})
			if err != nil || cfg.Model != row.want {
				t.Errorf("the settings hold %q, %v, want %q", cfg.Model, err, row.want)
			}
		})
	}
}

// A model that is saved while the chat is offline is named in the last step, with when it will answer.
func TestSetup_NamesTheModelSavedOffline(t *testing.T) {
	p, _ := newSetupProgram(t, map[string]string{"NFA_OFFLINE": "true"}, noLocalServers)
	d := drawChat(t, p, 100, 30)
	d.until("Anthropic")
	d.keys("dee", "enter")
	d.until("1 of 3 · DeepSeek")
	d.keys("anything", "ctrl+s")
	d.until("2 of 3 · Data")
	d.keys("enter")
	d.until("✓ Model         deepseek/deepseek-v4-flash, saved; used when nfa starts without --offline")
}
