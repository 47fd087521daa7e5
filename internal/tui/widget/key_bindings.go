package widget

import "slices"

// defaultBindings returns every action of the chat with its default keys, in the order of the help.
// To add an action, add a row below and handle its name in a component of its scope.
func defaultBindings() []KeyBinding {
	return slices.Concat(writingBindings(), readingBindings(), overlayBindings(), listScreenBindings(), specificScreenBindings())
}

// writingBindings are the keys that work everywhere and in the composer.
func writingBindings() []KeyBinding {
	return []KeyBinding{
		{Name: "interrupt", Scope: ScopeAnywhere, Keys: []string{"ctrl+c"}, About: "stop the answer; twice, leave", fixed: true},
		{Name: "suspend", Scope: ScopeAnywhere, Keys: []string{"ctrl+z"}, About: "suspend the program"},
		{Name: "redraw", Scope: ScopeAnywhere, Keys: []string{"ctrl+l"}, About: "draw the screen anew"},

		{Name: "send", Scope: ScopeWriting, Keys: []string{"enter"}, About: "send; while an answer comes, queue"},
		{Name: "new-line", Scope: ScopeWriting, Keys: []string{"alt+enter", "ctrl+j", "shift+enter"}, About: "new line; so does Enter after a \\"},
		{Name: "stop", Scope: ScopeWriting, Keys: []string{"esc"}, About: "stop the answer and keep what came"},
		{Name: "older", Scope: ScopeWriting, Keys: []string{"up"}, About: "from an empty line: take a queued message back, else an earlier message, also of other chats"},
		{Name: "newer", Scope: ScopeWriting, Keys: []string{"down"}, About: "the message after it"},
		{Name: "recall", Scope: ScopeWriting, Keys: []string{"ctrl+r"}, About: "look for an earlier message; again, the one before it"},
		{Name: "editor", Scope: ScopeWriting, Keys: []string{"ctrl+g"}, About: "go on writing in your editor"},
		{Name: "undo", Scope: ScopeWriting, Keys: []string{"ctrl+_", "ctrl+/", "ctrl+shift+-"}, About: "undo, by words, pastes and cuts"},
		{Name: "redo", Scope: ScopeWriting, Keys: []string{"ctrl+y"}, About: "take an undo back"},
		{Name: "line-begin", Scope: ScopeWriting, Keys: []string{"home", "ctrl+a"}, About: "the beginning of the line; Home from an empty one: that of the conversation"},
		{Name: "line-end", Scope: ScopeWriting, Keys: []string{"end", "ctrl+e"}, About: "the end of the line; End from an empty one: that of the conversation"},
		{Name: "word-left", Scope: ScopeWriting, Keys: []string{"alt+b", "alt+left", "ctrl+left"}, About: "a word back"},
		{Name: "word-right", Scope: ScopeWriting, Keys: []string{"alt+f", "alt+right", "ctrl+right"}, About: "a word on"},
		{Name: "cut-word", Scope: ScopeWriting, Keys: []string{"ctrl+w", "alt+backspace", "ctrl+backspace"}, About: "cut the word before the cursor"},
		{Name: "cut-word-on", Scope: ScopeWriting, Keys: []string{"alt+d", "alt+delete", "ctrl+delete"}, About: "cut the word behind the cursor"},
		{Name: "cut-before", Scope: ScopeWriting, Keys: []string{"ctrl+u"}, About: "cut the line before the cursor"},
		{Name: "cut-behind", Scope: ScopeWriting, Keys: []string{"ctrl+k"}, About: "cut the line behind the cursor"},
		{Name: "pick", Scope: ScopeWriting, Keys: []string{"ctrl+p"}, About: "pick from a list what to write"},
		{Name: "choose", Scope: ScopeWriting, Keys: []string{"tab", "shift+tab"}, About: "from an empty line: choose a message or a card above; Tab behind a folded paste shows it"},
		{Name: "help", Scope: ScopeWriting, Keys: []string{"?"}, About: "from an empty line: the keys and commands"},
		{Name: "leave", Scope: ScopeWriting, Keys: []string{"ctrl+d"}, About: "from an empty line: leave; the conversation is kept"},
	}
}

