package app

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/usage"
)

// CommandLine holds settings from the command line. Empty values were not set.
type CommandLine struct {
	Home  string
	File  string            // settings file
	AsOf  string            // date of --as-of
	Flags map[string]string // settings by key; empty values are ignored
	// Folder holds the files that tools may read and the project's settings; "" is the working
	// directory.
	Folder string
}

// Settings are the settings of one run and their origins.
type Settings struct {
	*config.Config
	Home string
	AsOf string // date of --as-of, or "" for now
	Env  func(string) string
	Now  func() time.Time

	folder     string // see CommandLine
	file       string // from the command line, or ""
	modelNamed bool   // set only for this run, on the command line or in the environment
}

// LoadSettings reads the settings. Its errors are usage errors.
func LoadSettings(line CommandLine, env func(string) string, now func() time.Time) (Settings, error) {
	home, err := config.Home(line.Home, env, os.UserHomeDir)
	if err != nil {
		return Settings{}, usage.Errorf("%w", err)
	}
	if err := checkAsOf(line.AsOf, now()); err != nil {
		return Settings{}, err
	}
	flags := map[string]string{}
	for key, value := range line.Flags {
		if value != "" {
			flags[key] = value
		}
	}
	project := line.Folder
	if project == "" {
		if project, err = os.Getwd(); err != nil {
			return Settings{}, fmt.Errorf("find the working directory: %w", err)
		}
	}
	cfg, err := config.Load(config.Options{Home: home, ProjectDir: project, File: line.File, Env: env, Flags: flags})
	if err != nil {
		return Settings{}, usage.Errorf("%w", err)
	}
	if cfg.Store != "" {
		credential.HideVariables("PGPASSWORD")
	}
	for _, p := range cfg.Providers {
		credential.HideVariables(p.KeyVars...)
	}
	for _, s := range cfg.Servers {
		credential.HideVariables(s.Variables()...)
	}
	return Settings{
		Config: cfg, Home: home, AsOf: line.AsOf, Env: env, Now: now,
		folder: cmp.Or(line.Folder, "."), file: line.File, modelNamed: flags["model"] != "" || env("NFA_MODEL") != "",
	}, nil
}

func checkAsOf(text string, now time.Time) error {
	if text == "" {
		return nil
	}
	day, err := time.Parse(time.DateOnly, text)
	switch {
	case err != nil:
		return usage.Errorf("--as-of %q is not a date; write 2024-06-30", text)
	case day.After(now):
		return usage.Errorf("--as-of %s is in the future", text)
	}
	return nil
}

// DataClock returns the clock of the tools. With AsOf it always returns the last second of that day, so that
// no later data is used. Sessions use the real time.
func (s Settings) DataClock() func() time.Time {
	day, err := time.Parse(time.DateOnly, s.AsOf)
	if err != nil {
		return s.Now
	}
	last := day.AddDate(0, 0, 1).Add(-time.Second)
	return func() time.Time { return last }
}

// SampleOnly reports whether only sample data is used.
func (s Settings) SampleOnly() bool { return s.Offline || s.Data.Mode == "sample" }

// SampleReason returns why live sources are not used.
func (s Settings) SampleReason() string {
	if s.Offline {
		return "offline is set, " + s.Origin("offline")
	}
	return "data is " + s.Data.Mode + ", " + s.Origin("data")
}

// UserFile returns the path of the user's settings file.
func (s Settings) UserFile() string {
	if s.file != "" {
		return s.file
	}
	return config.FilePath(s.Home)
}

// Save saves a setting in the user's file and returns its path.
func (s Settings) Save(key, value string) (location string, err error) {
	file := s.UserFile()
	line, err := config.Write(file, key, value)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s:%d", humanize.ShortPath(file), line), nil
}

// Override returns where a setting is set with precedence over the user's file, or "".
func (s Settings) Override(key string) string {
	file := s.UserFile()
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	origin := s.Origin(key)
	if origin == "default" || strings.HasPrefix(origin, file+":") {
		return ""
	}
	return origin
}

// openKeys returns the store of API keys without accessing the keyring.
func (s Settings) openKeys(log zerolog.Logger) *credential.Store {
	var keyring credential.Keyring
	if s.KeyStore != "file" {
		keyring = credential.System(s.Home, s.Env)
	}
	return credential.Open(s.Home, keyring, 0, func(site *crash.Site) {
		log.Error().Str("panic", site.Kind()).Str("stack", site.Stack()).Msg("the keyring crashed")
	})
}

// FirstTime reports whether name is new for this data folder, and remembers it. If it cannot be
// remembered, it returns false.
func (s Settings) FirstTime(name string) bool {
	dir := filepath.Join(s.Home, "cache")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return false
	}
	mark, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return false
	}
	_ = mark.Close()
	return true
}
