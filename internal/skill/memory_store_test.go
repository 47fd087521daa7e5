package skill_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

func TestMemoryStore_HoldsTheContract(t *testing.T) {
	skilltest.RunStore(t, func(*testing.T) skill.Store { return new(skilltest.Store) })
}
