package repl_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
)

func TestQuestion_ChangesOfAFileAreReadBelowThePlan(t *testing.T) {
	asked := report()
	asked.Plan = []string{"replaces aapl.md, 9 bytes, by 12 bytes"}
	asked.Changes = []string{"@@ -1,2 +1,2 @@", " # AAPL", "-69", "+70 \u202etxt\x1b[2J"}
	var got tool.Answer
	checkOutput(t, "save it\ny\n", approving(&got, asked, 0), `You: save it
Approval needed: write_report wants to make a change.
  replaces aapl.md, 9 bytes, by 12 bytes
  @@ -1,2 +1,2 @@
   # AAPL
  -69
  +70 \u202etxt\x1b[2J
  Answer n (no; you can add a reason), y (yes, once), s (yes, this session):
Answer: y
`)
	if !got.Allowed {
		t.Errorf("answer = %+v, want a yes", got)
	}
}
