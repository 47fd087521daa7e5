package skills

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// These codes are the reasons why a Python step has no result.
const (
	codeNoPython   = "python_missing"
	codeScript     = "script_failed"
	pythonOverhead = 15 * time.Second // time to start an interpreter, in addition to the script's timeout
)

// script reads a Python step's script and determines how to run it.
func (w Workflows) script(ctx context.Context, s skill.Skill, step workflow.Step) (scriptStep, error) {
	if w.Python == nil {
		return scriptStep{}, errors.New("this program cannot run Python here")
	}
	script, err := w.readScript(s, step)
	if err != nil {
		return scriptStep{}, err
	}
	plan, err := w.Python.Describe(ctx, script, w.Author(s))
	if err != nil {
		return scriptStep{}, withPythonHint(err)
	}
	return scriptStep{script, plan}, nil
}

// readScript reads a script from the skill's directory, with the modules in the same folder. A
// skill without a directory on disk has only its script.
func (w Workflows) readScript(s skill.Skill, step workflow.Step) (*python.Script, error) {
	onDisk := s.Source != skill.SourceBuiltin && s.Source != skill.SourceStore
	switch {
	case step.Code != "" && onDisk:
		return python.InlineScript(s.Directory, step.Code)
	case step.Code != "":
		return python.InlineScript("", step.Code)
	case onDisk:
		script, err := python.OpenScript(s.Directory, step.Python)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("the script %s is not in the skill's directory", step.Python)
		}
		return script, err
	}
	_, files, done, err := w.Skills.Files(s.Name)
	if err != nil {
		return nil, err
	}
	defer done()
	text, err := fs.ReadFile(files, step.Python)
	if err != nil {
		return nil, fmt.Errorf("the script %s is not in the skill's directory", step.Python)
	}
	return python.NewScript(step.Python, string(text)), nil
}

// Author returns who wrote a skill's scripts. A skill in the user's folder is the user's own, unless it
// was imported.
func (w Workflows) Author(s skill.Skill) python.Author {
	switch {
	case s.Source == skill.SourceBuiltin:
		return python.Builtin
	case (s.Source == skill.SourceUser || s.Source == skill.SourceStore) && (w.Imported == nil || !w.Imported(s.Name)):
		return python.User
	}
	return python.Others
}

// withPythonHint adds the next step to an error.
func withPythonHint(err error) error {
	switch {
	case errors.Is(err, python.ErrOnlySandboxed):
		return fmt.Errorf("%w; install it: nfa skills python install; or run all scripts with your rights: nfa config set python.runtime system", err)
	case errors.Is(err, python.ErrSandboxNotInstalled), errors.Is(err, python.ErrNoInterpreter):
		return fmt.Errorf("%w; install Python 3.9 or later, or download the sandbox: nfa skills python install", err)
	case errors.Is(err, python.ErrSandboxDamaged):
		return fmt.Errorf("%w; download it again: nfa skills python install", err)
	}
	return err
}

// pythonInput holds the arguments of a Python step's call, as its card shows them.
type pythonInput struct {
	Step   string          `json:"step"`
	Script string          `json:"script"`
	Input  json.RawMessage `json:"input"`
}

// pythonTool runs the scripts of one workflow, as previewed.
func (w Workflows) pythonTool(p *preparedRun) (tool.Tool, error) {
	t, err := tool.NewDynamic(workflow.PythonTool, "Runs a script of the skill.", tool.Executes, &jsonschema.Schema{Type: "object"}, func(ctx context.Context, raw json.RawMessage) (tool.Result, error) {
		var in pythonInput
		if err := json.Unmarshal(raw, &in); err != nil {
			return tool.Result{}, err
		}
		step, ok := p.scripts[in.Step]
		if !ok {
			return tool.Result{}, fmt.Errorf("step %s has no script", in.Step)
		}
		return w.runScript(ctx, p.skill, in, step)
	})
	for _, s := range p.scripts {
		t.Timeout = max(t.Timeout, s.plan.Limits.Time+pythonOverhead)
	}
	return t, err
}

