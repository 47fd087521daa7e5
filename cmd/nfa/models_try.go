package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/shopspring/decimal"
	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/misuse"
)

// trialJSON is what `models test` found.
type trialJSON struct {
	Model string     `json:"model"`
	Text  callTrial  `json:"text"`
	Tool  *callTrial `json:"tool"` // null where the first call failed already
	OK    bool       `json:"ok"`
}

// callTrial is one streamed call.
type callTrial struct {
	OK           bool      `json:"ok"`
	Answer       string    `json:"answer,omitempty"`
	FirstTokenMS float64   `json:"first_token_ms"`
	TotalMS      float64   `json:"total_ms"`
	TokensPerSec *float64  `json:"tokens_per_second"` // null where the server did not count, or all came at once
	Usage        usageJSON `json:"usage"`
	Error        string    `json:"error,omitempty"`

	err error
}

func newModelsTest(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "test [PROVIDER/MODEL]", Short: "Try a model: one streamed answer and one tool call",
		Long: `test asks for one short answer and for one call of a tool, and says how long they
took and what they used. It exits with 4 when the model's server fails, or when
the model does not call the tool: nfa's answers come from tools.`,
		Args: args(cobra.MaximumNArgs(1)),
		RunE: g.connected(func(cmd *cobra.Command, c *connections, words []string) error {
			wanted := c.cfg.Model
			if len(words) > 0 {
				wanted = words[0]
			}
			chosen, err := c.choose(cmd.Context(), wanted)
			if err != nil {
				return err
			}
			switch {
			case c.cfg.Offline:
				return misuse.Errorf("offline is set (%s), and a test asks a model's server: nothing was asked", c.cfg.Origin("offline"))
			case chosen.provider.Name == offlineName:
				return misuse.Errorf("the embedded assistant needs no test: it has no server; name a model: nfa models test PROVIDER/MODEL")
			}
			t, err := c.try(cmd.Context(), chosen)
			if err != nil {
				return err
			}
			if asJSON {
				err = console.JSON(g.out, t)
			} else {
				g.printTrial(t)
			}
			return errors.Join(err, t.failure(chosen))
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

// failure is the error to exit with, or nil.
func (t trialJSON) failure(e endpoint) error {
	switch {
	case t.OK:
		return nil
	case t.Text.err != nil:
		return &exitError{exitProvider, t.Text.err}
	case t.Tool.err != nil:
		return &exitError{exitProvider, t.Tool.err}
	}
	return &exitError{exitProvider, fmt.Errorf("%s: %s", e.name(), t.Tool.Error)}
}

// try makes the two calls.
func (c *connections) try(ctx context.Context, e endpoint) (trialJSON, error) {
	model, err := c.open(e)
	if err != nil {
		return trialJSON{}, err
	}
	t := trialJSON{Model: e.name()}
	t.Text, _ = e.call(ctx, model, llm.Request{Messages: []llm.Message{
		{Role: llm.RoleUser, Content: "Say in one short sentence that you are ready."},
	}})
	if t.Text.err == nil && t.Text.Answer == "" {
		t.Text.OK, t.Text.Error = false, "it answered with no text"
		t.Text.err = &llm.Error{Kind: llm.KindServer, Provider: e.provider.Name, Message: t.Text.Error}
	}
	if !t.Text.OK {
		return t, ctx.Err()
	}
	second, calls := e.call(ctx, model, llm.Request{
		Messages: []llm.Message{{Role: llm.RoleUser, Content: "Use the tool add to add 2 and 3. Call it; do not calculate yourself."}},
		Tools: []llm.ToolSpec{{
			Name: "add", Description: "Adds two numbers.",
			Parameters: json.RawMessage(`{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}`),
		}},
	})
	if second.err == nil {
		second.Error = judgeCalls(calls)
		second.OK = second.Error == ""
	}
	t.Tool, t.OK = &second, second.OK
	return t, ctx.Err()
}

// judgeCalls says what is wrong with the calls of a model that was asked to call
// add, or "".
func judgeCalls(calls []llm.ToolCall) string {
	if len(calls) == 0 {
		return "it did not call the tool it was asked to call"
	}
	var in struct{ A, B *float64 }
	if calls[0].Name != "add" || json.Unmarshal([]byte(calls[0].Arguments), &in) != nil || in.A == nil || in.B == nil {
		return fmt.Sprintf("it called %s with arguments that do not fit: %s", calls[0].Name, calls[0].Arguments)
	}
	return ""
}

// call makes one streamed call and takes its time.
func (e endpoint) call(ctx context.Context, model llm.Model, req llm.Request) (callTrial, []llm.ToolCall) {
	var t callTrial
	var calls []llm.ToolCall
	start := time.Now()
	var first time.Time
	for chunk, err := range model.Stream(ctx, req) {
		if err != nil {
			t.err, t.Error = err, err.Error()
			break
		}
		if first.IsZero() && (chunk.Text != "" || chunk.Reasoning != "" || chunk.ToolCall != nil) {
			first = time.Now()
			t.FirstTokenMS = milliseconds(first.Sub(start))
		}
		t.Answer += chunk.Text
		if chunk.ToolCall != nil {
			calls = append(calls, *chunk.ToolCall)
		}
		if chunk.Usage != nil {
			t.Usage = e.usage(*chunk.Usage)
		}
	}
	t.OK, t.TotalMS = t.err == nil, milliseconds(time.Since(start))
	if streamed := time.Since(first).Seconds(); !first.IsZero() && t.Usage.OutputTokens > 1 && streamed > 0.001 {
		rate := float64(t.Usage.OutputTokens-1) / streamed // the first is what the clock starts with
		t.TokensPerSec = &rate
	}
	return t, calls
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// usageJSON counts tokens. CostUSD is null where the price of the model is not
// known: a zero would be a claim.
type usageJSON struct {
	llm.Usage
	CostUSD *dollars `json:"cost_usd"`
}

// usage is the tokens with what they cost, where that is known.
func (e endpoint) usage(u llm.Usage) usageJSON {
	out := usageJSON{Usage: u}
	if m, ok := e.provider.Model(e.model); ok && m.Price != nil && u != (llm.Usage{}) {
		out.CostUSD = &dollars{m.Price.Of(u)}
	}
	return out
}

// dollars are exact, and a number in JSON.
type dollars struct{ decimal.Decimal }

// MarshalJSON writes the digits without quotes.
func (d dollars) MarshalJSON() ([]byte, error) { return []byte(d.String()), nil }

func (g *globals) printTrial(t trialJSON) {
	fmt.Fprintln(g.out, markdown.SanitizeLine(t.Model))
	g.printCall("answer", t.Text)
	if t.Tool != nil {
		g.printCall("tool call", *t.Tool)
	}
}

func (g *globals) printCall(what string, c callTrial) {
	if !c.OK {
		fmt.Fprintf(g.out, "! %-9s  %s\n", what, markdown.SanitizeLine(c.Error))
		return
	}
	rate := ""
	if c.TokensPerSec != nil {
		rate = fmt.Sprintf(", %.0f tokens/s", *c.TokensPerSec)
	}
	cost := "cost not known"
	if c.Usage.CostUSD != nil {
		cost = "$" + c.Usage.CostUSD.String()
	}
	fmt.Fprintf(g.out, "+ %-9s  first token %.0f ms, whole %.0f ms%s; %d tokens in, %d out, %s\n",
		what, c.FirstTokenMS, c.TotalMS, rate, c.Usage.InputTokens, c.Usage.OutputTokens, cost)
}
