package main

import (
	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/usage"
)

func newServe(*globals) *cobra.Command {
	return &cobra.Command{
		Args: func(cmd *cobra.Command, words []string) error {
			if len(words) > 0 {
				return unknownCommand(cmd, words[0])
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error { return usage.Errorf("name what to serve: nfa serve ssh") },
	}
}
