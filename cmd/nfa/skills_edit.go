package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/library"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newSkillsCreate(g *globals) *cobra.Command {
	var f library.NewSkillOptions
	var replace bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, names []string) error {
			content, err := library.NewSkillText(names[0], f)
			if err != nil {
				return err
			}
			a, err := g.open(cmd.Context(), app.Options{})
			if err != nil {
				return err
			}
			defer a.Close()
			done, err := a.Skills.Installer().Create(content, install.Options{Replace: replace})
			if err != nil {
				return withFlagHint(err, "choose another name, or pass --replace")
			}
			return g.printInstalled("created", done)
		},
	}
	cmd.Flags().StringVar(&f.Description, "description", "", "`TEXT` what it does and when to use it; the model uses this to choose skills")
	cmd.Flags().StringVar(&f.Category, "category", "", "`NAME` category in the list")
	cmd.Flags().StringVar(&f.From, "from", "", "`FILE` start from a SKILL.md, or from a Markdown file as the body")
	cmd.Flags().BoolVar(&replace, "replace", false, "replace your skill with the same name, or override a built-in one")
	return cmd
}

func newSkillsEdit(g *globals) *cobra.Command {
	var input string
	cmd := &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withApp(app.Options{}, func(_ *cobra.Command, a *app.App, names []string) error {
			if input == "" {
				return g.editByHand(a, names[0])
			}
			if _, err := a.Skills.FindOwn(names[0]); err != nil {
				return fmt.Errorf("edit %s: %w", names[0], err)
			}
			content, err := library.ReadSkillText(input)
			if err != nil {
				return err
			}
			return g.putEdited(a, names[0], content)
		}),
	}
	cmd.Flags().StringVar(&input, "from", "", "`FILE` take the new text from this file instead of an editor")
	return cmd
}

// editByHand opens a copy of a skill in the user's editor.
func (g *globals) editByHand(a *app.App, name string) error {
	if _, err := a.Skills.FindOwn(name); err != nil {
		return fmt.Errorf("edit %s: %w", name, err)
	}
	if !cli.IsTerminal(g.in) || !cli.IsTerminal(g.out) {
		return usage.Errorf("edit %s: an editor needs a terminal; use: nfa skills edit %s --from FILE", name, name)
	}
	d, err := a.Skills.OpenDraft(name)
	if err != nil {
		return err
	}
	done, changed, err := a.Skills.FinishDraft(d, g.runEditor(d.Copy))
	switch {
	case err != nil:
		return err
	case !changed:
		return g.printDone(map[string]any{"name": name, "changed": false}, "%s is unchanged", name)
	}
	return g.printInstalled("saved", done)
}

func (g *globals) putEdited(a *app.App, name string, content []byte) error {
	done, err := a.Skills.Installer().Write(name, content)
	if err != nil {
		return a.Skills.ExplainError(err)
	}
	return g.printInstalled("saved", done)
}

// runEditor runs the user's editor in the terminal and waits for it.
func (g *globals) runEditor(file string) error {
	cmd, err := cli.EditorCommand(g.env, file)
	if err != nil {
		return err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = g.in, g.out, g.err
	return cli.RunEditor(cmd)
}

func newSkillsClone(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(2)),
		RunE: g.withApp(app.Options{}, func(_ *cobra.Command, a *app.App, names []string) error {
			done, err := a.Skills.Installer().Clone(names[0], names[1])
			if err != nil {
				return a.Skills.ExplainError(err)
			}
			return g.printInstalled("cloned", done)
		}),
	}
}

func newSkillsDelete(g *globals) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withApp(app.Options{}, func(cmd *cobra.Command, a *app.App, names []string) error {
			file, err := a.Skills.FindOwn(names[0])
			if err != nil {
				return fmt.Errorf("delete %s: %w", names[0], err)
			}
			if !yes {
				question := fmt.Sprintf("Delete %s and everything in it?", filepath.Dir(file))
				if yes, err = g.confirm(cmd.Context(), question); err != nil {
					return err
				}
				if !yes {
					return declined("deleted")
				}
			}
			if err := a.Skills.Installer().Delete(names[0]); err != nil {
				return err
			}
			return g.printDone(map[string]string{"name": names[0], "deleted": filepath.Dir(file)}, "deleted %s", filepath.Dir(file))
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	return cmd
}

// confirm asks the user. Without a terminal it returns an error.
func (g *globals) confirm(ctx context.Context, question string) (bool, error) {
	if g.terminal.confirm != nil {
		return g.terminal.confirm(ctx, question)
	}
	if !cli.IsTerminal(g.in) || !cli.IsTerminal(g.err) {
		return false, &exitError{exitRefused, fmt.Errorf("%s Confirmation required: run in a terminal or pass --yes", question)}
	}
	fmt.Fprintf(g.err, "%s [y/N] ", markdown.SanitizeLine(question))
	answers := make(chan string, 1)
	// In a goroutine, because reading a terminal cannot be interrupted. It ends with the program.
	go func() {
		line, _ := bufio.NewReader(g.in).ReadString('\n')
		answers <- line
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(g.err)
		return false, &exitError{code: exitInterrupted}
	case line := <-answers:
		answer := strings.ToLower(strings.TrimSpace(line))
		return answer == "y" || answer == "yes", nil
	}
}

// declined returns the error after the user said no, so that a script stops.
func declined(done string) error {
	return &exitError{exitRefused, fmt.Errorf("nothing was %s", done)}
}

func newSkillsEnable(g *globals) *cobra.Command {
	return newSkillsToggle(g, "enabled", false)
}

func newSkillsDisable(g *globals) *cobra.Command {
	return newSkillsToggle(g, "disabled", true)
}

func newSkillsToggle(g *globals, done string, disabled bool) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withApp(app.Options{Notice: g.notice}, func(cmd *cobra.Command, a *app.App, names []string) error {
			name := names[0]
			switch s, ok := a.Skills.Registry.Lookup(name); {
			case ok:
				name = s.Name
			case !a.Skills.State.Disabled(name):
				// A disabled skill that no longer exists can still be enabled.
				return a.Skills.NotFound(name)
			}
			if err := a.Skills.State.SetDisabled(cmd.Context(), name, disabled); err != nil {
				return err
			}
			return g.printDone(map[string]any{"name": name, "enabled": !disabled}, "%s %s", done, name)
		}),
	}
}

