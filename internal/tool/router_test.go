package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/progress"
	"github.com/nfa-cli/nfa/internal/tool"
)

type echoInput struct {
	Text  string `json:"text" jsonschema:"what to say"`
	Times int    `json:"times,omitempty" jsonschema:"how often"`
}

func echo() tool.Tool {
	return tool.New("echo", "Says it again.", tool.Reads, func(_ context.Context, in echoInput) (tool.Result, error) {
		return tool.Result{Value: map[string]any{"said": in.Text, "times": in.Times}}, nil
	})
}

// named returns a tool without arguments that runs act.
func named(name string, effect tool.Effect, act func(context.Context) (tool.Result, error)) tool.Tool {
	return tool.New(name, "A tool.", effect, func(ctx context.Context, _ struct{}) (tool.Result, error) { return act(ctx) })
}

func say(text string) func(context.Context) (tool.Result, error) {
	return func(context.Context) (tool.Result, error) { return tool.Result{ForModel: text}, nil }
}

func newRouter(t *testing.T, opts tool.Options, tools ...tool.Tool) *tool.Router {
	t.Helper()
	r, err := tool.NewRouter(tools, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func call(t *testing.T, r *tool.Router, name, args string) tool.Result {
	t.Helper()
	o, err := r.Call(t.Context(), llm.ToolCall{ID: "1", Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("calling %s: %v", name, err)
	}
	return o.Result
}

func TestRouter_DecodesTypedArguments(t *testing.T) {
	got := call(t, newRouter(t, tool.Options{}, echo()), "echo", `{"text":"hi","times":2}`)
	if want := `{"said":"hi","times":2}`; got.ModelText() != want || got.IsError {
		t.Fatalf("echo = %q (error %v), want %q", got.ModelText(), got.IsError, want)
	}
}

func TestRouter_ErrorsOfArgumentsTellTheModelHowToCorrectThem(t *testing.T) {
	r := newRouter(t, tool.Options{}, echo())
	for name, args := range map[string]string{
		"not JSON":         `{"text":`,
		"a list":           `["hi"]`,
		"missing":          `{}`,
		"empty":            ``,
		"null":             `null`,
		"wrong type":       `{"text":7}`,
		"unknown argument": `{"text":"hi","loud":true}`,
		"fraction":         `{"text":"hi","times":1.5}`,
	} {
		t.Run(name, func(t *testing.T) {
			got := call(t, r, "echo", args)
			if !got.IsError || got.Code != tool.CodeValidation {
				t.Fatalf("echo(%s) = %+v, want a validation error", args, got)
			}
			var said struct{ Error, Code string }
			if err := json.Unmarshal([]byte(got.ModelText()), &said); err != nil || !strings.Contains(said.Error, "echo") {
				t.Fatalf("echo(%s) tells the model %q (%v), want an error that names the tool", args, got.ModelText(), err)
			}
			if strings.Contains(said.Error, "validating") || name == "wrong type" && !strings.Contains(said.Error, `: text: 7 has type`) {
				t.Errorf("echo(%s) says %q, want the name of the argument", args, said.Error)
			}
		})
	}
}

func TestRouter_AnUnknownToolGetsSuggestions(t *testing.T) {
	got := call(t, newRouter(t, tool.Options{}, echo()), "ecko", `{}`)
	if got.Code != tool.CodeUnknownTool || !strings.Contains(got.ErrorText(), "echo") {
		t.Fatalf("ecko = %+v, want an unknown tool error that offers echo", got)
	}
}

func TestRouter_TwoToolsWithOneNameAreRefused(t *testing.T) {
	if _, err := tool.NewRouter([]tool.Tool{echo(), echo()}, tool.Options{}); err == nil {
		t.Fatal("NewRouter(echo, echo) = nil error, want one")
	}
}

func TestRouter_ReadsRunInParallelAndComeBackInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(name string, d time.Duration) tool.Tool {
			return named(name, tool.Reads, func(context.Context) (tool.Result, error) {
				time.Sleep(d)
				return tool.Result{ForModel: name}, nil
			})
		}
		r := newRouter(t, tool.Options{}, slow("a", 3*time.Second), slow("b", time.Second), slow("c", 2*time.Second))
		start := time.Now()
		outcomes, err := r.Dispatch(t.Context(), []llm.ToolCall{{Name: "a"}, {Name: "b"}, {Name: "c"}}, tool.Observer{})
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		for _, o := range outcomes {
			order = append(order, o.Result.ModelText())
		}
		if diff := cmp.Diff([]string{"a", "b", "c"}, order); diff != "" {
			t.Errorf("order of results (-want +got):\n%s", diff)
		}
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("three reads took %s, want as long as the slowest, 3s", took)
		}
	})
}

