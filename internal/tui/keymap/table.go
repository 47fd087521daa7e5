package keymap

import "slices"

// table is every key of the chat, in the order of the help. A new one is a row below,
// and the component that knows its first key.
func table() []Binding {
	return slices.Concat(writing(), reading(), overLine(), onShelves(), onScreens())
}

// writing is what keys do anywhere, and on the line.
func writing() []Binding {
	return []Binding{
		{Name: "interrupt", Scope: Anywhere, Keys: []string{"ctrl+c"}, About: "stop the answer; twice, leave", fixed: true},
		{Name: "suspend", Scope: Anywhere, Keys: []string{"ctrl+z"}, About: "suspend the program"},
		{Name: "redraw", Scope: Anywhere, Keys: []string{"ctrl+l"}, About: "draw the screen anew"},

		{Name: "send", Scope: Writing, Keys: []string{"enter"}, About: "send; while an answer comes, queue"},
		{Name: "new-line", Scope: Writing, Keys: []string{"alt+enter", "ctrl+j", "shift+enter"}, About: "new line; so does Enter after a \\"},
		{Name: "stop", Scope: Writing, Keys: []string{"esc"}, About: "stop the answer and keep what came"},
		{Name: "older", Scope: Writing, Keys: []string{"up"}, About: "from an empty line: take a queued message back, else an earlier message, also of other chats"},
		{Name: "newer", Scope: Writing, Keys: []string{"down"}, About: "the message after it"},
		{Name: "recall", Scope: Writing, Keys: []string{"ctrl+r"}, About: "look for an earlier message; again, the one before it"},
		{Name: "editor", Scope: Writing, Keys: []string{"ctrl+g"}, About: "go on writing in your editor"},
		{Name: "undo", Scope: Writing, Keys: []string{"ctrl+_", "ctrl+/", "ctrl+shift+-"}, About: "undo, by words, pastes and cuts"},
		{Name: "redo", Scope: Writing, Keys: []string{"ctrl+y"}, About: "take an undo back"},
		{Name: "line-begin", Scope: Writing, Keys: []string{"home", "ctrl+a"}, About: "the beginning of the line; Home from an empty one: that of the conversation"},
		{Name: "line-end", Scope: Writing, Keys: []string{"end", "ctrl+e"}, About: "the end of the line; End from an empty one: that of the conversation"},
		{Name: "word-left", Scope: Writing, Keys: []string{"alt+b", "alt+left", "ctrl+left"}, About: "a word back"},
		{Name: "word-right", Scope: Writing, Keys: []string{"alt+f", "alt+right", "ctrl+right"}, About: "a word on"},
		{Name: "cut-word", Scope: Writing, Keys: []string{"ctrl+w", "alt+backspace", "ctrl+backspace"}, About: "cut the word before the cursor"},
		{Name: "cut-word-on", Scope: Writing, Keys: []string{"alt+d", "alt+delete", "ctrl+delete"}, About: "cut the word behind the cursor"},
		{Name: "cut-before", Scope: Writing, Keys: []string{"ctrl+u"}, About: "cut the line before the cursor"},
		{Name: "cut-behind", Scope: Writing, Keys: []string{"ctrl+k"}, About: "cut the line behind the cursor"},
		{Name: "pick", Scope: Writing, Keys: []string{"ctrl+p"}, About: "pick from a list what to write"},
		{Name: "choose", Scope: Writing, Keys: []string{"tab", "shift+tab"}, About: "from an empty line: choose a message or a card above; Tab behind a folded paste shows it"},
		{Name: "help", Scope: Writing, Keys: []string{"?"}, About: "from an empty line: the keys and commands"},
		{Name: "leave", Scope: Writing, Keys: []string{"ctrl+d"}, About: "from an empty line: leave; the conversation is kept"},
	}
}

