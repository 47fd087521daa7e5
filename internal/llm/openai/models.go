package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
)

// ListedModel is a model in a server's list. Few servers report more than its name.
type ListedModel struct {
	Model  string `json:"model"`
	Window int    `json:"window,omitempty"` // in tokens; 0 when the server does not report it
	// Input, Cached and Output are prices in dollars per million tokens. Input and Output are both set or
	// both missing.
	Input  decimal.NullDecimal `json:"input"`
	Cached decimal.NullDecimal `json:"cached"`
	Output decimal.NullDecimal `json:"output"`
	// Ends is the day, as 2006-01-02, on which the server retires the model; "" if it does not say.
	Ends string `json:"ends,omitempty"`
}

// maxListedModels limits the size of a list; the longest known has 1.5 MB.
const maxListedModels = 16 << 20

// ListModels returns a server's models, sorted by name, with one request. cfg.Model is not used,
// and ctx limits the time. Errors are those of Stream.
func ListModels(ctx context.Context, cfg Config) ([]ListedModel, error) {
	cfg.Model = "any"
	m, err := New(cfg)
	if err != nil {
		return nil, err
	}
	req, err := m.newRequest(ctx, http.MethodGet, "/models", nil)
	if err != nil {
		return nil, err
	}
	resp, err := m.cfg.HTTPClient.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, m.networkError(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // an incomplete error message is still useful
		return nil, m.errorOf(resp.StatusCode, text)
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxListedModels+1))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, m.networkError(err)
	case len(text) > maxListedModels:
		return nil, m.notModelListError("the model list is larger than 16 MB")
	}
	models, ok := ParseModelList(text)
	if !ok {
		return nil, m.notModelListError("the server did not return a model list; check the base URL")
	}
	return models, nil
}

func (m *Model) notModelListError(message string) error {
	return &llm.Error{Kind: llm.KindServer, Provider: m.cfg.Provider, Status: http.StatusOK, Message: message}
}

// wireModel is an entry of the list with the fields of servers that report more than an ID:
// context_length is from OpenRouter and Together, max_model_len from vLLM, meta from llama.cpp,
// max_context_length from LM Studio and Mistral.
type wireModel struct {
	ID               string          `json:"id"`
	ContextLength    json.RawMessage `json:"context_length"`
	ContextWindow    json.RawMessage `json:"context_window"`
	MaxModelLen      json.RawMessage `json:"max_model_len"`
	MaxContextLength json.RawMessage `json:"max_context_length"`
	ShutdownDate     json.RawMessage `json:"shutdown_date"`
	Meta             struct {
		Context json.RawMessage `json:"n_ctx"`
		Trained json.RawMessage `json:"n_ctx_train"`
	} `json:"meta"`
	Pricing struct {
		// Per token, as text (OpenRouter).
		Prompt, Completion json.RawMessage
		CacheRead          json.RawMessage `json:"input_cache_read"`
		// Per million tokens, as numbers (Together).
		Input, Output json.RawMessage
	} `json:"pricing"`
}

// ParseModelList parses a list of models, as {"data":[...]} or bare, and reports whether it is one.
// Entries without a usable name, and invalid figures, are omitted.
func ParseModelList(text []byte) ([]ListedModel, bool) {
	var entries []json.RawMessage
	if json.Unmarshal(text, &entries) != nil {
		var list struct {
			Data *[]json.RawMessage `json:"data"`
		}
		if json.Unmarshal(text, &list) != nil || list.Data == nil {
			return nil, false
		}
		entries = *list.Data
	}
	var models []ListedModel
	for _, entry := range entries {
		// A field with a wrong type is dropped without the others.
		var w wireModel
		_ = json.Unmarshal(entry, &w)
		if o, ok := w.listedModel(); ok {
			models = append(models, o)
		}
	}
	slices.SortFunc(models, func(a, b ListedModel) int { return cmp.Compare(a.Model, b.Model) })
	return slices.CompactFunc(models, func(a, b ListedModel) bool { return a.Model == b.Model }), true
}

func (w wireModel) listedModel() (ListedModel, bool) {
	o := ListedModel{Model: strings.TrimPrefix(w.ID, "models/"), Ends: day(w.ShutdownDate)} // Google's prefix is not part of the name
	if o.Model == "" || len(o.Model) > 200 || strings.ContainsFunc(o.Model, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return ListedModel{}, false
	}
	o.Window = cmp.Or(
		window(w.Meta.Context), window(w.MaxModelLen), window(w.ContextLength), window(w.ContextWindow), window(w.MaxContextLength), window(w.Meta.Trained),
	)
	const million = 6
	p := w.Pricing
	input, output := price(p.Prompt, million), price(p.Completion, million)
	if !input.Valid || !output.Valid {
		input, output = price(p.Input, 0), price(p.Output, 0)
	}
	if input.Valid && output.Valid {
		o.Input, o.Output, o.Cached = input, output, price(p.CacheRead, million)
	}
	return o, true
}

// day reads a date that may be Unix seconds, 2006-01-02 or RFC 3339; "" for anything else.
func day(raw json.RawMessage) string {
	text := scalar(raw)
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		const y2000, y2100 = 946684800, 4102444800
		if seconds < y2000 || seconds > y2100 {
			return ""
		}
		return time.Unix(seconds, 0).UTC().Format(time.DateOnly)
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC().Format(time.DateOnly)
		}
	}
	return ""
}

func window(raw json.RawMessage) int {
	const most = 1 << 30 // tokens; more is not credible
	d, ok := boundedNumber(raw)
	if !ok || d.Sign() <= 0 || d.GreaterThan(decimal.NewFromInt(most)) {
		return 0
	}
	return int(d.IntPart())
}

// boundedNumber parses a number and rejects extreme exponents: 1e-999999999 takes a few bytes to write but
// gigabytes to compare.
func boundedNumber(raw json.RawMessage) (decimal.Decimal, bool) {
	const longest = 40 // digits, before and after the point
	text := scalar(raw)
	if len(text) > longest {
		return decimal.Decimal{}, false
	}
	d, err := decimal.NewFromString(text)
	return d, err == nil && d.Exponent() <= longest && d.Exponent() >= -longest
}

// price converts a price per 10^per tokens to one per million. Zero or less means unknown: servers
// send -1 for variable prices, and 0 both for free and for missing ones.
func price(raw json.RawMessage, per int32) decimal.NullDecimal {
	const most = 100_000 // dollars per million tokens
	d, ok := boundedNumber(raw)
	if !ok || d.Sign() <= 0 {
		return decimal.NullDecimal{}
	}
	if d = d.Shift(per); d.GreaterThan(decimal.NewFromInt(most)) {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(d)
}
