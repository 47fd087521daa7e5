package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	log := zerolog.New(redactingWriter{file, sync.OnceValue(s.Secrets)}).Level(parsed).With().Timestamp().Logger()
	return log, file, nil
}

func logFile(home string) *lumberjack.Logger {
	return &lumberjack.Logger{Filename: filepath.Join(home, "nfa.log"), MaxSize: 5, MaxBackups: 3}
}

// redactingWriter removes secrets. It ignores write errors, because zerolog would print them in the
// middle of the chat.
type redactingWriter struct {
	io.Writer
	secrets func() *report.SecretFilter
}

func (w redactingWriter) Write(line []byte) (int, error) {
	_, _ = w.Writer.Write(w.secrets().HideInJSON(line))
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

// Secrets returns a filter for secrets: keys in the settings, variables with names of secrets, and
// keys in auth.json. Keys in a keyring are recognized only by their form, because reading them may
// prompt for a password.
func (s Settings) Secrets() *report.SecretFilter {
	secrets := []string{s.APIKey}
	var named []string
	for _, p := range s.Providers {
		named = append(named, p.KeyVars...)
	}
	for _, server := range s.Servers {
		named = append(named, server.Variables()...)
	}
	for _, variable := range credential.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		if slices.Contains(named, name) || isSecretName(name) {
			secrets = append(secrets, value)
		}
	}
	keys := credential.Open(s.Home, nil, 0, nil)
	entries, _ := keys.List() // nfa auth list reports the error
	for _, e := range entries {
		if e.Place != credential.InFile {
			continue
		}
		if key, err := keys.Get(context.Background(), e.Name); err == nil {
			secrets = append(secrets, key)
		}
	}
	return report.NewSecretFilter(secrets...)
}

func isSecretName(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc([]string{"KEY", "TOKEN", "SECRET", "PASSWORD"}, func(end string) bool { return strings.HasSuffix(name, end) })
}
