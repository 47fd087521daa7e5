package repl_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui/repl"
)

func TestQuestion_ChangesOfAFileAreReadBelowThePlan(t *testing.T) {
	asked := report()
	asked.Plan = []string{"replaces aapl.md, 9 bytes, by 12 bytes"}
	asked.Changes = []string{"@@ -1,2 +1,2 @@", " # AAPL", "-69", "+70 \u202etxt\x1b[2J"}
	var got tool.Answer
	checkOutput(t, "save it\n", func() repl.Config {
		cfg := approving(&got, asked, 0)()
		cfg.Unattended = tool.Policy{All: true}
		return cfg
	}, `You: save it
Approval needed: write_report wants to make a change.
  asked by: the model
  replaces aapl.md, 9 bytes, by 12 bytes
  @@ -1,2 +1,2 @@
   # AAPL
  -69
  +70 \u202etxt\x1b[2J
Notice: Approved by --yes or --allow.
`)
	if !got.Allowed {
		t.Errorf("answer = %+v, want a yes", got)
	}
}
