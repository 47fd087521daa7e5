package repl

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// printedList is a list that was just printed. The next line may be the number of an item.
type printedList struct {
	screen *tui.ListScreen
	items  []tui.ListItem // by their numbers, from 1
}

// item returns the item whose number was typed. A nil list has none.
func (l *printedList) item(text string) (tui.ListItem, bool) {
	n, err := strconv.Atoi(text)
	if l == nil || err != nil || n < 1 || n > len(l.items) {
		return tui.ListItem{}, false
	}
	return l.items[n-1], true
}

// maxListed is the maximum number of printed items, because a screen reader reads all of them.
const maxListed = 50

// browse prints the items of a command's list screen, or the page of the named item.
func (c *chat) browse(command string, s *tui.ListScreen, args string) error {
	if s == nil {
		return nil
	}
	var text string
	var items []tui.ListItem
	var fault error
	err := c.waitFor(func() {
		all := s.Items()
		if slices.ContainsFunc(all, func(i tui.ListItem) bool { return i.Name == args }) && s.Read != nil {
			text, fault = s.Read(args)
			return
		}
		text, items = listText(command, s, all, args)
	}, nil)
	if err != nil {
		return err
	}
	if s.Step != "" && s.Frame != nil {
		plain := widget.NewStyles(markdown.PlainTheme())
		c.out.lines(labelNotice, s.Frame(plain, noWrapWidth, "").Top)
	}
	if err := c.printResult("", text, fault); err != nil || len(items) == 0 {
		return err
	}
	list := &printedList{screen: s, items: items}
	if s.Step != "" {
		return c.askForItem(command, list)
	}
	c.list = list
	c.out.say(labelNotice, "To use an item, type its number.")
	return nil
}

// askForItem asks for an item of a step of a dialog. Other words filter the list.
func (c *chat) askForItem(command string, l *printedList) error {
	c.out.say(labelNotice, "Type a number, part of a name, or "+cancelCommand+".")
	text, event := c.read(labelField)
	text = strings.TrimSpace(text)
	item, ok := l.item(text)
	switch {
	case event != readLine || text == cancelCommand:
		if l.screen.OnClose != nil {
			c.out.say(labelNotice, l.screen.OnClose())
		}
		return nil
	case ok:
		return c.openItem(l, item)
	case text != "" && !slices.ContainsFunc(l.screen.Items(), func(i tui.ListItem) bool { return itemMatches(i, text) }):
		c.out.say(labelNotice, "No matches for "+text+".")
		text = ""
	}
	return c.browse(command, l.screen, text)
}

// fillActionForm asks for the values of an action. ok is false if the user canceled the form.
func (c *chat) fillActionForm(f *tui.ActionForm) (r tui.ActionResult, ok bool, err error) {
	values := map[string]string{}
	for _, fact := range f.Facts {
		c.out.say(labelNotice, strings.TrimPrefix(fact[0]+": "+fact[1], ": "))
	}
	for {
		count, ok := c.askValues(&tui.MissingInputError{Title: f.Title, Fields: f.Fields}, values)
		if !ok {
			return r, false, nil
		}
		var fault error
		if err := c.waitFor(func() { r, fault = f.Fill(values) }, nil); err != nil || fault != nil {
			return r, true, errors.Join(err, fault)
		}
		again := r.Ask
		if again == nil || again.Title != f.Title {
			return r, true, nil
		}
		if f = again; count == 0 || again.Verb == "save" {
			// Nothing can be typed, or the values were checked and need no other answer.
			for _, field := range f.Fields {
				if field.Problem != "" {
					return tui.ActionResult{}, true, errors.New(field.Problem)
				}
				c.out.say(labelNotice, strings.TrimSpace(cmp.Or(field.Label, field.Name)+": "+field.Checked))
			}
			if err := c.waitFor(func() { r, fault = f.Fill(values) }, nil); err != nil || fault != nil {
				return r, true, errors.Join(err, fault)
			}
			return r, true, nil
		}
	}
}

// listText returns the numbered list of the items that contain all words of args, and these items.
func listText(command string, s *tui.ListScreen, all []tui.ListItem, args string) (text string, items []tui.ListItem) {
	var b strings.Builder
	group, found := "", 0
	for _, i := range all {
		if !itemMatches(i, args) {
			continue
		}
		if found++; found > maxListed {
			continue
		}
		items = append(items, i)
		if i.Group != group {
			group = i.Group
			fmt.Fprintf(&b, "\n%s:\n\n", widget.EscapeMarkdown(group))
		}
		fmt.Fprintf(&b, "%d. %s\n", found, widget.EscapeMarkdown(itemLine(i)))
	}
	switch {
	case found == 0 && len(all) > 0:
		return fmt.Sprintf("No matches for %s.\n", widget.EscapeMarkdown(args)), nil
	case found == 0:
		return s.Empty, nil
	case found > maxListed:
		fmt.Fprintf(&b, "\n… and %d more; to filter: %s\n", found-maxListed, widget.EscapeMarkdown("/"+command+" WORDS"))
	}
	return fmt.Sprintf("%s, %d:\n\n%s", widget.EscapeMarkdown(s.Title), found, b.String()), items
}

// openItem runs the main action of an item, or prints its page if it has none.
func (c *chat) openItem(l *printedList, item tui.ListItem) error {
	for _, a := range l.screen.Actions {
		if b, ok := c.Keys.Find(a.Action); ok && b.Name == "screen-enter" && (a.AppliesTo == nil || a.AppliesTo(item)) {
			return c.runAction(func() (tui.ActionResult, error) { return a.Run(item.Name) })
		}
	}
	if l.screen.Read == nil {
		c.out.say(labelProgram, itemLine(item))
		return nil
	}
	var text string
	var fault error
	if err := c.waitFor(func() { text, fault = l.screen.Read(item.Name) }, nil); err != nil {
		return err
	}
	return c.printResult("", text, fault)
}

// runAction runs an action of a list and prints its result.
func (c *chat) runAction(run func() (tui.ActionResult, error)) error {
	var r tui.ActionResult
	var fault error
	if err := c.waitFor(func() { r, fault = run() }, nil); err != nil {
		return err
	}
	if fault != nil {
		return c.printResult("", "", fault)
	}
	if r.Message != "" {
		c.out.say(labelNotice, r.Message)
	}
	switch {
	case r.Resume != nil:
		r.Resume.Done(true)
		c.switchConversation(r.Resume.Conversation, r.Resume.History)
	case r.Compose != "":
		c.out.say(labelNotice, "Type: "+strings.TrimSpace(r.Compose))
	case r.Send != "":
		c.out.say(labelYou, r.Send)
		return c.submit(r.Send)
	case r.Show != "":
		c.out.show(labelProgram, r.Show)
	case r.Ask != nil:
		result, ok, err := c.fillActionForm(r.Ask)
		switch {
		case !ok && err == nil:
			c.out.say(labelNotice, "Canceled.")
			return nil
		case err != nil:
			return c.printResult("", "", err)
		}
		return c.runAction(func() (tui.ActionResult, error) { return result, nil })
	case r.Open != nil:
		return c.browse("", r.Open, "")
	case r.Confirm != nil, r.Exec != nil:
		c.out.say(labelNotice, "This action needs the full-screen chat. Nothing was changed.")
	}
	return nil
}
