package sessiontest

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
)

// Run tests a store against the contract of session.Store. open returns an empty store for each
// test.
func Run(t *testing.T, open func(t *testing.T) session.Store) {
	for name, part := range map[string]func(*testing.T, session.Store){
		"appended entries are loaded":                 loadsWhatWasAppended,
		"an assistant message replaces deltas":        replacesDeltas,
		"deltas of an interrupted message are kept":   keepsCutMessages,
		"UpdatedAt never decreases":                   updatedAtNeverDecreases,
		"a failed call stores nothing":                keepsAllOrNothing,
		"an unknown session is ErrNotFound":           unknownSession,
		"a session cannot be created twice":           createdTwice,
		"the list is newest first":                    listsNewestFirst,
		"all of a deleted session is gone":            deletesWhole,
		"concurrent appends lose nothing":             appendsAtOnce,
		"the entries of a call stay together":         appendsTogether,
		"a session is created with its entries":       createsWhole,
		"the session has the message count and agent": countsMessages,
	} {
		t.Run(name, func(t *testing.T) { part(t, open(t)) })
	}
}

var startTime = time.Date(2026, 11, 21, 15, 4, 5, 678000, time.UTC)

func create(t *testing.T, s session.Store, id string, at time.Time) {
	t.Helper()
	err := s.Create(t.Context(), session.Session{ID: id, Title: "Title of " + id, Model: "test/model", CreatedAt: at, UpdatedAt: at})
	if err != nil {
		t.Fatalf("Create(%s) = %v", id, err)
	}
}

func newEntry(kind session.Kind, text string, at time.Time) session.Entry {
	return session.Entry{Kind: kind, At: at, Message: llm.Message{Role: llm.RoleAssistant, Content: text}}
}

func load(t *testing.T, s session.Store, id string) []session.Entry {
	t.Helper()
	_, entries, err := s.Load(t.Context(), id)
	if err != nil {
		t.Fatalf("Load(%s) = %v", id, err)
	}
	return entries
}

func texts(entries []session.Entry) []string {
	var out []string
	for _, e := range entries {
		out = append(out, e.Message.Content)
	}
	return out
}

func loadsWhatWasAppended(t *testing.T, s session.Store) {
	create(t, s, "a", startTime)
	full := session.Entry{
		Kind: session.KindAssistant, At: startTime.Add(time.Second), Display: json.RawMessage(`{"title":"中文 ☝️"}`),
		Message: llm.Message{
			Role: llm.RoleAssistant, Content: "zero \x00 byte, 🏳️‍🌈", Reasoning: "because",
			ToolCalls: []llm.ToolCall{{ID: "c1", Name: "quote", Arguments: `{"broken`}},
			Extra:     map[string]json.RawMessage{"reasoning_details": json.RawMessage(`[{"signature":"x"}]`)},
		},
	}
	result := session.Entry{
		Kind: session.KindTool, At: startTime.Add(2 * time.Second),
		Message: llm.Message{Role: llm.RoleTool, ToolCallID: "c1", ToolName: "quote", Content: "no", IsError: true},
	}
	if err := s.Append(t.Context(), "a", full, result); err != nil {
		t.Fatalf("Append = %v", err)
	}
	cover, got, err := s.Load(t.Context(), "a")
	if err != nil {
		t.Fatalf("Load = %v", err)
	}
	full.Seq, result.Seq = got[0].Seq, got[1].Seq
	if diff := cmp.Diff([]session.Entry{full, result}, got); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	if got[0].Seq >= got[1].Seq {
		t.Errorf("Seq = %d, %d, want them increasing", got[0].Seq, got[1].Seq)
	}
	want := session.Session{ID: "a", Title: "Title of a", Model: "test/model", CreatedAt: startTime, UpdatedAt: result.At}
	if diff := cmp.Diff(want, cover); diff != "" {
		t.Errorf("session (-want +got):\n%s", diff)
	}
}

