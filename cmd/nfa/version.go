package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
)

// version is set by the release build (-X main.version=...).
var version = ""

func newVersion(g *globals) *cobra.Command {
	var asSBOM bool
	cmd := &cobra.Command{
		Args: usageArgs(func(cmd *cobra.Command, args []string) error {
			if asSBOM && len(args) == 1 && args[0] == "-" {
				return nil
			}
			return cobra.NoArgs(cmd, args)
		}),
		RunE: func(_ *cobra.Command, args []string) error {
			info, _ := debug.ReadBuildInfo()
			switch {
			case asSBOM && len(args) > 0:
				other, err := app.ReadModules(g.in)
				if err != nil {
					return err
				}
				return g.printSBOM(other)
			case asSBOM:
				return g.printSBOM(info)
			case g.json:
				return cli.WriteJSON(g.out, app.ReadBuildInfo(info, versionText()))
			}
			_, err := fmt.Fprintln(g.out, app.ReadBuildInfo(info, versionText()))
			return err
		},
	}
	cmd.Flags().BoolVar(&asSBOM, "sbom", false, "list the linked modules as CycloneDX JSON")
	return cmd
}

// printSBOM prints the SBOM of the program with this build information.
func (g *globals) printSBOM(info *debug.BuildInfo) error {
	bill, err := app.NewSBOM(info)
	if err != nil {
		return err
	}
	return cli.WriteJSON(g.out, bill)
}

// versionText returns the released version, else the tag that `go install` recorded. It omits the
// pseudo-version of an untagged commit, which is too long for the line.
func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		if tag := strings.TrimPrefix(info.Main.Version, "v"); tag != "" && tag != "(devel)" && !strings.HasPrefix(tag, "0.0.0-") {
			return tag
		}
	}
	return "0.1.0-dev"
}
