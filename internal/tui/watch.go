package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

const (
	// watchDelay delays the first call so that it does not slow the start.
	watchDelay = 2 * time.Second
	// WatchEvery is the time between two calls of Config.Watch.
	WatchEvery = 10 * time.Minute
	// watchRetry is the time between attempts to show lines that arrived during an answer.
	watchRetry = 2 * time.Second
)

// watchedMsg has the lines of Config.Watch that are still to be shown.
type watchedMsg struct{ lines []string }

// watch calls Config.Watch after a time.
func (m *Model) watch(after time.Duration) tea.Cmd {
	return tea.Tick(after, func(time.Time) tea.Msg { return watchedMsg{m.chat.Watch(m.ctx)} })
}

// showWatched shows the lines, or keeps them while an answer is running.
func (m *Model) showWatched(msg watchedMsg) tea.Cmd {
	if len(msg.lines) > 0 && m.busy() {
		return tea.Tick(watchRetry, func(time.Time) tea.Msg { return msg })
	}
	for _, line := range msg.lines {
		m.transcript.Say(transcript.Warning, line)
	}
	return m.watch(WatchEvery)
}
