package offline

import (
	"fmt"
	"slices"
)

// WriteWorkflow says how far the steps of a skill came, what the last of them shows, and
// what went wrong.
func WriteWorkflow(skill string, outcomes []ToolOutcome) string {
	r := sortResults(outcomes)
	name := InlineCode(skill)
	text := fmt.Sprintf("The skill %s was not run.", name)
	for _, o := range outcomes {
		completed, _ := o.Result.flag("completed")
		switch {
		case !IsWorkflowTool(o.Tool):
		case completed:
			text = fmt.Sprintf("The steps of the skill %s were run by the program; speaking of what came of them takes a language model.", name)
		case slices.ContainsFunc(o.Result.objects("steps"), succeeded):
			text = fmt.Sprintf("The program began with the steps of the skill %s and did not come to their end; what was done stands on its card.", name)
		}
	}
	return joinParagraphs(append(append([]string{text}, r.shown...), r.failureLines()...))
}

// succeeded tells a step that gave a result from one that failed.
func succeeded(step ResultObject) bool { return step.Text("error") == "" }
