package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

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
				other, err := parseModules(g.in)
				if err != nil {
					return err
				}
				return printSBOM(g.out, other)
			case asSBOM:
				return printSBOM(g.out, info)
			case asJSON:
				return console.JSON(g.out, buildOf(info))
			}
			_, err := fmt.Fprintln(g.out, buildOf(info))
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.Flags().BoolVar(&asSBOM, "sbom", false, "what it is made of, as CycloneDX JSON")
	cmd.AddCommand(newMan(g))
	return cmd
}

// build is what can be said of one program file. Commit and date are empty where
// Go did not record them: outside a clone, and with -buildvcs=false.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"`    // of the commit, RFC 3339
	Changed  bool   `json:"changed,omitempty"` // built from files that differ from the commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// buildOf is what Go recorded in this program; a nil info recorded nothing.
func buildOf(info *debug.BuildInfo) build {
	b := build{Version: versionText(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info != nil {
		b.Commit, b.Date = recorded(info, "vcs.revision"), recorded(info, "vcs.time")
		b.Changed = recorded(info, "vcs.modified") == "true"
	}
	return b
}

// recorded is a setting of the build, empty where Go did not record it.
func recorded(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// String is the one line of nfa version.
func (b build) String() string {
	facts := []string{b.Go, b.Platform}
	if b.Commit != "" {
		from := "commit " + b.Commit[:min(len(b.Commit), 12)]
		if b.Date != "" {
			from += " of " + b.Date[:min(len(b.Date), len("2006-01-02"))]
		}
		if b.Changed {
			from += ", changed"
		}
		facts = append(facts, from)
	}
	return "nfa " + b.Version + " (" + strings.Join(facts, ", ") + ")"
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
