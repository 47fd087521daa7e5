package skills

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
)

// preview returns the plan of a run: the questions before it, and what the approval covers. A first,
// separate question is whether the user has read a skill that came from elsewhere.
func (w Workflows) preview(p *preparedRun, args json.RawMessage) (tool.Preview, error) {
	plan := tool.Preview{
		Question: p.question(args), Plan: p.planLines(), State: p,
		Targets: p.skill.Name + p.subject(args) + ", until you quit",
		Pattern: "the current version of this skill (" + p.hash[:12] + ")",
	}
	// The key includes the plan, because an approval for the session covers only these arguments and
	// this interpreter.
	key := sha256.Sum256([]byte(p.hash + "\n" + string(args) + "\n" + strings.Join(plan.Plan, "\n")))
	plan.Key = hex.EncodeToString(key[:])
	for _, step := range p.plan.Steps {
		call := step.Call()
		t, ok := p.router.Lookup(call.Tool)
		if !ok || step.IsPython() {
			continue
		}
		if step.Complete {
			plan.Sends = append(plan.Sends, t.SendsOf(call.Arguments)...)
		}
		if t.WritesTo != nil {
			plan.Writes = append(plan.Writes, t.WritesTo(call.Arguments)...)
		}
	}
	if plan.Writes != nil {
		plan.Writes = append(plan.Writes, namedFiles(args)...)
	}
	plan.Touch = p.touch(plan)
	if !w.reviewed(p) {
		plan.Review = &tool.Review{
			Key: p.hash, Question: fmt.Sprintf("Have you read the skill %s? It may come from someone else, and nfa has not run this version before.", p.skill.Name),
			Plan: p.reviewLines(), Pattern: plan.Pattern,
			Save: func(ctx context.Context) error { return w.Review(ctx, p.skill.Name, p.hash) },
		}
	}
	return plan, nil
}

func (w Workflows) reviewed(p *preparedRun) bool {
	return p.skill.Source == skill.SourceBuiltin || w.Reviewed == nil || w.Reviewed(p.skill.Name, p.hash)
}

// question returns one sentence about what a run does.
func (p *preparedRun) question(args json.RawMessage) string {
	var reads, runs, writes []string
	for _, step := range p.plan.Steps {
		call := step.Call()
		name := strings.ReplaceAll(call.Tool, "_", " ")
		t, _ := p.router.Lookup(call.Tool)
		switch s, script := p.scripts[step.ID]; {
		case script:
			runs = append(runs, path.Base(s.script.Path())+" ("+sandboxing(s.plan)+")")
		case t.Effect != tool.Reads:
			writes = append(writes, strings.TrimPrefix(name, "write "))
		case !slices.Contains(reads, name):
			reads = append(reads, name)
		}
	}
	var parts []string
	for _, part := range []struct {
		verb  string
		names []string
	}{{"reads", reads}, {"runs", runs}, {"writes", writes}} {
		if len(part.names) > 0 {
			parts = append(parts, part.verb+" "+strings.Join(part.names, ", "))
		}
	}
	sentence := strings.Join(parts, "; ")
	if sentence != "" {
		sentence = " It " + sentence + "."
	}
	return "Run " + p.skill.Name + p.subject(args) + "?" + sentence
}

// subject returns what a run is on, with the other arguments by name, if that is short: " on AAPL, below 130".
func (p *preparedRun) subject(args json.RawMessage) string {
	const most = 40
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	var fields map[string]any
	if err := d.Decode(&fields); err != nil {
		return ""
	}
	var parts []string
	before := " with "
	for _, parameter := range p.skill.Parameters {
		value := formatStepValue(fields[parameter.Name], nil)
		switch {
		case value == "":
			continue
		case parameter.Required && len(parts) == 0:
			before = " on "
		default:
			value = parameter.Name + " " + value
		}
		parts = append(parts, value)
	}
	switch text := strings.Join(parts, ", "); {
	case text == "":
		return ""
	case len(text) > most, strings.ContainsFunc(text, endsQuestion):
		return " with these arguments"
	default:
		return before + text
	}
}

// endsQuestion reports whether a character in an argument could be taken for a part of the question.
func endsQuestion(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" .,:^=/_%$&+-", r)
}

// touch returns what the steps can reach.
func (p *preparedRun) touch(plan tool.Preview) tool.Touch {
	files, network, unsandboxed := []string{}, []string{}, false
	for _, step := range p.plan.Steps {
		t, ok := p.router.Lookup(step.Call().Tool)
		if s, script := p.scripts[step.ID]; script {
			unsandboxed = unsandboxed || !s.plan.Sandboxed
			continue
		}
		if !ok {
			continue
		}
		if t.Data == tool.FileData && t.Effect == tool.Reads {
			files = append(files, "reads files in this folder")
		}
		if t.Data == tool.PortfolioData {
			verb := "reads "
			if t.Effect != tool.Reads {
				verb = "changes "
			}
			files = append(files, verb+tool.PortfolioData)
		}
		if t.SendsTo != "" {
			network = append(network, t.SendsTo)
		}
	}
	for _, s := range plan.Sends {
		network = append(network, s.Receiver())
	}
	for _, to := range plan.Writes {
		files = append(files, "writes "+humanize.ShortPath(to))
	}
	if unsandboxed {
		return touchUnsandboxed
	}
	list := func(items []string, none string) string {
		slices.Sort(items)
		if items = slices.Compact(items); len(items) == 0 {
			return none
		}
		return strings.Join(items, ", ")
	}
	return tool.Touch{Files: list(files, "no"), Network: list(network, "no"), Environment: "nothing"}
}

