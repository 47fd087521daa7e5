package skilltest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/nfa-cli/nfa/internal/skill"
)

// Store is a skill.Store in memory; the zero value is empty. It passes RunStore.
type Store struct {
	mu     sync.Mutex
	skills []skill.StoredSkill // sorted by name
}

// All returns the skills by name.
func (s *Store) All(ctx context.Context) ([]skill.StoredSkill, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.skills), ctx.Err()
}

// Swap removes and adds skills.
func (s *Store) Swap(ctx context.Context, remove, add []skill.StoredSkill) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	after := slices.Clone(s.skills)
	for _, old := range remove {
		index := slices.IndexFunc(after, func(k skill.StoredSkill) bool {
			return k.Name == skill.CanonicalName(old.Name) && k.Text == old.Text
		})
		if index < 0 {
			return fmt.Errorf("remove %s: %w", old.Name, skill.ErrStoreChanged)
		}
		after = slices.Delete(after, index, index+1)
	}
	for _, fresh := range add {
		fresh.Name = skill.CanonicalName(fresh.Name)
		if slices.ContainsFunc(after, func(k skill.StoredSkill) bool { return k.Name == fresh.Name }) {
			return fmt.Errorf("store %s: %w", fresh.Name, skill.ErrStoreChanged)
		}
		after = append(after, fresh)
	}
	slices.SortFunc(after, func(a, b skill.StoredSkill) int { return cmp.Compare(a.Name, b.Name) })
	s.skills = after
	return ctx.Err()
}
