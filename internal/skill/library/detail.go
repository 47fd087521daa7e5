package library

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// Detail is everything about a skill except its text, for deciding whether to use it.
type Detail struct {
	Row
	Usage        string               `json:"usage"`
	Parameters   []workflow.Parameter `json:"parameters"`
	Steps        []Step               `json:"steps"`
	Files        []skill.Resource     `json:"files"`
	FilesOmitted int                  `json:"files_omitted,omitempty"`
	Tools        []string             `json:"tools_required"`
	Missing      []string             `json:"tools_missing"`
	Allowed      []string             `json:"allowed_tools"`
	NotReviewed  bool                 `json:"not_reviewed"`
	Subsession   string               `json:"subsession,omitempty"` // that it runs in a separate session
	Data         []string             `json:"data,omitempty"`       // commands that it calls when it is loaded
	Needs        []string             `json:"needs,omitempty"`      // what it asks for that is not available, and names of tools
}

// Step is a step as written in the skill.
type Step struct {
	Number    int             `json:"number"`
	ID        string          `json:"id"`
	Tool      string          `json:"tool,omitempty"`
	Script    string          `json:"script,omitempty"`
	Code      string          `json:"code,omitempty"`
	Arguments json.RawMessage `json:"arguments"`
	About     string          `json:"description,omitempty"`
}

// Detail returns the details of a skill.
func (lib *Library) Detail(content skill.Content) Detail {
	s := content.Skill
	d := Detail{
		Row: newRow(s, !lib.opts.State.Disabled(s.Name)), Usage: workflow.ArgumentUsage(s.Parameters),
		Parameters: append([]workflow.Parameter{}, s.Parameters...), Steps: []Step{}, Files: []skill.Resource{},
		Tools: append([]string{}, s.ToolsRequired...), Missing: append([]string{}, skill.MissingTools(s, lib.HasTool)...),
		Allowed: append([]string{}, s.AllowedTools...), NotReviewed: lib.Workflows().NeedsReview(s), Subsession: subsessionLine(s), Data: skill.SplitData(content).Calls,
	}
	if why := lib.RunProblem(s); why != "" {
		d.Warnings = append(slices.Clone(d.Warnings), why)
	}
	d.Needs = lib.Workflows().Notes(context.Background(), content)
	if stale := s.StaleWarning(lib.opts.Now()); stale != "" {
		d.Warnings = append(slices.Clone(d.Warnings), stale)
	}
	for i, step := range s.Steps {
		d.Steps = append(d.Steps, NewStep(i+1, step))
	}
	if resources, err := lib.opts.Registry.Resources(s.Name); err == nil {
		d.Files, d.FilesOmitted = append(d.Files, resources.Files...), resources.Omitted
	}
	return d
}

// NewStep returns a step with its number, starting at 1.
func NewStep(number int, s workflow.Step) Step {
	row := Step{Number: number, ID: s.ID, Tool: s.Tool, Script: s.Python, Code: s.Code, About: s.About, Arguments: json.RawMessage("{}")}
	// Arguments that cannot be encoded as JSON are reported as a problem of the steps.
	if written, err := json.Marshal(s.With); err == nil && s.With != nil {
		row.Arguments = written
	}
	return row
}

// String formats the step on one line.
func (s Step) String() string {
	called := cmp.Or(s.Tool, s.Script, "inline Python")
	line := fmt.Sprintf("%d. %s  %s %s", s.Number, s.ID, called, s.Arguments)
	if s.About != "" {
		line += "  " + s.About
	}
	return line
}

// parameterLine describes a parameter on one line.
func parameterLine(p workflow.Parameter) string {
	line := p.Name + " (" + p.Type
	if p.NeedsValue() {
		line += ", required"
	}
	if fallback := p.DefaultText(); fallback != "" {
		line += ", default " + fallback
	}
	line += ")"
	if len(p.Enum) > 0 {
		line += " one of " + strings.Join(p.Enum, ", ")
	}
	if p.Description != "" {
		line += ": " + p.Description
	}
	return line
}

// ResourceLine returns a file name with its size.
func ResourceLine(f skill.Resource) string {
	return f.Path + "  " + strconv.FormatInt(f.Size, 10) + " bytes"
}

// detailSection is a heading with lines.
type detailSection struct {
	heading string
	lines   []string
}

// sections returns the inputs and steps of a skill, for people.
func (d Detail) sections() []detailSection {
	var parameters, steps, scripts, others []string
	for _, p := range d.Parameters {
		parameters = append(parameters, parameterLine(p))
	}
	for _, s := range d.Steps {
		steps = append(steps, s.String())
	}
	for _, f := range d.Files {
		if f.Group == skill.GroupScripts {
			scripts = append(scripts, ResourceLine(f))
		} else {
			others = append(others, ResourceLine(f))
		}
	}
	if d.FilesOmitted > 0 {
		others = append(others, "and "+strconv.Itoa(d.FilesOmitted)+" more")
	}
	parts := []detailSection{{"parameters", parameters}, {"steps", steps}, {"scripts", scripts}, {"files", others}}
	return slices.DeleteFunc(parts, func(p detailSection) bool { return len(p.lines) == 0 })
}

