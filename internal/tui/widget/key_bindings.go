package widget

import "slices"

// defaultBindings returns every action of the chat with its default keys, in the order of the help.
// To add an action, add a row below and handle its name in a component of its scope.
func defaultBindings() []KeyBinding {
	return slices.Concat(writingBindings(), readingBindings(), overlayBindings(), listScreenBindings(), specificScreenBindings())
}

// writingBindings returns the keys that work everywhere and in the composer.
func writingBindings() []KeyBinding {
	return []KeyBinding{
		{Name: "interrupt", Scope: ScopeAnywhere, Keys: []string{"ctrl+c"}, About: "stop; twice to quit", fixed: true},
		{Name: "suspend", Scope: ScopeAnywhere, Keys: []string{"ctrl+z"}, About: "suspend nfa"},
		{Name: "redraw", Scope: ScopeAnywhere, Keys: []string{"ctrl+l"}, About: "redraw the screen"},

		{Name: "send", Scope: ScopeWriting, Keys: []string{"enter"}, About: "send (queued while answering)"},
		{Name: "new-line", Scope: ScopeWriting, Keys: []string{"alt+enter", "ctrl+j", "shift+enter"}, About: "new line (also Enter after \\)"},
		{Name: "stop", Scope: ScopeWriting, Keys: []string{"esc"}, About: "stop (keeps the partial answer)"},
		{Name: "older", Scope: ScopeWriting, Keys: []string{"up"}, About: "on an empty line: edit a queued message, or recall the previous message"},
		{Name: "newer", Scope: ScopeWriting, Keys: []string{"down"}, About: "next message"},
		{Name: "recall", Scope: ScopeWriting, Keys: []string{"ctrl+r"}, About: "search messages; press again for the next match"},
		{Name: "editor", Scope: ScopeWriting, Keys: []string{"ctrl+g"}, About: "edit in $EDITOR"},
		{Name: "undo", Scope: ScopeWriting, Keys: []string{"ctrl+_", "ctrl+/", "ctrl+shift+-"}, About: "undo"},
		{Name: "redo", Scope: ScopeWriting, Keys: []string{"ctrl+y"}, About: "redo"},
		{Name: "line-begin", Scope: ScopeWriting, Keys: []string{"home", "ctrl+a"}, About: "start of the line; on an empty line, start of the session"},
		{Name: "line-end", Scope: ScopeWriting, Keys: []string{"end", "ctrl+e"}, About: "end of the line; on an empty line, end of the session"},
		{Name: "word-left", Scope: ScopeWriting, Keys: []string{"alt+b", "alt+left", "ctrl+left"}, About: "previous word"},
		{Name: "word-right", Scope: ScopeWriting, Keys: []string{"alt+f", "alt+right", "ctrl+right"}, About: "next word"},
		{Name: "cut-word", Scope: ScopeWriting, Keys: []string{"ctrl+w", "alt+backspace", "ctrl+backspace"}, About: "delete the word before the cursor"},
		{Name: "cut-word-on", Scope: ScopeWriting, Keys: []string{"alt+d", "alt+delete", "ctrl+delete"}, About: "delete the word after the cursor"},
		{Name: "cut-before", Scope: ScopeWriting, Keys: []string{"ctrl+u"}, About: "delete to the start of the line"},
		{Name: "cut-behind", Scope: ScopeWriting, Keys: []string{"ctrl+k"}, About: "delete to the end of the line"},
		{Name: "pick", Scope: ScopeWriting, Keys: []string{"ctrl+p"}, About: "search commands, skills, symbols, sessions, models and settings"},
		{Name: "choose", Scope: ScopeWriting, Keys: []string{"tab", "shift+tab"}, About: "on an empty line: select a message or card; after a folded paste: show it"},
		{Name: "help", Scope: ScopeWriting, Keys: []string{"?"}, About: "on an empty line: help"},
		{Name: "leave", Scope: ScopeWriting, Keys: []string{"ctrl+d"}, About: "on an empty line: quit (the session is saved)"},
	}
}