func TestRouter_NoMoreReadsAtOnceThanTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		busy := named("busy", tool.Reads, func(context.Context) (tool.Result, error) {
			most.Store(max(most.Load(), now.Add(1)))
			time.Sleep(time.Second)
			now.Add(-1)
			return tool.Result{}, nil
		})
		r := newRouter(t, tool.Options{Parallel: 2}, busy)
		if _, err := r.Dispatch(t.Context(), make7("busy"), tool.Observer{}); err != nil {
			t.Fatal(err)
		}
		if most.Load() != 2 {
			t.Fatalf("%d ran at once, want 2", most.Load())
		}
	})
}

func make7(name string) []llm.ToolCall {
	calls := make([]llm.ToolCall, 7)
	for i := range calls {
		calls[i] = llm.ToolCall{ID: fmt.Sprint(i), Name: name}
	}
	return calls
}

func TestRouter_AWriteRunsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var log []string
		note := func(name string, effect tool.Effect) tool.Tool {
			return named(name, effect, func(context.Context) (tool.Result, error) {
				mu.Lock()
				log = append(log, name+" starts")
				mu.Unlock()
				time.Sleep(time.Second)
				mu.Lock()
				log = append(log, name+" ends")
				mu.Unlock()
				return tool.Result{}, nil
			})
		}
		r := newRouter(t, tool.Options{Approver: tool.Policy{All: true}}, note("read", tool.Reads), note("write", tool.Writes))
		_, err := r.Dispatch(t.Context(), []llm.ToolCall{{Name: "read"}, {Name: "write"}, {Name: "read"}}, tool.Observer{})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"read starts", "read ends", "write starts", "write ends", "read starts", "read ends"}
		if diff := cmp.Diff(want, log); diff != "" {
			t.Fatalf("what ran when (-want +got):\n%s", diff)
		}
	})
}

func TestRouter_AToolThatTimesOutIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := named("stuck", tool.Reads, func(ctx context.Context) (tool.Result, error) {
			<-ctx.Done()
			return tool.Result{}, ctx.Err()
		})
		stuck.Timeout = 5 * time.Second
		start := time.Now()
		got := call(t, newRouter(t, tool.Options{}, stuck), "stuck", "{}")
		if got.Code != tool.CodeTimeout || time.Since(start) != 5*time.Second {
			t.Fatalf("stuck = %+v after %s, want a timeout after 5s", got, time.Since(start))
		}
	})
}

// People know a tool by its label, and a call by what they asked for.
func TestRouter_ATimeoutNamesWhatWasAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type input struct {
			Symbols []string `json:"symbols"`
			Range   string   `json:"range"`
			Days    int      `json:"days"`
		}
		prices := tool.New("price_history", "Prices.", tool.Reads, func(ctx context.Context, _ input) (tool.Result, error) {
			<-ctx.Done()
			return tool.Result{}, ctx.Err()
		})
		prices.Label, prices.Timeout = "Prices", 5*time.Second
		got := call(t, newRouter(t, tool.Options{}, prices), "price_history", `{"symbols":["VTI","VXUS"],"range":"5y","days":3}`)
		const want = "Prices (VTI, VXUS, 5y) did not finish within 5s and was stopped; request less data or try again"
		if got.ErrorText() != want {
			t.Errorf("error = %q, want %q", got.ErrorText(), want)
		}
	})
}

