package app

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/rs/zerolog"
	"gopkg.in/natefinch/lumberjack.v2"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/report"
)

// OpenLog opens the log in a data folder. The file is created by the first line and rotated at 5
// MB. Nothing goes to the screen. Keys are removed.
func (s Settings) OpenLog() (zerolog.Logger, io.Closer, error) {
	parsed, err := zerolog.ParseLevel(s.LogLevel)
	if err != nil {
		return zerolog.Nop(), nil, fmt.Errorf("log_level %q: must be debug, info, warn or error", s.LogLevel)
	}
	file := logFile(s.Home)
	log := zerolog.New(redactingWriter{file, s.Secrets()}).Level(parsed).With().Timestamp().Logger()
	return log, file, nil
}

func logFile(home string) *lumberjack.Logger {
	return &lumberjack.Logger{Filename: filepath.Join(home, "nfa.log"), MaxSize: 5, MaxBackups: 3}
}

// redactingWriter removes secrets. It ignores write errors, because zerolog would print them in the
// middle of the chat.
type redactingWriter struct {
	io.Writer
	secrets *report.SecretFilter
}

func (w redactingWriter) Write(line []byte) (int, error) {
	_, _ = w.Writer.Write(w.secrets.HideInJSON(line))
	return len(line), nil
}

// LogCrash writes the site of a panic to the log. It ignores the settings, because reading them may
// have caused the panic.
func LogCrash(site *crash.Site, home string) error {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return fmt.Errorf("create the data folder: %w", err)
	}
	file := logFile(home)
	var line bytes.Buffer
	log := zerolog.New(&line).With().Timestamp().Logger()
	log.Error().Str("panic", site.Kind()).Str("stack", site.Stack()).Msg("nfa crashed")
	_, err := file.Write(line.Bytes())
	return errors.Join(err, file.Close())
}

// Secrets returns a filter for secrets: keys in the settings, variables with names of secrets, keys in
// auth.json, and keys in the keyring that this process has used. The other keys in the keyring are
// recognized only by their format, because reading them may prompt for a password.
func (s Settings) Secrets() *report.SecretFilter {
	saved := sync.OnceValue(func() []string {
		secrets := append(credential.SecretVariables(), s.APIKey)
		for _, p := range s.Providers {
			for _, name := range p.KeyVars {
				secrets = append(secrets, credential.Getenv(name))
			}
		}
		for _, server := range s.Servers {
			for _, name := range server.Variables() {
				secrets = append(secrets, credential.Getenv(name))
			}
		}
		return append(secrets, credential.Open(s.Home, nil, 0, nil).FileKeys()...)
	})
	return report.NewSecretFilter(func() []string { return append(credential.Used(), saved()...) })
}
