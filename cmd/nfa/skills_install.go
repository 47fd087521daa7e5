package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newSkillsInstall(g *globals) *cobra.Command {
	var chosen []string
	var o install.Options
	var all, yes bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withApp(app.Options{}, func(cmd *cobra.Command, a *app.App, args []string) error {
			fetched, err := a.FetchSkills(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			names, err := chooseOffers(fetched, chosen, all)
			if err != nil {
				return g.listOffers(fetched, err)
			}
			if !yes {
				for _, line := range fetched.Describe(names) {
					fmt.Fprintln(g.err, markdown.SanitizeLine(line))
				}
				question := fmt.Sprintf("Install %s at commit %.12s?", strings.Join(names, ", "), fetched.Commit)
				if err := g.confirmOr(cmd.Context(), question, "installed"); err != nil {
					return err
				}
			}
			report, err := a.Skills.Installer().Install(fetched, names, o)
			if err != nil {
				return withFlagHint(err, "--replace")
			}
			return g.printInstalledAll(a, "installed", report)
		}),
	}
	cmd.Flags().StringArrayVar(&chosen, "skill", nil, "`NAME` install this skill from the repository; repeatable")
	cmd.Flags().BoolVar(&all, "all", false, "install all skills in the repository")
	cmd.Flags().BoolVar(&o.Replace, "replace", false, "replace your skill with the same name, or override a built-in one")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	return cmd
}

// errChooseSkill means that a repository has several skills and none was chosen.
var errChooseSkill = errors.New("choose skills with --skill NAME, or --all")

func chooseOffers(f install.Fetched, chosen []string, all bool) ([]string, error) {
	names := f.Usable()
	switch {
	case len(chosen) > 0:
		for _, name := range chosen {
			if !slices.Contains(names, name) {
				return nil, usage.Errorf("no usable skill %s in %s", name, f.Repository.URL)
			}
		}
		return chosen, nil
	case len(names) == 0:
		return nil, usage.Errorf("no usable skill in %s", f.Repository.URL)
	case len(names) > 1 && !all:
		return nil, usage.Errorf("%s has %s; %w", f.Repository.URL, humanize.Count(len(names), "skill", "skills"), errChooseSkill)
	}
	return names, nil
}

// listOffers prints the skills of a repository, with the reason why none was installed.
func (g *globals) listOffers(f install.Fetched, reason error) error {
	if g.json {
		return errors.Join(cli.WriteJSON(g.out, f.Offers), reason)
	}
	for _, offer := range f.Offers {
		about := offer.Description
		if offer.Problem != "" {
			about = "! " + offer.Problem
		}
		fmt.Fprintln(g.out, markdown.SanitizeLine(fmt.Sprintf("%s  %s", offer.Name, about)))
	}
	return reason
}

// confirmOr asks, and returns an error if the answer is no.
func (g *globals) confirmOr(ctx context.Context, question, done string) error {
	agreed, err := g.confirm(ctx, question)
	if err == nil && !agreed {
		err = declined(done)
	}
	return err
}

func (g *globals) printInstalledAll(a *app.App, done string, report install.Report) error {
	report = a.Skills.AddNeeds(report)
	if g.json {
		return cli.WriteJSON(g.out, report)
	}
	for _, one := range report.Skills {
		if err := g.printInstalled(done, one); err != nil {
			return err
		}
	}
	return nil
}

func newSkillsOutdated(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{}, func(cmd *cobra.Command, a *app.App, _ []string) error {
			rows, err := a.Skills.Installer().Outdated(cmd.Context(), install.Fetcher{})
			if err != nil {
				return err
			}
			if g.json {
				return cli.WriteJSON(g.out, rows)
			}
			for _, row := range rows {
				state := "current"
				switch {
				case row.Problem != "":
					state = "unknown: " + row.Problem
				case row.Outdated:
					state = fmt.Sprintf("outdated: %.12s is available; nfa skills update %s", row.Available, row.Name)
				}
				if row.Modified {
					state += " (changed here)"
				}
				fmt.Fprintln(g.out, markdown.SanitizeLine(fmt.Sprintf("%s  %.12s  %s  %s", row.Name, row.Commit, row.Source, state)))
			}
			return nil
		}),
	}
}

func newSkillsUpdate(g *globals) *cobra.Command {
	var yes, replace bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.ArbitraryArgs),
		RunE: g.withApp(app.Options{}, func(cmd *cobra.Command, a *app.App, names []string) error {
			installer := a.Skills.Installer()
			if len(names) == 0 {
				rows, err := installer.Outdated(cmd.Context(), install.Fetcher{})
				if err != nil {
					return err
				}
				for _, row := range rows {
					if row.Outdated {
						names = append(names, row.Name)
					}
				}
			}
			all := install.Report{Skills: []install.Result{}}
			for _, name := range names {
				plan, err := installer.PlanUpdate(cmd.Context(), install.Fetcher{}, name)
				switch {
				case err != nil:
					return err
				case plan.From == plan.To:
					g.notice(fmt.Sprintf("%s is current", name))
					continue
				case plan.Modified && !replace:
					return fmt.Errorf("%s was changed on this computer after it was installed; to discard the changes, pass --replace", name)
				}
				fmt.Fprintf(g.err, "%s: %.12s to %.12s\n", name, plan.From, plan.To)
				for _, line := range plan.Diff {
					fmt.Fprintln(g.err, markdown.SanitizeLine(line))
				}
				if len(plan.Diff) == 0 {
					fmt.Fprintln(g.err, "no file of this skill has changed")
				}
				if !yes {
					if err := g.confirmOr(cmd.Context(), "Update "+name+"?", "updated"); err != nil {
						return err
					}
				}
				report, err := installer.Apply(plan)
				if err != nil {
					return err
				}
				all.Skills = append(all.Skills, report.Skills...)
			}
			if len(all.Skills) == 0 && !g.json {
				fmt.Fprintln(g.out, "nothing to update")
			}
			return g.printInstalledAll(a, "updated", all)
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	cmd.Flags().BoolVar(&replace, "replace", false, "discard your own changes to the skill")
	return cmd
}

func newSkillsRollback(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withApp(app.Options{}, func(_ *cobra.Command, a *app.App, names []string) error {
			report, err := a.Skills.Installer().Rollback(names[0])
			if err != nil {
				return err
			}
			return g.printInstalledAll(a, "rolled back", report)
		}),
	}
}
