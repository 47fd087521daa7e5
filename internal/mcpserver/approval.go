package mcpserver

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
)

// A change is made in two steps. The first call records what would be changed, and the host asks the user.
// The second call carries the answer and runs if the change is still the same.

// pending is the approval of one call.
type pending struct {
	accepted string         // digest of the change that the user accepted; "" for none
	asked    *tool.Approval // what needs approval; nil if nothing does
	digest   string         // of asked
}

type pendingKey struct{}

// Approver grants what the user accepted in the host.
type Approver struct{}

// Approve implements tool.Approver.
func (Approver) Approve(ctx context.Context, a tool.Approval) (tool.Answer, error) {
	p, ok := ctx.Value(pendingKey{}).(*pending)
	if !ok {
		return tool.Answer{Reason: "this call has no MCP client that could ask the user"}, nil
	}
	digest := digestOf(a)
	if p.accepted != "" && hmac.Equal([]byte(p.accepted), []byte(digest)) {
		return tool.Answer{Allowed: true, Person: true}, nil
	}
	p.asked, p.digest = &a, digest
	return tool.Answer{Reason: "waiting for the user"}, nil
}

// digestOf identifies a change: the arguments and everything that the user is shown.
func digestOf(a tool.Approval) string {
	text, _ := json.Marshal(a) // texts only
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// answerID names the question in a request for input.
const answerID = "approve"

// approvalTime is how long an approval is valid.
const approvalTime = 10 * time.Minute

// ticket ties an answer to a call. It is signed, because it passes through the host.
type ticket struct {
	Tool, Arguments, Change string
	Until                   time.Time
}

// ask returns the question for the user.
func (s *Server) ask(call llm.ToolCall, p *pending) *mcp.CallToolResult {
	a := p.asked
	lines := append([]string{markdown.EscapeInvisible(cmp.Or(a.Question, "Allow nfa to run "+call.Name+"?"))}, a.Lines()...)
	return &mcp.CallToolResult{
		InputRequests: mcp.InputRequestMap{answerID: &mcp.ElicitParams{
			Mode: "form", Message: strings.Join(lines, "\n"), RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`),
		}},
		RequestState: s.sign(ticket{Tool: call.Name, Arguments: call.Arguments, Change: p.digest, Until: s.options.Now().Add(approvalTime)}),
	}
}

// pendingOf reads the answer that a call carries. refusal says why the call must not run.
func (s *Server) pendingOf(req *mcp.CallToolRequest, call llm.ToolCall) (p *pending, refusal string) {
	if req.Params.RequestState == "" && len(req.Params.InputResponses) == 0 {
		return &pending{}, ""
	}
	t, ok := s.verify(req.Params.RequestState)
	switch {
	case !ok || t.Tool != call.Name || t.Arguments != call.Arguments:
		return nil, "the approval does not belong to this call; nothing was changed. Call the tool again"
	case s.options.Now().After(t.Until):
		return nil, "the approval is too old; nothing was changed. Call the tool again"
	}
	answer, _ := req.Params.InputResponses[answerID].(*mcp.ElicitResult)
	if answer == nil || answer.Action != "accept" {
		return nil, "the user refused; nothing was changed"
	}
	return &pending{accepted: t.Change}, ""
}

// canAsk reports whether the host can ask the user.
func canAsk(req *mcp.CallToolRequest) bool {
	p := req.Session.InitializeParams()
	return p == nil || p.Capabilities != nil && p.Capabilities.Elicitation != nil
}

func newSecret() []byte {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	return secret
}

// sign encodes a ticket with its signature.
func (s *Server) sign(t ticket) string {
	text, _ := json.Marshal(t) // texts and a time
	return base64.RawURLEncoding.EncodeToString(s.signature(text)) + "." + base64.RawURLEncoding.EncodeToString(text)
}

func (s *Server) verify(signed string) (t ticket, ok bool) {
	signature, text, _ := strings.Cut(signed, ".")
	mac, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil {
		return t, false
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || !hmac.Equal(mac, s.signature(raw)) {
		return t, false
	}
	return t, json.Unmarshal(raw, &t) == nil
}

func (s *Server) signature(text []byte) []byte {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write(text)
	return mac.Sum(nil)
}