// reading is what they do in the conversation above it.
func reading() []Binding {
	return []Binding{
		{Name: "page-up", Scope: Reading, Keys: []string{"pgup"}, About: "a page up; so does the wheel, by lines"},
		{Name: "page-down", Scope: Reading, Keys: []string{"pgdown"}, About: "a page down"},
		{Name: "line-up", Scope: Reading, Keys: []string{"ctrl+up"}, About: "a line up"},
		{Name: "line-down", Scope: Reading, Keys: []string{"ctrl+down"}, About: "a line down"},
		{Name: "top", Scope: Reading, Keys: []string{"ctrl+home"}, About: "the beginning"},
		{Name: "bottom", Scope: Reading, Keys: []string{"ctrl+end"}, About: "the end, and follow it"},
		{Name: "open-all", Scope: Reading, Keys: []string{"ctrl+o"}, About: "open or fold all cards"},
		{Name: "search", Scope: Reading, Keys: []string{"ctrl+f"}, About: "search in the conversation"},

		{Name: "toggle", Scope: Chosen, Keys: []string{"enter", "space"}, About: "open or fold it"},
		{Name: "choose-up", Scope: Chosen, Keys: []string{"up", "tab"}, About: "the one above"},
		{Name: "choose-down", Scope: Chosen, Keys: []string{"down", "shift+tab"}, About: "the one below"},
		{Name: "copy", Scope: Chosen, Keys: []string{"c", "y"}, About: "copy it, as it was written"},
		{Name: "edit", Scope: Chosen, Keys: []string{"e"}, About: "write its question anew, in a copy of the conversation up to there"},
		{Name: "retry", Scope: Chosen, Keys: []string{"r"}, About: "ask its question again, in such a copy"},
		{Name: "fork", Scope: Chosen, Keys: []string{"f"}, About: "go on from behind its answer, in a copy"},
		{Name: "columns-left", Scope: Chosen, Keys: []string{"left"}, About: "the columns of a wide table before those in sight"},
		{Name: "columns-right", Scope: Chosen, Keys: []string{"right"}, About: "the columns behind them"},
		{Name: "chosen-help", Scope: Chosen, Keys: []string{"?"}, About: "these keys, and all others"},
		{Name: "unchoose", Scope: Chosen, Keys: []string{"esc"}, About: "back to writing; so does typing"},

		{Name: "search-up", Scope: Finding, Keys: []string{"enter", "up"}, About: "the one above"},
		{Name: "search-down", Scope: Finding, Keys: []string{"down", "shift+enter"}, About: "the one below"},
		{Name: "search-close", Scope: Finding, Keys: []string{"esc"}, About: "stay here and write on"},
	}
}

// overLine is what they do in what opens over the line: lists, questions and forms.
func overLine() []Binding {
	return []Binding{
		{Name: "list-up", Scope: Listed, Keys: []string{"up", "ctrl+p"}, About: "the one above"},
		{Name: "list-down", Scope: Listed, Keys: []string{"down", "ctrl+n"}, About: "the one below"},
		{Name: "list-take", Scope: Listed, Keys: []string{"tab"}, About: "write it out"},
		{Name: "list-run", Scope: Listed, Keys: []string{"enter"}, About: "run it, or write it out where it wants arguments"},
		{Name: "list-remove", Scope: Listed, Keys: []string{"delete", "backspace"}, About: "of the messages that wait: take it out"},
		{Name: "list-close", Scope: Listed, Keys: []string{"esc"}, About: "close the list"},

		{Name: "refuse", Scope: Asked, Keys: []string{"n", "N", "enter"}, About: "no, and say why"},
		{Name: "allow-once", Scope: Asked, Keys: []string{"y", "Y"}, About: "once"},
		{Name: "allow-session", Scope: Asked, Keys: []string{"s", "S"}, About: "for this session"},
		{Name: "allow-always", Scope: Asked, Keys: []string{"a", "A"}, About: "always, for what the question names"},
		{Name: "refuse-at-once", Scope: Asked, Keys: []string{"esc"}, About: "no, without a reason"},
		{Name: "asked-up", Scope: Asked, Keys: []string{"up"}, About: "read what stands before"},
		{Name: "asked-down", Scope: Asked, Keys: []string{"down"}, About: "read on in what is longer than the screen"},

		{Name: "form-next", Scope: Form, Keys: []string{"down", "tab"}, About: "the next field"},
		{Name: "form-previous", Scope: Form, Keys: []string{"up", "shift+tab"}, About: "the field before"},
		{Name: "form-enter", Scope: Form, Keys: []string{"enter"}, About: "go on, and run at the end"},
		{Name: "form-run", Scope: Form, Keys: []string{"ctrl+r", "ctrl+enter"}, About: "run at once"},
		{Name: "form-choice-back", Scope: Form, Keys: []string{"left"}, About: "where there are values to choose from: the one before"},
		{Name: "form-choice-on", Scope: Form, Keys: []string{"right"}, About: "the next of them"},
		{Name: "form-cancel", Scope: Form, Keys: []string{"esc"}, About: "give the line back"},
	}
}

