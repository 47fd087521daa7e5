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

// OpenLog opens the log of a home. The file is made at the first line written and rotated at 5 MB.
// Nothing goes to the screen, and no key into the file, whatever an error or a crash holds.
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

// redactingWriter takes secrets out of what is written. It drops what cannot be written: zerolog
// would complain on the screen, in the middle of the chat.
type redactingWriter struct {
	io.Writer
	secrets func() *report.SecretFilter
}

func (w redactingWriter) Write(line []byte) (int, error) {
	_, _ = w.Writer.Write(w.secrets().HideInJSON(line))
	return len(line), nil
}

// LogCrash writes where a panic happened to the log of a home, whatever the settings say: they may
// be what cannot be read.
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

// Secrets returns a filter of what must not leave the program: the keys of the settings, the
// variables that are named like secrets, and the keys in auth.json. A key in a keyring is known by
// its shape alone, because asking for it may have the user type a password.
func (s Settings) Secrets() *report.SecretFilter {
	secrets := []string{s.APIKey}
	var named []string
	for _, p := range s.Providers {
		named = append(named, p.KeyVars...)
	}
	for _, variable := range os.Environ() {
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
