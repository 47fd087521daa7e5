//go:build !linux

package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func newServeSSH(*globals) *cobra.Command {
	return &cobra.Command{RunE: func(*cobra.Command, []string) error {
		return errors.New("nfa serve ssh needs Linux, because only Linux can isolate the files of each chat")
	}}
}

func newServeSSHInstall(g *globals) *cobra.Command { return newServeSSH(g) }
