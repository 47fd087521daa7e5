package main

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// Data that a provider requires back with a call must be saved: without it, the provider rejects the next
// request of a resumed session.
func TestSessions_WhatAProviderWantsBackOutlivesTheProgram(t *testing.T) {
	const details = `[{"type":"reasoning.encrypted","data":"a+/b==<&>","n":1.50}]`
	call := llmtest.Call(llm.ToolCall{ID: "c1", Name: "quote", Arguments: `{"symbols":["AAPL"]}`})
	call.Extra = map[string]any{"reasoning_details": json.RawMessage(details), "reasoning_content": "look <it> up"}
	server := llmtest.StartServer(llmtest.Answers(call, llmtest.Say("One."), llmtest.Say("Two."))...)
	defer server.Close()
	env := newEnvironment(t, server)
	for _, question := range []string{"one?", "two?"} {
		args := []string{"ask", question}
		if question == "two?" {
			args = append(args, "--continue")
		}
		if _, err := nfaIn(t, env, args...); err != nil {
			t.Fatal(err)
		}
	}
	requests := server.Requests()
	if len(requests) != 3 {
		t.Fatalf("%d requests, want 3", len(requests))
	}
	before, after := callingMessage(t, requests[1].Body), callingMessage(t, requests[2].Body)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("sent by the next program (-by the first +by the next):\n%s", diff)
	}
	var want any
	if err := json.Unmarshal([]byte(details), &want); err != nil {
		t.Fatal(err)
	}
	if after["reasoning_content"] != "look <it> up" || !cmp.Equal(after["reasoning_details"], want) {
		t.Errorf("sent are %v and %v, want both as they came", after["reasoning_content"], after["reasoning_details"])
	}
}

// callingMessage returns the message with calls in a request.
func callingMessage(t *testing.T, body []byte) map[string]any {
	t.Helper()
	var sent struct{ Messages []map[string]any }
	if err := json.Unmarshal(body, &sent); err != nil {
		t.Fatal(err)
	}
	for _, m := range sent.Messages {
		if m["tool_calls"] != nil {
			return m
		}
	}
	t.Fatal("no message of the request has calls")
	return nil
}
