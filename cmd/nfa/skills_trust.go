package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/library"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newSkillsTrust(g *globals) *cobra.Command {
	var list, remove, yes bool
	cmd := &cobra.Command{
		Use: "trust [DIR]", Short: "Let in the skills that a project keeps in .nfa/skills",
		Long: `trust shows the skills in .nfa/skills of a folder (this one unless named), with what they
run and the files they bring, asks, and lets them in. When a file of theirs changes, they
stay out until you trust them again.`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if list && (remove || len(dirs) > 0) {
				return usage.Errorf("--list goes alone")
			}
			p, err := openProgram(cmd.Context(), g, programOptions{})
			if err != nil {
				return err
			}
			defer p.close()
			dir := filepath.Join(append(dirs, ".")[0], ".nfa", "skills")
			switch {
			case list:
				return printTrusted(g, p.state)
			case remove:
				return distrust(cmd.Context(), g, p.state, dir)
			}
			return p.trust(cmd.Context(), g, dir, yes)
		},
	}
	cmd.Flags().BoolVar(&list, "list", false, "list the folders that are trusted")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&remove, "remove", false, "trust the folder no longer")
	return cmd
}

// trust shows what comes in before it does, and whose place it takes.
func (p *program) trust(ctx context.Context, g *globals, dir string, yes bool) error {
	listing, err := skill.ListFolder(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no folder %s; a project keeps its skills there", dir)
	}
	if err != nil {
		return err
	}
	if own, err := filepath.EvalSymlinks(p.skillLibrary.Installer().Dir); err == nil && own == listing.Folder {
		return usage.Errorf("%s is your own folder of skills, which is always used", dir)
	}
	if len(listing.Skills) == 0 {
		return fmt.Errorf("%s holds no usable skill; nfa skills validate tells why", listing.Folder)
	}
	p.printListing(g, listing)
	if !yes {
		question := fmt.Sprintf("Let in %s of %s?", countPhrase(len(listing.Skills), "skill"), listing.Folder)
		switch agreed, err := g.confirm(ctx, question); {
		case err != nil:
			return err
		case !agreed:
			return declined("let in")
		}
	}
	if err := p.state.SetTrusted(ctx, listing, true); err != nil {
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
func (p *program) printListing(g *globals, listing skill.Listing) {
	found := skill.Open(skill.Options{Roots: []skill.Root{{Dir: listing.Folder, Source: skill.SourceProject}}, Log: p.log})
	for _, s := range listing.Skills {
		fmt.Fprintf(g.out, "%s  %s\n  %s\n", markdown.SanitizeLine(s.Name), markdown.SanitizeLine(s.Path), markdown.SanitizeLine(s.Description))
		if other, ok := p.skills.Lookup(s.Name); ok && other.Name == s.Name && other.Source != skill.SourceProject {
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
