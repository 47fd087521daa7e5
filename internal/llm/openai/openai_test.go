package openai_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm/openai"
)

func TestNew_SaysWhatToDo(t *testing.T) {
	good := openai.Config{BaseURL: "https://llm.example/v1", Model: "m", APIKey: canary}
	for _, tt := range []struct {
		name   string
		change func(*openai.Config)
		words  string // "" means accepted
	}{
		{"plain", func(*openai.Config) {}, ""},
		{"no key", func(c *openai.Config) { c.APIKey = "" }, ""},
		{"key with a line break around it", func(c *openai.Config) { c.APIKey = "\n" + canary + "\r\n" }, ""},
		{"http to this machine", func(c *openai.Config) { c.BaseURL = "http://localhost:11434/v1" }, ""},
		{"http to this machine by address", func(c *openai.Config) { c.BaseURL = "http://127.8.0.1:80/v1" }, ""},
		{"http to this machine by IPv6", func(c *openai.Config) { c.BaseURL = "http://[::1]:80/v1" }, ""},
		{"http elsewhere, allowed", func(c *openai.Config) { c.BaseURL, c.AllowInsecure = "http://nas.lan/v1", true }, ""},
		{"http elsewhere", func(c *openai.Config) { c.BaseURL = "http://nas.lan/v1" }, "use https"},
		{"http to a name that looks local", func(c *openai.Config) { c.BaseURL = "http://localhost.example/v1" }, "use https"},
		{"http to a name that looks like an address", func(c *openai.Config) { c.BaseURL = "http://127.0.0.1.example/v1" }, "use https"},
		{"no URL", func(c *openai.Config) { c.BaseURL = " " }, "NFA_BASE_URL"},
		{"no scheme", func(c *openai.Config) { c.BaseURL = "llm.example/v1" }, "such as https://"},
		{"no host", func(c *openai.Config) { c.BaseURL = "https:///v1" }, "such as https://"},
		{"another scheme", func(c *openai.Config) { c.BaseURL = "ftp://llm.example" }, "such as https://"},
		{"unreadable", func(c *openai.Config) { c.BaseURL = "https://llm.example/%zz" + canary }, "such as https://"},
		{"key in the query", func(c *openai.Config) { c.BaseURL = "https://llm.example/v1?key=" + canary }, "NFA_API_KEY"},
		{"key as user", func(c *openai.Config) { c.BaseURL = "https://" + canary + "@llm.example/v1" }, "NFA_API_KEY"},
		{"no model", func(c *openai.Config) { c.Model = " " }, "NFA_MODEL"},
		{"key with a space in it", func(c *openai.Config) { c.APIKey = canary + " oops" }, "copy it again"},
		{"extra field of ours", func(c *openai.Config) { c.ExtraBody = extra("messages", `[]`) }, `"messages" cannot be set`},
		{"extra field that is no JSON", func(c *openai.Config) { c.ExtraBody = extra("thinking", `on`) }, "not JSON"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := good
			tt.change(&cfg)
			_, err := openai.New(cfg)
			switch {
			case tt.words == "" && err != nil:
				t.Errorf("New = %v, want a model", err)
			case tt.words != "" && (err == nil || !strings.Contains(err.Error(), tt.words)):
				t.Errorf("New = %v, want an error with %q", err, tt.words)
			case err != nil && strings.Contains(err.Error(), canary):
				t.Errorf("error %q shows the key", err)
			}
		})
	}
}

func TestNew_PlainHTTPElsewhereIsToldOnlyOfAWayThatThereIs(t *testing.T) {
	_, err := openai.New(openai.Config{BaseURL: "http://nas.lan/v1", Model: "m"})
	if err == nil || !strings.HasSuffix(err.Error(), "; use https") {
		t.Errorf("New = %v, want an error that ends with the advice to use https", err)
	}
}

func TestNew_TheEndpointIsFoundHoweverTheURLIsWritten(t *testing.T) {
	for _, base := range []string{"https://llm.example/v1", "https://llm.example/v1/", " https://llm.example/v1/chat/completions ", "https://llm.example/v1/chat/completions/"} {
		var got string
		server := fakeDoerWith(func(r *http.Request) (*http.Response, error) {
			got = r.URL.String()
			return ok()(r)
		})
		m := newModel(t, server, func(c *openai.Config) { c.BaseURL = base })
		if _, err := collect(t.Context(), m, hello()); err != nil || got != "https://llm.example/v1/chat/completions" {
			t.Errorf("base URL %q asked %q, %v", base, got, err)
		}
	}
}

func extra(name, value string) map[string]json.RawMessage {
	return map[string]json.RawMessage{name: json.RawMessage(value)}
}
