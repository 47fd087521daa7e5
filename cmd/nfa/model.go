package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/offline"
	"github.com/nfa-cli/nfa/internal/llm/openai"
)

const (
	offlineName      = "offline"
	openaiBaseURL    = "https://api.openai.com/v1"
	openaiDefaultLLM = "gpt-4o-mini"
)

// endpoint is the model that the settings choose.
type endpoint struct {
	provider, baseURL, key, model string
}

// name is provider/model, as --model takes it.
func (e endpoint) name() string {
	if e.provider == offlineName {
		return offlineName
	}
	return e.provider + "/" + e.model
}

// chooseModel decides which model answers: the server of NFA_BASE_URL, else
// OpenAI when there is a key for it, else the embedded assistant. A model that
// was asked for by name and cannot be had is an error, never another model.
func chooseModel(cfg *config.Config, env func(string) string) (endpoint, error) {
	wanted := cfg.Model
	provider, model, named := strings.Cut(wanted, "/")
	switch {
	case cfg.Offline, wanted == offlineName:
		return endpoint{provider: offlineName}, nil
	case cfg.BaseURL != "":
		if named && provider == "custom" {
			wanted = model
		}
		if wanted == "" {
			return endpoint{}, errors.New("NFA_BASE_URL is set, but no model: name one with NFA_MODEL or --model")
		}
		return endpoint{"custom", cfg.BaseURL, cfg.APIKey, wanted}, nil
	}
	key := env("OPENAI_API_KEY")
	if key == "" && cfg.APIKey != "" {
		// A key without its server is not tried on another one.
		return endpoint{}, errors.New("NFA_API_KEY is set, but not NFA_BASE_URL: name the server it is for; for OpenAI use OPENAI_API_KEY")
	}
	if named && provider != "openai" {
		return endpoint{}, fmt.Errorf("model %s: no provider %q is known yet; name its server with NFA_BASE_URL and NFA_API_KEY", wanted, provider)
	}
	if !named {
		model = wanted
	}
	switch {
	case key == "" && wanted != "":
		return endpoint{}, fmt.Errorf("model %s needs a server: set NFA_BASE_URL and NFA_API_KEY, or OPENAI_API_KEY; or use --model offline", wanted)
	case key == "":
		return endpoint{provider: offlineName}, nil
	}
	e := endpoint{"openai", openaiBaseURL, key, model}
	if base := env("OPENAI_BASE_URL"); base != "" {
		e.baseURL = base
	}
	if e.model == "" {
		e.model = openaiDefaultLLM
	}
	return e, nil
}

// open makes the model of an endpoint.
func (e endpoint) open(cfg *config.Config, log zerolog.Logger) (llm.Model, error) {
	if e.provider == offlineName {
		return offline.New(offline.Options{Now: clock}), nil
	}
	m, err := openai.New(openai.Config{
		Provider: e.provider, BaseURL: e.baseURL, APIKey: e.key, Model: e.model, Log: log,
		Timeouts: openai.Timeouts{
			Connect: cfg.Timeouts.Connect, FirstByte: cfg.Timeouts.FirstByte, Idle: cfg.Timeouts.Idle,
		},
	})
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", e.name(), err)
	}
	return m, nil
}
