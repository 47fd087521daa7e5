package economy_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/tools/economy"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type args = toolstest.Args

var group = toolstest.Group[economy.Deps](economy.Tools)

// deps returns the dependencies of most tests: the sample data, on a fixed day.
func deps(t testing.TB) economy.Deps {
	t.Helper()
	return economy.Deps{Series: feed.NewSampleSource(), Now: toolstest.Clock(t, toolstest.Now)}
}