// readingBindings returns the keys of the conversation.
func readingBindings() []KeyBinding {
	return []KeyBinding{
		{Name: "page-up", Scope: ScopeReading, Keys: []string{"pgup"}, About: "page up (the mouse wheel scrolls by lines)"},
		{Name: "page-down", Scope: ScopeReading, Keys: []string{"pgdown"}, About: "page down"},
		{Name: "line-up", Scope: ScopeReading, Keys: []string{"ctrl+up"}, About: "line up"},
		{Name: "line-down", Scope: ScopeReading, Keys: []string{"ctrl+down"}, About: "line down"},
		{Name: "top", Scope: ScopeReading, Keys: []string{"ctrl+home"}, About: "start of the session"},
		{Name: "bottom", Scope: ScopeReading, Keys: []string{"ctrl+end"}, About: "end of the session, and follow new text"},
		{Name: "open-all", Scope: ScopeReading, Keys: []string{"ctrl+o"}, About: "expand or collapse all cards"},
		{Name: "search", Scope: ScopeReading, Keys: []string{"ctrl+f"}, About: "find in this session"},

		{Name: "toggle", Scope: ScopeSelection, Keys: []string{"enter", "space"}, About: "expand or collapse"},
		{Name: "choose-up", Scope: ScopeSelection, Keys: []string{"up", "tab"}, About: "previous message or card"},
		{Name: "choose-down", Scope: ScopeSelection, Keys: []string{"down", "shift+tab"}, About: "next message or card"},
		{Name: "copy", Scope: ScopeSelection, Keys: []string{"c", "y"}, About: "copy as Markdown"},
		{Name: "edit", Scope: ScopeSelection, Keys: []string{"e"}, About: "edit and resend from here, in a fork"},
		{Name: "retry", Scope: ScopeSelection, Keys: []string{"r"}, About: "ask the same question again, in a fork"},
		{Name: "fork", Scope: ScopeSelection, Keys: []string{"f"}, About: "continue from here, in a fork"},
		{Name: "view", Scope: ScopeSelection, Keys: []string{"v"}, About: "show on the whole screen"},
		{Name: "columns-left", Scope: ScopeSelection, Keys: []string{"left"}, About: "previous columns of a wide table"},
		{Name: "columns-right", Scope: ScopeSelection, Keys: []string{"right"}, About: "next columns of a wide table"},
		{Name: "chosen-help", Scope: ScopeSelection, Keys: []string{"?"}, About: "help"},
		{Name: "unchoose", Scope: ScopeSelection, Keys: []string{"esc"}, About: "back to your message (or start typing)"},

		{Name: "search-up", Scope: ScopeSearch, Keys: []string{"enter", "up"}, About: "match above"},
		{Name: "search-down", Scope: ScopeSearch, Keys: []string{"down", "shift+enter"}, About: "match below"},
		{Name: "search-close", Scope: ScopeSearch, Keys: []string{"esc"}, About: "close; the view stays here"},
	}
}

// overlayBindings returns the keys of what opens above the composer: lists, questions and forms.
func overlayBindings() []KeyBinding {
	return []KeyBinding{
		{Name: "list-up", Scope: ScopeCompletion, Keys: []string{"up", "ctrl+p"}, About: "previous item"},
		{Name: "list-down", Scope: ScopeCompletion, Keys: []string{"down", "ctrl+n"}, About: "next item"},
		{Name: "list-take", Scope: ScopeCompletion, Keys: []string{"tab"}, About: "insert"},
		{Name: "list-run", Scope: ScopeCompletion, Keys: []string{"enter"}, About: "run, or insert if it needs arguments"},
		{Name: "list-remove", Scope: ScopeCompletion, Keys: []string{"delete", "backspace"}, About: "remove a queued message"},
		{Name: "list-close", Scope: ScopeCompletion, Keys: []string{"esc"}, About: "close the list"},

		{Name: "refuse", Scope: ScopeApproval, Keys: []string{"n"}, About: "no (you can add a reason)"},
		{Name: "refuse-all", Scope: ScopeApproval, Keys: []string{"N"}, About: "no to all pending approvals"},
		{Name: "allow-once", Scope: ScopeApproval, Keys: []string{"y", "Y"}, About: "yes, once"},
		{Name: "allow-session", Scope: ScopeApproval, Keys: []string{"s", "S"}, About: "yes, this session"},
		{Name: "allow-always", Scope: ScopeApproval, Keys: []string{"a", "A"}, About: "always, for the pattern shown"},
		{Name: "refuse-at-once", Scope: ScopeApproval, Keys: []string{"esc"}, About: "no, without a reason"},
		{Name: "approval-confirm", Scope: ScopeApproval, Keys: []string{"enter"}, About: "give the selected answer"},
		{Name: "approval-view", Scope: ScopeApproval, Keys: []string{"v", "V"}, About: "view all lines, or go back"},
		{Name: "approval-up", Scope: ScopeApproval, Keys: []string{"up"}, About: "previous answer; in the view, scroll up"},
		{Name: "approval-down", Scope: ScopeApproval, Keys: []string{"down"}, About: "next answer; in the view, scroll down"},
		{Name: "approval-page-down", Scope: ScopeApproval, Keys: []string{"space"}, About: "scroll down a page"},
		{Name: "approval-end", Scope: ScopeApproval, Keys: []string{"end"}, About: "scroll to the end"},

		{Name: "form-next", Scope: ScopeForm, Keys: []string{"down", "tab"}, About: "next field; Tab completes a value first"},
		{Name: "form-previous", Scope: ScopeForm, Keys: []string{"up", "shift+tab"}, About: "previous field"},
		{Name: "form-enter", Scope: ScopeForm, Keys: []string{"enter"}, About: "next field; on the last field, run"},
		{Name: "form-run", Scope: ScopeForm, Keys: []string{"ctrl+r", "ctrl+enter"}, About: "run"},
		{Name: "form-save", Scope: ScopeForm, Keys: []string{"ctrl+s"}, About: "in the setup: save without a test"},
		{Name: "form-choice-back", Scope: ScopeForm, Keys: []string{"left"}, About: "previous choice"},
		{Name: "form-choice-on", Scope: ScopeForm, Keys: []string{"right"}, About: "next choice"},
		{Name: "form-cancel", Scope: ScopeForm, Keys: []string{"esc"}, About: "cancel"},
	}
}

