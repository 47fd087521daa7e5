package main

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
)

// newSessionProgram opens a program with sessions in an empty home. The built-in assistant answers.
func newSessionProgram(t testing.TB, prepare ...func(home string)) *app.App {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", filepath.Join(home, "user"))
	t.Setenv("USERPROFILE", filepath.Join(home, "user"))
	t.Chdir(t.TempDir())
	g := &globals{home: filepath.Join(home, "nfa"), offline: true}
	g.env = func(string) string { return "" }
	for _, p := range prepare {
		p(g.home)
	}
	p, err := g.open(t.Context(), app.Options{Agent: true, Notice: func(s string) { t.Errorf("unexpected notice: %s", s) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// ask runs a turn to its end.
func ask(t testing.TB, c *agent.Conversation, text string) {
	t.Helper()
	for event, err := range c.Run(t.Context(), agent.Input{Text: text}) {
		if done, ok := event.(agent.TurnDone); ok && (err != nil || done.Reason != agent.StopAnswered) {
			t.Fatalf("%q ends with %s, %v", text, done.Reason, err)
		}
	}
}

func heapInUse() uint64 {
	runtime.GC()
	runtime.GC() // what finalizers and pools let go of in the first
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// growth runs turns of a conversation and returns how many bytes of the heap each of them keeps, after a
// warm-up.
func growth(t testing.TB, p *app.App, turns int) float64 {
	t.Helper()
	const warm = 30
	c := p.StartConversation(t.Context())
	var before uint64
	for turn := range warm + turns {
		if turn == warm {
			before = heapInUse()
		}
		ask(t, c, []string{"price of AAPL", "How risky is MSFT?"}[turn%2])
	}
	after := heapInUse()
	runtime.KeepAlive(c)
	return (float64(after) - float64(before)) / float64(turns)
}

// TestMemory_GrowsByLittleATurn limits the memory that a turn keeps, so that long sessions need no restart.
func TestMemory_GrowsByLittleATurn(t *testing.T) {
	const most = 8 << 10
	if grown := growth(t, newSessionProgram(t), 120); grown > most {
		t.Errorf("a turn leaves %.0f bytes behind, want at most %d", grown, most)
	}
}

// BenchmarkSession_500Turns measures the memory and time of a long session.
func BenchmarkSession_500Turns(b *testing.B) {
	p := newSessionProgram(b)
	for b.Loop() {
		b.ReportMetric(growth(b, p, 500), "heap-B/turn")
	}
}
