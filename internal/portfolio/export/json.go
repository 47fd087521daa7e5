package export

import (
	"bufio"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Values of the first two JSON fields. Readers reject other formats and newer versions. The version
// increases when an older reader would lose data.
const (
	JSONFormat  = "nfa ledger"
	JSONVersion = 1
)

// The document is one object: head, transactions, and tail, which has the other fields of
// portfolio.Ledger. Format and version come first.
type jsonHead struct {
	Format   string              `json:"format"`
	Version  int                 `json:"version"`
	Accounts []portfolio.Account `json:"accounts"`
}

type jsonTail struct {
	Aliases    map[market.Symbol]market.Symbol `json:"aliases"`
	Securities []portfolio.Security            `json:"securities"`
	Targets    []portfolio.Target              `json:"targets"`
}

func writeJSON(out *bufio.Writer, l portfolio.Ledger) error {
	ts, err := validTransactions(l)
	if err != nil {
		return err
	}
	first, err := json.Marshal(jsonHead{JSONFormat, JSONVersion, sortedBy(l.Accounts, func(a portfolio.Account) string { return a.Name })})
	if err != nil {
		return err
	}
	last, err := json.Marshal(newJSONTail(l))
	if err != nil {
		return err
	}
	// Write one transaction per line, so that files can be compared and memory use stays small.
	out.Write(first[:len(first)-1])
	out.WriteString(",\n\"transactions\":[")
	for i, t := range ts {
		line, err := json.Marshal(t)
		if err != nil {
			return err
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
		out.Write(line)
	}
	out.WriteString("],\n")
	out.Write(last[1:])
	_, err = out.WriteString("\n")
	return err
}

func newJSONTail(l portfolio.Ledger) jsonTail {
	t := jsonTail{Aliases: l.Aliases}
	if t.Aliases == nil {
		t.Aliases = map[market.Symbol]market.Symbol{}
	}
	t.Securities = sortedBy(l.Securities, func(s portfolio.Security) string { return string(s.Symbol) })
	t.Targets = sortedBy(l.Targets, func(t portfolio.Target) string { return string(t.Symbol) })
	return t
}

func sortedBy[T any](list []T, key func(T) string) []T {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b T) int { return cmp.Compare(key(a), key(b)) })
	if sorted == nil {
		return []T{}
	}
	return sorted
}
