// Package process starts programs in a process group of their own, and ends them with everything that
// they started.
package process

import (
	"bytes"
	"sync"
)

// Tail keeps the last Limit bytes written to it. It is safe for concurrent use.
type Tail struct {
	Limit  int
	mu     sync.Mutex
	buffer []byte
}

// Write implements io.Writer. It never fails.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	if len(p) > t.Limit {
		p = p[len(p)-t.Limit:]
	}
	t.buffer = append(t.buffer, p...)
	if len(t.buffer) > 2*t.Limit {
		t.buffer = append(t.buffer[:0], t.last()...)
	}
	return n, nil
}

// Bytes returns a copy of the last bytes.
func (t *Tail) Bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.last())
}

func (t *Tail) last() []byte { return t.buffer[max(0, len(t.buffer)-t.Limit):] }
