package repl

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// commandLines lists all commands, one per line.
func commandLines(items []widget.CommandItem) string {
	var b strings.Builder
	for _, i := range items {
		fmt.Fprintf(&b, "- %s: %s", widget.EscapeMarkdown(strings.TrimSpace("/"+i.Name+" "+i.Hint)), widget.EscapeMarkdown(i.About))
		if i.Skill {
			b.WriteString(" (skill)")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// submit handles what the user sent: a command, a skill or a message.
func (c *chat) submit(text string) error {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	s := c.Parse(text)
	switch {
	case s.Command == nil:
		if notice := s.UnknownCommand(); notice != "" {
			c.out.say(labelNotice, notice)
		}
		return c.runTurn(text, agent.Input{Text: text})
	case isOwnCommand(s.Command.Name):
		return c.runOwnCommand(s.Command.Name)
	case s.IsSkill():
		return c.runSkill(s)
	default:
		return c.runCommand(s)
	}
}

// isOwnCommand reports whether this chat implements the named command itself. The other own
// commands of tui concern only a screen.
func isOwnCommand(name string) bool { return name == "help" || name == "clear" || name == "quit" }

// runOwnCommand runs a command that the chat implements itself.
func (c *chat) runOwnCommand(name string) error {
	switch name {
	case "quit":
		return errLeave
	case "clear":
		c.switchConversation(c.Start(), nil)
	default:
		c.out.show(labelProgram, helpText+commandLines(c.Commands.Items()))
	}
	return nil
}

const helpText = `A line is a message, or a command where it begins with a slash. One that ends in a backslash goes on in the next.

- Ctrl+C stops what runs; pressed again, it leaves. So does the end of the input, Ctrl+D.
- A question for approval takes n, y, s or a, and a reason behind the n.
- A form asks for its values one by one: an empty line keeps what is said to stand there, /empty leaves it empty, /cancel gives the form up.
- A command that opens a list on the screen writes the list down; the name of an item behind it reads that item, other words choose among them.

`

// runCommand runs a command. The model never sees its output.
func (c *chat) runCommand(s tui.Submission) error {
	command := *s.Command
	if command.OpensScreen(s.Args) {
		return c.browse(command.Name, command.Open(), s.Args)
	}
	if command.RunTask != nil {
		return c.runTask(command, s.Args)
	}
	var r tui.CommandResult
	if err := c.waitFor(func() { r = c.RunCommand(command, s.Args) }, nil); err != nil {
		return err
	}
	if r.Commands != nil {
		c.SetCommands(r.Commands)
	}
	if r.Chart != nil {
		r.Markdown = widget.EscapeMarkdown(chart.Describe(*r.Chart)) + "\n\n" + r.Markdown
	}
	return c.printResult(s.Text, r.Markdown, r.Err)
}

// runTask runs a slow command that can be stopped. If the user quits, the task may still save its
// results.
func (c *chat) runTask(command tui.Command, args string) error {
	task := tui.StartTask(c.ctx, func(ctx context.Context) (string, error) { return command.RunTask(ctx, args) })
	defer task.Settle(tui.SettleTime)
	var crashed *crash.Site
	if err := c.waitFor(func() { crashed = task.Wait() }, task.Cancel); err != nil {
		return err
	}
	if crashed != nil {
		return crashed
	}
	text, stopped, err := task.Result()
	if stopped {
		c.out.say(labelNotice, tui.StoppedTaskText(command.Name))
		return nil
	}
	return c.printResult("", text, err)
}

// printResult prints the result of a command, or asks for missing values.
func (c *chat) printResult(text, shown string, err error) error {
	if missing := tui.AsMissingInput(err); missing != nil {
		return c.fillForm(text, missing)
	}
	if err != nil {
		c.out.say(labelError, c.ErrorText(err))
	} else if strings.TrimSpace(shown) != "" {
		c.out.show(labelProgram, shown)
	}
	return nil
}

// runSkill makes the turn of a skill and runs it.
func (c *chat) runSkill(s tui.Submission) error {
	var in agent.Input
	var fault error
	if err := c.waitFor(func() { in, fault = s.Input() }, nil); err != nil {
		return err
	}
	if fault != nil {
		return c.printResult(s.Text, "", fault)
	}
	return c.runTurn(s.Text, in)
}

// browse prints the items of a command's list screen, or the page of the named item.
func (c *chat) browse(command string, s *tui.ListScreen, words string) error {
	if s == nil {
		return nil
	}
	var text string
	var fault error
	err := c.waitFor(func() { text, fault = listScreenText(command, s, words) }, nil)
	if err != nil {
		return err
	}
	return c.printResult("", text, fault)
}

// maxListed is how many items of a list screen are printed: nobody listens to more.
const maxListed = 50

// listScreenText returns the page of the item with that name, or the list of items that contain
// the words.
func listScreenText(command string, s *tui.ListScreen, words string) (string, error) {
	items := s.Items()
	if at := slices.IndexFunc(items, func(i tui.ListItem) bool { return i.Name == words }); at >= 0 && s.Read != nil {
		return s.Read(words)
	}
	var b strings.Builder
	group, found := "", 0
	for _, i := range items {
		if !itemMatches(i, words) {
			continue
		}
		if found++; found > maxListed {
			continue
		}
		if i.Group != group {
			group = i.Group
			fmt.Fprintf(&b, "\n%s:\n\n", widget.EscapeMarkdown(group))
		}
		fmt.Fprintf(&b, "- %s\n", widget.EscapeMarkdown(itemLine(i)))
	}
	switch {
	case found == 0 && len(items) > 0:
		return fmt.Sprintf("Nothing here holds the words %s.\n", widget.EscapeMarkdown(words)), nil
	case found == 0:
		return s.Empty, nil
	case found > maxListed:
		fmt.Fprintf(&b, "\n… and %d more; %s narrows\n", found-maxListed, widget.EscapeMarkdown("/"+command+" WORDS"))
	}
	return fmt.Sprintf("%s, %d:\n\n%s", widget.EscapeMarkdown(s.Title), found, b.String()), nil
}

func itemMatches(i tui.ListItem, words string) bool {
	text := strings.ToLower(strings.Join(append([]string{i.Name, i.Title, i.Group, i.About, i.SearchTerms}, i.Marks...), " "))
	for _, word := range strings.Fields(strings.ToLower(words)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// itemLine returns the line of an item. Its name comes first, because that is what the user types.
func itemLine(i tui.ListItem) string {
	text := i.Name
	if i.Title != "" && !strings.HasSuffix(i.Name, i.Title) {
		text += ", " + i.Title
	}
	if i.Problem {
		text += ", has a problem"
	}
	if len(i.Marks) > 0 {
		text += " (" + strings.Join(i.Marks, ", ") + ")"
	}
	if i.About != "" {
		text += ": " + i.About
	}
	return text
}