// A call reports what it is doing from its approval to its end, and not after it.
func TestRouter_ARunningCallReportsWhatItIsDoing(t *testing.T) {
	var seen []string
	var late context.Context
	look := named("look", tool.Reads, func(ctx context.Context) (tool.Result, error) {
		late = ctx
		progress.Report(ctx, "asking Yahoo Finance")
		return tool.Result{}, nil
	})
	_, err := newRouter(t, tool.Options{}, look).Dispatch(t.Context(), []llm.ToolCall{{Name: "look"}}, tool.Observer{
		Started:  func(llm.ToolCall) { seen = append(seen, "started") },
		Running:  func(_ llm.ToolCall, doing string) { seen = append(seen, "running "+doing) },
		Finished: func(tool.Outcome) { seen = append(seen, "finished") },
	})
	progress.Report(late, "too late")
	if diff := cmp.Diff([]string{"started", "running ", "running asking Yahoo Finance", "finished"}, seen); diff != "" || err != nil {
		t.Errorf("reported, %v (-want +got):\n%s", err, diff)
	}
}

func TestRouter_ACrashIsAResult(t *testing.T) {
	crash := named("crash", tool.Reads, func(context.Context) (tool.Result, error) { panic("out of cheese") })
	got := call(t, newRouter(t, tool.Options{}, crash), "crash", "{}")
	if got.Code != tool.CodeCrashed || strings.Contains(got.ModelText(), "cheese") {
		t.Fatalf("crash = %+v, want a crashed result without the panic's text", got)
	}
}

func TestRouter_AToolsErrorIsAResult(t *testing.T) {
	broken := named("broken", tool.Reads, func(context.Context) (tool.Result, error) {
		return tool.Result{}, errors.New("no line to the exchange")
	})
	got := call(t, newRouter(t, tool.Options{}, broken), "broken", "{}")
	if !got.IsError || got.ErrorText() != "no line to the exchange" {
		t.Fatalf("broken = %+v, want its error as a result", got)
	}
}

func TestRouter_CancellationAnswersEveryCall(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	first := named("first", tool.Reads, func(ctx context.Context) (tool.Result, error) {
		cancel()
		<-ctx.Done()
		return tool.Result{}, ctx.Err()
	})
	never := named("never", tool.Writes, func(context.Context) (tool.Result, error) {
		t.Error("a call after the cancellation was run")
		return tool.Result{}, nil
	})
	r := newRouter(t, tool.Options{Approver: tool.Policy{All: true}}, first, never)
	outcomes, err := r.Dispatch(ctx, []llm.ToolCall{{Name: "first"}, {Name: "never"}}, tool.Observer{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Dispatch = %v, want context.Canceled", err)
	}
	for _, o := range outcomes {
		if o.Result.Code != tool.CodeCancelled {
			t.Errorf("%s = %+v, want cancelled", o.Call.Name, o.Result)
		}
	}
}

// noonLimit is a limit with a name.
type noonLimit struct{}

func (noonLimit) Error() string        { return "the limit at noon" }
func (noonLimit) Is(target error) bool { return target == context.DeadlineExceeded }

func TestRouter_AStoppedCallSaysWhy(t *testing.T) {
	for _, tt := range []struct {
		name       string
		cause      error
		code, says string
	}{
		{"by the user", nil, tool.CodeCancelled, "canceled by the user"},
		{"by the user, who said why", errors.New("enough"), tool.CodeCancelled, "canceled by the user"},
		{"by the clock", context.DeadlineExceeded, tool.CodeTimeout, "stopped at the time limit"},
		{"by a limit with a name", noonLimit{}, tool.CodeTimeout, "stopped at the limit at noon"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				stops := named("stops", tool.Reads, func(ctx context.Context) (tool.Result, error) {
					cancel(tt.cause)
					return tool.Result{}, ctx.Err()
				})
				deaf := named("deaf", tool.Reads, func(context.Context) (tool.Result, error) {
					time.Sleep(time.Minute)
					return tool.Result{}, nil
				})
				plans := named("plans", tool.Reads, say("done"))
				plans.Preview = func(ctx context.Context, _ json.RawMessage) (tool.Preview, error) {
					<-ctx.Done()
					return tool.Preview{}, fmt.Errorf("looking for Python: %w", ctx.Err())
				}
				r := newRouter(t, tool.Options{Approver: tool.Policy{All: true}}, stops, deaf, plans, named("never", tool.Writes, say("done")))
				outcomes, _ := r.Dispatch(ctx, []llm.ToolCall{{Name: "deaf"}, {Name: "stops"}, {Name: "plans"}, {Name: "never"}}, tool.Observer{})
				for _, o := range outcomes {
					if o.Result.Code != tt.code || !strings.Contains(o.Result.ErrorText(), tt.says) {
						t.Errorf("%s = %s %q, want %s with %q", o.Call.Name, o.Result.Code, o.Result.ErrorText(), tt.code, tt.says)
					}
				}
				time.Sleep(time.Minute) // until deaf is done
			})
		})
	}
}

