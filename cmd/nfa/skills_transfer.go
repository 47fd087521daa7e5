package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newSkillsImport(g *globals) *cobra.Command {
	var o install.Options
	var asJSON bool
	cmd := &cobra.Command{
		Use: "import PATH", Short: "Take in a SKILL.md, a skill's directory, or a zip archive of skills",
		Long: `import takes in a SKILL.md, a skill's directory, or a zip archive of skill folders, all
of it or nothing. What can be repaired is repaired and reported. Read a skill from a
stranger before you use it: nfa skills show NAME.`,
		Example: `  nfa skills import ~/Downloads/skills.zip
  nfa skills import ./weekly-review --rename monday-review`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, paths []string) error {
			if o.Rename != "" && o.Replace {
				return usage.Errorf("--rename and --replace cannot go together; choose one")
			}
			p, err := openProgram(cmd.Context(), g, programOptions{})
			if err != nil {
				return err
			}
			defer p.close()
			report, err := p.skillLibrary.Installer().Import(paths[0], o)
			if err != nil {
				return withFlagHint(err, "--rename NEW or --replace")
			}
			if asJSON {
				return cli.WriteJSON(g.out, report)
			}
			for _, done := range report.Skills {
				g.printInstalled("imported", done)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&o.Rename, "rename", "", "take it in under this `NAME`")
	cmd.Flags().BoolVar(&o.Replace, "replace", false, "replace your skill of that name, or hide another's")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func newSkillsExport(g *globals) *cobra.Command {
	var file string
	var replace bool
	cmd := &cobra.Command{
		Use: "export NAME... -o FILE", Short: "Write skills to a zip archive, or one to a SKILL.md",
		Long: `export writes skills of any source to a zip archive that other clients of the open format
and nfa skills import read. A file named .md takes one skill's SKILL.md alone.`,
		Example: `  nfa skills export weekly-review send-report -o skills.zip
  nfa skills export weekly-review -o SKILL.md`,
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, names []string) error {
			markdownOnly := strings.EqualFold(filepath.Ext(file), ".md")
			switch {
			case file == "":
				return usage.Errorf("where to? say -o FILE.zip, or -o SKILL.md")
			case markdownOnly && len(names) > 1:
				return usage.Errorf("%s holds one skill; name a .zip file for several", file)
			case !markdownOnly && !strings.EqualFold(filepath.Ext(file), ".zip"):
				return usage.Errorf("%s: name a file that ends in .zip or .md", file)
			}
			p, err := openProgram(cmd.Context(), g, programOptions{})
			if err != nil {
				return err
			}
			defer p.close()
			packed, notes, err := p.skillLibrary.Export(names, markdownOnly)
			if err != nil {
				return p.skillLibrary.ExplainError(err)
			}
			if err := atomicfile.Create(file, packed, 0o644, replace); errors.Is(err, atomicfile.ErrExists) {
				return fmt.Errorf("%w (--replace)", err)
			} else if err != nil {
				return err
			}
			for _, note := range notes {
				fmt.Fprintf(g.err, "left out: %s\n", markdown.SanitizeLine(note))
			}
			_, err = fmt.Fprintf(g.out, "exported %s: %s\n", markdown.SanitizeLine(strings.Join(names, ", ")), markdown.SanitizeLine(file))
			return err
		},
	}
	cmd.Flags().StringVarP(&file, "output", "o", "", "the `FILE` to write")
	cmd.Flags().BoolVar(&replace, "replace", false, "write over a file that is there")
	return cmd
}
