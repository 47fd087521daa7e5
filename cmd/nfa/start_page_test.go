package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tui"
)

// startState determines the rows of the start page.
type startState struct {
	name                       string
	model, portfolio, sessions bool
}

func startStates() []startState {
	return []startState{
		{name: "new"}, {name: "a portfolio", portfolio: true}, {name: "a model", model: true},
		{name: "a model and a portfolio", model: true, portfolio: true},
		{name: "a model, a portfolio and a session", model: true, portfolio: true, sessions: true},
	}
}

// newStartProgram opens a program in a state, with variables of the environment.
func newStartProgram(t *testing.T, s startState, variables ...string) *app.App {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Chdir(t.TempDir())
	env := map[string]string{"NFA_DATA": "sample", "NFA_KEY_STORE": "file"}
	if s.model {
		server := llmtest.StartServer(llmtest.Answers(llmtest.Say("Here is my answer."), llmtest.Say("Here is my answer."))...)
		t.Cleanup(server.Close)
		env["NFA_BASE_URL"], env["NFA_API_KEY"], env["NFA_MODEL"] = server.URL, "none", "fake"
	}
	for _, v := range variables {
		name, value, _ := strings.Cut(v, "=")
		env[name] = value
	}
	settings := filepath.Join(home, "settings.yaml")
	if err := os.WriteFile(settings, []byte(noLocalServers), 0o600); err != nil {
		t.Fatal(err)
	}
	g := &globals{home: filepath.Join(home, ".nfa"), file: settings}
	g.env = func(name string) string { return env[name] }
	withStoredPrices(t, g.home)
	if s.portfolio {
		if err := os.MkdirAll(g.home, 0o700); err != nil {
			t.Fatal(err)
		}
		store := app.NewPortfolioStore(g.home, time.Now, func(text string) { t.Error(text) })
		err := store.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
			buy := portfolio.Transaction{
				ID: "t1", Kind: portfolio.KindBuy, Date: time.Date(2021, 3, 1, 0, 0, 0, 0, time.UTC), Account: "main", Symbol: "AAPL",
				Quantity: decimal.NewFromInt(40), Amount: decimal.NewFromInt(5200), Currency: "USD",
			}
			account := portfolio.NewAccount("main")
			account.Cash = portfolio.CashUntracked
			return portfolio.Change{Accounts: []portfolio.Account{account}, Add: []portfolio.Transaction{buy}}, nil
		})
		if err := errors.Join(err, store.Close()); err != nil {
			t.Fatal(err)
		}
	}
	a, err := g.open(t.Context(), app.Options{Agent: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	if s.sessions {
		c := a.StartConversation(t.Context())
		ask(t, c, "price of AAPL")
		a.CloseSession(c.ID())
	}
	return a
}

// openStartPage opens the chat on its start page.
func openStartPage(t *testing.T, a *app.App) *chatView {
	t.Helper()
	cfg, err := screens.Chat(t.Context(), a, screens.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	c := a.StartConversation(t.Context())
	a.SetConversation(c)
	cfg.Conversation, cfg.Theme, cfg.Environ = c, tui.ThemePlain, []string{"TERM=dumb"}
	cfg.StartPage = func() tui.StartPage { return screens.StartPage(a, nil) }
	d := &chatView{t: t, msgs: make(chan tea.Msg), model: tui.New(t.Context(), cfg)}
	d.do(t.Context(), d.model.Init())
	d.send(tea.WindowSizeMsg{Width: 100, Height: 30})
	return d
}

// Every row of every state works: a question is answered, and an action opens its form or screen.
func TestStartPage_EveryRowOfEveryStateWorks(t *testing.T) {
	for _, state := range startStates() {
		for i := range 4 {
			t.Run(fmt.Sprintf("%s, row %d", state.name, i+1), func(t *testing.T) {
				a := newStartProgram(t, state)
				page := screens.StartPage(a, nil)
				if len(page.Rows) != 4 {
					t.Fatalf("%d rows", len(page.Rows))
				}
				d := openStartPage(t, a)
				for range i + 1 {
					d.press(tea.KeyDown)
				}
				d.until("› " + page.Rows[i].Text)
				d.press(tea.KeyEnter)
				switch message := page.Rows[i].Message(); {
				case message == "/setup":
					d.until("Setup")
				case message == "/portfolio import":
					d.until("› file")
				case strings.HasPrefix(message, "/sessions "):
					d.until("> price of AAPL")
				case state.model:
					d.until("Here is my answer.")
				default:
					d.until("> " + message)
					d.untilAnswered()
				}
				d.untilIdle() // what still runs writes into the data folder
				for _, refusal := range []string{"✗", "did not understand", "I can answer", "cannot", "is empty"} {
					if strings.Contains(d.view(), refusal) {
						t.Errorf("row %q ends with %q:\n%s", page.Rows[i].Text, refusal, d.view())
					}
				}
			})
		}
	}
}

// untilAnswered waits until an answer with its source is drawn, or its beginning if it is longer than the
// screen.
func (d *chatView) untilAnswered() {
	d.t.Helper()
	d.waitWhile(func(view string) bool {
		return !strings.Contains(view, "SAMPLE · ") && !strings.Contains(view, "traced") && !strings.Contains(view, "new below")
	})
}

// untilIdle waits until the running turn has ended.
func (d *chatView) untilIdle() {
	d.t.Helper()
	d.waitWhile(func(view string) bool { return strings.Contains(view, "Esc stops") })
}

func (d *chatView) waitWhile(busy func(view string) bool) {
	d.t.Helper()
	for busy(d.view()) {
		select {
		case msg := <-d.msgs:
			d.send(msg)
		case <-time.After(time.Minute):
			d.t.Fatalf("the turn never ended:\n%s", d.view())
		}
	}
}

func TestStartPage_SendsNoRequest(t *testing.T) {
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	t.Cleanup(server.Close)
	a := newStartProgram(t, startState{portfolio: true}, "NFA_DATA=live", "NFA_YAHOO_URL="+server.URL, "NFA_EDGAR_URL="+server.URL,
		"NFA_BASE_URL="+server.URL+"/v1", "NFA_MODEL=fake", "NFA_API_KEY=none")
	d := openStartPage(t, a)
	d.until("1 position, USD")
	d.until("live; company filings need a contact email for the SEC")
	d.until("custom/fake, key from NFA_API_KEY")
	if n := requests.Load(); n > 0 {
		t.Errorf("%d requests were sent before the first message", n)
	}
}