func (w Workflows) runScript(ctx context.Context, s skill.Skill, in pythonInput, step scriptStep) (tool.Result, error) {
	run, err := w.Python.Run(ctx, step.script, python.Input{JSON: in.Input, By: w.Author(s), Runtime: step.plan.Runtime})
	if err != nil {
		return scriptFailure(ctx, in, run.Stderr, err)
	}
	out := tool.Result{
		Value: run.Output, Composed: true, Title: in.Script, Summary: fmt.Sprintf("%s, %d ms", run.Runtime, run.Duration.Milliseconds()),
		Figures: outputFigures(run.Output, fmt.Sprintf("step %s of the skill %s", in.Step, s.Name)),
	}
	out.ForUser = formatOutput(run.Output)
	if note := strings.TrimSpace(run.Stderr); note != "" {
		out.ForUser += stderrSection(note)
	}
	return out, nil
}

// formatOutput formats a script's output for people: the text under "markdown" if there is one,
// else the JSON.
func formatOutput(output json.RawMessage) string {
	const most = 4 << 10
	var object struct {
		Markdown string `json:"markdown"`
	}
	if json.Unmarshal(output, &object) == nil && object.Markdown != "" {
		return object.Markdown
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, output, "", "  "); err != nil || pretty.Len() > most {
		return fmt.Sprintf("%d bytes of JSON", len(output))
	}
	return toolkit.CodeBlock(pretty.String(), "json")
}

// outputFigures returns the numbers of a script's output, identified by their path.
func outputFigures(output json.RawMessage, source string) []tool.Figure {
	const most, mostDigits = 500, 40
	d := json.NewDecoder(bytes.NewReader(output))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil {
		return nil
	}
	var figures []tool.Figure
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case json.Number:
			if len(v) > mostDigits+len("-0.e+00") {
				return // parsing millions of digits takes minutes
			}
			n, err := decimal.NewFromString(v.String())
			if err == nil && max(n.Exponent(), -n.Exponent()) <= mostDigits && len(figures) < most {
				figures = append(figures, tool.Figure{ID: path, Label: path, Value: n, Source: source})
			}
		case []any:
			for i, item := range v {
				walk(path+"["+strconv.Itoa(i)+"]", item)
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(strings.TrimPrefix(path+"."+key, "."), v[key])
			}
		}
	}
	walk("", value)
	return figures
}

// scriptFailure distinguishes a failure of the script, which becomes a result, from an error of nfa
// in running it. stderr is the script's output so far.
func scriptFailure(ctx context.Context, in pythonInput, stderr string, err error) (tool.Result, error) {
	var exit *python.ExitError
	var output *python.OutputError
	var missing *python.ImportError
	location, reason := failureLocation(in.Script, stderr), withPythonHint(err).Error()
	message := location + ": " + strings.TrimPrefix(reason, "run "+in.Script+": ")
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

// failureLocation returns the script with the last of its lines named in a traceback.
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
// model, unless the failure already contains it.
func withStderr(failed tool.Result, stderr string) tool.Result {
	note := lastLines(stderr, 20, 2<<10)
	if note == "" || strings.Contains(failed.ErrorText(), note) {
		return failed
	}
	failed.ForUser += stderrSection(note)
	failed.Value = map[string]any{"error": failed.ErrorText(), "code": failed.Code, "stderr": note}
	return failed
}

// stderrOf returns what withStderr added to a failure.
func stderrOf(failed tool.Result) string {
	value, _ := failed.Value.(map[string]any)
	note, _ := value["stderr"].(string)
	return note
}

func stderrSection(note string) string {
	return "\n\nStandard error of the script:\n\n" + toolkit.CodeBlock(note, "")
}

// lastLines returns the end of a text, limited in lines and bytes.
func lastLines(text string, maxLines, maxBytes int) string {
	text = strings.TrimRight(text, " \t\r\n")
	if len(text) > maxBytes {
		text = text[len(text)-maxBytes:]
		// Skip a partial line or character.
		if _, rest, cut := strings.Cut(text, "\n"); cut {
			text = rest
		}
		text = strings.ToValidUTF8(text, "")
	}
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(len(lines)-maxLines, 0):], "\n")
}