// readingBindings are the keys of the conversation.
func readingBindings() []KeyBinding {
	return []KeyBinding{
		{Name: "page-up", Scope: ScopeReading, Keys: []string{"pgup"}, About: "a page up; so does the wheel, by lines"},
		{Name: "page-down", Scope: ScopeReading, Keys: []string{"pgdown"}, About: "a page down"},
		{Name: "line-up", Scope: ScopeReading, Keys: []string{"ctrl+up"}, About: "a line up"},
		{Name: "line-down", Scope: ScopeReading, Keys: []string{"ctrl+down"}, About: "a line down"},
		{Name: "top", Scope: ScopeReading, Keys: []string{"ctrl+home"}, About: "the beginning"},
		{Name: "bottom", Scope: ScopeReading, Keys: []string{"ctrl+end"}, About: "the end, and follow it"},
		{Name: "open-all", Scope: ScopeReading, Keys: []string{"ctrl+o"}, About: "open or fold all cards"},
		{Name: "search", Scope: ScopeReading, Keys: []string{"ctrl+f"}, About: "search in the conversation"},

		{Name: "toggle", Scope: ScopeSelection, Keys: []string{"enter", "space"}, About: "open or fold it"},
		{Name: "choose-up", Scope: ScopeSelection, Keys: []string{"up", "tab"}, About: "the one above"},
		{Name: "choose-down", Scope: ScopeSelection, Keys: []string{"down", "shift+tab"}, About: "the one below"},
		{Name: "copy", Scope: ScopeSelection, Keys: []string{"c", "y"}, About: "copy it, as it was written"},
		{Name: "edit", Scope: ScopeSelection, Keys: []string{"e"}, About: "write its question anew, in a copy of the conversation up to there"},
		{Name: "retry", Scope: ScopeSelection, Keys: []string{"r"}, About: "ask its question again, in such a copy"},
		{Name: "fork", Scope: ScopeSelection, Keys: []string{"f"}, About: "go on from behind its answer, in a copy"},
		{Name: "columns-left", Scope: ScopeSelection, Keys: []string{"left"}, About: "the columns of a wide table before those in sight"},
		{Name: "columns-right", Scope: ScopeSelection, Keys: []string{"right"}, About: "the columns behind them"},
		{Name: "chosen-help", Scope: ScopeSelection, Keys: []string{"?"}, About: "these keys, and all others"},
		{Name: "unchoose", Scope: ScopeSelection, Keys: []string{"esc"}, About: "back to writing; so does typing"},

		{Name: "search-up", Scope: ScopeSearch, Keys: []string{"enter", "up"}, About: "the one above"},
		{Name: "search-down", Scope: ScopeSearch, Keys: []string{"down", "shift+enter"}, About: "the one below"},
		{Name: "search-close", Scope: ScopeSearch, Keys: []string{"esc"}, About: "stay here and write on"},
	}
}

// overlayBindings are the keys of what opens above the composer: lists, questions and forms.
func overlayBindings() []KeyBinding {
	return []KeyBinding{
		{Name: "list-up", Scope: ScopeCompletion, Keys: []string{"up", "ctrl+p"}, About: "the one above"},
		{Name: "list-down", Scope: ScopeCompletion, Keys: []string{"down", "ctrl+n"}, About: "the one below"},
		{Name: "list-take", Scope: ScopeCompletion, Keys: []string{"tab"}, About: "write it out"},
		{Name: "list-run", Scope: ScopeCompletion, Keys: []string{"enter"}, About: "run it, or write it out where it wants arguments"},
		{Name: "list-remove", Scope: ScopeCompletion, Keys: []string{"delete", "backspace"}, About: "of the messages that wait: take it out"},
		{Name: "list-close", Scope: ScopeCompletion, Keys: []string{"esc"}, About: "close the list"},

		{Name: "refuse", Scope: ScopeApproval, Keys: []string{"n", "N", "enter"}, About: "no, and say why"},
		{Name: "allow-once", Scope: ScopeApproval, Keys: []string{"y", "Y"}, About: "once"},
		{Name: "allow-session", Scope: ScopeApproval, Keys: []string{"s", "S"}, About: "for this session"},
		{Name: "allow-always", Scope: ScopeApproval, Keys: []string{"a", "A"}, About: "always, for what the question names"},
		{Name: "refuse-at-once", Scope: ScopeApproval, Keys: []string{"esc"}, About: "no, without a reason"},
		{Name: "asked-up", Scope: ScopeApproval, Keys: []string{"up"}, About: "read what stands before"},
		{Name: "asked-down", Scope: ScopeApproval, Keys: []string{"down"}, About: "read on in what is longer than the screen"},

		{Name: "form-next", Scope: ScopeForm, Keys: []string{"down", "tab"}, About: "the next field"},
		{Name: "form-previous", Scope: ScopeForm, Keys: []string{"up", "shift+tab"}, About: "the field before"},
		{Name: "form-enter", Scope: ScopeForm, Keys: []string{"enter"}, About: "go on, and run at the end"},
		{Name: "form-run", Scope: ScopeForm, Keys: []string{"ctrl+r", "ctrl+enter"}, About: "run at once"},
		{Name: "form-choice-back", Scope: ScopeForm, Keys: []string{"left"}, About: "where there are values to choose from: the one before"},
		{Name: "form-choice-on", Scope: ScopeForm, Keys: []string{"right"}, About: "the next of them"},
		{Name: "form-cancel", Scope: ScopeForm, Keys: []string{"esc"}, About: "give the line back"},
	}
}

