package tool_test

import (
	"context"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
)

func TestRouter_OnlyTextsForPeopleNameCommandsAsTheyAreTyped(t *testing.T) {
	const advice = `map_security {"a":1} (nfa portfolio map A)`
	typed := func(text string) string { return strings.ReplaceAll(text, advice, "/portfolio map A") }
	advise := named("advise", tool.Reads, func(context.Context) (tool.Result, error) {
		return tool.Result{
			Value: map[string]string{"do": advice}, ForUser: "Do: " + advice, Headline: advice,
			Notes: []tool.Note{{Code: "do", Text: advice, Warning: true}},
		}, nil
	})
	res := call(t, newRouter(t, tool.Options{Commands: typed}, advise), "advise", "")
	for _, text := range []string{res.ForUser, res.Headline, res.Notes[0].Text, res.UserText()} {
		if strings.Contains(text, "map_security") || !strings.Contains(text, "/portfolio map A") {
			t.Errorf("people read %q, want the command", text)
		}
	}
	if text := res.ModelText(); !strings.Contains(text, "map_security") {
		t.Errorf("the model reads %q, want the tool call", text)
	}
}