// listScreenBindings returns the keys of every list screen.
func listScreenBindings() []KeyBinding {
	return []KeyBinding{
		{Name: "screen-up", Scope: ScopeListScreen, Keys: []string{"up"}, About: "up"},
		{Name: "screen-down", Scope: ScopeListScreen, Keys: []string{"down"}, About: "down"},
		{Name: "screen-page-up", Scope: ScopeListScreen, Keys: []string{"pgup"}, About: "page up"},
		{Name: "screen-page-down", Scope: ScopeListScreen, Keys: []string{"pgdown"}, About: "page down"},
		{Name: "screen-first", Scope: ScopeListScreen, Keys: []string{"home"}, About: "first item"},
		{Name: "screen-last", Scope: ScopeListScreen, Keys: []string{"end"}, About: "last item"},
		{Name: "screen-enter", Scope: ScopeListScreen, Keys: []string{"enter"}, About: "run the main action, or expand the group"},
		{Name: "screen-actions", Scope: ScopeListScreen, Keys: []string{"tab"}, About: "all actions of the item"},
		{Name: "screen-detail", Scope: ScopeListScreen, Keys: []string{"right"}, About: "show the details of the item"},
		{Name: "screen-list", Scope: ScopeListScreen, Keys: []string{"left"}, About: "hide the details, or fold the group"},
		{Name: "screen-filter-clear", Scope: ScopeListScreen, Keys: []string{"ctrl+u"}, About: "clear the filter"},
		{Name: "screen-keys", Scope: ScopeListScreen, Keys: []string{"?"}, About: "show the keys of this screen (without a filter)"},
		{Name: "screen-back", Scope: ScopeListScreen, Keys: []string{"esc"}, About: "clear the filter; then close"},
	}
}

