package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/session"
)

// keepSession saves a session with one question, asked to an agent some time ago.
func keepSession(t *testing.T, p *app.App, question, profile string, ago time.Duration) string {
	t.Helper()
	at := clock().Add(-ago)
	display, err := json.Marshal(agent.Display{Profile: profile})
	if err != nil {
		t.Fatal(err)
	}
	e := session.Entry{Kind: session.KindUser, At: at, Display: display}
	e.Message.Role, e.Message.Content = "user", question
	s := session.Session{ID: session.NewID(at), Title: session.TitleOf(question), CreatedAt: at, UpdatedAt: at}
	if err := sessionStore(t, p).Create(t.Context(), s, e); err != nil {
		t.Fatal(err)
	}
	return s.ID
}

func TestSessionScreen_ListsByDayAndShowsWhatWasSaid(t *testing.T) {
	p := newSessionProgram(t)
	old := keepSession(t, p, "How risky is MSFT?\nReally", "analyst", 40*24*time.Hour)
	before := keepSession(t, p, "What does IBM cost?", "advisor", 24*time.Hour)
	c := p.StartConversation(t.Context())
	p.SetConversation(c)
	ask(t, c, "price of AAPL")
	screen := screens.Sessions{App: p}.Screen()
	var got []string
	for _, i := range screen.Items() {
		got = append(got, i.Group+": "+i.Title+" "+strings.Join(i.Marks[1:], ","))
	}
	want := []string{"this session: price of AAPL this one", "yesterday: What does IBM cost? ", clock().Add(-40*24*time.Hour).Local().Format(time.DateOnly) + ": How risky is MSFT? "}
	if !slices.Equal(got, want) {
		t.Errorf("items = %q, want %q", got, want)
	}
	if page, err := screen.Read(old); err != nil || !strings.Contains(page, "> How risky is MSFT?\n> Really") {
		t.Errorf("Read = %q, %v, want what was said", page, err)
	}
	for _, key := range []string{"enter", "d"} {
		if offered(screen, key, c.ID()) || !offered(screen, key, before) {
			t.Errorf("%s is offered for the session one is in: %t, for another: %t", key, offered(screen, key, c.ID()), offered(screen, key, before))
		}
	}
}

func TestSessionScreen_EnterGoesOnWithASessionAndItsAgent(t *testing.T) {
	p := newSessionProgram(t)
	id := keepSession(t, p, "How risky is MSFT?", "analyst", time.Hour)
	first := p.StartConversation(t.Context())
	p.SetConversation(first)
	back := press(t, screens.Sessions{App: p}.Screen(), "enter", id).Resume
	if back == nil || back.Conversation.ID() != id || len(back.History) != 1 {
		t.Fatalf("resume = %+v", back)
	}
	back.Done(true)
	if p.Conversation().ID() != id || p.Agents.Active().Profile.Name != "analyst" || p.WritesSession(first.ID()) || !p.WritesSession(id) {
		t.Errorf("in %s with %s, which has the first: %t, the other: %t", p.Conversation().ID(), p.Agents.Active().Profile.Name, p.WritesSession(first.ID()), p.WritesSession(id))
	}
	ask(t, p.Conversation(), "and IBM?")
	if s, _, err := sessionStore(t, p).Load(t.Context(), id); err != nil || s.Messages != 2 {
		t.Errorf("the session has %d questions, %v, want 2", s.Messages, err)
	}
}

func TestSessionScreen_WhatIsNotEnteredIsGivenBack(t *testing.T) {
	p := newSessionProgram(t)
	id := keepSession(t, p, "How risky is MSFT?", "analyst", time.Hour)
	first := p.StartConversation(t.Context())
	p.SetConversation(first)
	press(t, screens.Sessions{App: p}.Screen(), "enter", id).Resume.Done(false)
	if p.Conversation() != first || p.Agents.Active().Profile.Name != "advisor" || !p.WritesSession(first.ID()) || p.WritesSession(id) {
		t.Errorf("in %s with %s; has the first: %t, the other: %t", p.Conversation().ID(), p.Agents.Active().Profile.Name, p.WritesSession(first.ID()), p.WritesSession(id))
	}
}

func TestSessionScreen_OneThatIsOpenElsewhereIsReadOrCopied(t *testing.T) {
	p := newSessionProgram(t)
	id := keepSession(t, p, "How risky is MSFT?", "advisor", time.Hour)
	release, err := session.NewLocks(filepath.Join(p.Home, "cache", "locks")).Acquire(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	screen := screens.Sessions{App: p}.Screen()
	if item, _ := itemOf(screen, id); !slices.Contains(item.Marks, "open elsewhere") {
		t.Errorf("marks = %v, want it open elsewhere", item.Marks)
	}
	if _, err := screen.Read(id); err != nil {
		t.Errorf("Read = %v", err)
	}
	confirm := press(t, screen, "d", id).Confirm
	if _, err := confirm.Yes(); err == nil || !strings.Contains(err.Error(), "open in another nfa") {
		t.Errorf("deleting it = %v, want that it is open", err)
	}
	copied, err := press(t, screen, "enter", id).Confirm.Yes()
	if err != nil || copied.Resume == nil || copied.Resume.Conversation.ID() == id || len(copied.Resume.History) != 1 {
		t.Fatalf("the copy = %+v, %v", copied, err)
	}
	copied.Resume.Done(true)
}

func TestSessionScreen_AnAgentThatIsGoneLeavesTheChatAsItIs(t *testing.T) {
	p := newSessionProgram(t)
	id := keepSession(t, p, "How risky is MSFT?", "retired", time.Hour)
	screen := screens.Sessions{App: p}.Screen()
	if _, err := screen.Actions[0].Run(id); err == nil || !strings.Contains(err.Error(), `no agent "retired"`) {
		t.Errorf("resume = %v, want that the agent is gone", err)
	}
	if p.WritesSession(id) {
		t.Error("it is held all the same")
	}
}

func TestSessionScreen_ForksExportsAndDeletes(t *testing.T) {
	p := newSessionProgram(t)
	id := keepSession(t, p, "How risky is MSFT?", "advisor", time.Hour)
	screen := screens.Sessions{App: p}.Screen()
	outcome := press(t, screen, "f", id)
	if item, ok := itemOf(screen, outcome.Select); !ok || outcome.Select == id || item.Title != "How risky is MSFT?" {
		t.Errorf("the fork = %+v, %+v", outcome, item)
	}
	form := press(t, screen, "o", id).Ask
	file := filepath.Join(t.TempDir(), "risk.json")
	fillIn(t, form, map[string]string{"file": file})
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if a, err := session.ReadArchive(f); err != nil || a.Session.ID != id {
		t.Errorf("the export holds %s, %v", a.Session.ID, err)
	}
	if taken, err := form.Fill(filled(form, map[string]string{"file": file})); err != nil || problems(taken)["file"] == "" {
		t.Errorf("problems = %v, %v; want that the file is there", problems(taken), err)
	}
	if _, err := form.Fill(filled(form, map[string]string{"file": "risk.pdf"})); err == nil {
		t.Error("export to a .pdf = nil, want an error")
	}
	if _, err := press(t, screen, "d", id).Confirm.Yes(); err != nil {
		t.Fatal(err)
	}
	if _, ok := itemOf(screen, id); ok {
		t.Error("it is still there after it was deleted")
	}
}

// sessionStore returns the store of sessions.
func sessionStore(t *testing.T, a *app.App) session.Store {
	t.Helper()
	store, err := a.Stores.Sessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return store
}
