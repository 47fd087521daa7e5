package ledger

import (
	"context"
	"encoding/json"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
)

// ImportDeps holds the portfolio store and what reads and maps files.
type ImportDeps struct {
	positions.Deps
	// NewIDs names n transactions that are recorded now.
	NewIDs func(n int) ([]string, error)
	// Read reads a file that the user names, whole and as it is; name is without its
	// folder. It is bounded. Nil leaves out the tool.
	Read func(path string) (name string, raw []byte, err error)
	// Mappings keep how the columns of files are read; nil keeps none.
	Mappings Mappings
	// Searches finds listings beyond the Directory; nil leaves those alone.
	Searches market.SearchSource
}

// Mappings keep documents by name.
type Mappings interface {
	// Mapping reports false where none has the name.
	Mapping(ctx context.Context, name string) (doc json.RawMessage, ok bool, err error)
	SaveMapping(ctx context.Context, name string, doc json.RawMessage) error
	Mappings(ctx context.Context) (names []string, err error)
}

// ImportTools returns the tool that imports transactions.
func ImportTools(d ImportDeps) []tool.Tool {
	if d.Read == nil {
		return nil
	}
	return []tool.Tool{newImportTransactions(d)}
}
