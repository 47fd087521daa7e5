package main

import (
	"errors"
	"fmt"
	"testing"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/usage"
)

// TestExitCode_IsTheMeaningOfAnErrorHoweverItIsWrapped checks the exit codes, because scripts
// depend on them. Only cmd/nfa knows them; no package below sets one.
func TestExitCode_IsTheMeaningOfAnErrorHoweverItIsWrapped(t *testing.T) {
	for _, row := range []struct {
		name string
		err  error
		want int
	}{
		{"a mistake of who asked", usage.Errorf("no such word"), exitUsage},
		{"the model's server", &llm.Error{Kind: llm.KindServer}, exitProvider},
		{"a server that refused the turn", &cli.TurnError{Reason: agent.StopProvider}, exitProvider},
		{"an interrupted turn", &cli.TurnError{Reason: agent.StopCancelled}, exitInterrupted},
		{"a limit", &cli.TurnError{Reason: agent.StopStepLimit}, exitFailure},
		{"an answer with a refusal", &cli.TurnError{Reason: agent.StopAnswered, Refused: true}, exitRefused},
		{"a question that was not understood", &cli.TurnError{Reason: agent.StopAnswered, NothingFound: true}, exitNoData},
		{"a turn whose tools all failed", &cli.TurnError{Reason: agent.StopAnswered, ToolsFailed: true}, exitFailure},
		{"anything else", errors.New("not enough disk space"), exitFailure},
	} {
		for _, err := range []error{row.err, fmt.Errorf("around it: %w", row.err), errors.Join(nil, row.err)} {
			if got := exitCode(t.Context(), err); got != row.want {
				t.Errorf("%s: exit code of %v is %d, want %d", row.name, err, got, row.want)
			}
		}
	}
}
