// Command catalogage fails if the list of models is too old for a release: models are retired, and
// prices change. The command in internal/llm/catalog/generate renews the list.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/nfa-cli/nfa/internal/llm/catalog"
)

const maxDays = 120

func main() {
	if err := check(catalog.AsOf(), time.Now()); err != nil {
		fmt.Fprintln(os.Stderr, "catalogage:", err)
		os.Exit(1)
	}
}

func check(asOf string, now time.Time) error {
	day, err := time.Parse(time.DateOnly, asOf)
	if err != nil {
		return err
	}
	if days := int(now.Sub(day).Hours() / 24); days > maxDays {
		return fmt.Errorf("catalog.json is %d days old, more than %d: run the command in internal/llm/catalog/generate", days, maxDays)
	}
	return nil
}
