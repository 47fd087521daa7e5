package skill_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

// manySkills writes n skills of typical size, numbered from first, and junk next to them.
func manySkills(b *testing.B, first, n, junk int) string {
	b.Helper()
	disk := skilltest.Files{}
	body := strings.Repeat("Call the tool and compare the figures with care.\n", 80)
	for i := first; i < first+n; i++ {
		disk[fmt.Sprintf("skill-%04d/SKILL.md", i)] = fmt.Sprintf(`---
name: skill-%04d
description: "Number %d: reads the figures and says what they show. Use when asked."
version: "1.0"
category: analysis
tools_required:
  - quote
  - calculate
parameters:
  - name: symbol
    required: true
    description: A ticker symbol
---

%s`, i, i, body)
	}
	for i := range junk {
		disk[fmt.Sprintf("junk-%04d.txt", i)] = "x"
	}
	return disk.Write(b)
}

// rootsOf returns n skills in as few folders as the search limits allow.
func rootsOf(b *testing.B, n, junk int) []skill.Root {
	b.Helper()
	const most = 4_000
	var roots []skill.Root
	for first := 0; first < n; first += most {
		roots = append(roots, skilltest.UserRoot(manySkills(b, first, min(most, n-first), junk)))
	}
	return roots
}

// Limits: 8 built-ins under 20 ms, 100 skills under 50 ms, 1,000 under 150 ms.
func BenchmarkOpen(b *testing.B) {
	for _, c := range []struct{ skills, junk int }{{8, 0}, {100, 0}, {500, 0}, {1000, 0}, {2000, 0}, {10_000, 0}, {8, 2000}} {
		b.Run(fmt.Sprintf("skills=%d/junk=%d", c.skills, c.junk), func(b *testing.B) {
			roots := rootsOf(b, c.skills, c.junk)
			b.ReportAllocs()
			for b.Loop() {
				r := skill.Open(skill.Options{Roots: roots})
				if got := len(r.List()); got != c.skills {
					b.Fatalf("found %d skills, want %d", got, c.skills)
				}
			}
		})
	}
}

func BenchmarkOpen_Builtin(b *testing.B) {
	for b.Loop() {
		if r := skill.Open(skill.Options{Roots: []skill.Root{skill.Builtin()}}); len(r.List()) == 0 {
			b.Fatal("no built-in skills")
		}
	}
}

// Reading one skill takes the same time among many as among few.
func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{100, 200, 400} {
		b.Run(fmt.Sprintf("skills=%d", n), func(b *testing.B) {
			r := skill.Open(skill.Options{Roots: []skill.Root{skilltest.UserRoot(manySkills(b, 0, n, 0))}})
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Load("skill-0050"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	content := []byte(skilltest.SkillFileWith("tools_required: [quote, calculate]", "category: analysis", "parameters:\n  - name: symbol\n    required: true"))
	for b.Loop() {
		if _, _, err := skill.Parse(content); err != nil {
			b.Fatal(err)
		}
	}
}
