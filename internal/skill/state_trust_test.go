package skill_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
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
		return skilltest.Files{"a/SKILL.md": skilltest.SkillFile("a"), "a/scripts/x.py": "print(1)\n", "b/SKILL.md": skilltest.SkillFile("b"), "junk.txt": "no"}.Write(t)
	}
	for _, row := range []struct {
		name   string
		change func(t *testing.T, dir string)
		want   skill.Trust
	}{
		{"nothing", func(*testing.T, string) {}, skill.Trusted},
		{"a file that is no skill's", func(t *testing.T, dir string) { skilltest.PutFile(t, dir, "junk.txt", "other") }, skill.Trusted},
		{"instructions", func(t *testing.T, dir string) {
			skilltest.PutFile(t, dir, "a/SKILL.md", skilltest.SkillFile("a")+"Sell all.\n")
		}, skill.TrustChanged},
		{"a script, same size", func(t *testing.T, dir string) { skilltest.PutFile(t, dir, "a/scripts/x.py", "print(2)\n") }, skill.TrustChanged},
		{"a new file", func(t *testing.T, dir string) { skilltest.PutFile(t, dir, "b/assets/y.txt", "") }, skill.TrustChanged},
		{"a new skill", func(t *testing.T, dir string) { skilltest.PutFile(t, dir, "c/SKILL.md", skilltest.SkillFile("c")) }, skill.TrustChanged},
		{"one skill fewer", func(t *testing.T, dir string) { must(t, os.RemoveAll(filepath.Join(dir, "b"))) }, skill.TrustChanged},
		{"renamed", func(t *testing.T, dir string) {
			must(t, os.Rename(filepath.Join(dir, "b"), filepath.Join(dir, "d")))
		}, skill.TrustChanged},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir, home := base(), t.TempDir()
			s, before := openState(t, home), listingOf(t, dir)
			if got := s.FolderTrust(before); got != skill.Untrusted {
				t.Fatalf("before the question = %s, want untrusted", got)
			}
			must(t, s.SetTrusted(t.Context(), before, true))
			row.change(t, dir)
			if got := openState(t, home).FolderTrust(listingOf(t, dir)); got != row.want {
				t.Errorf("FolderTrust = %s, want %s", got, row.want)
			}
		})
	}
}

func TestK2_ChangesBehindALinkAreSeen(t *testing.T) {
	outside := skilltest.Files{"real/SKILL.md": skilltest.SkillFile("real"), "text.md": skilltest.SkillFile("file")}.Write(t)
	dir := t.TempDir()
	skilltest.Link(t, filepath.Join(outside, "real"), filepath.Join(dir, "linked"))
	must(t, os.Mkdir(filepath.Join(dir, "file"), 0o755))
	skilltest.Link(t, filepath.Join(outside, "text.md"), filepath.Join(dir, "file", "SKILL.md"))
	first := listingOf(t, dir)
	skilltest.WantNames(t, first.Skills, "file real")
	skilltest.PutFile(t, outside, "real/SKILL.md", skilltest.SkillFile("real")+"More.\n")
	second := listingOf(t, dir)
	skilltest.PutFile(t, outside, "text.md", skilltest.SkillFile("file")+"More.\n")
	if third := listingOf(t, dir); first.Hash == second.Hash || second.Hash == third.Hash {
		t.Errorf("hashes %s, %s, %s: a change behind a link was not seen", first.Hash, second.Hash, third.Hash)
	}
}

func TestK2_TrustIsOfThePlaceHoweverItIsCalled(t *testing.T) {
	dir, home := skilltest.Files{"a/SKILL.md": skilltest.SkillFile("a")}.Write(t), t.TempDir()
	other := skilltest.Files{"a/SKILL.md": skilltest.SkillFile("a")}.Write(t)
	alias := filepath.Join(t.TempDir(), "alias")
	skilltest.Link(t, dir, alias)
	s := openState(t, home)
	must(t, s.SetTrusted(t.Context(), listingOf(t, alias), true))
	t.Chdir(dir)
	if got := s.FolderTrust(listingOf(t, ".")); got != skill.Trusted {
		t.Errorf("the same folder by another path = %s, want trusted", got)
	}
	if got := s.FolderTrust(listingOf(t, other)); got != skill.Untrusted {
		t.Errorf("another folder with the same skills = %s, want untrusted", got)
	}
	if diff := cmp.Diff([]string{listingOf(t, dir).Folder}, s.TrustedFolders()); diff != "" {
		t.Errorf("trusted folders (-want +got):\n%s", diff)
	}
	must(t, s.SetTrusted(t.Context(), listingOf(t, dir), false))
	if got := s.FolderTrust(listingOf(t, dir)); got != skill.Untrusted {
		t.Errorf("after trust was taken back = %s, want untrusted", got)
	}
}

func TestK2_WhatCannotBeLookedThroughIsNotListed(t *testing.T) {
	if _, err := skill.ListFolder(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("ListFolder of nothing = %v, want fs.ErrNotExist", err)
	}
	dir := skilltest.Files{"a/SKILL.md": skilltest.SkillFile("a"), "a/assets/big.bin": ""}.Write(t)
	if err := os.Truncate(filepath.Join(dir, "a", "assets", "big.bin"), 65<<20); err != nil {
		t.Fatal(err)
	}
	if _, err := skill.ListFolder(dir); !errors.Is(err, skill.ErrTooLargeToTrust) {
		t.Errorf("ListFolder of 65 MB = %v, want ErrTooLargeToTrust", err)
	}
	dir = skilltest.Files{"a/SKILL.md": skilltest.SkillFile("a")}.Write(t)
	skill.LimitResourceEntries(t, 100)
	for i := range 100 {
		skilltest.Link(t, "nowhere", filepath.Join(dir, "a", fmt.Sprint(i)))
	}
	if _, err := skill.ListFolder(dir); !errors.Is(err, skill.ErrTooLargeToTrust) {
		t.Errorf("ListFolder of too many links = %v, want ErrTooLargeToTrust", err)
	}
}