func replacesDeltas(t *testing.T, s session.Store) {
	create(t, s, "a", startTime)
	create(t, s, "b", startTime)
	for _, e := range []session.Entry{newEntry(session.KindUser, "?", startTime), newEntry(session.KindDelta, "Hel", startTime), newEntry(session.KindDelta, "lo", startTime)} {
		if err := s.Append(t.Context(), "a", e); err != nil {
			t.Fatal(err)
		}
		if err := s.Append(t.Context(), "b", e); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"?", "Hel", "lo"}, texts(load(t, s, "a"))); diff != "" {
		t.Errorf("before the message is complete (-want +got):\n%s", diff)
	}
	if err := s.Append(t.Context(), "a", newEntry(session.KindAssistant, "Hello", startTime)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"?", "Hello"}, texts(load(t, s, "a"))); diff != "" {
		t.Errorf("after it (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"?", "Hel", "lo"}, texts(load(t, s, "b"))); diff != "" {
		t.Errorf("another session (-want +got):\n%s", diff)
	}
}

// keepsCutMessages simulates a program that died in the middle of an answer, was started again, and
// answered the next question.
func keepsCutMessages(t *testing.T, s session.Store) {
	create(t, s, "a", startTime)
	for _, e := range []session.Entry{
		newEntry(session.KindUser, "first?", startTime), newEntry(session.KindDelta, "It was sh", startTime), newEntry(session.KindDelta, "own", startTime),
		newEntry(session.KindUser, "second?", startTime), newEntry(session.KindDelta, "Al", startTime), newEntry(session.KindNote, "asking again", startTime),
		newEntry(session.KindDelta, "l", startTime), newEntry(session.KindAssistant, "All", startTime), newEntry(session.KindTool, "42", startTime),
		newEntry(session.KindDelta, "Do", startTime), newEntry(session.KindAssistant, "Done", startTime),
	} {
		if err := s.Append(t.Context(), "a", e); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"first?", "It was sh", "own", "second?", "asking again", "All", "42", "Done"}
	got := load(t, s, "a")
	if diff := cmp.Diff(want, texts(got)); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	for i := 1; i < len(got); i++ {
		if got[i-1].Seq >= got[i].Seq {
			t.Errorf("Seq %d before %d, want them increasing", got[i-1].Seq, got[i].Seq)
		}
	}
}

func updatedAtNeverDecreases(t *testing.T, s session.Store) {
	create(t, s, "a", startTime)
	for _, at := range []time.Time{startTime.Add(time.Hour), startTime.Add(-time.Hour), {}} {
		if err := s.Append(t.Context(), "a", newEntry(session.KindUser, "?", at)); err != nil {
			t.Fatal(err)
		}
	}
	cover, entries, err := s.Load(t.Context(), "a")
	if err != nil || !cover.UpdatedAt.Equal(startTime.Add(time.Hour)) {
		t.Errorf("UpdatedAt = %v, %v, want the latest At, %v", cover.UpdatedAt, err, startTime.Add(time.Hour))
	}
	if !entries[2].At.IsZero() {
		t.Errorf("At = %v, want the zero time that was passed", entries[2].At)
	}
}

func keepsAllOrNothing(t *testing.T, s session.Store) {
	create(t, s, "a", startTime)
	bad := newEntry(session.KindAssistant, "no", startTime)
	bad.Message.Extra = map[string]json.RawMessage{"signature": json.RawMessage("not JSON")}
	if err := s.Append(t.Context(), "a", newEntry(session.KindDelta, "n", startTime), bad); err == nil {
		t.Fatal("Append of a message that is not JSON = nil, want an error")
	}
	if left := load(t, s, "a"); len(left) != 0 {
		t.Errorf("a refused call left %q", texts(left))
	}
}

func unknownSession(t *testing.T, s session.Store) {
	if _, _, err := s.Load(t.Context(), "none"); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("Load = %v, want ErrNotFound", err)
	}
	if err := s.Append(t.Context(), "none", newEntry(session.KindUser, "?", startTime)); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("Append = %v, want ErrNotFound", err)
	}
	if err := s.Delete(t.Context(), "none"); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("Delete = %v, want ErrNotFound", err)
	}
}

func createdTwice(t *testing.T, s session.Store) {
	create(t, s, "a", startTime)
	if err := s.Create(t.Context(), session.Session{ID: "a"}); err == nil {
		t.Error("Create of an existing session = nil, want an error")
	}
}

func listsNewestFirst(t *testing.T, s session.Store) {
	for i, id := range []string{"a", "b", "c"} {
		create(t, s, id, startTime.Add(time.Duration(i)*time.Minute))
	}
	if err := s.Append(t.Context(), "a", newEntry(session.KindUser, "?", startTime.Add(time.Hour))); err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int][]string{0: {"a", "c", "b"}, 2: {"a", "c"}, 9: {"a", "c", "b"}} {
		all, err := s.List(t.Context(), limit)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, c := range all {
			ids = append(ids, c.ID)
		}
		if diff := cmp.Diff(want, ids); diff != "" {
			t.Errorf("List(%d) (-want +got):\n%s", limit, diff)
		}
	}
}