// notice prints a notice to stderr, because stdout holds only the result.
func (g *globals) notice(text string) {
	fmt.Fprintln(g.err, "nfa: "+markdown.SanitizeLine(text))
}

// withFlagHint adds the flags that resolve a conflict to its error.
func withFlagHint(err error, flags string) error {
	var conflict *install.ConflictError
	if errors.As(err, &conflict) && !conflict.Final {
		return fmt.Errorf("%w (%s)", err, flags)
	}
	return err
}

// printInstalled prints where a skill was saved and what was changed in it.
func (g *globals) printInstalled(done string, i install.Result) error {
	if g.json {
		return cli.WriteJSON(g.out, i)
	}
	line := func(format string, args ...any) {
		fmt.Fprintln(g.out, markdown.SanitizeLine(fmt.Sprintf(format, args...)))
	}
	line("%s %s: %s", done, i.Name, i.Path)
	if i.StoreNote != "" {
		line("  saved %s", i.StoreNote)
	}
	switch {
	case i.From == "":
	case done == "cloned":
		line("  copy of %s", i.From)
	case done == "imported" && !i.Renamed:
		// From has the same name in another folder.
	default:
		line("  was: %s", i.From)
	}
	if i.Replaced {
		line("  replaced your skill with the same name")
	}
	if i.Hides != "" {
		line("  overrides the %s skill with the same name", i.Hides)
	}
	for _, repair := range i.Repaired {
		line("  repaired: %s", repair)
	}
	for _, warning := range i.Warnings {
		line("  ! %s", warning)
	}
	for _, file := range i.LeftOut {
		line("  skipped: %s", file)
	}
	return nil
}

func newSkillsImport(g *globals) *cobra.Command {
	var o install.Options
	cmd := &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, paths []string) error {
			if o.Rename != "" && o.Replace {
				return usage.Errorf("--rename and --replace cannot be used together; choose one")
			}
			a, err := g.open(cmd.Context(), app.Options{})
			if err != nil {
				return err
			}
			defer a.Close()
			report, err := a.Skills.Installer().Import(paths[0], o)
			if err != nil {
				return withFlagHint(err, "--rename NEW or --replace")
			}
			report = a.Skills.AddNeeds(report)
			if g.json {
				return cli.WriteJSON(g.out, report)
			}
			for _, done := range report.Skills {
				if err := g.printInstalled("imported", done); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&o.Rename, "rename", "", "`NAME` new name of the skill")
	cmd.Flags().BoolVar(&o.Replace, "replace", false, "replace your skill with the same name, or override a built-in one")
	return cmd
}

func newSkillsExport(g *globals) *cobra.Command {
	var file string
	var replace bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, names []string) error {
			markdownOnly := strings.EqualFold(filepath.Ext(file), ".md")
			switch {
			case file == "":
				return usage.Errorf("missing -o FILE.zip or -o SKILL.md")
			case markdownOnly && len(names) > 1:
				return usage.Errorf("%s can hold only one skill; use a .zip file for several", file)
			case !markdownOnly && !strings.EqualFold(filepath.Ext(file), ".zip"):
				return usage.Errorf("%s: the file name must end in .zip or .md", file)
			}
			a, err := g.open(cmd.Context(), app.Options{})
			if err != nil {
				return err
			}
			defer a.Close()
			packed, notes, err := a.Skills.Export(names, markdownOnly)
			if err != nil {
				return a.Skills.ExplainError(err)
			}
			if err := atomicfile.Create(file, packed, 0o644, replace); errors.Is(err, atomicfile.ErrExists) {
				return fmt.Errorf("%w (--replace)", err)
			} else if err != nil {
				return err
			}
			for _, note := range notes {
				fmt.Fprintf(g.err, "skipped: %s\n", markdown.SanitizeLine(note))
			}
			return g.printDone(map[string]any{"names": names, "path": file}, "exported %s: %s", strings.Join(names, ", "), file)
		},
	}
	cmd.Flags().StringVarP(&file, "output", "o", "", "`FILE` to write (required)")
	cmd.Flags().BoolVar(&replace, "replace", false, "replace an existing file")
	return cmd
}