func TestRouter_LongResultIsClippedForTheModelOnly(t *testing.T) {
	long := strings.Repeat("€", 400)
	wordy := named("wordy", tool.Reads, func(context.Context) (tool.Result, error) {
		return tool.Result{ForModel: long, ForUser: long}, nil
	})
	got := call(t, newRouter(t, tool.Options{ModelBytes: 100}, wordy), "wordy", "{}")
	model := got.ModelText()
	if !strings.Contains(model, "[clipped: 1101 of 1200 bytes omitted") || !utf8.ValidString(model) {
		t.Errorf("the model reads %q, want its begin and end, whole runes, and a note", model)
	}
	if got.ForUser != long {
		t.Errorf("the user reads %d bytes, want all %d", len(got.ForUser), len(long))
	}
}

// A clipped result starts with its headline, unless that may contain hidden amounts.
func TestRouter_AClippedResultBeginsWithItsHeadline(t *testing.T) {
	long := tool.Result{ForModel: strings.Repeat("x", 400), Redacted: strings.Repeat("y", 400), Headline: "The total is 777 USD."}
	for hide, want := range map[bool]bool{false: true, true: false} {
		wordy := named("wordy", tool.Reads, func(context.Context) (tool.Result, error) { return long, nil })
		r := newRouter(t, tool.Options{ModelBytes: 100, HideAmounts: func(string) bool { return hide }}, wordy)
		if model := call(t, r, "wordy", "{}").ModelText(); strings.HasPrefix(model, long.Headline) != want || strings.Contains(model, "777") != want {
			t.Errorf("hide %t: the model reads %q", hide, model)
		}
	}
}

func TestRouter_ObserverSeesStartsInOrderAndEachFinish(t *testing.T) {
	var mu sync.Mutex
	var started []string
	finished := 0
	r := newRouter(t, tool.Options{}, echo())
	_, err := r.Dispatch(t.Context(), make7("echo"), tool.Observer{
		Started:  func(c llm.ToolCall) { mu.Lock(); defer mu.Unlock(); started = append(started, c.ID) },
		Finished: func(tool.Outcome) { mu.Lock(); defer mu.Unlock(); finished++ },
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"0", "1", "2", "3", "4", "5", "6"}, started); diff != "" || finished != 7 {
		t.Fatalf("%d finished; started (-want +got):\n%s", finished, diff)
	}
}

func BenchmarkRouter_Call(b *testing.B) {
	r, err := tool.NewRouter([]tool.Tool{echo()}, tool.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Call(b.Context(), llm.ToolCall{Name: "echo", Arguments: `{"text":"hi"}`}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestRouter_OnlyHidesToolsAndSharesApprovals(t *testing.T) {
	requests := 0
	approver := tool.ApproverFunc(func(context.Context, tool.Approval) (tool.Answer, error) {
		requests++
		return tool.Answer{Allowed: true, Scope: tool.Session}, nil
	})
	all := newRouter(t, tool.Options{Approver: approver}, echo(), named("save", tool.Writes, say("saved")))
	fewer := all.Only(func(name string) bool { return name == "save" })
	if got := call(t, fewer, "echo", `{"text":"hi"}`); got.Code != tool.CodeUnknownTool || strings.Contains(got.ErrorText(), "available: echo") {
		t.Errorf("a hidden tool answers %+v, want that it is unknown", got)
	}
	if specs := fewer.Specs(); len(specs) != 1 || specs[0].Name != "save" {
		t.Errorf("specs = %+v, want only save", specs)
	}
	for _, r := range []*tool.Router{fewer, all} {
		if got := call(t, r, "save", `{}`); got.IsError {
			t.Errorf("save = %+v", got)
		}
	}
	if requests != 1 {
		t.Errorf("asked %d times, want once for both", requests)
	}
}
