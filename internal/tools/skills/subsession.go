package skills

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
)

// RequestArgument is the argument of a skill in a separate session that describes the task.
const RequestArgument = "request"

// subsessionGrace is the time for a canceled session to end its calls.
const subsessionGrace = time.Second

// subsessionTool returns the tool that runs a skill in a separate session. It only reads: the calls of
// that session ask for their own approvals.
func (w Workflows) subsessionTool(s skill.Skill, schema *jsonschema.Schema) (tool.Tool, error) {
	if schema.Properties == nil {
		schema.Properties = map[string]*jsonschema.Schema{}
	}
	if schema.Properties[RequestArgument] == nil {
		schema.Properties[RequestArgument] = &jsonschema.Schema{
			Type: "string", Description: "The task, with all details from this session that it needs; the skill sees nothing else.",
		}
		schema.PropertyOrder = append(schema.PropertyOrder, RequestArgument)
	}
	about := clipLine(s.Description, 160) + "\nRuns the skill " + s.Name + " in a separate session and returns its answer with its figures. This session does not receive the skill's text."
	t, err := tool.NewDynamic(WorkflowTool(s.Name), clipWords(about, maxDescription), tool.Reads, schema, func(ctx context.Context, args json.RawMessage) (tool.Result, error) {
		return w.Subsession(ctx, s.Name, args)
	})
	if err != nil {
		return tool.Tool{}, err
	}
	t.Group, t.Keywords = tool.WorkflowGroup, workflowKeywords(s)
	t.Timeout, t.Grace, t.UserOnly = workflowTimeout, subsessionGrace, s.DisableModelInvocation
	return t, nil
}

// startSubsession returns the result of loading a skill that runs in a separate session: how to run it,
// without its text.
func startSubsession(a skillResult) tool.Result {
	a.Content, a.Resources = "", []skill.Resource{}
	a.Warnings = append(a.Warnings, fmt.Sprintf("this skill runs in a separate session: call %s and describe the task in %s", a.RunWith, RequestArgument))
	return tool.Result{
		Value: a, ForUser: fmt.Sprintf("The skill %s runs in a separate session.", a.Name), Title: a.Name, Summary: "runs in a separate session", Activates: []string{a.RunWith},
		Headline: "The skill " + a.Name + " runs in a separate session.", HeadlineZH: "技能 " + a.Name + " 在独立会话中运行。",
	}
}
