package catalog

import (
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/llm/openai"
)

// IsLocalAddress is isLocalAddress, for tests.
var IsLocalAddress = isLocalAddress

// AwaitServers lengthens the timeout of local servers, so that a busy machine fails no test.
func AwaitServers(t *testing.T) {
	before := serverTimeout
	serverTimeout = time.Minute
	t.Cleanup(func() { serverTimeout = before })
}

// KeepList stores a provider's model list, as a refresh does.
func (b *Selector) KeepList(p Provider, listed ...openai.ListedModel) {
	b.lists.keep(p, listed)
}
