package main

import (
	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/usage"
)

func newServe(*globals) *cobra.Command {
	return &cobra.Command{
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error { return usage.Errorf("missing subcommand; use: nfa serve ssh") },
	}
}
