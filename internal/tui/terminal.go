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

// HasLightBackground reports whether the environment says that the terminal's background is light:
// COLORFGBG is "foreground;background" in the 16 colors.
func HasLightBackground(environ []string) (light, known bool) {
	for _, v := range environ {
		if value, ok := strings.CutPrefix(v, "COLORFGBG="); ok {
			background := value[strings.LastIndex(value, ";")+1:]
			return background == "7" || background == "15", true
		}
	}
	return false, false
}

// SupportsHyperlinks reports whether the environment names a terminal that is known to support OSC
// 8 hyperlinks. Programs in between, such as tmux, may not pass them on.
func SupportsHyperlinks(environ []string) bool {
	version := map[string]string{}
	for _, v := range environ {
		name, value, _ := strings.Cut(v, "=")
		version[name] = value
	}
	term := version["TERM"]
	for _, between := range []string{"dumb", "linux", "screen", "tmux"} {
		if strings.HasPrefix(term, between) {
			return false
		}
	}
	if version["TMUX"] != "" || version["STY"] != "" {
		return false
	}
	switch version["TERM_PROGRAM"] {
	case "iTerm.app", "WezTerm", "vscode", "ghostty":
		return true
	}
	for _, known := range []string{"xterm-kitty", "xterm-ghostty", "alacritty", "foot"} {
		if strings.HasPrefix(term, known) {
			return true
		}
	}
	vte, err := strconv.Atoi(version["VTE_VERSION"])
	return err == nil && vte >= 5000 || version["WT_SESSION"] != "" || version["KONSOLE_VERSION"] != ""
}

// QuitOnSignal calls quit, at most once, when a signal asks the program to end or ctx ends. While
// the terminal is lent to a program, an interrupt is meant for that program and ignored. stop ends
// the watch.
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

// WatchEOF returns a reader of in that calls ended when a read fails, because that means that the
// terminal has closed. A program that ignores it would wait for input for ever.
func WatchEOF(in io.Reader, ended func()) io.Reader {
	// A terminal has to stay an *os.File in all but Read: raw mode and the
	// cancellable reader ask for its descriptor.
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
