package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// commandLines lists all commands, one per line.
func commandLines(items []widget.CommandItem) string {
	var b strings.Builder
	for _, i := range items {
		fmt.Fprintf(&b, "- %s: %s", escapeMarkdown(strings.TrimSpace("/"+i.Name+" "+i.Hint)), escapeMarkdown(i.About))
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
	name, args, ok := widget.ParseCommand(text)
	if !ok {
		return c.runTurn(text, agent.Input{Text: text})
	}
	command, known := c.commands.Lookup(name)
	switch {
	case !known:
		c.out.say(labelNotice, "/"+name+" is neither a command nor a skill; sent as text")
		return c.runTurn(text, agent.Input{Text: text})
	case isOwnCommand(command.Name):
		return c.runOwnCommand(command.Name)
	}
	if command.Kind == tui.KindSkill {
		return c.runSkill(text, command, args)
	}
	return c.runCommand(text, command, args)
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
		c.switchConversation(c.cfg.Start(), nil)
	default:
		c.out.show(labelProgram, helpText+commandLines(c.commands.Items()))
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
func (c *chat) runCommand(text string, command tui.Command, args string) error {
	if command.Open != nil && (args == "" || command.Show == nil) {
		return c.browse(command.Name, command.Open(), args)
	}
	if command.RunTask != nil {
		return c.runTask(command, args)
	}
	var shown string
	var fault error
	err := c.waitFor(func() {
		switch {
		case command.Draw == nil:
			shown, fault = command.Show(args)
		default:
			var drawn *chart.Spec
			if drawn, shown, fault = command.Draw(args); drawn != nil && fault == nil {
				shown = escapeMarkdown(chart.Describe(*drawn)) + "\n\n" + shown
			}
		}
		if c.cfg.Refresh != nil {
			c.commands = newCommandSet(c.cfg.Refresh())
		}
	})
	if err != nil {
		return err
	}
	return c.printResult(text, shown, fault)
}

// runTask runs a slow command that can be stopped. If the user quits, the task may still save its
// results.
func (c *chat) runTask(command tui.Command, args string) error {
	ctx, stop := context.WithCancel(c.ctx)
	defer stop()
	var shown string
	var fault error
	ended := make(chan struct{})
	err := c.waitForOr(func() {
		defer close(ended)
		shown, fault = command.RunTask(ctx, args)
	}, stop)
	switch {
	case err != nil:
		stop()
		waitForEnd(ended)
		return err
	case fault != nil && ctx.Err() != nil:
		c.out.say(labelNotice, "/"+command.Name+" was stopped; the conversation is as it was")
		return nil
	}
	return c.printResult("", shown, fault)
}

// waitForEnd waits for the end of a stopped task, at most settleTime.
func waitForEnd(ended <-chan struct{}) {
	timer := time.NewTimer(settleTime)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
	}
}

// printResult prints the result of a command, or asks for missing values.
func (c *chat) printResult(text, shown string, err error) error {
	var needs *tui.MissingInputError
	switch {
	case errors.As(err, &needs):
		return c.fillForm(text, needs)
	case err != nil:
		c.out.say(labelError, c.errorText(err))
	case strings.TrimSpace(shown) != "":
		c.out.show(labelProgram, shown)
	}
	return nil
}

// runSkill makes the turn of a skill and runs it.
func (c *chat) runSkill(text string, command tui.Command, args string) error {
	var in agent.Input
	var fault error
	if err := c.waitFor(func() { in, fault = command.Prepare(args) }); err != nil {
		return err
	}
	if fault != nil {
		return c.printResult(text, "", fault)
	}
	return c.runTurn(text, in)
}

// waitFor runs slow work and answers the approvals it asks for.
func (c *chat) waitFor(run func()) error { return c.waitForOr(run, nil) }

// waitForOr is waitFor for work that stop ends, or that cannot be stopped if stop is nil. If run
// panics, waitForOr returns the *crash.Site.
func (c *chat) waitForOr(run func(), stop func()) error {
	ended := make(chan error, 1)
	go func() {
		var crashed error
		defer func() { ended <- crashed }()
		defer crash.Catch(&crashed)
		run()
	}()
	done := false
	for {
		select {
		case crashed := <-ended:
			return crashed
		case l := <-c.input.typedAhead():
			c.input.hold(l)
		case q := <-c.approvals:
			if _, err := c.askApproval(q); err != nil {
				return err
			}
		case <-c.cfg.Interrupts:
			if done {
				return errLeave
			}
			done = true
			if stop != nil {
				stop()
				c.out.say(labelNotice, "stopping; press Ctrl+C again to leave")
				continue
			}
			c.out.say(labelNotice, "this cannot be stopped; press Ctrl+C again to leave")
		case <-c.ctx.Done():
			return errLeave
		}
	}
}

// browse prints the items of a command's list screen, or the page of the named item.
func (c *chat) browse(command string, s *tui.ListScreen, words string) error {
	if s == nil {
		return nil
	}
	var text string
	var fault error
	err := c.waitFor(func() { text, fault = listScreenText(command, s, words) })
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
			fmt.Fprintf(&b, "\n%s:\n\n", escapeMarkdown(group))
		}
		fmt.Fprintf(&b, "- %s\n", escapeMarkdown(itemLine(i)))
	}
	switch {
	case found == 0 && len(items) > 0:
		return fmt.Sprintf("Nothing here holds the words %s.\n", escapeMarkdown(words)), nil
	case found == 0:
		return s.Empty, nil
	case found > maxListed:
		fmt.Fprintf(&b, "\n… and %d more; %s narrows\n", found-maxListed, escapeMarkdown("/"+command+" WORDS"))
	}
	return fmt.Sprintf("%s, %d:\n\n%s", escapeMarkdown(s.Title), found, b.String()), nil
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

// escapeMarkdown escapes outside text for a line of Markdown.
func escapeMarkdown(text string) string {
	var b strings.Builder
	for _, r := range markdown.SanitizeLine(text) {
		if strings.ContainsRune("\\`*_[]<>#|~&!", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
