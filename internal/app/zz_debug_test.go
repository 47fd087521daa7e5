package app

import (
	"os"
	"testing"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm/offline"
)

func TestZZ(t *testing.T) {
	_, m := openAssistant(t)
	for _, q := range strings.Split(os.Getenv("Q"), "|") {
		t.Log(m.(*offline.Assistant).Debug(q))
	}
}
