//go:build !linux

package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func newServeSSH(*globals) *cobra.Command {
	return &cobra.Command{RunE: func(*cobra.Command, []string) error {
		return errors.New("nfa serve ssh needs Linux, whose kernel keeps each chat from the files of others")
	}}
}

func newServeSSHInstall(g *globals) *cobra.Command { return newServeSSH(g) }
