package sqlite_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

func BenchmarkOpen_Existing(b *testing.B) {
	path := filepath.Join(b.TempDir(), "nfa.db")
	open(b, path).Close()
	for b.Loop() {
		db, err := sqlite.Open(b.Context(), path, sqlite.Options{})
		if err != nil {
			b.Fatal(err)
		}
		db.Close()
	}
}

func BenchmarkOpen_New(b *testing.B) {
	dir := b.TempDir()
	for i := 0; b.Loop(); i++ {
		db, err := sqlite.Open(b.Context(), filepath.Join(dir, fmt.Sprint(i)), sqlite.Options{})
		if err != nil {
			b.Fatal(err)
		}
		db.Close()
	}
}

// BenchmarkSwap_Skill waits for the disk, once for each skill.
func BenchmarkSwap_Skill(b *testing.B) {
	store := open(b, filepath.Join(b.TempDir(), "nfa.db")).Skills()
	for i := 0; b.Loop(); i++ {
		if err := store.Swap(b.Context(), nil, []skill.StoredSkill{skilltest.StoredSkill(fmt.Sprintf("skill-%d", i))}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppend_Delta(b *testing.B) {
	store := open(b, filepath.Join(b.TempDir(), "nfa.db")).Sessions()
	if err := store.Create(b.Context(), session.Session{ID: "a"}); err != nil {
		b.Fatal(err)
	}
	e := session.Entry{Kind: session.KindDelta, At: time.Now(), Message: llm.Message{Role: llm.RoleAssistant, Content: "a few words more "}}
	for b.Loop() {
		if err := store.Append(b.Context(), "a", e); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{2_500, 5_000, 10_000} {
		b.Run(fmt.Sprintf("entries=%d", n), func(b *testing.B) {
			store := open(b, filepath.Join(b.TempDir(), "nfa.db")).Sessions()
			if err := store.Create(b.Context(), session.Session{ID: "a"}); err != nil {
				b.Fatal(err)
			}
			entries := make([]session.Entry, n)
			for i := range entries {
				entries[i] = session.Entry{Kind: session.KindUser, Message: llm.Message{Role: llm.RoleUser, Content: strings.Repeat("words ", 20)}}
			}
			if err := store.Append(b.Context(), "a", entries...); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := store.Load(b.Context(), "a"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
