package main

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/rs/zerolog"
	"gopkg.in/natefinch/lumberjack.v2"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/report"
)

// openLog gives the log of this home. The file is made at the first line
// written and rotated at 5 MB; nothing goes to the screen, ever, and no key into
// the file, whatever an error or a crash holds.
func openLog(home string, cfg *config.Config) (zerolog.Logger, io.Closer, error) {
	parsed, err := zerolog.ParseLevel(cfg.LogLevel)
	if err != nil {
		return zerolog.Nop(), nil, fmt.Errorf("log_level %q: must be debug, info, warn or error", cfg.LogLevel)
	}
	file := logFile(home)
	log := zerolog.New(redactingWriter{file, newSecretFilter(cfg, home)}).Level(parsed).With().Timestamp().Logger()
	return log, file, nil
}

func logFile(home string) *lumberjack.Logger {
	return &lumberjack.Logger{Filename: filepath.Join(home, "nfa.log"), MaxSize: 5, MaxBackups: 3}
}

// redactingWriter drops what cannot be written: zerolog would complain on the screen, in
// the middle of the chat, and a log that fails must not stop the work. It takes out
// the secrets of what can.
type redactingWriter struct {
	io.Writer
	secrets func() *report.SecretFilter
}

func (q redactingWriter) Write(line []byte) (int, error) {
	_, _ = q.Writer.Write(q.secrets().HideInJSON(line))
	return len(line), nil
}

// clock is the program's one source of time.
func clock() time.Time { return time.Now() }
