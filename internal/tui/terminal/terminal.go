// Package terminal tells what the terminal around a chat says without being
// asked: that it is gone, that the chat has to go, what its background is.
package terminal

import (
	"context"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

// Light reads what some terminals say of their background in the environment:
// COLORFGBG is "foreground;background" in the 16 colours.
func Light(environ []string) (light, known bool) {
	for _, v := range environ {
		if value, ok := strings.CutPrefix(v, "COLORFGBG="); ok {
			background := value[strings.LastIndex(value, ";")+1:]
			return background == "7" || background == "15", true
		}
	}
	return false, false
}

// Hyperlinks reports whether the terminal is one that is known to make links of
// OSC 8, by what it says in the environment. What stands between it and the program,
// such as tmux, may not hand them on.
func Hyperlinks(environ []string) bool {
	said := map[string]string{}
	for _, v := range environ {
		name, value, _ := strings.Cut(v, "=")
		said[name] = value
	}
	term := said["TERM"]
	for _, between := range []string{"dumb", "linux", "screen", "tmux"} {
		if strings.HasPrefix(term, between) {
			return false
		}
	}
	if said["TMUX"] != "" || said["STY"] != "" {
		return false
	}
	switch said["TERM_PROGRAM"] {
	case "iTerm.app", "WezTerm", "vscode", "ghostty":
		return true
	}
	for _, known := range []string{"xterm-kitty", "xterm-ghostty", "alacritty", "foot"} {
		if strings.HasPrefix(term, known) {
			return true
		}
	}
	vte, err := strconv.Atoi(said["VTE_VERSION"])
	return err == nil && vte >= 5000 || said["WT_SESSION"] != "" || said["KONSOLE_VERSION"] != ""
}

// QuitOnSignal calls quit when the system asks the program to go or ctx ends,
// once at most. While the terminal is lent to a program, an interrupt is meant
// for that. Stop ends the watch.
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

// WatchEnd reports the end of the input, which is that of the terminal: whoever
// takes it for silence would sit there for ever.
func WatchEnd(in io.Reader, ended func()) io.Reader {
	// A terminal has to stay an *os.File in all but Read: raw mode and the
	// cancellable reader ask for its descriptor.
	if f, ok := in.(*os.File); ok {
		return &watchedFile{File: f, ended: ended}
	}
	return &watchedReader{Reader: in, ended: ended}
}

type watchedFile struct {
	*os.File
	ended func()
}

func (w *watchedFile) Read(p []byte) (int, error) {
	n, err := w.File.Read(p)
	if err != nil {
		w.ended()
	}
	return n, err
}

type watchedReader struct {
	io.Reader
	ended func()
}

func (w *watchedReader) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if err != nil {
		w.ended()
	}
	return n, err
}
