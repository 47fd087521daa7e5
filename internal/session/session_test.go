package session_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
)

func entry(kind session.Kind, m llm.Message) session.Entry {
	return session.Entry{Kind: kind, Message: m}
}

func user(text string) session.Entry {
	return entry(session.KindUser, llm.Message{Role: llm.RoleUser, Content: text})
}

func asks(ids ...string) session.Entry {
	m := llm.Message{Role: llm.RoleAssistant}
	for _, id := range ids {
		m.ToolCalls = append(m.ToolCalls, llm.ToolCall{ID: id, Name: "quote"})
	}
	return entry(session.KindAssistant, m)
}

func result(id string) session.Entry {
	return entry(session.KindTool, llm.Message{Role: llm.RoleTool, ToolCallID: id, ToolName: "quote", Content: "result of " + id})
}

// outline returns a conversation with one line per message.
func outline(messages []llm.Message) []string {
	var out []string
	for _, m := range messages {
		line := string(m.Role) + " " + m.Content + m.ToolCallID
		if m.IsError {
			line += " (error)"
		}
		out = append(out, strings.TrimSpace(line))
	}
	return out
}

func TestMessages_WhatTheModelSeesAgain(t *testing.T) {
	delta := func(text string) session.Entry {
		return entry(session.KindDelta, llm.Message{Role: llm.RoleAssistant, Content: text})
	}
	cut := session.Interrupted
	for _, row := range []struct {
		name    string
		entries []session.Entry
		want    []string
	}{
		{"nothing", nil, nil},
		{"notes are for people", []session.Entry{user("hi"), entry(session.KindNote, llm.Message{Content: "note"})}, []string{"user hi"}},
		{"results come in the order of the calls", []session.Entry{user("?"), asks("a", "b"), result("b"), result("a")},
			[]string{"user ?", "assistant", "tool result of aa", "tool result of bb"}},
		{"a call that never returned gets an answer", []session.Entry{user("?"), asks("a", "b"), result("b")},
			[]string{"user ?", "assistant", "tool " + cut + "a (error)", "tool result of bb"}},
		{"also when the user went on", []session.Entry{user("?"), asks("a"), user("!")},
			[]string{"user ?", "assistant", "tool " + cut + "a (error)", "user !"}},
		{"words of a message that was cut are kept", []session.Entry{user("?"), delta("Hel"), delta("lo")}, []string{"user ?", "assistant Hello"}},
		{"words after results", []session.Entry{user("?"), asks("a"), result("a"), delta("So")},
			[]string{"user ?", "assistant", "tool result of aa", "assistant So"}},
		{"a result without its call is dropped", []session.Entry{user("?"), result("x"), asks("a"), result("a")},
			[]string{"user ?", "assistant", "tool result of aa"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if diff := cmp.Diff(row.want, outline(session.Messages(row.entries))); diff != "" {
				t.Fatalf("Messages (-want +got):\n%s", diff)
			}
		})
	}
}

func TestID_SortsByTimeAndIsSafeInAPath(t *testing.T) {
	now := time.Date(2026, 11, 21, 15, 4, 5, 0, time.FixedZone("CET", 3600))
	id, later := session.NewID(now), session.NewID(now.Add(time.Second))
	if !strings.HasPrefix(id, "20261121-140405-") || later <= id {
		t.Errorf("IDs %s, %s, want UTC and rising", id, later)
	}
	if another := session.NewID(now); another == id {
		t.Errorf("two IDs of one second are both %s", id)
	}
	if !session.ValidID(id) {
		t.Errorf("ValidID(%s) = false", id)
	}
	for _, bad := range []string{"", "../../etc/passwd", id + "\n", id + "/x", "x" + id, strings.ToUpper(id), "20261121-140405-"} {
		if session.ValidID(bad) {
			t.Errorf("ValidID(%q) = true", bad)
		}
	}
}

func TestTitleOf_IsTheFirstLineShort(t *testing.T) {
	long := strings.Repeat("中", 80)
	for text, want := range map[string]string{
		"  How risky\tis  MSFT?\nAnd IBM?": "How risky is MSFT?",
		"\n\nlate":                         "late",
		"":                                 "",
		long:                               strings.Repeat("中", 59) + "…",
	} {
		if got := session.TitleOf(text); got != want {
			t.Errorf("TitleOf(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestResumeHint_NamesTheCommand(t *testing.T) {
	if got := session.ResumeHint("20261121-140405-abcdef"); got != "nfa --resume 20261121-140405-abcdef" {
		t.Errorf("ResumeHint = %q", got)
	}
}
