package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// listScreenModel is an open list screen with the state of its actions.
type listScreenModel struct {
	screen  *ListScreen
	chat    *Chat
	st      *widget.Styles
	browser *widget.Browser
	items   map[string]ListItem

	mainActionFor    string // the item whose main action runs once it is loaded, or ""
	late             []ListItem
	loading          bool   // Items is running
	outdated         bool   // Items must run again after that
	pendingSelection string // the item to select once it is loaded
	runningAction    string // name of the running action, or ""

	// At most one of these is open, in the last lines of the screen.
	menu    *widget.ActionMenu
	form    *widget.Form[ActionResult]
	confirm *widget.ConfirmDialog

	dialogAction string                       // the action of the form or confirmation
	onConfirm    func() (ActionResult, error) // runs after a yes
}

// listScreenMsg carries the result of work that a list screen ran outside the update loop. open is
// false if the screen was closed in the meantime.
type listScreenMsg struct {
	screen *listScreenModel
	apply  func(m *Model, open bool) tea.Cmd
}

// openListScreen opens a list screen over the transcript, with a filter. If the filter is the name of an
// item, its main action runs.
func (m *Model) openListScreen(s *ListScreen, filter string) tea.Cmd {
	if s == nil {
		return nil
	}
	m.listScreen = &listScreenModel{screen: s, chat: m.chat, st: m.st, browser: widget.NewBrowser(m.st, m.chat.Keys, s.Title, s.Empty)}
	m.listScreen.browser.SetOverview(s.Overview)
	m.listScreen.browser.SetFrame(s.Frame)
	m.listScreen.browser.SetLetterKeys(s.LetterKeys)
	m.listScreen.browser.SetStep(s.Step, s.NamesFolded)
	m.listScreen.browser.Filter(filter)
	m.listScreen.mainActionFor, m.listScreen.pendingSelection = filter, s.Selected
	m.input.commandList.Close()
	m.transcript.Blur()
	if s.Form.hasRequest() {
		m.listScreen.openForm(s.Form, "")
	}
	return tea.Batch(m.listScreen.loadItems(), m.listScreen.loadLate())
}

// closeListScreen closes the list screen and refreshes the commands and the status, because it may have
// changed them.
func (m *Model) closeListScreen() tea.Cmd {
	m.listScreen = nil
	m.refreshStatus()
	return m.refreshCommands()
}

// loadItems returns the command that loads the items. Only one load runs at a time.
func (l *listScreenModel) loadItems() tea.Cmd {
	if l.loading {
		l.outdated = true
		return nil
	}
	l.loading = true
	return func() tea.Msg {
		items := l.screen.Items()
		return listScreenMsg{l, func(*Model, bool) tea.Cmd { return l.setItems(items) }}
	}
}

// loadLate returns the command that adds the late items.
func (l *listScreenModel) loadLate() tea.Cmd {
	if l.screen.Late == nil {
		return nil
	}
	return func() tea.Msg {
		late := l.screen.Late()
		return listScreenMsg{l, func(*Model, bool) tea.Cmd {
			l.late = late
			if l.loading {
				return nil // they are added with the others
			}
			return l.setItems(l.browser.Items())
		}}
	}
}

// openForm opens the form of an action.
func (l *listScreenModel) openForm(f *ActionForm, action string) {
	l.form, l.dialogAction = widget.NewForm(l.st, l.chat.Keys, l.chat.Now, f.formRequest()), action
}

func (l *listScreenModel) setItems(items []ListItem) tea.Cmd {
	l.loading = false
	for _, i := range l.late {
		if !slices.ContainsFunc(items, func(other ListItem) bool { return other.Name == i.Name }) {
			items = append(items, i)
		}
	}
	l.items = make(map[string]ListItem, len(items))
	for _, i := range items {
		l.items[i.Name] = i
	}
	l.browser.SetItems(items)
	if l.pendingSelection != "" && (l.browser.Select(l.pendingSelection) || !l.outdated) {
		l.pendingSelection = ""
	}
	if l.outdated {
		l.outdated = false
		return l.loadItems()
	}
	return l.runMainAction()
}

// runMainAction runs the main action of the item that the command named, if it has one.
func (l *listScreenModel) runMainAction() tea.Cmd {
	name := l.mainActionFor
	l.mainActionFor = ""
	if _, ok := l.items[name]; !ok || !l.browser.Select(name) {
		return nil
	}
	for _, a := range l.availableActions() {
		if l.binding(a).Name == "screen-enter" {
			return l.runAction(a.Name, func() (ActionResult, error) { return a.Run(name) })
		}
	}
	return nil
}

