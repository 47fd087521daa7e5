package app

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/skills"
)

// StandingApprovals returns everything that the user has always allowed: the saved permissions and, as
// permissions without a date, the skills that they have read. nfa does not ask about these again.
func (a *App) StandingApprovals() []tool.Permission {
	return slices.Concat(a.Permissions.List(), slices.SortedFunc(maps.Values(a.reviews()), func(a, b tool.Permission) int { return strings.Compare(a.Tool, b.Tool) }))
}

// RevokeApprovals revokes one standing approval of a tool, or all of them if pattern is empty. It returns
// how many it revoked.
func (a *App) RevokeApprovals(ctx context.Context, tool, pattern string) (int, error) {
	revoked, err := a.Permissions.Remove(ctx, tool, pattern)
	for skill, review := range a.reviews() {
		if err == nil && review.Tool == tool && (pattern == "" || review.Pattern == pattern) {
			_, err = a.Skills.State.RemoveReview(ctx, skill)
			revoked++
		}
	}
	return revoked, err
}

// reviews returns the reviewed skills as permissions, by skill name.
func (a *App) reviews() map[string]tool.Permission {
	all := map[string]tool.Permission{}
	for name, hash := range a.Skills.State.Reviews() {
		all[name] = tool.Permission{Tool: skills.WorkflowTool(name), Pattern: fmt.Sprintf("you have read version %[2]s of the skill %[1]s", name, hash)}
	}
	return all
}
