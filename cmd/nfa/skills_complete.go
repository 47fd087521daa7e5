package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/library"
)

// takesSkill reports whether the first argument of a command is the name of an existing skill.
func takesSkill(row app.Command) bool {
	return strings.HasPrefix(row.Name, "skills ") && strings.HasPrefix(row.Args, "NAME") && row.Name != "skills create"
}

// completeSkill completes names of skills and, for a run, the parameters of the named skill.
func (g *globals) completeSkill(row app.Command) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		several := strings.HasPrefix(row.Args, "NAME...")
		run := row.Name == "skills run"
		if len(args) > 0 && !several && !run {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		a, err := g.open(cmd.Context(), app.Options{})
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		defer a.Close()
		if len(args) > 0 && run {
			return completeParameter(a.Skills.Library, args, typed)
		}
		var names []cobra.Completion
		for _, s := range a.Skills.Registry.List() {
			if strings.HasPrefix(s.Name, typed) && !slices.Contains(args, s.Name) {
				names = append(names, cobra.CompletionWithDesc(s.Name, skill.Summary(s.Description, 80)))
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeParameter completes "key=" and, after it, the values of an enum.
func completeParameter(lib *library.Library, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	s, ok := lib.Lookup(args[0])
	if !ok {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	key, _, valued := strings.Cut(typed, "=")
	var words []cobra.Completion
	for _, p := range s.Parameters {
		switch {
		case valued && p.Name == key:
			for _, value := range p.Enum {
				words = append(words, key+"="+value)
			}
		case !valued && strings.HasPrefix(p.Name, typed) && !slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, p.Name+"=") }):
			words = append(words, cobra.CompletionWithDesc(p.Name+"=", p.Description))
		}
	}
	directive := cobra.ShellCompDirectiveNoFileComp
	if !valued {
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	return words, directive
}
