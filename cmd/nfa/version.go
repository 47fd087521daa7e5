package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// version is set by the release build (-X main.version=...).
var version = ""

func newVersion(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return printJSON(g.out, map[string]string{
					"version": versionText(), "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH,
				})
			}
			_, err := fmt.Fprintf(g.out, "nfa %s (%s, %s/%s)\n", versionText(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
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
