package catalog

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
)

// The origins of a context window, most important first.
const (
	windowFromSettings = "settings"
	windowFromList     = "model list" // of a hosted provider
	windowFromTable    = "table"      // in this package
	windowFromServer   = "server"     // a local one
	windowFromDefault  = "assumed"
)

// The windows, in tokens, that are assumed when no source knows one. Ollama loads a model
// with 4,096 tokens on most machines, even if the model supports more, and silently drops the
// start of a longer request (docs.ollama.com/context-length).
const (
	ollamaWindow = 4_096
	localWindow  = 8_192
	hostedWindow = 128_000
)

// plausibleWindow reports whether a reported number of tokens can be a context window. The
// setting context_window has the same range.
func plausibleWindow(tokens int) bool { return tokens >= 1_000 && tokens <= 100_000_000 }

// contextWindow is a window in tokens, with its origin.
type contextWindow struct {
	tokens int
	origin string
}

// windowCache holds the window that an Endpoint learns after it was chosen. Copies of an Endpoint
// share it.
type windowCache struct {
	lists    *serverLists
	asking   sync.Mutex // held during the request
	resolved atomic.Pointer[contextWindow]
}

// Window returns the context window in tokens without a request. It is 0 if no source knows
// the window and ResolveWindow has not run.
func (e Endpoint) Window() int { return e.knownWindow().tokens }

// WindowOrigin returns the source of Window: "settings", "model list", "table", "server" or
// "assumed". The built-in assistant has no window, and no origin.
func (e Endpoint) WindowOrigin() string { return e.knownWindow().origin }

// ResolveWindow returns the context window in tokens and its origin, as WindowOrigin names
// it. If no other source knows the window, it asks a local server once, for at most 300 ms,
// and Window returns the result from then on. It never asks a hosted provider. A server that
// does not report a window is not an error: the result is a default. If ctx is canceled
// during the request, the default is returned and not kept.
func (e Endpoint) ResolveWindow(ctx context.Context) (tokens int, origin string) {
	known := e.knownWindow()
	if known.tokens == 0 && !e.BuiltIn() {
		known = e.resolveUnknown(ctx)
	}
	return known.tokens, known.origin
}

func (e Endpoint) knownWindow() contextWindow {
	if e.BuiltIn() {
		return contextWindow{}
	}
	p := e.Provider
	// The list of a local server may report the window that a model was trained with. The
	// server often loads it with less.
	if e.windows != nil && !isLocal(p) {
		p = e.windows.lists.apply(p)
	}
	if m, _ := p.Model(e.Model); m.Window > 0 {
		return contextWindow{m.Window, cmp.Or(m.WindowOrigin, windowFromTable)}
	}
	if e.windows != nil {
		if resolved := e.windows.resolved.Load(); resolved != nil {
			return *resolved
		}
	}
	return contextWindow{origin: windowFromDefault}
}

// resolveUnknown asks a local server, or returns a default. An Endpoint that no Selector
// returned has no cache and sends no request.
func (e Endpoint) resolveUnknown(ctx context.Context) contextWindow {
	if e.windows == nil {
		return e.windowOf(serverWindow{})
	}
	e.windows.asking.Lock()
	defer e.windows.asking.Unlock()
	if resolved := e.windows.resolved.Load(); resolved != nil {
		return *resolved // by another goroutine, in the meantime
	}
	var reported serverWindow
	if isLocalAddress(e.Provider.BaseURL) {
		reported = e.askServer(ctx)
	}
	w := e.windowOf(reported)
	if ctx.Err() == nil {
		e.windows.resolved.Store(&w)
	}
	return w
}

// windowOf returns the window for the report of a server. The zero report yields a default.
func (e Endpoint) windowOf(reported serverWindow) contextWindow {
	w := contextWindow{hostedWindow, windowFromDefault}
	switch {
	case e.Provider.Name == "ollama" || reported.ollama:
		w.tokens = ollamaWindow
	case isLocal(e.Provider):
		w.tokens = localWindow
	}
	if plausibleWindow(reported.tokens) {
		w = contextWindow{reported.tokens, windowFromServer}
	}
	if plausibleWindow(reported.most) && reported.most < w.tokens {
		w = contextWindow{reported.most, windowFromServer}
	}
	return w
}
