package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/skillset"
)

func newSkillsShow(g *globals) *cobra.Command {
	var form showForm
	cmd := &cobra.Command{
		Use: "show NAME", Short: "Show a skill: what it says and where it lives",
		Example: `  nfa skills show get-price
  nfa skills show get-price --render symbols=AAPL
  nfa skills show my-report --file scripts/report.py`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, names []string) error {
			form.render = cmd.Flags().Changed("render")
			chosen := 0
			for _, one := range []bool{form.json, form.raw, form.render, form.file != ""} {
				if one {
					chosen++
				}
			}
			if chosen > 1 {
				return misuse.Errorf("--json, --raw, --render and --file cannot go together; choose one")
			}
			h, err := wire(cmd.Context(), g, wiring{})
			if err != nil {
				return err
			}
			defer h.close()
			return showSkill(g, h, names[0], form)
		},
	}
	cmd.Flags().BoolVar(&form.json, "json", false, "as JSON, with its content")
	cmd.Flags().StringVar(&form.file, "file", "", "the text of a `FILE` of the skill, such as a script")
	cmd.Flags().BoolVar(&form.raw, "raw", false, "the SKILL.md byte for byte")
	cmd.Flags().StringArrayVar(&form.words, "render", nil, "byte for byte what the model gets with this `KEY=VALUE`; may be repeated, or empty")
	return cmd
}

// showForm is how a skill is shown; without any, for people.
type showForm struct {
	json, raw, render bool
	file              string   // to show in its place
	words             []string // to render it with
}

func showSkill(g *globals, h *house, name string, form showForm) error {
	s, ok := h.skills.Lookup(name)
	if !ok {
		return h.set.Unknown(name)
	}
	content, err := h.skills.Load(s.Name)
	if err != nil {
		return err
	}
	switch {
	case form.file != "":
		return h.printFile(g.out, s.Name, form.file)
	case form.render:
		in, err := h.set.Activate(s.Name, skillset.ArgumentLine(s.Parameters, slices.DeleteFunc(form.words, func(w string) bool { return w == "" })))
		if err != nil {
			return err
		}
		_, err = io.WriteString(g.out, console.ForTerminal(g.out, in.ForModel))
		return err
	case form.raw:
		text := content.Text
		if console.IsTerminal(g.out) {
			text = markdown.Sanitize(text) // byte for byte into a file or a pipe
		}
		_, err = io.WriteString(g.out, text)
		return err
	case form.json:
		return console.JSON(g.out, struct {
			skillset.Detail
			Content string `json:"content"`
		}{h.set.Detail(content), content.Text})
	}
	return h.set.Detail(content).Print(g.out, content.Body)
}

func (h *house) printFile(out io.Writer, name, file string) error {
	text, err := h.set.FileText(name, file)
	if err != nil {
		return err
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err = io.WriteString(out, text)
	return err
}
