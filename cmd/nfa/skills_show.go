package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill/library"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newSkillsShow(g *globals) *cobra.Command {
	var form showOptions
	cmd := &cobra.Command{
		Use: "show NAME", Short: "Show a skill: what it says and where it lives",
		Example: `  nfa skills show get-price
  nfa skills show get-price --render symbols=AAPL
  nfa skills show my-report --file scripts/report.py`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, names []string) error {
			form.render = cmd.Flags().Changed("render")
			chosen := 0
			for _, one := range []bool{form.json, form.raw, form.render, form.file != ""} {
				if one {
					chosen++
				}
			}
			if chosen > 1 {
				return usage.Errorf("--json, --raw, --render and --file cannot go together; choose one")
			}
			p, err := openProgram(cmd.Context(), g, programOptions{})
			if err != nil {
				return err
			}
			defer p.close()
			return showSkill(g, p, names[0], form)
		},
	}
	cmd.Flags().BoolVar(&form.json, "json", false, "as JSON, with its content")
	cmd.Flags().StringVar(&form.file, "file", "", "the text of a `FILE` of the skill, such as a script")
	cmd.Flags().BoolVar(&form.raw, "raw", false, "the SKILL.md byte for byte")
	cmd.Flags().StringArrayVar(&form.args, "render", nil, "byte for byte what the model gets with this `KEY=VALUE`; may be repeated, or empty")
	return cmd
}

// showOptions is how a skill is shown; without any, for people.
type showOptions struct {
	json, raw, render bool
	file              string   // to show in its place
	args              []string // to render it with
}

func showSkill(g *globals, p *program, name string, form showOptions) error {
	s, ok := p.skills.Lookup(name)
	if !ok {
		return p.skillLibrary.NotFound(name)
	}
	content, err := p.skills.Load(s.Name)
	if err != nil {
		return err
	}
	switch {
	case form.file != "":
		return p.printFile(g.out, s.Name, form.file)
	case form.render:
		in, err := p.skillLibrary.Activate(s.Name, library.ArgumentLine(s.Parameters, slices.DeleteFunc(form.args, func(w string) bool { return w == "" })))
		if err != nil {
			return err
		}
		_, err = io.WriteString(g.out, cli.SanitizeFor(g.out, in.ForModel))
		return err
	case form.raw:
		text := content.Text
		if cli.IsTerminal(g.out) {
			text = markdown.Sanitize(text) // byte for byte into a file or a pipe
		}
		_, err = io.WriteString(g.out, text)
		return err
	case form.json:
		return cli.WriteJSON(g.out, struct {
			library.Detail
			Content string `json:"content"`
		}{p.skillLibrary.Detail(content), content.Text})
	}
	return p.skillLibrary.Detail(content).Print(g.out, content.Body)
}

func (p *program) printFile(out io.Writer, name, file string) error {
	text, err := p.skillLibrary.FileText(name, file)
	if err != nil {
		return err
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err = io.WriteString(out, text)
	return err
}
