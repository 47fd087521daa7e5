package plain

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
	"github.com/nfa-cli/nfa/internal/tui/slash"
)

// listed is all of it, a line each.
func listed(items []slash.Item) string {
	var b strings.Builder
	for _, i := range items {
		fmt.Fprintf(&b, "- %s: %s", escaped(strings.TrimSpace("/"+i.Name+" "+i.Hint)), escaped(i.About))
		if i.Skill {
			b.WriteString(" (skill)")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// submit takes what the user wrote: a command, a skill, or a message.
func (c *chat) submit(text string) error {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	name, args, ok := slash.Parse(text)
	if !ok {
		return c.run(text, agent.Input{Text: text})
	}
	command, known := c.commands.Named(name)
	switch {
	case !known:
		c.out.say(labelNotice, "/"+name+" is neither a command nor a skill; sent as text")
		return c.run(text, agent.Input{Text: text})
	case isOwn(command.Name):
		return c.own(command.Name)
	}
	if command.Kind == tui.KindSkill {
		return c.skill(text, command, args)
	}
	return c.perform(text, command, args)
}

// isOwn reports whether the chat itself does what is named. What else the screen
// does itself is about the screen.
func isOwn(name string) bool { return name == "help" || name == "clear" || name == "quit" }

// own does what the chat does itself.
func (c *chat) own(name string) error {
	switch name {
	case "quit":
		return errLeave
	case "clear":
		c.turnTo(c.cfg.Start(), nil)
	default:
		c.out.show(labelProgram, helpText+listed(c.commands.Items()))
	}
	return nil
}

const helpText = `A line is a message, or a command where it begins with a slash. One that ends in a backslash goes on in the next.

- Ctrl+C stops what runs; pressed again, it leaves. So does the end of the input, Ctrl+D.
- A question for approval takes n, y, s or a, and a reason behind the n.
- A form asks for its values one by one: an empty line keeps what is said to stand there, /empty leaves it empty, /cancel gives the form up.
- A command that opens a list on the screen writes the list down; the name of an item behind it reads that item, other words choose among them.

`

// perform runs a command, whose words the model never sees.
func (c *chat) perform(text string, command tui.Command, args string) error {
	if command.Open != nil && (args == "" || command.Show == nil) {
		return c.browse(command.Name, command.Open(), args)
	}
	if command.Work != nil {
		return c.work(command, args)
	}
	var shown string
	var fault error
	err := c.await(func() {
		switch {
		case command.Draw == nil:
			shown, fault = command.Show(args)
		default:
			var drawn *chart.Spec
			if drawn, shown, fault = command.Draw(args); drawn != nil && fault == nil {
				shown = escaped(chart.Describe(*drawn)) + "\n\n" + shown
			}
		}
		if c.cfg.Refresh != nil {
			c.commands = newSet(c.cfg.Refresh())
		}
	})
	if err != nil {
		return err
	}
	return c.result(text, shown, fault)
}

// work has a command do what takes long and can be stopped. A chat that is left lets
// it keep what came of it.
func (c *chat) work(command tui.Command, args string) error {
	ctx, stop := context.WithCancel(c.ctx)
	defer stop()
	var shown string
	var fault error
	ended := make(chan struct{})
	err := c.awaitOr(func() {
		defer close(ended)
		shown, fault = command.Work(ctx, args)
	}, stop)
	switch {
	case err != nil:
		stop()
		settle(ended)
		return err
	case fault != nil && ctx.Err() != nil:
		c.out.say(labelNotice, "/"+command.Name+" was stopped; the conversation is as it was")
		return nil
	}
	return c.result("", shown, fault)
}

// settle waits for the end of what was stopped, but not for ever.
func settle(ended <-chan struct{}) {
	timer := time.NewTimer(settleTime)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
	}
}

// result says what a command came to, or asks for what it needs.
func (c *chat) result(text, shown string, err error) error {
	var needs *tui.NeedsError
	switch {
	case errors.As(err, &needs):
		return c.fill(text, needs)
	case err != nil:
		c.out.say(labelError, c.explain(err))
	case strings.TrimSpace(shown) != "":
		c.out.show(labelProgram, shown)
	}
	return nil
}

// skill makes the turn of a skill and runs it.
func (c *chat) skill(text string, command tui.Command, args string) error {
	var in agent.Input
	var fault error
	if err := c.await(func() { in, fault = command.Prepare(args) }); err != nil {
		return err
	}
	if fault != nil {
		return c.result(text, "", fault)
	}
	return c.run(text, in)
}

// await runs what may take its time, and answers the questions that come of it.
func (c *chat) await(run func()) error { return c.awaitOr(run, nil) }

// awaitOr is await for what stop ends; nil for what nothing does. Where run panics it
// gives the *crash.Site.
func (c *chat) awaitOr(run func(), stop func()) error {
	ended := make(chan error, 1)
	go func() {
		var crashed error
		defer func() { ended <- crashed }()
		defer crash.Catch(&crashed)
		run()
	}()
	told := false
	for {
		select {
		case crashed := <-ended:
			return crashed
		case l := <-c.input.typedAhead():
			c.input.keep(l)
		case q := <-c.asked:
			if _, err := c.question(q); err != nil {
				return err
			}
		case <-c.cfg.Interrupts:
			if told {
				return errLeave
			}
			told = true
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

// browse writes down what the shelf of a command holds, or reads the item that is named.
func (c *chat) browse(command string, s *tui.Shelf, words string) error {
	if s == nil {
		return nil
	}
	var text string
	var fault error
	err := c.await(func() { text, fault = onShelf(command, s, words) })
	if err != nil {
		return err
	}
	return c.result("", text, fault)
}

// mostListed is how many items of a shelf are written down: nobody listens to more.
const mostListed = 50

// onShelf is the item of a name, or the list of those that hold the words.
func onShelf(command string, s *tui.Shelf, words string) (string, error) {
	items := s.Items()
	if at := slices.IndexFunc(items, func(i tui.Item) bool { return i.Name == words }); at >= 0 && s.Read != nil {
		return s.Read(words)
	}
	var b strings.Builder
	group, found := "", 0
	for _, i := range items {
		if !holds(i, words) {
			continue
		}
		if found++; found > mostListed {
			continue
		}
		if i.Group != group {
			group = i.Group
			fmt.Fprintf(&b, "\n%s:\n\n", escaped(group))
		}
		fmt.Fprintf(&b, "- %s\n", escaped(described(i)))
	}
	switch {
	case found == 0 && len(items) > 0:
		return fmt.Sprintf("Nothing here holds the words %s.\n", escaped(words)), nil
	case found == 0:
		return s.Empty, nil
	case found > mostListed:
		fmt.Fprintf(&b, "\n… and %d more; %s narrows\n", found-mostListed, escaped("/"+command+" WORDS"))
	}
	return fmt.Sprintf("%s, %d:\n\n%s", escaped(s.Title), found, b.String()), nil
}

func holds(i tui.Item, words string) bool {
	text := strings.ToLower(strings.Join(append([]string{i.Name, i.Title, i.Group, i.About, i.Words}, i.Marks...), " "))
	for _, word := range strings.Fields(strings.ToLower(words)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// described is an item in a line: its name comes first, as it is what is typed.
func described(i tui.Item) string {
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

// escaped is a text of others in a line of Markdown that means nothing else.
func escaped(text string) string {
	var b strings.Builder
	for _, r := range markdown.SanitizeLine(text) {
		if strings.ContainsRune("\\`*_[]<>#|~&!", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