// readPage returns the command that renders the visible page, or nil if it is already rendered.
func (l *listScreenModel) readPage() tea.Cmd {
	job, ok := l.browser.NextPageJob()
	if !ok {
		return nil
	}
	read := l.screen.Read
	if read == nil {
		read = func(string) (string, error) { return "", nil }
	}
	return func() tea.Msg {
		page := job.Do(read)
		return listScreenMsg{l, func(*Model, bool) tea.Cmd {
			l.browser.ApplyPage(page)
			return nil
		}}
	}
}

// availableActions returns the actions that can run now.
func (l *listScreenModel) availableActions() []ListAction {
	name, hasItem := l.browser.Current()
	return slices.DeleteFunc(slices.Clone(l.screen.Actions), func(a ListAction) bool {
		return !hasItem && !a.WithoutItem || hasItem && a.AppliesTo != nil && !a.AppliesTo(l.items[name])
	})
}

// binding returns the keys of an action.
func (l *listScreenModel) binding(a ListAction) widget.KeyBinding {
	if b, ok := l.chat.Keys.Find(a.Action); ok {
		return b
	}
	return widget.KeyBinding{Keys: []string{a.Action}}
}

// pressListScreen passes a key to the open dialog, else to the browser, else to the actions. An action
// for Enter takes precedence over the browser.
func (m *Model) pressListScreen(k tea.KeyPressMsg) tea.Cmd {
	l := m.listScreen
	l.browser.ClearMessage()
	switch {
	case l.form != nil:
		f := l.form
		cmd, canceled := f.Press(k, func(r widget.FormResult[ActionResult]) tea.Msg {
			return listScreenMsg{l, func(m *Model, open bool) tea.Cmd { return m.applyActionForm(l, f, r, open) }}
		})
		if canceled {
			l.form = nil
			return l.loadItems() // a check of the form may have changed them
		}
		return cmd
	case l.confirm != nil:
		switch l.confirm.Press(k) {
		case widget.VerdictYes:
			l.confirm = nil
			return l.runAction(l.dialogAction, l.onConfirm)
		case widget.VerdictNo:
			l.confirm = nil
		}
		return nil
	case l.menu != nil:
		action, closed := l.menu.Press(k)
		if closed {
			l.menu = nil
		}
		return l.runNamed(action)
	}
	actions := l.availableActions()
	letters := l.screen.LetterKeys && !l.browser.ShowsPage()
	for _, a := range actions {
		b := l.binding(a)
		isMain := b.Name == "screen-enter" && !l.browser.OnFolded()
		if slices.Contains(b.Keys, k.String()) && (isMain || letters || k.Text == "" && b.Name != "screen-enter") {
			return l.runNamed(a.Name)
		}
	}
	switch l.browser.Press(k) {
	case widget.BrowserReplyClosed:
		return m.leaveListScreen()
	case widget.BrowserReplyActions:
		l.openMenu()
	}
	return nil
}

// runNamed runs the available action of that name on the item at the cursor.
func (l *listScreenModel) runNamed(action string) tea.Cmd {
	item, _ := l.browser.Current()
	for _, a := range l.availableActions() {
		if a.Name == action {
			return l.runAction(a.Name, func() (ActionResult, error) { return a.Run(item) })
		}
	}
	return nil
}

