package tui

import (
	"context"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

// HasLightBackground reports whether COLORFGBG, which is "foreground;background" in the 16 colors, names
// a light background. known is false if the variable is not set.
func HasLightBackground(environ []string) (light, known bool) {
	for _, v := range environ {
		if value, ok := strings.CutPrefix(v, "COLORFGBG="); ok {
			background := value[strings.LastIndex(value, ";")+1:]
			return background == "7" || background == "15", true
		}
	}
	return false, false
}

// SupportsHyperlinks reports whether the environment names a terminal that supports OSC 8 hyperlinks.
// It is false inside tmux and screen, which may not forward them.
func SupportsHyperlinks(environ []string) bool {
	vars := map[string]string{}
	for _, v := range environ {
		name, value, _ := strings.Cut(v, "=")
		vars[name] = value
	}
	term := vars["TERM"]
	for _, between := range []string{"dumb", "linux", "screen", "tmux"} {
		if strings.HasPrefix(term, between) {
			return false
		}
	}
	if vars["TMUX"] != "" || vars["STY"] != "" {
		return false
	}
	switch vars["TERM_PROGRAM"] {
	case "iTerm.app", "WezTerm", "vscode", "ghostty":
		return true
	}
	for _, known := range []string{"xterm-kitty", "xterm-ghostty", "alacritty", "foot"} {
		if strings.HasPrefix(term, known) {
			return true
		}
	}
	vte, err := strconv.Atoi(vars["VTE_VERSION"])
	return err == nil && vte >= 5000 || vars["WT_SESSION"] != "" || vars["KONSOLE_VERSION"] != ""
}

// QuitOnSignal calls quit once when a signal asks the program to end or ctx ends. It ignores an
// interrupt while the terminal is lent to another program. stop ends the watch.
func QuitOnSignal(ctx context.Context, quit func(), lent func() bool) (stop func()) {
	signals := make(chan os.Signal, 1)
	done := make(chan struct{})
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP, os.Interrupt)
	go func() {
		for {
			select {
			case s := <-signals:
				if s == os.Interrupt && lent() {
					continue
				}
			case <-ctx.Done():
			case <-done:
				return
			}
			quit()
			return
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

// WatchEOF returns a reader of in that calls ended when a read fails, because the terminal has then
// closed.
func WatchEOF(in io.Reader, ended func()) io.Reader {
	// Embed an *os.File, because raw mode and the cancelable reader need its descriptor.
	if f, ok := in.(*os.File); ok {
		return &watchedFile{File: f, onEOF: ended}
	}
	return &watchedReader{Reader: in, onEOF: ended}
}

type watchedFile struct {
	*os.File
	onEOF func()
}

func (w *watchedFile) Read(p []byte) (int, error) {
	n, err := w.File.Read(p)
	if err != nil {
		w.onEOF()
	}
	return n, err
}

type watchedReader struct {
	io.Reader
	onEOF func()
}

func (w *watchedReader) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if err != nil {
		w.onEOF()
	}
	return n, err
}
