package tui

import (
	"cmp"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// ListScreenDeps are what a ListScreenModel needs from the chat.
type ListScreenDeps struct {
	Styles   *widget.Styles
	Keys     widget.KeyMap
	FormKeys func() widget.FormKeys // may change when the terminal reports its features
	Now      func() time.Time
}

// pendingConfirmation is a question on a list screen, and what a yes to it does.
type pendingConfirmation struct {
	*widget.ConfirmDialog
	action    string // name of the action that asks
	onConfirm func() (ActionResult, error)
}

// ListScreenModel is an open list screen with the state of its actions. It is not safe for
// concurrent use; its commands run outside the update loop.
type ListScreenModel struct {
	screen  *ListScreen
	deps    ListScreenDeps
	browser *widget.Browser
	items   map[string]ListItem
	height  int

	loading          bool   // Items is running
	outdated         bool   // and has to run again after that
	pendingSelection string // the item to select once it is loaded
	runningAction    string // the action that runs

	form       *widget.FormDialog[ActionResult]
	formAction string // the action that the form belongs to
	confirm    *pendingConfirmation
}

// OpenListScreen returns the model of s, filtered by words. LoadItems then loads its items.
func OpenListScreen(s *ListScreen, deps ListScreenDeps, filter string) *ListScreenModel {
	model := &ListScreenModel{screen: s, deps: deps, browser: widget.NewBrowser(deps.Styles, s.Title, s.Empty)}
	model.browser.SetKeys(widget.BrowserKeys{All: model.commonKeyHints(), Help: model.deps.Keys.Label("shelf-keys"), Back: model.deps.Keys.Label("shelf-back")})
	model.browser.Filter(filter)
	return model
}

// commonKeyHints are the keys of every list screen, for its list of keys.
func (model *ListScreenModel) commonKeyHints() []widget.KeyHint {
	var hints []widget.KeyHint
	for _, b := range model.deps.Keys.Bindings(widget.ScopeListScreen) {
		if len(b.Keys) > 0 {
			hints = append(hints, widget.KeyHint{Key: b.Labels(), About: b.About})
		}
	}
	return hints
}

// LoadItems returns the command that loads the items. Only one load runs at a time.
func (model *ListScreenModel) LoadItems() tea.Cmd {
	if model.loading {
		model.outdated = true
		return nil
	}
	model.loading = true
	return func() tea.Msg {
		items := model.screen.Items()
		return ListScreenMsg{model, func(bool) (ListScreenEffect, tea.Cmd) { return ListScreenEffect{}, model.setItems(items) }}
	}
}

func (model *ListScreenModel) setItems(items []ListItem) tea.Cmd {
	model.loading = false
	model.items = make(map[string]ListItem, len(items))
	rows := make([]widget.BrowserRow, 0, len(items))
	for _, i := range items {
		model.items[i.Name] = i
		rows = append(rows, widget.BrowserRow{
			Key: i.Name, Label: cmp.Or(i.Title, i.Name), Group: i.Group, About: i.About, FullText: i.FullText, SearchTerms: i.SearchTerms, Marks: i.Marks, Problem: i.Problem,
		})
	}
	model.browser.SetRows(rows)
	if model.pendingSelection != "" && (model.browser.Select(model.pendingSelection) || !model.outdated) {
		model.pendingSelection = ""
	}
	if model.outdated {
		model.outdated = false
		return model.LoadItems()
	}
	return nil
}

// ReadPage returns the command that renders the visible page, or nil if it is rendered already.
func (model *ListScreenModel) ReadPage() tea.Cmd {
	job, wanted := model.browser.NextPageJob()
	if !wanted {
		return nil
	}
	read := model.screen.Read
	if read == nil {
		read = func(string) (string, error) { return "", nil }
	}
	return func() tea.Msg {
		page := job.Do(read)
		return ListScreenMsg{model, func(bool) (ListScreenEffect, tea.Cmd) {
			model.browser.ApplyPage(page)
			return ListScreenEffect{}, nil
		}}
	}
}

// availableActions returns the actions for the item at the cursor and for the whole list.
func (model *ListScreenModel) availableActions() []ListAction {
	name, hasItem := model.browser.Current()
	return slices.DeleteFunc(slices.Clone(model.screen.Actions), func(a ListAction) bool {
		return !a.WithoutItem && (!hasItem || a.AppliesTo != nil && !a.AppliesTo(model.items[name]))
	})
}

// Press handles a key: first an open question, then the screen's own keys, then the actions. If an
// action uses Enter, Enter belongs to it. Press reports whether the key closes the screen.
func (model *ListScreenModel) Press(k tea.KeyPressMsg) (cmd tea.Cmd, closed bool) {
	name := model.componentKey(widget.ScopeListScreen, k)
	model.browser.ClearMessage()
	switch {
	case model.form != nil:
		return model.formKey(k), false
	case model.confirm != nil:
		return model.confirmKey(k), false
	}
	offered := model.availableActions()
	at := slices.IndexFunc(offered, func(a ListAction) bool { return model.componentKey(model.actionScope(a), k) == a.Key })
	if at < 0 || name != "enter" {
		switch model.browser.Press(name, k.Text) {
		case widget.BrowserReplyClosed:
			return nil, true
		case widget.BrowserReplyHandled:
			return nil, false
		}
	}
	if at < 0 {
		return nil, false
	}
	item, _ := model.browser.Current()
	run := offered[at].Run
	return model.runAction(offered[at].Name, func() (ActionResult, error) { return run(item) }), false
}

// componentKey returns the name by which components of the scope know a pressed key.
func (model *ListScreenModel) componentKey(scope widget.KeyScope, k tea.KeyPressMsg) string {
	return model.deps.Keys.ComponentKey(scope, k.String())
}

// actionScope returns the scope of the key of an action.
func (model *ListScreenModel) actionScope(a ListAction) widget.KeyScope {
	if a.Key == "enter" {
		return widget.ScopeListScreen
	}
	return model.screen.Scope
}

// actionHint returns an action with the key that the user has for it.
func (model *ListScreenModel) actionHint(a ListAction) widget.KeyHint {
	h := widget.KeyHint{Key: widget.KeyLabel(a.Key), Name: a.Name, About: a.About}
	if b, ok := model.deps.Keys.Find(model.actionScope(a), a.Key); ok {
		h.Key, h.About = "", cmp.Or(a.About, b.About)
		if len(b.Keys) > 0 {
			h.Key = widget.KeyLabel(b.Keys[0])
		}
	}
	return h
}

func (model *ListScreenModel) formKey(k tea.KeyPressMsg) tea.Cmd {
	name := model.componentKey(widget.ScopeForm, k)
	if name == "esc" {
		model.form = nil
		return nil
	}
	f := model.form
	return f.Press(k, name, model.deps.Now(), func(a widget.FormResult[ActionResult]) tea.Msg {
		return ListScreenMsg{model, func(open bool) (ListScreenEffect, tea.Cmd) { return model.handleFormResult(f, a, open) }}
	})
}

func (model *ListScreenModel) confirmKey(k tea.KeyPressMsg) tea.Cmd {
	c := model.confirm
	switch c.Press(model.componentKey(widget.ScopeConfirm, k)) {
	case widget.VerdictYes:
		model.confirm = nil
		return model.runAction(c.action, c.onConfirm)
	case widget.VerdictNo:
		model.confirm = nil
	}
	return nil
}

// Paste passes pasted text to the open form, or to the filter.
func (model *ListScreenModel) Paste(msg tea.PasteMsg) tea.Cmd {
	switch {
	case model.form != nil:
		return model.form.Write(msg)
	case model.confirm != nil:
		model.confirm.RestartQuietTime()
	default:
		model.browser.Paste(msg.Content)
	}
	return nil
}

// CancelDialog closes the open question or form.
func (model *ListScreenModel) CancelDialog() { model.form, model.confirm = nil, nil }

// ShowError shows an error until the next key.
func (model *ListScreenModel) ShowError(text string) { model.browser.ShowError(text) }
