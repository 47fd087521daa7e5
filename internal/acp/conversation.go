package acp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	protocol "github.com/coder/acp-go-sdk"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
)

// modelOption is the editor's setting for the model.
const modelOption = "model"

// conversation is one session of an editor.
type conversation struct {
	id      protocol.SessionId
	editor  *protocol.AgentSideConnection
	app     *app.App
	agent   *agent.Conversation
	entries []session.Entry // of a saved session

	running sync.Mutex // held during a turn

	noticesMu sync.Mutex
	notices   []string // not shown yet
}

// notice keeps a message for the next answer, because an editor shows nothing before the first prompt.
func (c *conversation) notice(text string) {
	c.noticesMu.Lock()
	defer c.noticesMu.Unlock()
	c.notices = append(c.notices, text)
}

func (c *conversation) takeNotices() []string {
	c.noticesMu.Lock()
	defer c.noticesMu.Unlock()
	notices := c.notices
	c.notices = nil
	return notices
}

// close waits for the turn, which ends with the connection or with session/cancel.
func (c *conversation) close() {
	c.running.Lock()
	defer c.running.Unlock()
	c.app.CloseSession(string(c.id))
	c.app.Close()
}

// update sends an update to the editor. If the editor has disconnected, the turn's context ends soon.
func (c *conversation) update(ctx context.Context, u protocol.SessionUpdate) {
	_ = c.editor.SessionUpdate(context.WithoutCancel(ctx), protocol.SessionNotification{SessionId: c.id, Update: u})
}

// modes returns the agents.
func (c *conversation) modes() *protocol.SessionModeState {
	state := &protocol.SessionModeState{CurrentModeId: protocol.SessionModeId(c.app.Agents.Active().Profile.Name), AvailableModes: []protocol.SessionMode{}}
	for _, row := range c.app.Agents.Rows() {
		if row.Reason == "" {
			state.AvailableModes = append(state.AvailableModes, protocol.SessionMode{Id: protocol.SessionModeId(row.Name), Name: row.Name, Description: protocol.Ptr(markdown.SanitizeLine(row.Description))})
		}
	}
	return state
}

// options lets the editor choose among the models that are ready.
func (c *conversation) options(ctx context.Context) []protocol.SessionConfigOption {
	active := c.app.ActiveModel()
	names := []string{active}
	if providers, err := c.app.Models.ListProviders(ctx, false); err == nil {
		for _, p := range providers {
			for _, m := range p.Models {
				if p.Configured && m.Name != active {
					names = append(names, m.Name)
				}
			}
		}
	}
	if !slices.Contains(names, catalog.Offline) {
		names = append(names, catalog.Offline)
	}
	var options protocol.SessionConfigSelectOptionsUngrouped
	for _, name := range names {
		title := name
		if name == catalog.Offline {
			title = "built-in assistant"
		}
		options = append(options, protocol.SessionConfigSelectOption{Value: protocol.SessionConfigValueId(name), Name: title})
	}
	o := protocol.NewSessionConfigOptionSelect(protocol.SessionConfigValueId(active), protocol.SessionConfigSelectOptions{Ungrouped: &options})
	o.Select.Id, o.Select.Name = modelOption, "Model"
	return []protocol.SessionConfigOption{o}
}

// announceCommands tells the editor the skills, which /NAME at the start of a prompt runs.
func (c *conversation) announceCommands(ctx context.Context) {
	commands := []protocol.AvailableCommand{}
	for _, s := range c.app.Skills.Registry.List() {
		if !c.app.Skills.State.Disabled(s.Name) {
			commands = append(commands, protocol.AvailableCommand{Name: s.Name, Description: markdown.SanitizeLine(s.Description)})
		}
	}
	c.update(ctx, protocol.SessionUpdate{AvailableCommandsUpdate: &protocol.SessionAvailableCommandsUpdate{AvailableCommands: commands}})
}