// onShelves is what they do on every screen with a list.
func onShelves() []Binding {
	return []Binding{
		{Name: "shelf-up", Scope: Shelf, Keys: []string{"up", "k"}, About: "up, in the list or on the page"},
		{Name: "shelf-down", Scope: Shelf, Keys: []string{"down", "j"}, About: "down"},
		{Name: "shelf-page-up", Scope: Shelf, Keys: []string{"pgup"}, About: "a page up"},
		{Name: "shelf-page-down", Scope: Shelf, Keys: []string{"pgdown"}, About: "a page down"},
		{Name: "shelf-first", Scope: Shelf, Keys: []string{"home", "g"}, About: "the first"},
		{Name: "shelf-last", Scope: Shelf, Keys: []string{"end", "G"}, About: "the last"},
		{Name: "shelf-side", Scope: Shelf, Keys: []string{"tab", "shift+tab"}, About: "between list and page"},
		{Name: "shelf-enter", Scope: Shelf, Keys: []string{"enter"}, About: "do it, or read the page"},
		{Name: "shelf-filter", Scope: Shelf, Keys: []string{"/"}, About: "filter; the way back clears it"},
		{Name: "shelf-filter-clear", Scope: Shelf, Keys: []string{"ctrl+u"}, About: "while filtering: begin the words anew"},
		{Name: "shelf-keys", Scope: Shelf, Keys: []string{"?"}, About: "the keys of the screen"},
		{Name: "shelf-back", Scope: Shelf, Keys: []string{"esc", "q"}, About: "back, and in the end to the chat"},
	}
}

// onScreens is what they do on one such screen, and in the question that it asks.
func onScreens() []Binding {
	return []Binding{
		{Name: "skill-new", Scope: Skills, Keys: []string{"n"}, About: "make a skill of your own"},
		{Name: "skill-edit", Scope: Skills, Keys: []string{"e"}, About: "change its fields, in a form"},
		{Name: "skill-body", Scope: Skills, Keys: []string{"b"}, About: "open its SKILL.md in your editor"},
		{Name: "skill-clone", Scope: Skills, Keys: []string{"c"}, About: "copy it, with its files, into your own folder"},
		{Name: "skill-toggle", Scope: Skills, Keys: []string{"t"}, About: "offer it to the assistant, or keep it from being offered"},
		{Name: "skill-delete", Scope: Skills, Keys: []string{"d"}, About: "delete it with all that is in its folder"},
		{Name: "skill-import", Scope: Skills, Keys: []string{"i"}, About: "take in a SKILL.md, a folder or a zip archive"},
		{Name: "skill-export", Scope: Skills, Keys: []string{"o"}, About: "write it to a zip archive or a SKILL.md"},
		{Name: "skill-scripts", Scope: Skills, Keys: []string{"s"}, About: "read the code that it would run"},
		{Name: "skill-validate", Scope: Skills, Keys: []string{"v"}, About: "hold it to the rules of the format"},
		{Name: "skill-fix", Scope: Skills, Keys: []string{"f"}, About: "repair its SKILL.md in its place"},
		{Name: "skill-rescan", Scope: Skills, Keys: []string{"r"}, About: "look for skills again"},
		{Name: "skill-doctor", Scope: Skills, Keys: []string{"!"}, About: "what is usable, left out or skipped, and why"},

		{Name: "model-write", Scope: Models, Keys: []string{"w"}, About: "use it, and write it into your settings"},
		{Name: "model-refresh", Scope: Models, Keys: []string{"r"}, About: "ask the providers that have a key for their lists"},

		{Name: "session-fork", Scope: Sessions, Keys: []string{"f"}, About: "begin a new session with what was said in it"},
		{Name: "session-export", Scope: Sessions, Keys: []string{"o"}, About: "write it to a Markdown or JSON file"},
		{Name: "session-delete", Scope: Sessions, Keys: []string{"d"}, About: "delete it"},

		{Name: "meant-no", Scope: Meant, Keys: []string{"n", "N", "enter", "esc", "q"}, About: "no: nothing is done"},
		{Name: "meant-yes", Scope: Meant, Keys: []string{"y", "Y"}, About: "yes, do it"},
		{Name: "meant-up", Scope: Meant, Keys: []string{"up"}, About: "read what stands before"},
		{Name: "meant-down", Scope: Meant, Keys: []string{"down"}, About: "read on in what is longer than the screen"},
	}
}
