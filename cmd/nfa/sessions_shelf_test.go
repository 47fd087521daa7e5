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
	"github.com/nfa-cli/nfa/internal/session"
)

// keepSession keeps a session of one question, asked of an agent some time ago.
func keepSession(t *testing.T, h *house, question, profile string, ago time.Duration) string {
	t.Helper()
	at := clock().Add(-ago)
	display, err := json.Marshal(agent.Display{Profile: profile})
	if err != nil {
		t.Fatal(err)
	}
	e := session.Entry{Kind: session.KindUser, At: at, Display: display}
	e.Message.Role, e.Message.Content = "user", question
	s := session.Session{ID: session.NewID(at), Title: session.TitleOf(question), CreatedAt: at, UpdatedAt: at}
	if err := h.store.Create(t.Context(), s, e); err != nil {
		t.Fatal(err)
	}
	return s.ID
}

func TestSessionShelf_ListsByDayAndShowsWhatWasSaid(t *testing.T) {
	h := sessionHouse(t)
	old := keepSession(t, h, "How risky is MSFT?\nReally", "analyst", 40*24*time.Hour)
	before := keepSession(t, h, "What does IBM cost?", "advisor", 24*time.Hour)
	c := h.begin(t.Context())
	h.enter(c)
	ask(t, c, "price of AAPL")
	shelf := h.sessionList().Shelf()
	var got []string
	for _, i := range shelf.Items() {
		got = append(got, i.Group+": "+i.Title+" "+strings.Join(i.Marks[1:], ","))
	}
	want := []string{"today: price of AAPL this one", "yesterday: What does IBM cost? ", clock().Add(-40*24*time.Hour).Local().Format(time.DateOnly) + ": How risky is MSFT? "}
	if !slices.Equal(got, want) {
		t.Errorf("items = %q, want %q", got, want)
	}
	if page, err := shelf.Read(old); err != nil || !strings.Contains(page, "> How risky is MSFT?\n> Really") {
		t.Errorf("Read = %q, %v, want what was said", page, err)
	}
	for _, key := range []string{"enter", "d"} {
		if offered(shelf, key, c.ID()) || !offered(shelf, key, before) {
			t.Errorf("%s is offered for the session one is in: %t, for another: %t", key, offered(shelf, key, c.ID()), offered(shelf, key, before))
		}
	}
}

func TestSessionShelf_EnterGoesOnWithASessionAndItsAgent(t *testing.T) {
	h := sessionHouse(t)
	id := keepSession(t, h, "How risky is MSFT?", "analyst", time.Hour)
	first := h.begin(t.Context())
	h.enter(first)
	back := press(t, h.sessionList().Shelf(), "enter", id).Resume
	if back == nil || back.Conversation.ID() != id || len(back.History) != 1 {
		t.Fatalf("resume = %+v", back)
	}
	back.Done(true)
	if h.talk.Load().ID() != id || h.speaking.Load().profile.Name != "analyst" || h.open.has(first.ID()) || !h.open.has(id) {
		t.Errorf("in %s with %s, which has the first: %t, the other: %t", h.talk.Load().ID(), h.speaking.Load().profile.Name, h.open.has(first.ID()), h.open.has(id))
	}
	ask(t, h.talk.Load(), "and IBM?")
	if s, _, err := h.store.Load(t.Context(), id); err != nil || s.Messages != 2 {
		t.Errorf("the session has %d questions, %v, want 2", s.Messages, err)
	}
}

func TestSessionShelf_WhatIsNotEnteredIsGivenBack(t *testing.T) {
	h := sessionHouse(t)
	id := keepSession(t, h, "How risky is MSFT?", "analyst", time.Hour)
	first := h.begin(t.Context())
	h.enter(first)
	press(t, h.sessionList().Shelf(), "enter", id).Resume.Done(false)
	if h.talk.Load() != first || h.speaking.Load().profile.Name != "advisor" || !h.open.has(first.ID()) || h.open.has(id) {
		t.Errorf("in %s with %s; has the first: %t, the other: %t", h.talk.Load().ID(), h.speaking.Load().profile.Name, h.open.has(first.ID()), h.open.has(id))
	}
}

func TestSessionShelf_OneThatIsOpenElsewhereIsReadOrCopied(t *testing.T) {
	h := sessionHouse(t)
	id := keepSession(t, h, "How risky is MSFT?", "advisor", time.Hour)
	release, err := newOpenSessions(h.home).locks.Hold(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	shelf := h.sessionList().Shelf()
	if item, _ := itemOf(shelf, id); !slices.Contains(item.Marks, "open elsewhere") {
		t.Errorf("marks = %v, want it open elsewhere", item.Marks)
	}
	if _, err := shelf.Read(id); err != nil {
		t.Errorf("Read = %v", err)
	}
	asked := press(t, shelf, "d", id).Confirm
	if _, err := asked.Yes(); err == nil || !strings.Contains(err.Error(), "open in another nfa") {
		t.Errorf("deleting it = %v, want that it is open", err)
	}
	copied, err := press(t, shelf, "enter", id).Confirm.Yes()
	if err != nil || copied.Resume == nil || copied.Resume.Conversation.ID() == id || len(copied.Resume.History) != 1 {
		t.Fatalf("the copy = %+v, %v", copied, err)
	}
	copied.Resume.Done(true)
}

func TestSessionShelf_AnAgentThatIsGoneLeavesTheChatAsItIs(t *testing.T) {
	h := sessionHouse(t)
	id := keepSession(t, h, "How risky is MSFT?", "retired", time.Hour)
	shelf := h.sessionList().Shelf()
	if _, err := shelf.Actions[0].Run(id); err == nil || !strings.Contains(err.Error(), `no agent "retired"`) {
		t.Errorf("resume = %v, want that the agent is gone", err)
	}
	if h.open.has(id) {
		t.Error("it is held all the same")
	}
}

func TestSessionShelf_ForksExportsAndDeletes(t *testing.T) {
	h := sessionHouse(t)
	id := keepSession(t, h, "How risky is MSFT?", "advisor", time.Hour)
	shelf := h.sessionList().Shelf()
	made := press(t, shelf, "f", id)
	if item, ok := itemOf(shelf, made.Select); !ok || made.Select == id || item.Title != "How risky is MSFT?" {
		t.Errorf("the fork = %+v, %+v", made, item)
	}
	form := press(t, shelf, "o", id).Ask
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
	if _, err := press(t, shelf, "d", id).Confirm.Yes(); err != nil {
		t.Fatal(err)
	}
	if _, ok := itemOf(shelf, id); ok {
		t.Error("it is still there after it was deleted")
	}
}
