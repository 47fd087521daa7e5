package repl

import (
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

// submit handles the user's input: a command, a skill or a message.
func (c *chat) submit(text string) error {
	s := c.Parse(text)
	list := c.list
	c.list = nil
	if item, ok := list.item(s.Text); ok {
		return c.openItem(list, item)
	}
	switch {
	case s.Text == "":
		return nil
	case s.Unknown != nil:
		text := s.Unknown.Text()
		if s.Unknown.Suggestion != "" {
			text += " Nothing was sent."
		}
		c.out.say(labelNotice, text)
		return nil
	case s.Command == nil:
		return c.runTurn(s.Text, agent.Input{Text: s.Text, Pasted: !c.cfg.Interactive}) // a pipe is not typed
	case isOwnCommand(s.Command.Name):
		return c.runOwnCommand(s.Command.Name)
	case s.IsSkill():
		return c.runSkill(s)
	default:
		return c.runCommand(s)
	}
}

// isOwnCommand reports whether this chat has the named command of tui.OwnCommands. The others need a
// screen.
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

const helpText = `Type a message, or a command that starts with a slash. To continue on the next line, end the line with a backslash.

- Ctrl+C stops what is running. Press it twice to quit; Ctrl+D also quits.
- Answer an approval with n, y, s or a. After n you can add a reason.
- A form asks for one value at a time. Enter keeps the current value, /empty clears it, /cancel discards your changes.
- A list command prints its list. To use an item, type its number. To read an item, add its name to the command; to filter the list, add other words.

`

// runCommand runs a command. The model never sees its output.
func (c *chat) runCommand(s tui.Submission) error {
	if s.Command.OpensScreen(s.Args) && !s.Command.PlainText {
		return c.browse(s.Command.Name, s.Command.Open(), s.Args)
	}
	task := c.StartCommand(c.ctx, s)
	defer task.Settle(tui.SettleTime)
	var crashed *crash.Site
	if err := c.waitFor(func() { crashed = task.Wait() }, task.Cancel); err != nil {
		return err
	}
	if crashed != nil {
		return crashed
	}
	r, stopped := task.Result()
	c.Apply(r)
	if stopped {
		c.out.say(labelNotice, tui.StoppedTaskText(s.Command.Name))
		return nil
	}
	if r.Chart != nil {
		c.out.say(labelChart, widget.OneLine(chart.Describe(*r.Chart)))
	}
	if r.View != nil {
		if r.Chart != nil { // its description is printed
			r.View.Headline, r.View.Text = "", r.View.Body
		}
		c.printView(*r.View)
		return nil
	}
	return c.printResult(s.Text, r.Markdown, r.Err)
}

// printView prints the result of a tool: its headline, its values, and their source.
func (c *chat) printView(v agent.CommandView) {
	if v.SampleNotice != "" {
		c.out.say(labelNotice, v.SampleNotice)
	}
	if v.Headline != "" {
		c.out.say(labelProgram, widget.OneLine(v.Headline))
	}
	if strings.TrimSpace(v.Text) != "" {
		c.out.continueText(labelProgram, v.Text)
	}
	printAttribution(c.out, v.Attribution)
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

// runSkill runs the turn of a skill.
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

func itemMatches(i tui.ListItem, filter string) bool {
	text := strings.ToLower(strings.Join(append([]string{i.Name, i.Title, i.Group, i.About, i.SearchTerms}, i.Marks...), " "))
	for _, word := range strings.Fields(strings.ToLower(filter)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// itemLine returns the line of an item. It starts with the name, because the user types it.
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
	about := slices.DeleteFunc(append(slices.Clone(i.Columns), i.About), func(s string) bool { return s == "" })
	if len(about) > 0 {
		text += ": " + strings.Join(about, ", ")
	}
	return text
}
