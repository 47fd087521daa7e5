package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/library"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newSkillsList(g *globals) *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{
		Long: `list shows the skills, with words those that have all of them in their name, title,
category or description.`,
		Args: usageArgs(cobra.ArbitraryArgs),
		RunE: g.withApp(app.Options{Notice: g.notice}, func(_ *cobra.Command, a *app.App, args []string) error {
			rows := slices.DeleteFunc(a.Skills.Rows(all), func(r library.Row) bool { return !r.Matches(args) })
			if asJSON {
				return cli.WriteJSON(g.out, rows)
			}
			return printSkills(g.out, rows)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.Flags().BoolVar(&all, "all", false, "also what was left out or skipped, with the reason")
	return cmd
}

func printSkills(out io.Writer, rows []library.Row) error {
	width := cli.TerminalWidth(out)
	if width > 0 {
		library.ByCategory(rows)
	}
	var lines []cli.ListRow
	for _, r := range rows {
		lines = append(lines, skillListRow(r))
	}
	return cli.WriteList(out, width, lines)
}

func skillListRow(r library.Row) cli.ListRow {
	line := cli.ListRow{Group: cmp.Or(r.Category, "other"), Name: r.Name, Kind: r.Source, About: r.Description}
	if r.Reason != "" {
		line.Name, line.Problem = r.Path, r.Reason+". "+r.Fix
		return line
	}
	if !r.Enabled {
		line.About = "(disabled) " + line.About
	}
	if r.ExclusionReason != "" {
		line.Notes = append(line.Notes, "~ left out of the catalogue: "+r.ExclusionReason)
	}
	for _, warning := range r.Warnings {
		line.Notes = append(line.Notes, "! "+warning)
	}
	return line
}

// checkSkillArguments refuses words that do not fit a skill's parameters, with the usage of
// the verb and not of the chat's line.
func checkSkillArguments(s skill.Skill, line string) error {
	if _, err := workflow.ParseArguments(s.Parameters, line); err != nil {
		return usage.Errorf("%s: %w; usage: %s", s.Name, err, strings.TrimSpace("nfa skills run "+s.Name+" "+workflow.ArgumentUsage(s.Parameters)))
	}
	return nil
}

func newSkillsShow(g *globals) *cobra.Command {
	var form showOptions
	cmd := &cobra.Command{
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
			a, err := g.open(cmd.Context(), app.Options{})
			if err != nil {
				return err
			}
			defer a.Close()
			return showSkill(g, a, names[0], form)
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

func showSkill(g *globals, a *app.App, name string, form showOptions) error {
	s, ok := a.Skills.Registry.Lookup(name)
	if !ok {
		return a.Skills.NotFound(name)
	}
	content, err := a.Skills.Registry.Load(s.Name)
	if err != nil {
		return err
	}
	switch {
	case form.file != "":
		return g.printFile(a, s.Name, form.file)
	case form.render:
		in, err := a.Skills.Activate(s.Name, library.ArgumentLine(s.Parameters, slices.DeleteFunc(form.args, func(w string) bool { return w == "" })))
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
		}{a.Skills.Detail(content), content.Text})
	}
	return a.Skills.Detail(content).Print(g.out, content.Body)
}

func (g *globals) printFile(a *app.App, name, file string) error {
	text, err := a.Skills.FileText(name, file)
	if err != nil {
		return err
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err = io.WriteString(g.out, text)
	return err
}

func newSkillsValidate(g *globals) *cobra.Command {
	var asJSON, formatOnly bool
	cmd := &cobra.Command{
		Long: `validate holds each skill, named by its directory or its SKILL.md, to the rules of the
open format and of nfa, and its steps to the tools and scripts that are here. It is
stricter than use: a skill with a problem may well work. --format-only leaves out what
depends on the tools of this program. It exits with 1 when there is a problem.`,
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: g.withApp(app.Options{}, func(_ *cobra.Command, a *app.App, paths []string) error {
			problems := []skill.Problem{}
			for _, path := range paths {
				found, err := a.Skills.Validate(path, formatOnly)
				if err != nil {
					return err
				}
				if len(found) == 0 && !asJSON {
					fmt.Fprintf(g.out, "%s: valid\n", markdown.SanitizeLine(path))
				}
				problems = append(problems, found...)
			}
			if asJSON {
				if err := cli.WriteJSON(g.out, problems); err != nil {
					return err
				}
			} else {
				printProblems(g, problems)
			}
			if len(problems) > 0 {
				return &exitError{code: exitFailure}
			}
			return nil
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON: the problems alone")
	cmd.Flags().BoolVar(&formatOnly, "format-only", false, "leave out which tools and scripts there are")
	return cmd
}

func printProblems(g *globals, problems []skill.Problem) {
	for _, p := range problems {
		fmt.Fprintln(g.out, markdown.SanitizeLine(p.String()))
	}
}

func newSkillsFix(g *globals) *cobra.Command {
	return &cobra.Command{
		Long: `fix repairs what import repairs, in place: missing front matter or name, an unquoted
colon, a file named skill.md. It says what it did, and what only you can mend; while
something is left it exits with 1.`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, paths []string) error {
			file, changes, err := skill.FixFile(paths[0])
			if err != nil {
				return err
			}
			for _, change := range changes {
				fmt.Fprintf(g.out, "%s: %s\n", markdown.SanitizeLine(file), markdown.SanitizeLine(change))
			}
			if len(changes) == 0 {
				fmt.Fprintf(g.out, "%s: nothing to repair\n", markdown.SanitizeLine(file))
			}
			if problems := skill.Validate(file); len(problems) > 0 {
				fmt.Fprintln(g.out, "left for you:")
				printProblems(g, problems)
				return &exitError{code: exitFailure}
			}
			return nil
		},
	}
}

func newSkillsDoctor(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{Notice: g.notice}, func(_ *cobra.Command, a *app.App, _ []string) error {
			health := a.Skills.Health()
			if asJSON {
				return cli.WriteJSON(g.out, health)
			}
			printHealth(g, health)
			return nil
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func printHealth(g *globals, s library.Health) {
	line := func(format string, args ...any) {
		fmt.Fprintln(g.out, markdown.SanitizeLine(fmt.Sprintf(format, args...)))
	}
	line("+ skills    %d found, %d eligible, %d listed in the prompt", s.Found, s.Eligible, s.Listed)
	const lead = "+ usable    "
	names := fmt.Sprintf("%d: %s", len(s.Usable), markdown.SanitizeLine(strings.Join(s.Usable, ", ")))
	if width := cli.TerminalWidth(g.out); width > 0 {
		names = cli.Wrap(names, width-len(lead), "\n"+strings.Repeat(" ", len(lead)))
	}
	fmt.Fprintln(g.out, lead+names)
	if len(s.Disabled) > 0 {
		line("~ disabled  %d: %s", len(s.Disabled), strings.Join(s.Disabled, ", "))
	}
	printWaiting(g, s.Waiting)
	for _, out := range s.Excluded {
		line("~ left out of the catalogue: %s: %s", out.Name, out.Reason)
	}
	for _, d := range s.Warnings {
		line("~ warning   %s: %s", d.Path, d.Reason)
	}
	for _, d := range s.Skipped {
		line("! skipped   %s: %s", d.Path, d.Reason)
		if d.Fix != "" {
			line("            %s", d.Fix)
		}
	}
}

// printWaiting is what skills doctor says of the skills that wait in the database.
func printWaiting(g *globals, waiting []install.WaitingSkill) {
	for _, w := range waiting {
		fmt.Fprintln(g.out, markdown.SanitizeLine(fmt.Sprintf("~ in the database: %s: %s", w.Name, w.Reason)))
		fmt.Fprintln(g.out, markdown.SanitizeLine("            "+w.Fix))
	}
}

func newSkillsTrust(g *globals) *cobra.Command {
	var list, remove, yes bool
	cmd := &cobra.Command{
		Long: `trust shows the skills in .nfa/skills of a folder (this one unless named), with what they
run and the files they bring, asks, and lets them in. When a file of theirs changes, they
stay out until you trust them again.`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if list && (remove || len(dirs) > 0) {
				return usage.Errorf("--list goes alone")
			}
			a, err := g.open(cmd.Context(), app.Options{})
			if err != nil {
				return err
			}
			defer a.Close()
			dir := filepath.Join(append(dirs, ".")[0], ".nfa", "skills")
			switch {
			case list:
				return printTrusted(g, a.Skills.State)
			case remove:
				return distrust(cmd.Context(), g, a.Skills.State, dir)
			}
			return g.trust(cmd.Context(), a, dir, yes)
		},
	}
	cmd.Flags().BoolVar(&list, "list", false, "list the folders that are trusted")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&remove, "remove", false, "trust the folder no longer")
	return cmd
}

// trust shows what comes in before it does, and whose place it takes.
func (g *globals) trust(ctx context.Context, a *app.App, dir string, yes bool) error {
	listing, err := skill.ListFolder(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no folder %s; a project keeps its skills there", dir)
	}
	if err != nil {
		return err
	}
	if own, err := filepath.EvalSymlinks(a.Skills.Installer().Dir); err == nil && own == listing.Folder {
		return usage.Errorf("%s is your own folder of skills, which is always used", dir)
	}
	if len(listing.Skills) == 0 {
		return fmt.Errorf("%s holds no usable skill; nfa skills validate tells why", listing.Folder)
	}
	g.printListing(a, listing)
	if !yes {
		question := fmt.Sprintf("Let in %s of %s?", countPhrase(len(listing.Skills), "skill"), listing.Folder)
		switch agreed, err := g.confirm(ctx, question); {
		case err != nil:
			return err
		case !agreed:
			return declined("let in")
		}
	}
	if err := a.Skills.State.SetTrusted(ctx, listing, true); err != nil {
		return err
	}
	_, err = fmt.Fprintf(g.out, "trusted %s as it is now; to take it back: nfa skills trust --remove\n", markdown.SanitizeLine(listing.Folder))
	return err
}

// countPhrase is a count of what was just shown.
func countPhrase(n int, what string) string {
	if n == 1 {
		return "this " + what
	}
	return "these " + cli.CountNoun(n, what)
}

// printListing shows what trusting a folder would let in: each skill, what it
// runs, and the files it brings. They are read without being used.
func (g *globals) printListing(a *app.App, listing skill.Listing) {
	found := skill.Open(skill.Options{Roots: []skill.Root{{Dir: listing.Folder, Source: skill.SourceProject}}, Log: a.Log})
	for _, s := range listing.Skills {
		fmt.Fprintf(g.out, "%s  %s\n  %s\n", markdown.SanitizeLine(s.Name), markdown.SanitizeLine(s.Path), markdown.SanitizeLine(s.Description))
		if other, ok := a.Skills.Registry.Lookup(s.Name); ok && other.Name == s.Name && other.Source != skill.SourceProject {
			fmt.Fprintf(g.out, "  ! it hides the %s skill of that name\n", other.Source)
		}
		for _, warning := range s.Warnings {
			fmt.Fprintf(g.out, "  ! %s\n", markdown.SanitizeLine(warning))
		}
		if len(s.AllowedTools) > 0 {
			fmt.Fprintf(g.out, "  allowed-tools: %s\n", markdown.SanitizeLine(strings.Join(s.AllowedTools, ", ")))
		}
		for i, step := range s.Steps {
			fmt.Fprintf(g.out, "  %s\n", markdown.SanitizeLine(library.NewStep(i+1, step).String()))
		}
		if files, err := found.Resources(s.Name); err == nil {
			for _, f := range files.Files {
				fmt.Fprintf(g.out, "  + %s\n", markdown.SanitizeLine(library.ResourceLine(f)))
			}
			if files.Omitted > 0 {
				fmt.Fprintf(g.out, "  + and %d more\n", files.Omitted)
			}
		}
	}
}

// distrust forgets a folder, which may be gone.
func distrust(ctx context.Context, g *globals, decided *skill.State, dir string) error {
	folder, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("finding %s: %w", dir, err)
	}
	if resolved, err := filepath.EvalSymlinks(folder); err == nil {
		folder = resolved
	}
	if err := decided.SetTrusted(ctx, skill.Listing{Folder: folder}, false); err != nil {
		return err
	}
	_, err = fmt.Fprintf(g.out, "no longer trusted: %s\n", markdown.SanitizeLine(folder))
	return err
}

func printTrusted(g *globals, decided *skill.State) error {
	for _, folder := range decided.TrustedFolders() {
		now := "gone"
		if listing, err := skill.ListFolder(folder); err == nil {
			now = string(decided.FolderTrust(listing))
		}
		fmt.Fprintf(g.out, "%s  %s\n", markdown.SanitizeLine(folder), now)
	}
	return nil
}
