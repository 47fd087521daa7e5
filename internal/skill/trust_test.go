package skill_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
)

func listingOf(t testing.TB, dir string) skill.Listing {
	t.Helper()
	l, err := skill.ListFolder(dir)
	if err != nil {
		t.Fatalf("ListFolder = %v", err)
	}
	return l
}

func TestK2_FolderIsTrustedForWhatItHeldThen(t *testing.T) {
	base := func() string {
		return files{"a/SKILL.md": named("a"), "a/scripts/x.py": "print(1)\n", "b/SKILL.md": named("b"), "junk.txt": "no"}.write(t)
	}
	for _, row := range []struct {
		name   string
		change func(t *testing.T, dir string)
		want   skill.Trust
	}{
		{"nothing", func(*testing.T, string) {}, skill.Trusted},
		{"a file that is no skill's", func(t *testing.T, dir string) { put(t, dir, "junk.txt", "other") }, skill.Trusted},
		{"instructions", func(t *testing.T, dir string) { put(t, dir, "a/SKILL.md", named("a")+"Sell all.\n") }, skill.Changed},
		{"a script, same size", func(t *testing.T, dir string) { put(t, dir, "a/scripts/x.py", "print(2)\n") }, skill.Changed},
		{"a new file", func(t *testing.T, dir string) { put(t, dir, "b/assets/y.txt", "") }, skill.Changed},
		{"a new skill", func(t *testing.T, dir string) { put(t, dir, "c/SKILL.md", named("c")) }, skill.Changed},
		{"one skill fewer", func(t *testing.T, dir string) { must(t, os.RemoveAll(filepath.Join(dir, "b"))) }, skill.Changed},
		{"renamed", func(t *testing.T, dir string) {
			must(t, os.Rename(filepath.Join(dir, "b"), filepath.Join(dir, "d")))
		}, skill.Changed},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir, home := base(), t.TempDir()
			s, before := stateIn(t, home), listingOf(t, dir)
			if got := s.Trusts(before); got != skill.Untrusted {
				t.Fatalf("before the question = %s, want untrusted", got)
			}
			must(t, s.SetTrusted(t.Context(), before, true))
			row.change(t, dir)
			if got := stateIn(t, home).Trusts(listingOf(t, dir)); got != row.want {
				t.Errorf("Trusts = %s, want %s", got, row.want)
			}
		})
	}
}

func TestK2_ChangesBehindALinkAreSeen(t *testing.T) {
	outside := files{"real/SKILL.md": named("real"), "text.md": named("file")}.write(t)
	dir := t.TempDir()
	link(t, filepath.Join(outside, "real"), filepath.Join(dir, "linked"))
	must(t, os.Mkdir(filepath.Join(dir, "file"), 0o755))
	link(t, filepath.Join(outside, "text.md"), filepath.Join(dir, "file", "SKILL.md"))
	first := listingOf(t, dir)
	wantNames(t, first.Skills, "file real")
	put(t, outside, "real/SKILL.md", named("real")+"More.\n")
	second := listingOf(t, dir)
	put(t, outside, "text.md", named("file")+"More.\n")
	if third := listingOf(t, dir); first.Hash == second.Hash || second.Hash == third.Hash {
		t.Errorf("hashes %s, %s, %s: a change behind a link was not seen", first.Hash, second.Hash, third.Hash)
	}
}

func TestK2_TrustIsOfThePlaceHoweverItIsCalled(t *testing.T) {
	dir, home := files{"a/SKILL.md": named("a")}.write(t), t.TempDir()
	other := files{"a/SKILL.md": named("a")}.write(t)
	alias := filepath.Join(t.TempDir(), "alias")
	link(t, dir, alias)
	s := stateIn(t, home)
	must(t, s.SetTrusted(t.Context(), listingOf(t, alias), true))
	t.Chdir(dir)
	if got := s.Trusts(listingOf(t, ".")); got != skill.Trusted {
		t.Errorf("the same folder by another path = %s, want trusted", got)
	}
	if got := s.Trusts(listingOf(t, other)); got != skill.Untrusted {
		t.Errorf("another folder with the same skills = %s, want untrusted", got)
	}
	if diff := cmp.Diff([]string{listingOf(t, dir).Folder}, s.TrustedFolders()); diff != "" {
		t.Errorf("trusted folders (-want +got):\n%s", diff)
	}
	must(t, s.SetTrusted(t.Context(), listingOf(t, dir), false))
	if got := s.Trusts(listingOf(t, dir)); got != skill.Untrusted {
		t.Errorf("after trust was taken back = %s, want untrusted", got)
	}
}

func TestK2_WhatCannotBeLookedThroughIsNotListed(t *testing.T) {
	if _, err := skill.ListFolder(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("ListFolder of nothing = %v, want fs.ErrNotExist", err)
	}
	dir := files{"a/SKILL.md": named("a"), "a/assets/big.bin": ""}.write(t)
	if err := os.Truncate(filepath.Join(dir, "a", "assets", "big.bin"), 65<<20); err != nil {
		t.Fatal(err)
	}
	if _, err := skill.ListFolder(dir); !errors.Is(err, skill.ErrTooLargeToTrust) {
		t.Errorf("ListFolder of 65 MB = %v, want ErrTooLargeToTrust", err)
	}
}
