package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/build"
	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/misuse"
)

// version is set by the release build (-X main.version=...).
var version = ""

func newVersion(g *globals) *cobra.Command {
	var asJSON, asSBOM bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, and what the program is made of",
		Long: `Print the version, with the commit and its day where they are known.

--sbom prints the modules that are linked into this program as a CycloneDX document. With -
it is about the program of which it reads: go version -m FILE | nfa version --sbom -`,
		Example: `  nfa version
  nfa version --json
  nfa version --sbom`,
		Args: args(func(cmd *cobra.Command, given []string) error {
			if asSBOM && len(given) == 1 && given[0] == "-" {
				return nil
			}
			return cobra.NoArgs(cmd, given)
		}),
		RunE: func(_ *cobra.Command, given []string) error {
			info, _ := debug.ReadBuildInfo()
			switch {
			case asSBOM && asJSON:
				return misuse.Errorf("--sbom is JSON already: leave --json out")
			case asSBOM && len(given) > 0:
				other, err := build.ReadModules(g.in)
				if err != nil {
					return err
				}
				return g.printBill(other)
			case asSBOM:
				return g.printBill(info)
			case asJSON:
				return console.JSON(g.out, build.Of(info, versionText()))
			}
			_, err := fmt.Fprintln(g.out, build.Of(info, versionText()))
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.Flags().BoolVar(&asSBOM, "sbom", false, "what it is made of, as CycloneDX JSON")
	cmd.AddCommand(newMan(g))
	return cmd
}

// printBill prints what the program is made of whose build is info.
func (g *globals) printBill(info *debug.BuildInfo) error {
	bill, err := build.BillOf(info)
	if err != nil {
		return err
	}
	return console.JSON(g.out, bill)
}

// versionText is the released version, else the tag that `go install` recorded.
// The name that Go makes up for a commit without a tag is left out: it is longer
// than the line it stands in.
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
