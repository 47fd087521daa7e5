package session_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
)

func TestMemory_HoldsTheContract(t *testing.T) {
	sessiontest.Run(t, func(*testing.T) session.Store { return &sessiontest.Memory{} })
}