// planLines describes the steps: a number, what kind of step it is, the tool or the script, and its
// arguments. Scripts are shown whole.
func (p *preparedRun) planLines() []string {
	numbers := map[string]int{}
	for i, step := range p.plan.Steps {
		numbers[step.ID] = i + 1
	}
	var lines []string
	for i, step := range p.plan.Steps {
		call := step.Call()
		if step.ForEach != nil {
			lines = append(lines, fmt.Sprintf("  for each %s of %s:", step.As, formatStepValue(step.ForEach, numbers)))
		}
		s, script := p.scripts[step.ID]
		if !script {
			verb := "read"
			if t, _ := p.router.Lookup(call.Tool); t.Effect != tool.Reads {
				verb = "write"
			}
			lines = append(lines, strings.TrimRight(fmt.Sprintf("%d %-6s %s  %s", i+1, verb, call.Tool, formatStepArguments(call.Arguments, numbers)), " "))
			continue
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%d %-6s %s  %s", i+1, "run", s.script.Path(), formatStepArguments(call.Arguments, numbers)), " "))
		lines = append(lines, "  with "+runtimeLabel(s.plan))
		for _, file := range s.plan.Files {
			lines = append(lines, fileLines(file.Path, file.Text, file.SHA256)...)
		}
	}
	return lines
}

// touchUnsandboxed is what a script with the user's rights can reach.
var touchUnsandboxed = tool.Touch{Files: "everything that your account can read or write", Network: "yes", Environment: "none · not sandboxed, runs with your rights"}

func sandboxing(plan python.Plan) string {
	if plan.Sandboxed {
		return "sandboxed"
	}
	return "not sandboxed"
}

func runtimeLabel(plan python.Plan) string {
	if plan.Sandboxed {
		return plan.Runtime + ", sandboxed: no files, no network"
	}
	return plan.Runtime + ", not sandboxed: runs with your rights, can read your files and use the network"
}

// fileLines returns a file with numbered lines, blank ones included.
func fileLines(name, text, hash string) []string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	out := []string{fmt.Sprintf("  %s · %s · sha256 %s", name, humanize.Count(len(lines), "line", "lines"), hash[:8])}
	for i, line := range lines {
		out = append(out, fmt.Sprintf("  %4d %s", i+1, strings.TrimSuffix(line, "\r")))
	}
	return out
}

// reviewLines returns everything that a run of the skill would use.
func (p *preparedRun) reviewLines() []string {
	sum := sha256.Sum256([]byte(p.text))
	lines := fileLines("SKILL.md", p.text, hex.EncodeToString(sum[:]))
	for _, step := range p.plan.Steps {
		if s, ok := p.scripts[step.ID]; ok {
			for _, file := range s.plan.Files {
				lines = append(lines, fileLines(file.Path, file.Text, file.SHA256)...)
			}
		}
	}
	return lines
}

var stepReference = lazyregexp.New(`\{\{steps\.([^.}]+)[^}]*\}\}`)

// formatStepArguments returns arguments as "name value · name value". A value that an earlier step makes
// is "from step 3".
func formatStepArguments(args json.RawMessage, steps map[string]int) string {
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	var fields map[string]any
	if d.Decode(&fields) != nil {
		return string(args)
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if value := formatStepValue(fields[name], steps); value != "" {
			parts = append(parts, name+" "+value)
		}
	}
	return strings.Join(parts, " · ")
}

func formatStepValue(value any, steps map[string]int) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		whole := stepReference().FindString(v) == v
		text := stepReference().ReplaceAllStringFunc(v, func(ref string) string {
			step := stepReference().FindStringSubmatch(ref)[1]
			if whole {
				return fmt.Sprintf("from step %d", steps[step])
			}
			return fmt.Sprintf("(from step %d)", steps[step])
		})
		return text
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, formatStepValue(item, steps))
		}
		return strings.Join(items, ", ")
	case map[string]any:
		var items []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			items = append(items, name+" "+formatStepValue(v[name], steps))
		}
		return "(" + strings.Join(items, ", ") + ")"
	}
	return fmt.Sprint(value)
}

// namedFiles returns the report files that a skill's arguments name: the user sees them, so a step may
// write them.
func namedFiles(args json.RawMessage) []string {
	var files []string
	_, texts := tool.Addresses(string(args))
	for _, text := range texts {
		switch filepath.Ext(text) {
		case ".md", ".html", ".csv":
			if abs, err := filepath.Abs(filepath.FromSlash(text)); err == nil {
				files = append(files, abs)
			}
		}
	}
	return files
}
