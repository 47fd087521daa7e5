package ledger

import (
	"fmt"
	"maps"
	"slices"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// accountOf is where a file goes of which the user does not say it: where earlier files
// of the broker went, or an account of the broker's name. Accounts that the file names
// itself are kept apart where they are several: what each has been taxed on, and which
// lots a sale takes, is its own. Then account is that of lines which name none. An
// earlier file may have put one of them into an account of another name, where its
// lines would not be found again: that has to be said.
func accountOf(l portfolio.Ledger, format string, named []string) (account string, apart bool, err error) {
	used := accountsUsed(l, format)
	known := func(name string) bool { return slices.Contains(used, name) }
	switch {
	case len(named) > 1 && (allNames(named, known) || allNames(used, func(name string) bool { return slices.Contains(named, name) })):
		return format, true, nil
	case len(named) > 1:
		return "", false, fmt.Errorf("%w: the file is of the accounts %q, and earlier files of %s went to %q: say with account which one all of it is to go to, or import a file of each alone, with its account", errImport, capList(named), format, capList(used))
	case len(named) == 1 && known(named[0]):
		return named[0], false, nil
	case len(used) > 1:
		return "", false, fmt.Errorf("%w: files of %s were read for the accounts %q: say with account which of them this is", errImport, format, capList(used))
	case len(used) == 1:
		return used[0], false, nil
	}
	return format, false, nil
}

// accountsUsed are those that files of a format went to, sorted.
func accountsUsed(l portfolio.Ledger, format string) []string {
	used := map[string]bool{}
	for i := range l.Transactions {
		if t := &l.Transactions[i]; t.Source == format {
			used[t.Account] = true
		}
	}
	return slices.Sorted(maps.Keys(used))
}

func allNames(names []string, holds func(string) bool) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !holds(name) })
}
