package session_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// stored returns a store with a session of three turns, the second interrupted, under the ID "old".
func stored(t *testing.T) *sessiontest.Memory {
	t.Helper()
	store := &sessiontest.Memory{}
	says := func(kind session.Kind, text string) session.Entry {
		return entry(kind, llm.Message{Role: llm.RoleAssistant, Content: text})
	}
	err := store.Create(t.Context(), session.Session{ID: "old", Title: "one?", Model: "m"},
		user("one?"), asks("a"), result("a"), says(session.KindAssistant, "One."),
		user("two?"), says(session.KindDelta, "Tw"),
		user("three?"), says(session.KindAssistant, "Three."), says(session.KindNote, "note"))
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func TestFork_TakesTheFirstTurnsWhole(t *testing.T) {
	for turns, want := range map[int][]string{
		0: {"user one?", "assistant", "tool result of aa", "assistant One.", "user two?", "assistant Tw", "user three?", "assistant Three."},
		1: {"user one?", "assistant", "tool result of aa", "assistant One."},
		2: {"user one?", "assistant", "tool result of aa", "assistant One.", "user two?", "assistant Tw"},
		3: {"user one?", "assistant", "tool result of aa", "assistant One.", "user two?", "assistant Tw", "user three?", "assistant Three."},
	} {
		store := stored(t)
		made, err := session.Fork(t.Context(), store, session.ForkPoint{SessionID: "old", Turns: turns, At: noon})
		if err != nil {
			t.Fatalf("Fork(%d) = %v", turns, err)
		}
		saved, entries, err := store.Load(t.Context(), made.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, outline(session.Messages(entries))); diff != "" {
			t.Errorf("Fork(%d) (-want +got):\n%s", turns, diff)
		}
		if diff := cmp.Diff(saved, made); diff != "" {
			t.Errorf("Fork(%d) gives a cover that is not the kept one (-kept +given):\n%s", turns, diff)
		}
		if made.Title != "one?" || made.Model != "m" || !made.UpdatedAt.Equal(noon) {
			t.Errorf("the cover of the fork = %+v", made)
		}
	}
}

func TestFork_LeavesTheOtherAsItIs(t *testing.T) {
	store := stored(t)
	_, before, err := store.Load(t.Context(), "old")
	if err != nil {
		t.Fatal(err)
	}
	made, err := session.Fork(t.Context(), store, session.ForkPoint{SessionID: "old", At: noon})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Append(t.Context(), made.ID, user("four?")); err != nil {
		t.Fatal(err)
	}
	if _, after, err := store.Load(t.Context(), "old"); err != nil || !cmp.Equal(before, after) {
		t.Errorf("the session that was forked has changed (%v)", err)
	}
}

func TestFork_OfWhatIsNotThereIsAnError(t *testing.T) {
	store := stored(t)
	if _, err := session.Fork(t.Context(), store, session.ForkPoint{SessionID: "none", At: noon}); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("Fork of no session = %v, want ErrNotFound", err)
	}
	if _, err := session.Fork(t.Context(), store, session.ForkPoint{SessionID: "old", Turns: 4, At: noon}); !errors.Is(err, session.ErrNoTurn) {
		t.Errorf("Fork at turn 4 of 3 = %v, want ErrNoTurn", err)
	}
	if all, _ := store.List(context.Background(), 0); len(all) != 1 {
		t.Errorf("%d sessions are left, want the one", len(all))
	}
}
