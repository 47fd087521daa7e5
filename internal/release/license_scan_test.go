package release_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// allowedLicenses returns the SPDX names of the licenses that linked modules may have.
func allowedLicenses() []string {
	return []string{"MIT", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "MPL-2.0", "ISC", "Unlicense"}
}

// licenseMarks are phrases that identify a license.
var licenseMarks = []struct{ name, words string }{
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy of this software"},
	{"Apache-2.0", "apache license version 2.0, january 2004"},
	{"Apache-2.0", "licensed under the apache license, version 2.0"},
	{"MPL-2.0", "mozilla public license version 2.0"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted"},
	{"ISC", "permission to use, copy, modify, and distribute this software for any purpose with or without fee is hereby granted"},
	{"Unlicense", "this is free and unencumbered software released into the public domain"},
}

// copyleftMarks are phrases of licenses that require more than their own text.
var copyleftMarks = []string{
	"gnu general public license", "gnu lesser general public", "gnu affero", "business source license",
	"server side public license", "commons clause", "elastic license", "creative commons", "eclipse public license",
	"non-commercial", "noncommercial",
}

// harmless are passages on the license of documentation, which is not linked, and on what the Unlicense
// permits.
var harmless = strings.NewReplacer(
	"for any purpose, commercial or non-commercial", "",
	"creative commons attribution 4.0 international (cc-by-4.0) documentation in this project (excluding specifications) is licensed under cc-by-4.0", "",
)

// licensesOf returns the sorted licenses in a text. A text without a known license, or with a copyleft
// license, is an error.
func licensesOf(text string) ([]string, error) {
	flat := harmless.Replace(strings.ToLower(strings.Join(strings.Fields(text), " ")))
	found := map[string]bool{}
	for _, m := range licenseMarks {
		if strings.Contains(flat, m.words) {
			found[m.name] = true
		}
	}
	if strings.Contains(flat, "redistribution and use in source and binary forms") {
		found[bsdLicense(flat)] = true
	}
	// The MPL mentions the GPL because it may be combined with it.
	if !found["MPL-2.0"] {
		for _, mark := range copyleftMarks {
			if strings.Contains(flat, mark) {
				return nil, fmt.Errorf("license mentions %q", mark)
			}
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("license is none of %v: %.60q", allowedLicenses(), flat)
	}
	return sortedKeys(found), nil
}

// bsdLicense tells the two BSD licenses apart by the endorsement clause.
func bsdLicense(flat string) string {
	if regexp.MustCompile(`(endorse or promote|used to endorse)`).MatchString(flat) {
		return "BSD-3-Clause"
	}
	return "BSD-2-Clause"
}

// licensesIn reads the license of a module from the license files at its root.
func licensesIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read license: %w", err)
	}
	name := regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense)(-bsd|-mit)?(\.txt|\.md)?$`)
	found := map[string]bool{}
	for _, e := range entries {
		if e.IsDir() || !name.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("read license: %w", err)
		}
		names, err := licensesOf(string(text))
		if err != nil {
			return nil, err
		}
		for _, n := range names {
			found[n] = true
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no license in %s", dir)
	}
	return sortedKeys(found), nil
}

type linkedModule struct{ path, version, dir string }

// allPlatforms returns the platforms of a release.
func allPlatforms() []string {
	var out []string
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, processor := range []string{"amd64", "arm64"} {
			out = append(out, system+"/"+processor)
		}
	}
	return out
}

// linkedModules returns the modules that the program links on a platform, by default on this one. It
// does not use the network: a module that is not in the module cache is an error.
func linkedModules(t *testing.T, platform string) []linkedModule {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}", "./cmd/nfa")
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOPROXY=off")
	if system, processor, ok := strings.Cut(platform, "/"); ok {
		cmd.Env = append(cmd.Env, "GOOS="+system, "GOARCH="+processor)
	}
	out, err := cmd.Output()
	var refused *exec.ExitError
	if errors.As(err, &refused) && !*update && strings.Contains(string(refused.Stderr), "GOPROXY=off") {
		t.Skipf("linked modules are missing from the module cache: %.200s", refused.Stderr)
	}
	if err != nil {
		t.Fatalf("go list for %q: %v", platform, err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(lines)
	var modules []linkedModule
	for _, line := range slices.Compact(lines) {
		f := strings.Split(line, "\t")
		if len(f) == 3 && f[0] != ownModule {
			modules = append(modules, linkedModule{f[0], f[1], f[2]})
		}
	}
	return modules
}

// TestLicensesOf_IdentifiesLicenses uses the texts of https://spdx.org/licenses.
func TestLicensesOf_IdentifiesLicenses(t *testing.T) {
	const bsdOpening = "Redistribution and use in source and binary forms, with or without\nmodification, are permitted provided that"
	mit := "Permission is hereby granted, free of charge, to any person obtaining a copy\nof this software and associated documentation"
	for _, c := range []struct {
		name, text string
		want       []string // nil: refused
	}{
		{"mit, wrapped", mit, []string{"MIT"}},
		{"apache", "Apache License\n   Version 2.0, January 2004", []string{"Apache-2.0"}},
		{"two clauses", bsdOpening, []string{"BSD-2-Clause"}},
		{"three clauses", bsdOpening + " Neither the name of X nor the names of its\ncontributors may be used to endorse or promote products", []string{"BSD-3-Clause"}},
		{"mozilla, which names the GPL", "Mozilla Public License Version 2.0 ... \"Secondary License\" means the GNU General Public License", []string{"MPL-2.0"}},
		{"isc", "Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted", []string{"ISC"}},
		{"unlicense", "This is free and unencumbered software released into the public domain.", []string{"Unlicense"}},
		{"two of them", mit + "\n\nLicensed under the Apache License, Version 2.0", []string{"Apache-2.0", "MIT"}},
		{"gpl", "GNU GENERAL PUBLIC LICENSE\nVersion 3", nil},
		{"lgpl", "GNU LESSER GENERAL PUBLIC LICENSE", nil},
		{"agpl", "GNU AFFERO GENERAL PUBLIC LICENSE", nil},
		{"mit but not for business", mit + "\n\"Commons Clause\" License Condition v1.0", nil},
		{"business source", "Business Source License 1.1", nil},
		{"unknown", "You may look at it.", nil},
		{"empty", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := licensesOf(c.text)
			if (err != nil) != (c.want == nil) || !cmp.Equal(got, c.want) {
				t.Errorf("licensesOf(%q) = %v, %v, want %v", c.text, got, err, c.want)
			}
		})
	}
}

func TestLicensesIn_ModuleWithoutLicenseIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte("MIT"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := licensesIn(dir); err == nil {
		t.Errorf("licensesIn(a folder without a license) = %v, want an error", got)
	}
}
