package app

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"runtime/debug"
	"strings"

	"github.com/nfa-cli/nfa/internal/usage"
)

// SBOM is a software bill of materials in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json).
// Scanners read it to find modules with known vulnerabilities. It lists what the linker recorded in
// the program, not what go.mod requires.
type SBOM struct {
	Schema       string           `json:"$schema"`
	Format       string           `json:"bomFormat"`
	Spec         string           `json:"specVersion"`
	Version      int              `json:"version"`
	Metadata     SBOMMetadata     `json:"metadata"`
	Components   []SBOMComponent  `json:"components"`
	Dependencies []SBOMDependency `json:"dependencies"`
}

// SBOMMetadata names the program that the SBOM describes.
type SBOMMetadata struct {
	Timestamp string        `json:"timestamp,omitempty"` // of the commit, so that the same file has the same SBOM
	Component SBOMComponent `json:"component"`
}

// SBOMComponent is the program, or a module that is linked into it.
type SBOMComponent struct {
	Ref        string         `json:"bom-ref"`
	Type       string         `json:"type"`
	Name       string         `json:"name"`
	Version    string         `json:"version,omitempty"`
	PURL       string         `json:"purl"`
	Hashes     []SBOMHash     `json:"hashes,omitempty"`
	Properties []SBOMProperty `json:"properties,omitempty"`
}

// SBOMHash is a hash of a component.
type SBOMHash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

// SBOMProperty is a name and a value for which CycloneDX has no field.
type SBOMProperty struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// SBOMDependency lists the components that one component depends on.
type SBOMDependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn,omitempty"`
}

// ReadModules parses the output of `go version -m FILE`, also for other platforms. (Reading the
// file itself would link parsers for every platform into nfa.)
func ReadModules(r io.Reader) (*debug.BuildInfo, error) {
	const most = 1 << 20
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err != nil {
		return nil, fmt.Errorf("read the output of go version -m: %w", err)
	}
	if len(text) > most {
		return nil, fmt.Errorf("the output of go version -m is longer than %d bytes", most)
	}
	head, rest, _ := strings.Cut(string(text), "\n")
	colon := strings.LastIndex(head, ": ")
	if colon < 0 {
		return nil, usage.Errorf("this is not the output of go version -m: %.80q", head)
	}
	// The command indents each line with a tab; Go's own format does not.
	list := strings.ReplaceAll("\n"+rest, "\n\t", "\n")
	info, err := debug.ParseBuildInfo(strings.TrimPrefix(list, "\n"))
	if err != nil {
		return nil, usage.Errorf("this is not the output of go version -m: %v", err)
	}
	info.GoVersion = strings.TrimSpace(head[colon+2:])
	return info, nil
}

// NewSBOM lists the program, every linked module and the Go standard library. A program does not
// record which module needs which, so all are listed as its dependencies.
func NewSBOM(info *debug.BuildInfo) (SBOM, error) {
	if info == nil || info.Main.Path == "" {
		return SBOM{}, fmt.Errorf("the program has no record of its Go modules")
	}
	program := newComponent("application", info.Main)
	for _, key := range []string{"GOOS", "GOARCH", "CGO_ENABLED", "vcs.revision", "vcs.modified"} {
		if value := buildSetting(info, key); value != "" {
			program.Properties = append(program.Properties, SBOMProperty{"nfa:build:" + key, value})
		}
	}
	bill := SBOM{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", Spec: "1.6", Version: 1,
		Metadata:   SBOMMetadata{Timestamp: buildSetting(info, "vcs.time"), Component: program},
		Components: []SBOMComponent{standardLibraryComponent(info.GoVersion)},
	}
	for _, m := range info.Deps {
		linked := *m
		if m.Replace != nil {
			linked = *m.Replace
		}
		bill.Components = append(bill.Components, newComponent("library", linked))
	}
	needs := SBOMDependency{Ref: program.Ref}
	for _, c := range bill.Components {
		needs.DependsOn = append(needs.DependsOn, c.Ref)
	}
	bill.Dependencies = []SBOMDependency{needs}
	return bill, nil
}

// newComponent returns a module as a component. The version is empty if Go did not record one. The
// hash is the one in go.sum: SHA-256 of the list of its files.
func newComponent(kind string, m debug.Module) SBOMComponent {
	c := SBOMComponent{Type: kind, Name: m.Path, PURL: packageURL(m.Path, "")}
	if m.Version != "" && m.Version != "(devel)" {
		c.Version, c.PURL = m.Version, packageURL(m.Path, m.Version)
	}
	if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:")); err == nil && len(sum) == 32 {
		c.Hashes = []SBOMHash{{"SHA-256", hex.EncodeToString(sum)}}
	}
	c.Ref = c.PURL
	return c
}

// standardLibraryComponent returns the component of the standard library. It is called std, as in Go's
// advisories. Its PURL has the version without the "go" of go1.26.
func standardLibraryComponent(goVersion string) SBOMComponent {
	number, _, _ := strings.Cut(strings.TrimPrefix(goVersion, "go"), " ")
	c := SBOMComponent{Type: "library", Name: "std", Version: goVersion, PURL: packageURL("std", number)}
	c.Ref = c.PURL
	return c
}

// packageURL follows https://github.com/package-url/purl-spec but keeps capitals: a Go module in
// lower case is a different module, and advisories use the original name.
func packageURL(path, version string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = url.QueryEscape(p)
	}
	address := "pkg:golang/" + strings.Join(parts, "/")
	if version != "" {
		address += "@" + url.QueryEscape(version)
	}
	return address
}
