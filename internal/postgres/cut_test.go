//go:build unix

package postgres_test

import (
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/postgres"
	"github.com/nfa-cli/nfa/internal/postgres/postgrestest"
)

// proxy forwards connections to a server. After a number of bytes in both directions it cuts the
// connection, once or, if it is down, for good.
type proxy struct {
	net.Listener
	server string
	left   atomic.Int64 // bytes until the cut
	stays  atomic.Bool  // refuses connections after the cut
	cut    atomic.Bool
}

func newProxy(t *testing.T, server string) *proxy {
	t.Helper()
	listener, err := net.Listen("unix", filepath.Join(t.TempDir(), ".s.PGSQL.5432"))
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{Listener: listener, server: server}
	p.arm(1<<40, false)
	var group sync.WaitGroup
	group.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			if p.cut.Load() && p.stays.Load() {
				_ = client.Close()
				continue
			}
			group.Go(func() { p.serve(client) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		p.arm(0, true)
		group.Wait()
	})
	return p
}

func (p *proxy) arm(after int64, stays bool) {
	p.cut.Store(false)
	p.stays.Store(stays)
	p.left.Store(after)
}

func (p *proxy) serve(client net.Conn) {
	server, err := net.Dial("unix", p.server)
	if err != nil {
		_ = client.Close()
		return
	}
	closeBoth := func() { _ = client.Close(); _ = server.Close() }
	defer closeBoth()
	var group sync.WaitGroup
	forward := func(to io.Writer, from io.Reader) {
		defer closeBoth()
		buffer := make([]byte, 4096)
		for {
			n, err := from.Read(buffer)
			if err != nil {
				return
			}
			if rest := p.left.Add(-int64(n)); rest < 0 && rest >= -int64(n) && !p.cut.Swap(true) {
				_, _ = to.Write(buffer[:int64(n)+rest]) // only the bytes before the cut
				return
			}
			if p.cut.Load() && p.stays.Load() {
				return
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
	}
	group.Go(func() { forward(server, client) })
	group.Go(func() { forward(client, server) })
	group.Wait()
}

// Wherever the connection is cut while a change is saved, the change is saved exactly once, or an
// error says that it is not, or may not be, saved.
func TestUpdate_ACutConnectionLosesAndRepeatsNothing(t *testing.T) {
	db := postgrestest.New(t, "anna")
	direct := db.Open(t, "anna", postgres.Options{}).Portfolio()
	mustUpdate(t, direct, portfolio.Change{Accounts: []portfolio.Account{portfolio.NewAccount("main")}})
	p := newProxy(t, db.Socket())
	address := "postgres://anna@/" + db.Name + "?host=" + filepath.Dir(p.Addr().String())
	target, err := postgres.ParseURL(address, "", false)
	if err != nil {
		t.Fatal(err)
	}
	const id = "cut" // removed after each round, so that all rounds have the same size
	update := func() error {
		s, err := postgres.Open(t.Context(), target, postgres.Options{})
		if err != nil {
			return err
		}
		defer s.Close()
		c := portfolio.Change{Add: []portfolio.Transaction{portfoliotest.Purchase(id, "main")}}
		return s.Portfolio().Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) { return c, nil })
	}
	const plenty = int64(1 << 40)
	p.arm(plenty, false)
	if err := update(); err != nil {
		t.Fatal(err)
	}
	takeBack := func() (n int) { // returns how often it was saved
		l, err := direct.Ledger(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, tr := range l.Transactions {
			if tr.ID == id {
				n++
			}
		}
		if n > 0 {
			mustUpdate(t, direct, portfolio.Change{Remove: []string{id}})
		}
		return n
	}
	size := plenty - p.left.Load() // bytes of a whole update
	takeBack()
	var cuts []int64
	for after := int64(0); after < size; after += 211 {
		cuts = append(cuts, after)
	}
	for after := size - 60; after < size; after += 2 { // the commit and its answer
		cuts = append(cuts, after)
	}
	saved, uncertain := 0, 0
	for _, after := range cuts {
		for _, stays := range []bool{false, true} {
			p.arm(after, stays)
			err := update()
			p.arm(plenty, false)
			rows := takeBack()
			switch {
			case err == nil && rows == 1:
				saved++
			case errors.Is(err, postgres.ErrUncertain) && rows <= 1:
				uncertain++
			case err != nil && rows == 0:
			default:
				t.Errorf("cut after %d of %d bytes (stays down: %t): %d rows, %v", after, size, stays, rows, err)
			}
			if err != nil && !stays && !strings.Contains(err.Error(), "cannot reach") && !errors.Is(err, postgres.ErrLost) {
				t.Errorf("cut once after %d of %d bytes: %v; want it repeated, or an error of connecting", after, size, err)
			}
		}
	}
	if saved < len(cuts)/2 || uncertain == 0 {
		t.Errorf("%d saved, %d uncertain: the cuts did not meet every moment", saved, uncertain)
	}
}
