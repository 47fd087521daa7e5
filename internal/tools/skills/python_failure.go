package skills

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// scriptFailure tells a script's own failure, which a result can say, from a
// program that cannot run it. stderr is what the script wrote until then.
func scriptFailure(ctx context.Context, in pythonInput, stderr string, err error) (tool.Result, error) {
	var exit *python.ExitError
	var output *python.OutputError
	var missing *python.ImportError
	location, reason := failureLocation(in.Script, stderr), withPythonHint(err).Error()
	message := location + ": " + strings.TrimPrefix(reason, "running "+in.Script+": ")
	switch {
	case ctx.Err() != nil:
		return tool.Result{}, context.Cause(ctx)
	case errors.Is(err, python.ErrTimeLimit):
		return withStderr(tool.Failed(tool.CodeTimeout, message), stderr), nil
	case errors.Is(err, python.ErrSandboxNotInstalled), errors.Is(err, python.ErrNoInterpreter), errors.Is(err, python.ErrSandboxDamaged):
		return tool.Failed(codeNoPython, message), nil
	case errors.As(err, &exit), errors.As(err, &output), errors.As(err, &missing),
		errors.Is(err, python.ErrMemory), errors.Is(err, python.ErrOutputTooLarge), errors.Is(err, python.ErrRuntimeChanged):
		return withStderr(tool.Failed(codeScript, message), stderr), nil
	}
	return tool.Result{}, fmt.Errorf("%s: %w", in.Script, err)
}

// failureLocation is the script, with the line of it that a traceback names last.
func failureLocation(script, stderr string) string {
	frame := regexp.MustCompile(`(?m)^\s*File "([^"\n]*)", line (\d+)`)
	line := ""
	for _, match := range frame.FindAllStringSubmatch(stderr, -1) {
		if strings.HasSuffix(match[1], script) {
			line = match[2]
		}
	}
	if line == "" {
		return script
	}
	return script + ", line " + line
}

// withStderr adds the end of a script's standard error to its failure, for people and for the
// model, unless the failure contains it already.
func withStderr(failed tool.Result, stderr string) tool.Result {
	note := lastLines(stderr, 20, 2<<10)
	if note == "" || strings.Contains(failed.ErrorText(), note) {
		return failed
	}
	failed.ForUser += stderrSection(note)
	failed.Value = map[string]any{"error": failed.ErrorText(), "code": failed.Code, "stderr": note}
	return failed
}

// stderrOf is what withStderr added to a failure.
func stderrOf(failed tool.Result) string {
	value, _ := failed.Value.(map[string]any)
	note, _ := value["stderr"].(string)
	return note
}

func stderrSection(note string) string {
	return "\n\nThe script's own remarks:\n\n" + toolkit.CodeBlock(note, "")
}

// lastLines is the end of a text, at most so many lines and bytes of it.
func lastLines(text string, maxLines, maxBytes int) string {
	text = strings.TrimRight(text, " \t\r\n")
	if len(text) > maxBytes {
		text = text[len(text)-maxBytes:]
		// Half a line, or half a letter, says nothing.
		if _, rest, cut := strings.Cut(text, "\n"); cut {
			text = rest
		}
		text = strings.ToValidUTF8(text, "")
	}
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(len(lines)-maxLines, 0):], "\n")
}
