package tui

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// In an open chat an alert is one line, and nothing runs before the first frame.
func TestWatch_ALineIsShownWhenNoAnswerIsRunning(t *testing.T) {
	calls := 0
	m := New(context.Background(), Config{Theme: ThemePlain, Watch: func(context.Context) []string { calls++; return []string{"Alert: AAPL is below 150."} }})
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	m.Init()
	if calls != 0 {
		t.Errorf("Watch was called %d times before the first frame", calls)
	}
	m.preparing = true
	if _, again := m.Update(watchedMsg{[]string{"Alert: AAPL is below 150."}}); again == nil || strings.Contains(m.View().Content, "Alert:") {
		t.Errorf("shown during an answer:\n%s", m.View().Content)
	}
	m.preparing = false
	m.Update(watchedMsg{[]string{"Alert: AAPL is below 150."}})
	if n := strings.Count(m.View().Content, "Alert: AAPL is below 150."); n != 1 {
		t.Errorf("shown %d times:\n%s", n, m.View().Content)
	}
}
