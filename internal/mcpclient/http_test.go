package mcpclient_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nfa-cli/nfa/internal/mcpclient"
)

func TestHTTP(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "fake", Version: "1"}, nil)
	answer := func(text string) mcp.ToolHandler {
		return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
		}
	}
	object := json.RawMessage(`{"type":"object"}`)
	server.AddTool(&mcp.Tool{Name: "small", InputSchema: object}, answer("hello"))
	server.AddTool(&mcp.Tool{Name: "large", InputSchema: object}, answer(strings.Repeat("A", 5<<20)))
	var elsewhere, unauthorized atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	local := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer the-token" {
			unauthorized.Add(1)
		}
		if r.URL.Path == "/away" {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	defer local.Close()
	at := func(path string) change {
		return func(o *mcpclient.Options) {
			o.Servers[0] = mcpclient.Server{Name: "broker", URL: local.URL + path, Headers: map[string]string{"Authorization": "Bearer ${TOKEN}"}}
		}
	}
	w := start(t, "", at("/mcp"))
	r := w.router()
	if res := w.call(r, "mcp_broker_small", ""); !strings.Contains(res.ModelText(), "hello") || unauthorized.Load() != 0 {
		t.Errorf("%s; %d requests without the token", res.ModelText(), unauthorized.Load())
	}
	if touch := w.user.asked[0].Touch; touch.Network != local.URL+"/mcp" || touch.Files != "none on this computer" {
		t.Errorf("touches %+v", touch)
	}
	if res := w.call(r, "mcp_broker_large", ""); !res.IsError {
		t.Errorf("%d bytes were read", len(res.ModelText()))
	}
	if res := w.call(r, "mcp_broker_small", ""); res.IsError {
		t.Errorf("afterwards: %s", res.ErrorText())
	}
	if away := start(t, "", at("/away")); len(away.Tools(t.Context())) != 0 || elsewhere.Load() != 0 || len(away.warned) != 1 {
		t.Errorf("a redirect led to %d requests; told %q", elsewhere.Load(), away.warned)
	}
	offline := start(t, "", at("/mcp"), func(o *mcpclient.Options) { o.Offline = true })
	if len(offline.Tools(t.Context())) != 0 || len(offline.warned) != 1 || !strings.Contains(offline.warned[0], "nfa is offline") {
		t.Errorf("offline: %q", offline.warned)
	}
}

// A name may resolve to an address in the user's network, at once or later. Servers that are not on this
// computer are only reached over TLS, so that the other side must prove its name before anything is sent.
func TestHTTP_AnAddressBehindAnotherNameIsNotAsked(t *testing.T) {
	var requests atomic.Int32
	inside := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	inside.Config.ErrorLog = log.New(io.Discard, "", 0)
	inside.StartTLS()
	defer inside.Close()
	trusting := inside.Client().Transport.(*http.Transport).Clone()
	trusting.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, inside.Listener.Addr().String())
	}
	w := start(t, "", func(o *mcpclient.Options) {
		o.Servers[0], o.HTTP = mcpclient.Server{Name: "broker", URL: "https://rebound.test/mcp"}, trusting
	})
	if len(w.Tools(t.Context())) != 0 || requests.Load() != 0 || len(w.warned) != 1 || !strings.Contains(w.warned[0], "certificate") {
		t.Errorf("%d requests arrived; warned %q", requests.Load(), w.warned)
	}
}

// A compressed response counts by its decompressed size.
func TestHTTP_ACompressedBombEndsTheCall(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, _ = z.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":{"filler":"`))
	_, _ = io.CopyN(z, strings.NewReader(strings.Repeat("A", 64<<20)), 64<<20)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(bomb.Bytes())
	}))
	defer s.Close()
	w := start(t, "", func(o *mcpclient.Options) { o.Servers[0] = mcpclient.Server{Name: "broker", URL: s.URL} })
	if len(w.Tools(t.Context())) != 0 || len(w.warned) != 1 || !strings.Contains(w.warned[0], "larger than 4 MB") {
		t.Errorf("warned %q; want that %d packed bytes are too many", w.warned, bomb.Len())
	}
}
