// Command nfa ("not financial advice") is an investment advisor in the terminal: `nfa` opens the
// chat, `nfa ask` answers one question, and the other commands run tools and skills, without a
// model where possible.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/sshserver"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/usage"
)

// Exit codes. Scripts depend on them: never change the meaning of a number.
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitRefused     = 3
	exitProvider    = 4
	exitNoData      = 5
	exitInterrupted = 130 // 128 + SIGINT, as in a shell
)

type exitMeaning struct {
	code    int
	meaning string
}

// exitCodes returns the codes with their meaning, for help and the manual.
func exitCodes() []exitMeaning {
	return []exitMeaning{
		{exitOK, "Done. For ask: the question was answered."},
		{exitFailure, "Failed. For ask: also if every tool failed or a limit was reached."},
		{exitUsage, "Wrong usage."},
		{exitRefused, "Refused: an approval was denied or missing."},
		{exitProvider, "The model provider failed."},
		{exitNoData, "Nothing found or understood: unknown symbol, no data, unclear question, report without a record."},
		{exitInterrupted, "Interrupted."},
	}
}

// gcMemoryLimit is the memory use above which garbage is collected more often: importing 20,000 transactions
// then takes 100 MB instead of 240 MB, in the same time.
const gcMemoryLimit = 64 << 20

func main() {
	credential.HideEnvironment()
	if err := sshserver.Confine(); err != nil {
		fmt.Fprintln(os.Stderr, "nfa: "+err.Error())
		os.Exit(exitFailure)
	}
	if os.Getenv("GOGC") == "" {
		// A short command makes a few megabytes of garbage; collecting it takes a third of the time
		// of nfa ask.
		debug.SetGCPercent(400)
		if os.Getenv("GOMEMLIMIT") == "" {
			debug.SetMemoryLimit(gcMemoryLimit)
		}
	}
	os.Exit(run(os.Args[1:], terminal{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: credential.Getenv}))
}

// terminal holds the streams and the environment, so that tests can replace them.
type terminal struct {
	in  *os.File
	out io.Writer
	err io.Writer
	env func(string) string
	// confirm answers yes/no questions in place of in and err, unless nil.
	confirm func(ctx context.Context, question string) (bool, error)
}

func run(args []string, t terminal) (code int) {
	var root *cobra.Command
	defer func() {
		if p := recover(); p != nil {
			code = t.reportCrash(crash.NewSite(p), root)
		}
	}()
	if len(args) > 0 && args[0] == python.SandboxVerb {
		return python.SandboxMain(t.in, t.out, t.err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first signal stops the work cleanly; the second one kills the program.
	context.AfterFunc(ctx, stop)
	root = newRoot(t, neededCommands(args))
	root.SetArgs(args)
	root.SetIn(t.in)
	root.SetOut(t.out)
	root.SetErr(t.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	// A panic that the command caught so that it could clean up.
	if site := (*crash.Site)(nil); errors.As(err, &site) {
		return t.reportCrash(site, root)
	}
	if failure := (*llm.Error)(nil); errors.As(err, &failure) && failure.Sentence != "" && failure.Error() == err.Error() {
		fmt.Fprintln(t.err, "nfa: "+markdown.Sanitize(failure.Sentence))
		return exitCode(ctx, err)
	}
	// The message of an exitError is empty if the command has already printed it.
	if message := humanize.ErrorText(err); message != "" {
		fmt.Fprintln(t.err, "nfa: "+markdown.Sanitize(message))
	}
	if r := cli.Remedy(err); r != "" {
		fmt.Fprintln(t.err, "     "+r)
	}
	return exitCode(ctx, err)
}

// exitError ends the program with a code and prints err. A nil err means that the command has
// already printed the reason.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// exitCode returns the exit code for an error.
func exitCode(ctx context.Context, err error) int {
	var e *exitError
	var ended *cli.TurnError
	var mistake *usage.Error
	switch {
	case errors.As(err, &e):
		return e.code
	case errors.As(err, &ended):
		return exitOfTurn(ended)
	case errors.As(err, &mistake):
		return exitUsage
	case ctx.Err() != nil, errors.Is(err, context.Canceled):
		return exitInterrupted
	case llm.KindOf(err) != "":
		return exitProvider
	default:
		return exitFailure
	}
}

// exitOfResult returns the exit code for the result of a tool that the user ran.
func exitOfResult(r tool.Result) int {
	switch {
	case !r.IsError:
		return exitOK
	case r.Code == tool.CodeValidation, r.Code == tool.CodeUnknownTool:
		return exitUsage
	case r.Code == tool.CodeRefused:
		return exitRefused
	case r.Code == tool.CodeNoData, r.Code == market.CodeUnknownSymbol:
		return exitNoData
	case r.Code == tool.CodeCancelled:
		return exitInterrupted
	default:
		return exitFailure
	}
}

// exitOfTurn returns the exit code for a turn of nfa ask that ended early.
func exitOfTurn(e *cli.TurnError) int {
	switch e.Reason {
	case agent.StopAnswered:
		switch {
		case e.Refused:
			return exitRefused
		case e.NothingFound:
			return exitNoData
		default:
			return exitFailure
		}
	case agent.StopCancelled:
		return exitInterrupted
	case agent.StopProvider:
		return exitProvider
	default:
		return exitFailure
	}
}

// clock returns the current time. The services get it as app.Options.Now.
func clock() time.Time { return time.Now() }
