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
	var all bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.ArbitraryArgs),
		RunE: g.withApp(app.Options{Notice: g.notice}, func(_ *cobra.Command, a *app.App, args []string) error {
			rows := slices.DeleteFunc(a.Skills.Rows(all), func(r library.Row) bool { return !r.Matches(args) })
			if g.json {
				return cli.WriteJSON(g.out, rows)
			}
			return printSkills(g.out, rows)
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "include unusable skills, with the reason")
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
		line.Notes = append(line.Notes, "~ not listed in the prompt: "+r.ExclusionReason)
	}
	for _, warning := range r.Warnings {
		line.Notes = append(line.Notes, "! "+warning)
	}
	return line
}

// checkSkillArguments returns a usage error, with the usage of the command, if arguments do not fit
// a skill's parameters.
func checkSkillArguments(s skill.Skill, line string) error {
	if _, err := workflow.ParseArguments(s.Parameters, line); err != nil {
		return usage.Errorf("%s: %w; usage: %s", s.Name, err, strings.TrimSpace("nfa skills run "+s.Name+" "+workflow.ArgumentUsage(s.Parameters)))
	}
	return nil
}

func newSkillsShow(g *globals) *cobra.Command {
	var form showOptions
	cmd := &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, names []string) error {
			form.render = cmd.Flags().Changed("render")
			chosen := 0
			for _, one := range []bool{g.json, form.raw, form.render, form.file != ""} {
				if one {
					chosen++
				}
			}
			if chosen > 1 {
				return usage.Errorf("--json, --raw, --render and --file cannot be used together; choose one")
			}
			a, err := g.open(cmd.Context(), app.Options{})
			if err != nil {
				return err
			}
			defer a.Close()
			return showSkill(g, a, names[0], form)
		},
	}
	cmd.Flags().StringVar(&form.file, "file", "", "`FILE` print this file of the skill, such as a script")
	cmd.Flags().BoolVar(&form.raw, "raw", false, "print the SKILL.md unchanged")
	cmd.Flags().StringArrayVar(&form.args, "render", nil, "`KEY=VALUE` print the prompt for the model with these arguments; repeatable, may be empty")
	return cmd
}

// showOptions selects what to print about a skill. The zero value is the page for people.
type showOptions struct {
	raw, render bool
	file        string   // print this file instead
	args        []string // arguments of the prompt
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
			text = markdown.Sanitize(text) // unchanged in a file or pipe
		}
		_, err = io.WriteString(g.out, text)
		return err
	case g.json:
		return cli.WriteJSON(g.out, struct {
			library.Detail
			Content string `json:"content"`
		}{a.Skills.Detail(content), content.Text})
	}
	return a.Skills.Detail(content).Print(g.out, g.painter(a.Settings).Markdown(content.Body))
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
	var formatOnly bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: g.withApp(app.Options{}, func(_ *cobra.Command, a *app.App, paths []string) error {
			problems := []skill.Problem{}
			for _, path := range paths {
				found, err := a.Skills.Validate(path, formatOnly)
				if err != nil {
					return err
				}
				if len(found) == 0 && !g.json {
					fmt.Fprintf(g.out, "%s: valid\n", markdown.SanitizeLine(path))
				}
				problems = append(problems, found...)
			}
			if g.json {
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
	cmd.Flags().BoolVar(&formatOnly, "format-only", false, "check only the format, not which tools and scripts exist")
	return cmd
}

func printProblems(g *globals, problems []skill.Problem) {
	for _, p := range problems {
		fmt.Fprintln(g.out, markdown.SanitizeLine(p.String()))
	}
}

func newSkillsFix(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, paths []string) error {
			file, changes, err := skill.FixFile(paths[0])
			if err != nil {
				return err
			}
			problems := skill.Validate(file)
			if g.json {
				err = cli.WriteJSON(g.out, struct {
					Path     string          `json:"path"`
					Repaired []string        `json:"repaired"`
					Problems []skill.Problem `json:"problems"`
				}{file, append([]string{}, changes...), append([]skill.Problem{}, problems...)})
			} else {
				g.printRepairs(file, changes, problems)
			}
			if err == nil && len(problems) > 0 {
				err = &exitError{code: exitFailure}
			}
			return err
		},
	}
}

func (g *globals) printRepairs(file string, changes []string, problems []skill.Problem) {
	for _, change := range changes {
		fmt.Fprintf(g.out, "%s: %s\n", markdown.SanitizeLine(file), markdown.SanitizeLine(change))
	}
	if len(changes) == 0 {
		fmt.Fprintf(g.out, "%s: nothing to repair\n", markdown.SanitizeLine(file))
	}
	if len(problems) > 0 {
		fmt.Fprintln(g.out, "Fix these yourself:")
		printProblems(g, problems)
	}
}

