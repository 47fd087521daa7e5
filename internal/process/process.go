// Package process starts programs in a process group of their own, and ends them with everything that
// they started.
package process

// Tail keeps the last Limit bytes written to it. It is not safe for concurrent use.
type Tail struct {
	Limit  int
	buffer []byte
}

// Write implements io.Writer. It never fails.
func (t *Tail) Write(p []byte) (int, error) {
	n := len(p)
	if len(p) > t.Limit {
		p = p[len(p)-t.Limit:]
	}
	t.buffer = append(t.buffer, p...)
	if len(t.buffer) > 2*t.Limit {
		t.buffer = append(t.buffer[:0], t.Bytes()...)
	}
	return n, nil
}

// Bytes returns the bytes that were kept.
func (t *Tail) Bytes() []byte { return t.buffer[max(0, len(t.buffer)-t.Limit):] }
