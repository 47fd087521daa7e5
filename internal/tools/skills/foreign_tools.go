package skills

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
	"github.com/nfa-cli/nfa/internal/tool"
)

// foreignTools maps the tool names of Claude Code, Codex and Gemini CLI to tools of nfa, or to "" if nfa
// has no such tool.
var foreignTools = map[string]string{
	"Read": "read_file", "Write": "write_report", "WebFetch": "web_fetch", "WebSearch": "web_search", "Glob": "list_files", "LS": "list_files",
	"Bash": "", "Task": "", "Edit": "", "MultiEdit": "", "Grep": "", "NotebookEdit": "", "TodoWrite": "", "AskUserQuestion": "",
	"shell": "", "apply_patch": "", "run_shell_command": "", "search_file_content": "", "replace": "",
	"write_file": "write_report", "list_directory": "list_files", "google_web_search": "web_search",
}

// unrestrictedShell are the tools that let a skill of another agent do anything.
var unrestrictedShell = []string{"Bash", "shell", "run_shell_command"}

var (
	unmistakableTool = lazyregexp.New(`\b(WebFetch|WebSearch|MultiEdit|NotebookEdit|TodoWrite|AskUserQuestion|run_shell_command|google_web_search|apply_patch)\b`)
	mentionedTool    = lazyregexp.New("\\b(Bash|Read|Write|Edit|Grep|Glob|Task|LS) tool\\b|`(Bash|Read|Write|Edit|Grep|Glob|Task|LS)`")
)

// toolName returns the name in an entry of allowed-tools such as "Bash(git log:*)".
func toolName(entry string) string {
	name, _, _ := strings.Cut(entry, "(")
	return strings.TrimSpace(name)
}

// foreignNames returns the tools of other agents that a skill names in allowed-tools or its text.
func foreignNames(s skill.Skill, body string) []string {
	found := map[string]bool{}
	for _, entry := range s.AllowedTools {
		if _, foreign := foreignTools[toolName(entry)]; foreign {
			found[toolName(entry)] = true
		}
	}
	for _, m := range unmistakableTool().FindAllStringSubmatch(body, -1) {
		found[m[1]] = true
	}
	for _, m := range mentionedTool().FindAllStringSubmatch(body, -1) {
		found[m[1]+m[2]] = true
	}
	return slices.Sorted(maps.Keys(found))
}

// TranslateTools returns a note with the tools of nfa that replace the tools of other agents that a skill
// names, or "".
func TranslateTools(s skill.Skill, body string) string {
	var parts []string
	for _, name := range foreignNames(s, body) {
		switch ours := foreignTools[name]; {
		case ours != "":
			parts = append(parts, name+" is "+ours)
		case slices.Contains(unrestrictedShell, name):
			parts = append(parts, name+" is not available (the skill's Python scripts run with "+runSkillScriptName+")")
		default:
			parts = append(parts, name+" is not available")
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "tools of other agents: " + strings.Join(parts, ", ")
}

// allowedHere returns the tools that the steps of a skill may call: allowed-tools in the names of nfa.
// nil means all.
func allowedHere(s skill.Skill) []string {
	if s.AllowedTools == nil {
		return nil
	}
	allowed := []string{}
	for _, entry := range s.AllowedTools {
		name := toolName(entry)
		ours, foreign := foreignTools[name]
		switch {
		case !foreign:
			allowed = append(allowed, name)
		case ours != "":
			allowed = append(allowed, ours)
		case slices.Contains(unrestrictedShell, name):
			allowed = append(allowed, workflow.PythonTool, runSkillScriptName)
		}
	}
	return allowed
}

// FenceOf returns what a skill may call while it is active, or nil for everything. A skill that may use
// any shell command may call every tool that reads, because these replace its commands.
func FenceOf(s skill.Skill) *tool.Fence {
	allowed := allowedHere(s)
	if allowed == nil {
		return nil
	}
	f := &tool.Fence{Skill: s.Name, Tools: slices.Concat(allowed, s.ToolsRequired)}
	if slices.Contains(allowed, workflow.PythonTool) {
		f.Tools = append(f.Tools, runSkillScriptName)
	}
	if s.HasTool() {
		f.Tools = append(f.Tools, WorkflowTool(s.Name))
	}
	for _, entry := range s.AllowedTools {
		f.Reading = f.Reading || slices.Contains(unrestrictedShell, entry)
	}
	return f
}

// FenceWarning tells the model which calls a fence permits; "" without a fence.
func FenceWarning(f *tool.Fence) string {
	if f == nil {
		return ""
	}
	reading := ""
	if f.Reading {
		reading = " and all read-only tools"
	}
	return fmt.Sprintf("allowed-tools: until your answer is complete, call only %s%s and the tools for skills", strings.Join(f.Tools, ", "), reading)
}
