package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Progress shows the running step and its duration on a terminal. It is safe for concurrent use;
// nil shows nothing.
type Progress struct {
	out   io.Writer
	steps int
	now   func() time.Time

	mu      sync.Mutex
	step    string // "" while nothing runs
	started int
	since   time.Time
}

// NewProgress returns the progress of a run with the given number of steps.
func NewProgress(out io.Writer, steps int, now func() time.Time) *Progress {
	return &Progress{out: out, steps: steps, now: now}
}

// Started shows the line of a step.
func (p *Progress) Started(call llm.ToolCall) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.started++
	p.since = p.now()
	p.step = markdown.SanitizeLine(fmt.Sprintf("step %d of %d %s, %s …", p.started, p.steps, tool.StepName(call.ID), call.Name))
	p.draw()
}

// Finished removes the line.
func (p *Progress) Finished() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.step != "" {
		p.step = ""
		fmt.Fprint(p.out, clearLine)
	}
}

// clearLine moves to the start of the line and erases it.
const clearLine = "\r\x1b[K"

func (p *Progress) draw() {
	line := p.step
	if s := int(p.now().Sub(p.since) / time.Second); s > 0 {
		line += fmt.Sprintf(" %d s", s)
	}
	fmt.Fprint(p.out, clearLine+line)
}

// tick redraws the line.
func (p *Progress) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.step != "" {
		p.draw()
	}
}

// Animate redraws the line every second until stop is called. stop removes the line.
func (p *Progress) Animate() (stop func()) {
	if p == nil {
		return func() {}
	}
	ticker, done := time.NewTicker(time.Second), make(chan struct{})
	var drawing crash.WaitGroup
	drawing.Go(func() {
		for {
			select {
			case <-ticker.C:
				p.tick()
			case <-done:
				return
			}
		}
	})
	return func() {
		ticker.Stop()
		close(done)
		drawing.Wait()
		p.Finished()
	}
}