// prompt runs one turn.
func (c *conversation) prompt(ctx context.Context, blocks []protocol.ContentBlock) (protocol.PromptResponse, error) {
	if !c.running.TryLock() {
		return protocol.PromptResponse{}, protocol.NewInvalidRequest(map[string]any{"error": "a prompt is running in this session"})
	}
	defer c.running.Unlock()
	text, err := promptText(blocks)
	if err != nil {
		return protocol.PromptResponse{}, err
	}
	say := func(text string) { c.update(ctx, protocol.UpdateAgentMessageText(markdown.Sanitize(text))) }
	for _, notice := range c.takeNotices() {
		say("! " + notice + "\n\n")
	}
	in, err := c.app.Skills.ParseInput(text, func(warning string) { say("! " + warning + "\n\n") })
	if err != nil {
		say(err.Error())
		return protocol.PromptResponse{StopReason: protocol.StopReasonEndTurn}, nil
	}
	in.Pasted = slices.ContainsFunc(blocks, func(b protocol.ContentBlock) bool { return b.Text == nil }) // files from the editor are not the user's own words
	t := turn{c: c, ctx: ctx}
	var done agent.TurnDone
	for event, eventErr := range c.agent.Run(ctx, in) {
		t.event(event)
		if d, ok := event.(agent.TurnDone); ok {
			done, err = d, eventErr
		}
	}
	if err != nil && ctx.Err() == nil {
		message := err.Error()
		if remedy := cli.Remedy(err); remedy != "" {
			message += "; " + remedy
		}
		return protocol.PromptResponse{}, protocol.NewInternalError(map[string]any{"error": message})
	}
	return protocol.PromptResponse{StopReason: stopReason(done.Reason), Meta: figuresMeta(done.Figures)}, nil
}

// promptText joins the parts of a prompt. What the editor adds is fenced, so that the model does not take
// it for the user's words.
func promptText(blocks []protocol.ContentBlock) (string, error) {
	var parts []string
	for _, b := range blocks {
		switch {
		case b.Text != nil:
			parts = append(parts, b.Text.Text)
		case b.Resource != nil && b.Resource.Resource.TextResourceContents != nil:
			r := b.Resource.Resource.TextResourceContents
			parts = append(parts, r.Uri+"\n```\n"+strings.ReplaceAll(r.Text, "```", "'''")+"\n```")
		case b.ResourceLink != nil:
			parts = append(parts, "("+b.ResourceLink.Name+": "+b.ResourceLink.Uri+")")
		default:
			return "", protocol.NewInvalidParams(map[string]any{"error": "nfa reads only text, not images, sound or binary files"})
		}
	}
	return strings.Join(parts, "\n\n"), nil
}

func stopReason(r agent.StopReason) protocol.StopReason {
	switch r {
	case agent.StopCancelled:
		return protocol.StopReasonCancelled
	case agent.StopAnswered, "":
		return protocol.StopReasonEndTurn
	}
	return protocol.StopReasonMaxTurnRequests
}

// figuresMeta returns the report on the figures of an answer, for programs.
func figuresMeta(r agent.FiguresReport) map[string]any {
	raw, err := json.Marshal(r)
	if err != nil {
		return nil
	}
	return map[string]any{"nfa": map[string]any{"figures": json.RawMessage(raw)}}
}

// turn passes the events of a turn on to the editor.
type turn struct {
	c        *conversation
	ctx      context.Context
	text     strings.Builder // not sent yet
	clean    markdown.Sanitizer
	plan     []protocol.PlanEntry
	steps    []string // of the plan, by their IDs
	thinking bool     // text is the model's thinking
	sent     time.Time
}

// sendInterval limits the updates of a fast model.
const sendInterval = time.Second / 30