func deletesWhole(t *testing.T, s session.Store) {
	create(t, s, "a", startTime)
	if err := s.Append(t.Context(), "a", newEntry(session.KindUser, "?", startTime)); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), "a"); err != nil {
		t.Fatalf("Delete = %v", err)
	}
	create(t, s, "a", startTime)
	if left := load(t, s, "a"); len(left) != 0 {
		t.Errorf("%d entries of the deleted session are left", len(left))
	}
}

func appendsAtOnce(t *testing.T, s session.Store) {
	create(t, s, "a", startTime)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 10 {
				if err := s.Append(t.Context(), "a", newEntry(session.KindUser, fmt.Sprint(i, j), startTime)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	seen := map[int64]bool{}
	for _, e := range load(t, s, "a") {
		seen[e.Seq] = true
	}
	if len(seen) != 80 {
		t.Errorf("%d different Seq values, want 80", len(seen))
	}
}

func appendsTogether(t *testing.T, s session.Store) {
	create(t, s, "a", startTime)
	if err := s.Append(t.Context(), "a"); err != nil {
		t.Errorf("Append of nothing = %v", err)
	}
	if err := s.Append(t.Context(), "a", newEntry(session.KindUser, "1", startTime), newEntry(session.KindAssistant, "2", startTime)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"1", "2"}, texts(load(t, s, "a"))); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
}

func createsWhole(t *testing.T, s session.Store) {
	first := session.Session{ID: "a", CreatedAt: startTime, UpdatedAt: startTime, Agent: "nobody", Messages: 99}
	err := s.Create(t.Context(), first, newEntry(session.KindUser, "?", startTime), newEntry(session.KindDelta, "So", startTime), newEntry(session.KindAssistant, "Some", startTime.Add(time.Hour)))
	if err != nil {
		t.Fatalf("Create = %v", err)
	}
	cover, entries, err := s.Load(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"?", "Some"}, texts(entries)); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	if cover.Agent != "" || cover.Messages != 1 || !cover.UpdatedAt.Equal(startTime.Add(time.Hour)) {
		t.Errorf("session = %+v, want the values from its entries", cover)
	}
	bad := newEntry(session.KindAssistant, "no", startTime)
	bad.Display = json.RawMessage("not JSON")
	if err := s.Create(t.Context(), session.Session{ID: "b"}, newEntry(session.KindUser, "?", startTime), bad); err == nil {
		t.Error("Create with an invalid entry = nil, want an error")
	}
	if _, _, err := s.Load(t.Context(), "b"); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("Load after a failed Create = %v, want ErrNotFound", err)
	}
}

func countsMessages(t *testing.T, s session.Store) {
	create(t, s, "a", startTime)
	asks := func(display string) session.Entry {
		e := newEntry(session.KindUser, "?", startTime)
		if display != "" {
			e.Display = json.RawMessage(display)
		}
		return e
	}
	for _, step := range []struct {
		add   []session.Entry
		count int
		agent string
	}{
		{[]session.Entry{asks(`{"profile":"advisor"}`), newEntry(session.KindAssistant, "!", startTime)}, 1, "advisor"},
		{[]session.Entry{asks(`{"profile":"analyst","text":"x"}`), asks("")}, 3, "analyst"},
		{[]session.Entry{asks(`["another shape"]`), newEntry(session.KindNote, "-", startTime), newEntry(session.KindTool, "-", startTime)}, 4, "analyst"},
	} {
		if err := s.Append(t.Context(), "a", step.add...); err != nil {
			t.Fatal(err)
		}
		listed, err := s.List(t.Context(), 0)
		if err != nil || len(listed) != 1 {
			t.Fatalf("List = %v, %v", listed, err)
		}
		loaded, _, err := s.Load(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		for _, cover := range []session.Session{listed[0], loaded} {
			if cover.Messages != step.count || cover.Agent != step.agent {
				t.Errorf("session with %d messages and agent %q, want %d and %q", cover.Messages, cover.Agent, step.count, step.agent)
			}
		}
	}
}
