package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// holdsBlock compares the text between two comments of a page with want; with -update it writes want there.
func holdsBlock(t *testing.T, file, name, want string) {
	t.Helper()
	text := page(t, file)
	block := regexp.MustCompile(`(?s)(<!-- ` + name + `: [^\n]*-->\n).*?(<!-- end of ` + name + ` -->)`)
	found := block.FindStringSubmatchIndex(text)
	if found == nil {
		t.Fatalf("%s has no block of %s", file, name)
	}
	whole := text[:found[3]] + "\n" + want + "\n" + text[found[4]:]
	if whole == text {
		return
	}
	if !*update {
		t.Errorf("the %s in %s are not those of the program; go test ./cmd/nfa -run Docs -update writes them. Want\n%s", name, file, want)
		return
	}
	if err := os.WriteFile(filepath.Join("..", "..", file), []byte(whole), 0o644); err != nil {
		t.Fatal(err)
	}
}

// cell escapes a text for a cell of a Markdown table.
func cell(text string) string { return strings.NewReplacer(`\`, `\\`, "|", `\|`).Replace(text) }

func TestDocs_EveryKeyOfTheChatIsThere(t *testing.T) {
	var b strings.Builder
	for i, scope := range widget.KeyScopes() {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "### %s\n\n| key | does | name |\n|---|---|---|\n", scope)
		for _, k := range widget.DefaultKeyMap().Bindings(scope) {
			fmt.Fprintf(&b, "| %s | %s | `%s` |\n", cell(k.Labels()), cell(k.About), k.Name)
		}
	}
	holdsBlock(t, "docs/chat.md", "keys", b.String())
}

func TestDocs_EveryCommandOfTheChatIsThere(t *testing.T) {
	var rows []app.Command
	for _, c := range app.Commands() {
		if in := c.InChat(); c.Slash != "" || in != "" && !strings.Contains(in, " ") {
			rows = append(rows, c)
		}
	}
	slices.SortFunc(rows, func(a, b app.Command) int { return cmp.Compare(a.InChat(), b.InChat()) })
	b := bytes.NewBufferString("| command | does |\n|---|---|\n")
	for _, c := range rows {
		// A bar in code would end the cell in some renderers.
		usage := strings.TrimSpace(c.InChat() + " " + strings.ReplaceAll(c.Hint(), " | ", " or "))
		fmt.Fprintf(b, "| `%s` | %s |\n", usage, cell(c.About))
	}
	holdsBlock(t, "docs/chat.md", "commands", b.String())
}

// parseRedirects removes "< from" and "> to" from the words of a command.
func parseRedirects(args []string) (rest []string, from, to string) {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "<" && i+1 < len(args):
			i++
			from = args[i]
		case args[i] == ">" && i+1 < len(args):
			i++
			to = args[i]
		default:
			rest = append(rest, args[i])
		}
	}
	return rest, from, to
}

func TestDocs_EveryCommandIsThere(t *testing.T) {
	rows := app.Commands()
	var b strings.Builder
	for _, group := range app.CommandGroups() {
		fmt.Fprintf(&b, "\n### %s\n\n| command | in the chat | does |\n|---|---|---|\n", group)
		for _, top := range rows {
			if top.Group != group || top.Name == "" {
				continue
			}
			for _, c := range rows {
				if c.Name != top.Name && !strings.HasPrefix(c.Name, top.Name+" ") || c.Hidden {
					continue
				}
				slash := ""
				if in := c.InChat(); in != "" {
					slash = "`" + in + "`"
				}
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", strings.TrimSpace("nfa "+c.Name+" "+strings.ReplaceAll(c.Args, " | ", " or ")), slash, cell(c.About))
			}
		}
	}
	holdsBlock(t, "docs/commands.md", "commands", b.String()[1:])
}
