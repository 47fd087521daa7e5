package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// transport is a transport whose input ends only after all earlier requests are answered. The SDK cancels
// them at the end of the input, so that `nfa mcp <requests.jsonl` would lose answers.
type transport struct{ mcp.Transport }

func (t transport) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	done := &connection{Connection: c, unanswered: map[jsonrpc.ID]bool{}}
	done.changed.L = &done.mu
	return done, nil
}

type connection struct {
	mcp.Connection

	mu         sync.Mutex
	changed    sync.Cond
	unanswered map[jsonrpc.ID]bool // requests of the host
	asked      int                 // requests to the host that it has not answered
	broken     bool                // nothing more can be written
}

func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := c.Connection.Read(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch msg := msg.(type) {
	case *jsonrpc.Request:
		switch {
		case msg.Method == "notifications/cancelled":
			var in struct{ RequestID any }
			if json.Unmarshal(msg.Params, &in) == nil {
				id, _ := jsonrpc.MakeID(in.RequestID)
				delete(c.unanswered, id)
			}
		case msg.IsCall() && msg.Method != "subscriptions/listen": // which lasts until the end
			c.unanswered[msg.ID] = true
		}
	case *jsonrpc.Response:
		c.asked--
	}
	if errors.Is(err, io.EOF) {
		// A call that waits for the host would wait forever.
		for len(c.unanswered) > 0 && c.asked == 0 && !c.broken {
			c.changed.Wait()
		}
	}
	return msg, err
}

func (c *connection) Write(ctx context.Context, msg jsonrpc.Message) error {
	if request, ok := msg.(*jsonrpc.Request); ok && request.IsCall() {
		c.mu.Lock()
		c.asked++
		c.changed.Broadcast()
		c.mu.Unlock()
	}
	err := c.Connection.Write(ctx, msg)
	if err != nil {
		c.end()
	}
	if response, ok := msg.(*jsonrpc.Response); ok {
		c.mu.Lock()
		delete(c.unanswered, response.ID)
		c.changed.Broadcast()
		c.mu.Unlock()
	}
	return err
}

func (c *connection) Close() error {
	c.end()
	return c.Connection.Close()
}

func (c *connection) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.broken = true
	c.changed.Broadcast()
}