// notes returns warnings and other notes.
func (d Detail) notes() []string {
	var lines []string
	if d.NotReviewed {
		lines = append(lines, "! not reviewed: the current steps have not run on this computer")
	}
	for _, warning := range d.Warnings {
		lines = append(lines, "! "+warning)
	}
	for _, need := range d.Needs {
		lines = append(lines, "! "+need)
	}
	if d.Subsession != "" {
		lines = append(lines, d.Subsession)
	}
	if len(d.Data) > 0 {
		lines = append(lines, "calls when loaded: "+strings.Join(d.Data, "; "))
	}
	if len(d.Missing) > 0 {
		lines = append(lines, "! missing tools: "+strings.Join(d.Missing, ", "))
	}
	if len(d.Tools) > 0 {
		lines = append(lines, "tools: "+strings.Join(d.Tools, ", "))
	}
	if len(d.Allowed) > 0 {
		lines = append(lines, "allowed-tools: "+strings.Join(d.Allowed, ", "))
	}
	return lines
}

// Print writes the details as text, then the body, which must be sanitized.
func (d Detail) Print(out io.Writer, body string) error {
	var b strings.Builder
	line := func(text string) { b.WriteString(markdown.SanitizeLine(text) + "\n") }
	line(d.Name + "  " + d.Source + ", version " + d.Version)
	line(d.Path)
	line(d.Description)
	if d.Usage != "" {
		line("usage: nfa skills run " + d.Name + " " + d.Usage)
	}
	for _, remark := range d.notes() {
		line(remark)
	}
	for _, p := range d.sections() {
		b.WriteString(p.heading + ":\n")
		for _, text := range p.lines {
			line("  " + text)
		}
	}
	_, err := fmt.Fprintf(out, "%s\n%s\n", b.String(), strings.TrimRight(body, "\n"))
	return err
}

// Markdown returns the details and the body as Markdown for /skills.
func (d Detail) Markdown(k skill.Skill, body string) string {
	var b strings.Builder
	b.WriteString(markdown.QuoteCode("/" + strings.TrimSpace(d.Name+" "+k.ArgumentHint)))
	b.WriteString(" · version " + d.Version + " · " + markdown.QuoteCode(humanize.ShortPath(d.Path)) + "\n\n")
	for _, remark := range d.notes() {
		fmt.Fprintf(&b, "- %s\n", remark)
	}
	for _, p := range d.sections() {
		fmt.Fprintf(&b, "\n**%s**\n\n", p.heading)
		for _, text := range p.lines {
			fmt.Fprintf(&b, "- %s\n", markdown.QuoteCode(text))
		}
	}
	b.WriteString("\n---\n\n" + body)
	return b.String()
}

// FileText returns a whole file of a skill, which may come from an untrusted author.
func (lib *Library) FileText(name, file string) (string, error) {
	var b strings.Builder
	for offset := int64(0); ; {
		piece, err := lib.opts.Registry.ReadResource(name, file, offset, 0)
		if err != nil {
			return "", err
		}
		b.WriteString(piece.Text)
		if piece.Next == 0 {
			return markdown.Sanitize(b.String()), nil
		}
		offset = piece.Next
	}
}

// Scripts returns all code that a skill would run, as Markdown.
func (lib *Library) Scripts(k skill.Skill) (string, error) {
	resources, err := lib.opts.Registry.Resources(k.Name)
	if err != nil {
		return "", err
	}
	var files []string
	for _, f := range resources.Files {
		if f.Group == skill.GroupScripts {
			files = append(files, f.Path)
		}
	}
	var b strings.Builder
	for i, step := range k.Steps {
		if step.Code != "" {
			fmt.Fprintf(&b, "**step %d, %s**\n\n%s\n", i+1, step.ID, fencedCode(markdown.Sanitize(step.Code)))
		}
		if step.Python != "" && !slices.Contains(files, step.Python) {
			files = append(files, step.Python)
		}
	}
	for _, file := range files {
		text, err := lib.FileText(k.Name, file)
		if err != nil {
			fmt.Fprintf(&b, "**%s**\n\n%s\n\n", markdown.QuoteCode(file), err)
			continue
		}
		fmt.Fprintf(&b, "**%s**\n\n%s\n", markdown.QuoteCode(file), fencedCode(text))
	}
	return b.String(), nil
}

// fencedCode returns a code block with a fence that does not occur in text.
func fencedCode(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n"
}