func (t *turn) event(e agent.Event) {
	switch e := e.(type) {
	case agent.TextDelta:
		t.add(e.Text, false)
	case agent.ReasoningDelta:
		t.add(e.Text, true)
	case agent.ToolStarted:
		t.flush()
		t.startPlan(e.Call)
		t.updatePlan(e.Call, protocol.PlanEntryStatusInProgress)
		t.send(protocol.StartToolCall(protocol.ToolCallId(e.Call.ID), markdown.SanitizeLine(e.Call.Name), protocol.WithStartKind(t.c.toolKind(e.Call.Name)),
			protocol.WithStartStatus(protocol.ToolCallStatusInProgress), protocol.WithStartRawInput(rawInput(e.Call))))
	case agent.ToolFinished:
		t.flush()
		t.updatePlan(e.Outcome.Call, protocol.PlanEntryStatusCompleted)
		t.send(finishedCall(e.Outcome.Call, e.Outcome.Result))
	case agent.Retrying:
		t.flush()
		t.send(protocol.UpdateAgentThoughtText(markdown.Sanitize(fmt.Sprintf("Retrying the model in %s: %v\n", e.Wait.Round(time.Second), e.Err))))
	case agent.TurnDone:
		t.flush()
		if e.Figures.Total > 0 {
			line := fmt.Sprintf("\n\n%d of %d figures traced", e.Figures.Traced, e.Figures.Total)
			if summary := e.Figures.Summary(); summary != "" {
				line += ". " + summary
			}
			t.send(protocol.UpdateAgentMessageText(line))
		}
	}
}

// startPlan shows the steps of a workflow that begins.
func (t *turn) startPlan(call llm.ToolCall) {
	steps := t.c.app.Skills.StepsOf(call.Name)
	if len(steps) == 0 || tool.StepName(call.ID) != "" {
		return
	}
	t.plan, t.steps = nil, nil
	for _, step := range steps {
		t.plan = append(t.plan, protocol.PlanEntry{
			Content: markdown.SanitizeLine(cmp.Or(step.About, step.ID)), Priority: protocol.PlanEntryPriorityMedium, Status: protocol.PlanEntryStatusPending,
		})
		t.steps = append(t.steps, step.ID)
	}
	t.send(protocol.UpdatePlan(t.plan...))
}

// updatePlan shows the plan after one of its steps has begun or ended. A failed step is complete, too: its
// tool call shows the failure.
func (t *turn) updatePlan(call llm.ToolCall, status protocol.PlanEntryStatus) {
	i := slices.Index(t.steps, tool.StepName(call.ID))
	if i < 0 {
		return
	}
	t.plan[i].Status = status
	t.send(protocol.UpdatePlan(t.plan...))
}

func (t *turn) send(u protocol.SessionUpdate) { t.c.update(t.ctx, u) }

// add collects text and thinking and sends them at most 30 times a second.
func (t *turn) add(text string, thinking bool) {
	if thinking != t.thinking {
		t.flush()
		t.thinking = thinking
	}
	t.text.WriteString(text)
	if time.Since(t.sent) >= sendInterval {
		t.flush()
	}
}

func (t *turn) flush() {
	if t.text.Len() == 0 {
		return
	}
	text := t.clean.Clean(t.text.String())
	t.text.Reset()
	t.sent = time.Now()
	if t.thinking {
		t.send(protocol.UpdateAgentThoughtText(text))
		return
	}
	t.send(protocol.UpdateAgentMessageText(text))
}

func rawInput(call llm.ToolCall) any {
	if json.Valid([]byte(call.Arguments)) {
		return json.RawMessage(call.Arguments)
	}
	return call.Arguments
}

// finishedCall shows a result as people read it.
func finishedCall(call llm.ToolCall, res tool.Result) protocol.SessionUpdate {
	status, text := protocol.ToolCallStatusCompleted, res.UserText()
	if res.IsError {
		status, text = protocol.ToolCallStatusFailed, res.ErrorText()
	}
	title := call.Name
	if res.Title != "" {
		title += " " + res.Title
	}
	return protocol.UpdateToolCall(protocol.ToolCallId(call.ID), protocol.WithUpdateStatus(status), protocol.WithUpdateTitle(markdown.SanitizeLine(title)),
		protocol.WithUpdateContent([]protocol.ToolCallContent{protocol.ToolContent(protocol.TextBlock(markdown.Sanitize(text)))}))
}

