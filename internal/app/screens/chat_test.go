package screens

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui"
)

func TestTurnsBefore_FindsTheTurnThatWasChosen(t *testing.T) {
	question := func(text, typed string) session.Entry {
		display, err := json.Marshal(agent.Display{Text: typed})
		if err != nil {
			t.Fatal(err)
		}
		return session.Entry{Kind: session.KindUser, Message: llm.Message{Content: text}, Display: display}
	}
	answer := session.Entry{Kind: session.KindAssistant, Message: llm.Message{Content: "again"}}
	entries := []session.Entry{question("again", ""), answer, question("a skill's text", "/review VTI"), answer, question("again", ""), answer}
	tests := []struct {
		name     string
		from     int
		question string
		want     int
		wrong    bool
	}{
		{"the first", 1, "again", 0, false},
		{"what a skill was called with", 2, "/review VTI", 1, false},
		{"the same words later", 3, "again", 2, false},
		{"one was shown and not kept before it", 4, "again", 2, false},
		{"behind everything", 4, "", 0, false},
		{"never kept", 2, "never", 0, true},
		{"what the model got is not what was typed", 2, "a skill's text", 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := turnsBefore(entries, tt.from, tt.question)
			if (err != nil) != tt.wrong || got != tt.want {
				t.Errorf("turnsBefore(%d, %q) = %d, %v, want %d and an error: %t", tt.from, tt.question, got, err, tt.want, tt.wrong)
			}
		})
	}
}

func TestChoices_AreWhatEnterWouldTakeAndNothingBehindAWord(t *testing.T) {
	open := func() *tui.ListScreen {
		return &tui.ListScreen{
			Items: func() []tui.ListItem {
				return []tui.ListItem{{Name: "a"}, {Name: "b"}, {Name: "broken", Problem: true}}
			},
			Actions: []tui.ListAction{
				{Action: "d"}, {Action: "screen-enter", AppliesTo: func(i tui.ListItem) bool { return i.Name != "a" }},
			},
		}
	}
	names := itemNames(open)
	if got := names(""); !slices.Equal(got, []string{"b"}) {
		t.Errorf("words = %q, want b", got)
	}
	if got := names("b"); got != nil {
		t.Errorf("behind a word: %q", got)
	}
}
