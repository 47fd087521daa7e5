package sshserver

import (
	"sync/atomic"

	"github.com/gliderlabs/ssh"
	gossh "golang.org/x/crypto/ssh"

	"github.com/nfa-cli/nfa/internal/crash"
)

// Limits of a connection. Without them, one person could fill the memory of all.
const (
	maxChannels  = 8
	maxVariables = 16
)

// serveChannel serves one channel of a connection, unless it has too many.
func serveChannel(server *ssh.Server, conn *gossh.ServerConn, channel gossh.NewChannel, ctx ssh.Context) {
	open := ctx.Value(openChannels).(*atomic.Int64)
	defer open.Add(-1)
	if open.Add(1) > maxChannels {
		_ = channel.Reject(gossh.ResourceShortage, "too many channels")
		return
	}
	var forwarding crash.WaitGroup
	defer forwarding.Wait()
	ssh.DefaultSessionHandler(server, conn, chatChannel{channel, &forwarding}, ctx)
}

// chatChannel refuses the requests that a chat does not need.
type chatChannel struct {
	gossh.NewChannel
	forwarding *crash.WaitGroup
}

func (c chatChannel) Accept() (gossh.Channel, <-chan *gossh.Request, error) {
	channel, requests, err := c.NewChannel.Accept()
	if err != nil {
		return nil, nil, err
	}
	needed := make(chan *gossh.Request)
	c.forwarding.Go(func() {
		defer close(needed)
		variables := 0
		for r := range requests {
			switch r.Type {
			case "env":
				if variables++; variables > maxVariables {
					_ = r.Reply(false, nil)
					continue
				}
				needed <- r
			case "pty-req", "shell", "window-change":
				needed <- r
			default:
				_ = r.Reply(false, nil)
			}
		}
	})
	return channel, needed, nil
}