// toolKind returns the kind of a tool, for which an editor shows an icon.
func (c *conversation) toolKind(name string) protocol.ToolKind {
	t, _ := c.app.AllTools().Lookup(name)
	switch {
	case strings.HasPrefix(name, "remove_"):
		return protocol.ToolKindDelete
	case t.Effect == tool.Executes:
		return protocol.ToolKindExecute
	case t.Effect == tool.Writes:
		return protocol.ToolKindEdit
	case strings.Contains(name, "search"), name == tool.FindToolsName:
		return protocol.ToolKindSearch
	case t.Group == "files", t.Group == "skills":
		return protocol.ToolKindRead
	case t.Group == "planning", t.Group == "valuation":
		return protocol.ToolKindThink
	}
	return protocol.ToolKindFetch
}

// The answers to a request for permission.
const (
	allowOnce    = "once"
	allowSession = "session"
	allowAlways  = "always"
	refuse       = "refuse"
)

// Approve implements tool.Approver: the editor asks the user.
func (c *conversation) Approve(ctx context.Context, a tool.Approval) (tool.Answer, error) {
	options := []protocol.PermissionOption{{OptionId: allowOnce, Kind: protocol.PermissionOptionKindAllowOnce, Name: "Allow once"}}
	if a.Targets != "" {
		options = append(options, protocol.PermissionOption{OptionId: allowSession, Kind: protocol.PermissionOptionKindAllowAlways, Name: "Allow in this session: " + markdown.EscapeInvisible(a.Targets)})
	}
	if a.Pattern != "" {
		options = append(options, protocol.PermissionOption{OptionId: allowAlways, Kind: protocol.PermissionOptionKindAllowAlways, Name: "Always allow: " + markdown.EscapeInvisible(a.Pattern)})
	}
	options = append(options, protocol.PermissionOption{OptionId: refuse, Kind: protocol.PermissionOptionKindRejectOnce, Name: "Refuse"})
	res, err := c.editor.RequestPermission(ctx, protocol.RequestPermissionRequest{
		SessionId: c.id, Options: options,
		ToolCall: protocol.ToolCallUpdate{
			ToolCallId: protocol.ToolCallId(a.Call.ID), Title: protocol.Ptr(markdown.EscapeInvisible(cmp.Or(a.Question, "Run "+a.Call.Name+"?"))), RawInput: rawInput(a.Call),
			Content: []protocol.ToolCallContent{protocol.ToolContent(protocol.TextBlock(strings.Join(a.Lines(), "\n")))},
		},
	})
	switch {
	case ctx.Err() != nil:
		return tool.Answer{}, ctx.Err()
	case err != nil:
		return tool.Answer{Reason: "the editor could not ask for approval"}, nil
	case res.Outcome.Selected == nil:
		return tool.Answer{Reason: "canceled"}, nil
	}
	switch res.Outcome.Selected.OptionId {
	case allowOnce:
		return tool.Answer{Allowed: true, Person: true}, nil
	case allowSession:
		return tool.Answer{Allowed: true, Person: true, Scope: tool.Session}, nil
	case allowAlways:
		return tool.Answer{Allowed: true, Person: true, Scope: tool.Always}, nil
	}
	return tool.Answer{Person: true}, nil
}

// replay shows the saved session to the editor.
func (c *conversation) replay(ctx context.Context) {
	for _, e := range c.entries {
		d := agent.DisplayOf(e)
		switch e.Kind {
		case session.KindUser:
			c.update(ctx, protocol.UpdateUserMessageText(markdown.Sanitize(cmp.Or(d.Text, e.Message.Content))))
		case session.KindAssistant:
			if e.Message.Content != "" {
				c.update(ctx, protocol.UpdateAgentMessageText(markdown.Sanitize(e.Message.Content)))
			}
			for _, call := range e.Message.ToolCalls {
				c.update(ctx, protocol.StartToolCall(protocol.ToolCallId(call.ID), markdown.SanitizeLine(call.Name), protocol.WithStartKind(c.toolKind(call.Name)), protocol.WithStartRawInput(rawInput(call))))
			}
		case session.KindTool:
			res := tool.Result{ForUser: d.ForUser, Title: d.Title, IsError: e.Message.IsError}
			if res.IsError {
				res = tool.Failed(d.Code, cmp.Or(d.Error, e.Message.Content))
			}
			c.update(ctx, finishedCall(llm.ToolCall{ID: e.Message.ToolCallID, Name: e.Message.ToolName}, res))
		}
	}
}
