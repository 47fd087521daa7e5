package answer

import (
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/llm/offline/quoted"
	"github.com/nfa-cli/nfa/internal/llm/offline/toolname"
)

// Workflow says how far the steps of a skill came, what the last of them shows, and
// what went wrong.
func Workflow(skill string, outcomes []Outcome) string {
	r := sortResults(outcomes)
	name := quoted.Code(skill)
	said := fmt.Sprintf("The skill %s was not run.", name)
	for _, o := range outcomes {
		completed, _ := o.Result.flag("completed")
		switch {
		case !toolname.IsWorkflow(o.Tool):
		case completed:
			said = fmt.Sprintf("The steps of the skill %s were run by the program; speaking of what came of them takes a language model.", name)
		case slices.ContainsFunc(o.Result.objects("steps"), done):
			said = fmt.Sprintf("The program began with the steps of the skill %s and did not come to their end; what was done stands on its card.", name)
		}
	}
	return joined(append(append([]string{said}, r.shown...), r.problems()...))
}

// done tells a step that gave a result from one that failed.
func done(step Object) bool { return step.Text("error") == "" }