// openMenu opens the menu of the actions of the item at the cursor.
func (l *listScreenModel) openMenu() {
	var rows []widget.ActionRow
	for _, a := range l.menuActions() {
		b := l.binding(a)
		row := widget.ActionRow{Name: a.Name, About: cmp.Or(a.About, b.About)}
		if len(b.Keys) > 0 {
			row.Key = b.Keys[0]
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		l.browser.ShowMessage("No actions here.")
		return
	}
	title := "Actions"
	if name, ok := l.browser.Current(); ok {
		title += " for " + cmp.Or(l.items[name].Title, name)
	}
	l.menu = widget.NewActionMenu(l.st, l.chat.Keys, title, rows)
}

// menuActions returns the actions of the menu: all but the main one.
func (l *listScreenModel) menuActions() []ListAction {
	return slices.DeleteFunc(l.availableActions(), func(a ListAction) bool { return l.binding(a).Name == "screen-enter" })
}

// leaveListScreen goes back to the previous screen, or closes the list screen.
func (m *Model) leaveListScreen() tea.Cmd {
	s := m.listScreen.screen
	if s.Back != nil {
		if previous := s.Back(); previous != nil {
			return m.openListScreen(previous, "")
		}
	}
	if s.OnClose != nil {
		if text := s.OnClose(); text != "" {
			m.transcript.Say(transcript.Info, text)
		}
	}
	return m.closeListScreen()
}

// runAction runs a step of an action outside the update loop, one at a time.
func (l *listScreenModel) runAction(action string, run func() (ActionResult, error)) tea.Cmd {
	if l.runningAction != "" {
		l.browser.ShowMessage(l.runningAction + " is still running")
		return nil
	}
	l.runningAction = action
	return func() tea.Msg {
		result, err := run()
		return listScreenMsg{l, func(m *Model, open bool) tea.Cmd {
			m.terminal.TakeBack()
			l.runningAction = ""
			switch {
			case !open:
				return m.showLateResult(action, result, err)
			case err != nil:
				l.browser.ShowError(err.Error())
				return l.loadItems()
			}
			return m.applyActionResult(l, action, result)
		}}
	}
}

// applyActionResult continues with a result. It always loads the items again, because the action may
// have changed them.
func (m *Model) applyActionResult(l *listScreenModel, action string, r ActionResult) tea.Cmd {
	l.pendingSelection = cmp.Or(r.Select, l.pendingSelection)
	if r.Message != "" {
		l.browser.ShowMessage(r.Message)
	}
	load := l.loadItems()
	if r.Copy != "" {
		load = tea.Batch(load, m.copyText(r.Copy))
	}
	switch {
	case r.Ask.hasRequest():
		l.openForm(r.Ask, action)
	case r.Confirm != nil:
		l.confirm, l.dialogAction = widget.NewConfirmDialog(l.st, l.chat.Keys, l.chat.Now, r.Confirm.Question, r.Confirm.Detail), action
		l.onConfirm = r.Confirm.Yes
	case r.Exec != nil:
		return tea.Batch(load, m.lendTerminal(l, action, r.Exec))
	case r.Open != nil:
		return m.openListScreen(r.Open, "")
	case r.Send != "":
		return tea.Batch(m.closeListScreen(), m.submit(r.Send))
	case r.OpenCard != "":
		m.transcript.OpenCard(r.OpenCard)
		return m.closeListScreen()
	case r.Close:
		if r.Message != "" {
			m.transcript.Say(transcript.Info, r.Message)
		}
		return m.closeListScreen()
	case r.Compose != "":
		m.input.insert(r.Compose)
		return m.closeListScreen()
	case r.Resume != nil:
		return tea.Batch(load, m.resume(r.Resume))
	case r.Show != "":
		l.browser.ShowPage(action, r.Show)
	}
	return load
}

// lendTerminal runs the program of an action, and then continues the action.
func (m *Model) lendTerminal(l *listScreenModel, action string, e *ExecRequest) tea.Cmd {
	l.runningAction = action
	return m.terminal.Lend(e.Cmd, func(err error) tea.Msg {
		return listScreenMsg{l, func(*Model, bool) tea.Cmd {
			l.runningAction = ""
			return l.runAction(action, func() (ActionResult, error) {
				if e.Then == nil {
					return ActionResult{}, err
				}
				return e.Then(err)
			})
		}}
	})
}

// showLateResult shows the message or error of an action whose list screen was closed, and refreshes
// the commands.
func (m *Model) showLateResult(action string, r ActionResult, err error) tea.Cmd {
	if r.Resume != nil {
		r.Resume.Done(false)
	}
	if err != nil {
		m.transcript.Say(transcript.Error, action+": "+err.Error())
	} else if r.Message != "" {
		m.transcript.Say(transcript.Info, r.Message)
	}
	return m.refreshCommands()
}

// hasRequest reports whether f is complete.
func (f *ActionForm) hasRequest() bool { return f != nil && len(f.Fields) > 0 && f.Fill != nil }

// formRequest converts an ActionForm into the request of a form.
func (f *ActionForm) formRequest() *widget.FormRequest[ActionResult] {
	complete := func(fill func(map[string]string) (ActionResult, error)) func(map[string]string) widget.FormResult[ActionResult] {
		return func(values map[string]string) widget.FormResult[ActionResult] {
			result, err := fill(values)
			if again := result.Ask; err == nil && again.hasRequest() && again.Title == f.Title {
				return widget.FormResult[ActionResult]{Again: again.formRequest()}
			}
			return widget.FormResult[ActionResult]{Err: err, Value: result}
		}
	}
	request := &widget.FormRequest[ActionResult]{
		Title: f.Title, Fields: f.Fields, Facts: f.Facts, Focus: f.Focus, Page: f.Page, Verb: cmp.Or(f.Verb, "done"), Fill: complete(f.Fill),
	}
	if f.Save != nil {
		request.Save = complete(f.Save)
	}
	return request
}

// applyActionForm continues with the result of a form. If the form was canceled in the meantime, it
// only loads the items or commands again, which Fill may have changed.
func (m *Model) applyActionForm(l *listScreenModel, f *widget.Form[ActionResult], r widget.FormResult[ActionResult], open bool) tea.Cmd {
	switch {
	case !open:
		return m.refreshCommands()
	case l.form != f:
		return l.loadItems()
	case f.Apply(r):
		l.form = nil
		return m.applyActionResult(l, l.dialogAction, r.Value)
	case r.Err != nil:
		l.browser.ShowError(r.Err.Error())
		return l.loadItems()
	}
	return nil
}

// paste passes pasted text to the open dialog, or to the filter.
func (l *listScreenModel) paste(msg tea.PasteMsg) tea.Cmd {
	switch {
	case l.form != nil:
		return l.form.Write(msg)
	case l.confirm != nil:
		l.confirm.RestartQuietTime()
	default:
		l.browser.Paste(msg.Content)
	}
	return nil
}

// hasDialog reports whether a form, a confirmation or a menu is open.
func (l *listScreenModel) hasDialog() bool { return l.form != nil || l.confirm != nil || l.menu != nil }

// dialogRows returns the rows of the open dialog. A pending approval takes precedence.
func (m *Model) dialogRows() []string {
	switch l := m.listScreen; {
	case m.prompt.Open():
		return m.prompt.View()
	case m.question != nil:
		return m.question.View()
	case l.form != nil:
		return l.form.View()
	case l.confirm != nil:
		return l.confirm.View()
	case l.menu != nil:
		return l.menu.View()
	default:
		return nil
	}
}

// layoutListScreen sizes the list screen and updates its keys and its activity.
func (m *Model) layoutListScreen() {
	l, width := m.listScreen, max(m.width-2*widget.ScreenMargin(m.width), 1)
	if l.form != nil {
		height := m.height * 2 / 3
		if l.form.FillsPage() {
			width, height = min(width, widget.ProseWidth), m.height
		}
		l.form.SetSize(width, height)
	}
	if l.confirm != nil {
		l.confirm.SetSize(width, max(m.height*2/3, 3))
	}
	if l.menu != nil {
		l.menu.SetSize(width, max(m.height*2/3, 3))
	}
	var hints []widget.KeyHint
	var names []string
	for _, a := range l.availableActions() {
		b := l.binding(a)
		if b.Name != "screen-enter" && (!l.screen.LetterKeys || !a.Shown) {
			names = append(names, a.Name)
			continue
		}
		h := widget.KeyHint{Name: a.Name, About: cmp.Or(a.About, b.About)}
		if len(b.Keys) > 0 {
			h.Key = widget.KeyLabel(b.Keys[0])
		}
		hints = append(hints, h)
	}
	running := ""
	if l.runningAction != "" {
		running = l.runningAction + "…"
	} else if m.activity.Running() {
		running = m.activity.Brief()
	}
	l.browser.SetHints(hints, strings.Join(names, ", "))
	l.browser.SetActivity(running)
	l.browser.SetDocked(m.asking() || l.hasDialog())
	l.browser.SetSize(width, m.height-len(m.dialogRows()))
}

func (m *Model) listScreenRows() []string {
	rows := append(m.listScreen.browser.View(), m.dialogRows()...)
	margin := strings.Repeat(" ", widget.ScreenMargin(m.width))
	for i, row := range rows {
		rows[i] = margin + row
	}
	if warning := m.status.ViewWarning(m.measure()); warning != "" && len(rows) > 0 {
		rows[len(rows)-1] = margin + warning
	}
	return rows
}

// listScreenCursor returns the cursor of the dialog or the filter.
func (m *Model) listScreenCursor() *tea.Cursor {
	var cursor *tea.Cursor
	fromBottom := m.height
	switch l := m.listScreen; {
	case m.prompt.Open():
		cursor, fromBottom = m.prompt.Cursor()
	case l.form != nil:
		cursor, fromBottom = l.form.Cursor()
	case l.confirm == nil:
		if x, y, ok := l.browser.Cursor(); ok {
			cursor = tea.NewCursor(x, y)
		}
	}
	return m.placeCursor(cursor, fromBottom)
}