// listScreenBindings are the keys of every list screen.
func listScreenBindings() []KeyBinding {
	return []KeyBinding{
		{Name: "shelf-up", Scope: ScopeListScreen, Keys: []string{"up", "k"}, About: "up, in the list or on the page"},
		{Name: "shelf-down", Scope: ScopeListScreen, Keys: []string{"down", "j"}, About: "down"},
		{Name: "shelf-page-up", Scope: ScopeListScreen, Keys: []string{"pgup"}, About: "a page up"},
		{Name: "shelf-page-down", Scope: ScopeListScreen, Keys: []string{"pgdown"}, About: "a page down"},
		{Name: "shelf-first", Scope: ScopeListScreen, Keys: []string{"home", "g"}, About: "the first"},
		{Name: "shelf-last", Scope: ScopeListScreen, Keys: []string{"end", "G"}, About: "the last"},
		{Name: "shelf-side", Scope: ScopeListScreen, Keys: []string{"tab", "shift+tab"}, About: "between list and page"},
		{Name: "shelf-enter", Scope: ScopeListScreen, Keys: []string{"enter"}, About: "do it, or read the page"},
		{Name: "shelf-filter", Scope: ScopeListScreen, Keys: []string{"/"}, About: "filter; the way back clears it"},
		{Name: "shelf-filter-clear", Scope: ScopeListScreen, Keys: []string{"ctrl+u"}, About: "while filtering: begin the words anew"},
		{Name: "shelf-keys", Scope: ScopeListScreen, Keys: []string{"?"}, About: "the keys of the screen"},
		{Name: "shelf-back", Scope: ScopeListScreen, Keys: []string{"esc", "q"}, About: "back, and in the end to the chat"},
	}
}

// specificScreenBindings are the keys of single list screens, and of their confirmation.
func specificScreenBindings() []KeyBinding {
	return []KeyBinding{
		{Name: "skill-new", Scope: ScopeSkills, Keys: []string{"n"}, About: "make a skill of your own"},
		{Name: "skill-edit", Scope: ScopeSkills, Keys: []string{"e"}, About: "change its fields, in a form"},
		{Name: "skill-body", Scope: ScopeSkills, Keys: []string{"b"}, About: "open its SKILL.md in your editor"},
		{Name: "skill-clone", Scope: ScopeSkills, Keys: []string{"c"}, About: "copy it, with its files, into your own folder"},
		{Name: "skill-toggle", Scope: ScopeSkills, Keys: []string{"t"}, About: "offer it to the assistant, or keep it from being offered"},
		{Name: "skill-delete", Scope: ScopeSkills, Keys: []string{"d"}, About: "delete it with all that is in its folder"},
		{Name: "skill-import", Scope: ScopeSkills, Keys: []string{"i"}, About: "take in a SKILL.md, a folder or a zip archive"},
		{Name: "skill-export", Scope: ScopeSkills, Keys: []string{"o"}, About: "write it to a zip archive or a SKILL.md"},
		{Name: "skill-scripts", Scope: ScopeSkills, Keys: []string{"s"}, About: "read the code that it would run"},
		{Name: "skill-validate", Scope: ScopeSkills, Keys: []string{"v"}, About: "hold it to the rules of the format"},
		{Name: "skill-fix", Scope: ScopeSkills, Keys: []string{"f"}, About: "repair its SKILL.md in its place"},
		{Name: "skill-rescan", Scope: ScopeSkills, Keys: []string{"r"}, About: "look for skills again"},
		{Name: "skill-doctor", Scope: ScopeSkills, Keys: []string{"!"}, About: "what is usable, left out or skipped, and why"},

		{Name: "model-write", Scope: ScopeModels, Keys: []string{"w"}, About: "use it, and write it into your settings"},
		{Name: "model-refresh", Scope: ScopeModels, Keys: []string{"r"}, About: "ask the providers that have a key for their lists"},

		{Name: "session-fork", Scope: ScopeSessions, Keys: []string{"f"}, About: "begin a new session with what was said in it"},
		{Name: "session-export", Scope: ScopeSessions, Keys: []string{"o"}, About: "write it to a Markdown or JSON file"},
		{Name: "session-delete", Scope: ScopeSessions, Keys: []string{"d"}, About: "delete it"},

		{Name: "meant-no", Scope: ScopeConfirm, Keys: []string{"n", "N", "enter", "esc", "q"}, About: "no: nothing is done"},
		{Name: "meant-yes", Scope: ScopeConfirm, Keys: []string{"y", "Y"}, About: "yes, do it"},
		{Name: "meant-up", Scope: ScopeConfirm, Keys: []string{"up"}, About: "read what stands before"},
		{Name: "meant-down", Scope: ScopeConfirm, Keys: []string{"down"}, About: "read on in what is longer than the screen"},
	}
}