func newSkillsDoctor(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{Notice: g.notice}, func(_ *cobra.Command, a *app.App, _ []string) error {
			health := a.Skills.Health()
			if g.json {
				return cli.WriteJSON(g.out, health)
			}
			printHealth(g, health)
			return nil
		}),
	}
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
	if len(s.Unlisted) > 0 {
		line("~ not listed in the prompt, found by search: %d: %s", len(s.Unlisted), strings.Join(s.Unlisted, ", "))
	}
	for _, out := range s.Excluded {
		line("~ not listed in the prompt: %s: %s", out.Name, out.Reason)
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

// printWaiting prints the skills that are still in the database, for skills doctor.
func printWaiting(g *globals, waiting []install.WaitingSkill) {
	for _, w := range waiting {
		fmt.Fprintln(g.out, markdown.SanitizeLine(fmt.Sprintf("~ in the database: %s: %s", w.Name, w.Reason)))
		fmt.Fprintln(g.out, markdown.SanitizeLine("            "+w.Fix))
	}
}

func newSkillsTrust(g *globals) *cobra.Command {
	var list, remove, yes bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if list && (remove || len(dirs) > 0) {
				return usage.Errorf("--list cannot be combined with a folder or --remove")
			}
			a, err := g.open(cmd.Context(), app.Options{})
			if err != nil {
				return err
			}
			defer a.Close()
			if list {
				return printTrusted(g, a.Skills.State)
			}
			project := append(dirs, ".")[0]
			folders, err := app.ProjectSkillDirs(project)
			if err != nil {
				return err
			}
			if len(folders) == 0 {
				folders = []string{filepath.Join(project, ".nfa", "skills")}
			}
			for _, folder := range folders {
				if remove {
					err = distrust(cmd.Context(), g, a.Skills.State, folder)
				} else {
					err = g.trust(cmd.Context(), a, folder, yes)
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&list, "list", false, "list trusted folders")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	cmd.Flags().BoolVar(&remove, "remove", false, "stop trusting the folder")
	return cmd
}

// trust shows the skills of a folder, and which skills they override, before it trusts them.
func (g *globals) trust(ctx context.Context, a *app.App, dir string, yes bool) error {
	listing, err := skill.ListFolder(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no folder %s; put project skills there", dir)
	}
	if err != nil {
		return err
	}
	if own, err := filepath.EvalSymlinks(a.Skills.Installer().Dir); err == nil && own == listing.Folder {
		return usage.Errorf("%s is your own skill folder, which is always trusted", dir)
	}
	if len(listing.Skills) == 0 {
		return fmt.Errorf("no usable skill in %s; nfa skills validate shows why", listing.Folder)
	}
	if !g.json {
		g.printListing(a, listing)
	}
	if !yes {
		question := fmt.Sprintf("Trust %s in %s?", countPhrase(len(listing.Skills), "skill"), listing.Folder)
		switch agreed, err := g.confirm(ctx, question); {
		case err != nil:
			return err
		case !agreed:
			return declined("trusted")
		}
	}
	if err := a.Skills.State.SetTrusted(ctx, listing, true); err != nil {
		return err
	}
	return g.printDone(trustedFolder{listing.Folder, string(skill.Trusted)}, "trusted %s; to undo this: nfa skills trust --remove", listing.Folder)
}

// countPhrase refers to what was just listed: "this skill" or "these 3 skills".
func countPhrase(n int, what string) string {
	if n == 1 {
		return "this " + what
	}
	return "these " + cli.CountNoun(n, what)
}

// printListing prints the skills of a folder before it is trusted: what each one runs and which
// files it has. No skill is loaded.
func (g *globals) printListing(a *app.App, listing skill.Listing) {
	found := skill.Open(skill.Options{Roots: []skill.Root{{Dir: listing.Folder, Source: skill.SourceProject}}, Log: a.Log})
	for _, s := range listing.Skills {
		fmt.Fprintf(g.out, "%s  %s\n  %s\n", markdown.SanitizeLine(s.Name), markdown.SanitizeLine(s.Path), markdown.SanitizeLine(s.Description))
		if other, ok := a.Skills.Registry.Lookup(s.Name); ok && other.Name == s.Name && other.Source != skill.SourceProject {
			fmt.Fprintf(g.out, "  ! overrides the %s skill with the same name\n", other.Source)
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

// trustedFolder is a trusted folder in JSON.
type trustedFolder struct {
	Folder string `json:"folder"`
	State  string `json:"state"`
}

// distrust revokes the trust in a folder, which may no longer exist.
func distrust(ctx context.Context, g *globals, decided *skill.State, dir string) error {
	folder, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("find %s: %w", dir, err)
	}
	if resolved, err := filepath.EvalSymlinks(folder); err == nil {
		folder = resolved
	}
	if err := decided.SetTrusted(ctx, skill.Listing{Folder: folder}, false); err != nil {
		return err
	}
	return g.printDone(trustedFolder{folder, "not trusted"}, "no longer trusted: %s", folder)
}

func printTrusted(g *globals, decided *skill.State) error {
	folders := []trustedFolder{}
	for _, folder := range decided.TrustedFolders() {
		now := "gone"
		if listing, err := skill.ListFolder(folder); err == nil {
			now = string(decided.FolderTrust(listing))
		}
		folders = append(folders, trustedFolder{folder, now})
	}
	if g.json {
		return cli.WriteJSON(g.out, folders)
	}
	for _, f := range folders {
		fmt.Fprintf(g.out, "%s  %s\n", markdown.SanitizeLine(f.Folder), f.State)
	}
	return nil
}