// specificScreenBindings returns the keys of single list screens, and of their confirmation.
func specificScreenBindings() []KeyBinding {
	return []KeyBinding{
		{Name: "skill-new", Scope: ScopeSkills, Keys: []string{"n"}, About: "create a skill"},
		{Name: "skill-edit", Scope: ScopeSkills, Keys: []string{"e"}, About: "edit the fields in a form"},
		{Name: "skill-body", Scope: ScopeSkills, Keys: []string{"b"}, About: "edit SKILL.md in $EDITOR"},
		{Name: "skill-clone", Scope: ScopeSkills, Keys: []string{"c"}, About: "copy the skill and its files to your own skills"},
		{Name: "skill-toggle", Scope: ScopeSkills, Keys: []string{"t"}, About: "enable or disable"},
		{Name: "skill-delete", Scope: ScopeSkills, Keys: []string{"d"}, About: "delete the skill and all its files"},
		{Name: "skill-import", Scope: ScopeSkills, Keys: []string{"i"}, About: "import a SKILL.md, a folder or a zip archive"},
		{Name: "skill-install", Scope: ScopeSkills, Keys: []string{"g"}, About: "install skills from a git repository"},
		{Name: "skill-export", Scope: ScopeSkills, Keys: []string{"o"}, About: "export to a zip archive or SKILL.md"},
		{Name: "skill-scripts", Scope: ScopeSkills, Keys: []string{"s"}, About: "show the code that the skill runs"},
		{Name: "skill-validate", Scope: ScopeSkills, Keys: []string{"v"}, About: "check the skill against the format"},
		{Name: "skill-fix", Scope: ScopeSkills, Keys: []string{"f"}, About: "repair its SKILL.md"},
		{Name: "skill-rescan", Scope: ScopeSkills, Keys: []string{"r"}, About: "rescan the skill folders"},
		{Name: "skill-doctor", Scope: ScopeSkills, Keys: []string{"!"}, About: "show which skills load, which do not, and why"},

		{Name: "model-write", Scope: ScopeModels, Keys: []string{"w"}, About: "use the model and save it as the default"},
		{Name: "model-key", Scope: ScopeModels, Keys: []string{"k"}, About: "change the provider's API key"},
		{Name: "model-test", Scope: ScopeModels, Keys: []string{"t"}, About: "test the model: one reply and one tool call"},
		{Name: "model-refresh", Scope: ScopeModels, Keys: []string{"r"}, About: "refresh the model lists of providers with a key"},

		{Name: "session-fork", Scope: ScopeSessions, Keys: []string{"f"}, About: "fork into a new session"},
		{Name: "session-export", Scope: ScopeSessions, Keys: []string{"o"}, About: "export to a Markdown or JSON file"},
		{Name: "session-delete", Scope: ScopeSessions, Keys: []string{"d"}, About: "delete"},

		{Name: "portfolio-chart", Scope: ScopePortfolio, Keys: []string{"c"}, About: "chart of the position"},
		{Name: "portfolio-year", Scope: ScopePortfolio, Keys: []string{"1"}, About: "return of 1 year"},
		{Name: "portfolio-five-years", Scope: ScopePortfolio, Keys: []string{"5"}, About: "return of 5 years"},
		{Name: "portfolio-all", Scope: ScopePortfolio, Keys: []string{"m"}, About: "return since inception"},
		{Name: "portfolio-hide", Scope: ScopePortfolio, Keys: []string{"h"}, About: "hide or show amounts"},
		{Name: "portfolio-add", Scope: ScopePortfolio, Keys: []string{"a"}, About: "record a purchase"},
		{Name: "portfolio-import", Scope: ScopePortfolio, Keys: []string{"i"}, About: "import a broker file"},
		{Name: "portfolio-checkup", Scope: ScopePortfolio, Keys: []string{"k"}, About: "check concentration, cost and drift"},
		{Name: "portfolio-rebalance", Scope: ScopePortfolio, Keys: []string{"r"}, About: "trades that restore the target weights"},
		{Name: "portfolio-performance", Scope: ScopePortfolio, Keys: []string{"p"}, About: "return by source and position"},

		{Name: "chart-year", Scope: ScopeChart, Keys: []string{"1"}, About: "1 year"},
		{Name: "chart-five-years", Scope: ScopeChart, Keys: []string{"5"}, About: "5 years"},
		{Name: "chart-all", Scope: ScopeChart, Keys: []string{"m"}, About: "all data"},
		{Name: "chart-line", Scope: ScopeChart, Keys: []string{"l"}, About: "line"},
		{Name: "chart-candles", Scope: ScopeChart, Keys: []string{"c"}, About: "candles"},
		{Name: "chart-drawdown", Scope: ScopeChart, Keys: []string{"d"}, About: "drawdown"},
		{Name: "chart-histogram", Scope: ScopeChart, Keys: []string{"h"}, About: "histogram of returns"},

		{Name: "figure-copy", Scope: ScopeFigures, Keys: []string{"c"}, About: "copy the figure"},

		{Name: "confirm-no", Scope: ScopeConfirm, Keys: []string{"n", "N", "enter", "esc", "q"}, About: "no"},
		{Name: "confirm-yes", Scope: ScopeConfirm, Keys: []string{"y", "Y"}, About: "yes"},
		{Name: "confirm-up", Scope: ScopeConfirm, Keys: []string{"up"}, About: "scroll up"},
		{Name: "confirm-down", Scope: ScopeConfirm, Keys: []string{"down"}, About: "scroll down"},
	}
}
