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

	"github.com/google/uuid"

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

const plenty = int64(1 << 40)

func newProxy(t *testing.T, server string) *proxy {
	t.Helper()
	listener, err := net.Listen("unix", filepath.Join(t.TempDir(), ".s.PGSQL.5432"))
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{Listener: listener, server: server}
	p.arm(plenty, false)
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
// error says that it is not, or may not be, saved. The long form cuts after every byte.
func TestUpdate_ACutConnectionLosesAndRepeatsNothing(t *testing.T) {
	db := postgrestest.New(t, "anna")
	p := newProxy(t, db.Socket())
	target, err := postgres.ParseURL("postgres://anna@/"+db.Name+"?host="+filepath.Dir(p.Addr().String()), "", false)
	if err != nil {
		t.Fatal(err)
	}
	s, err := postgres.Open(t.Context(), target, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustUpdate(t, s.Portfolio(), portfolio.Change{Accounts: []portfolio.Account{portfolio.NewAccount("main")}})
	add := portfolio.Change{Add: []portfolio.Transaction{portfoliotest.Purchase("cut", "main")}}
	direct := db.Raw(t, "postgres")
	takeBack := func() (rows int64) { // returns how often it was saved
		result, err := direct.ExecContext(t.Context(), "DELETE FROM nfa.transactions WHERE id = 'cut'")
		must(t, err)
		rows, err = result.RowsAffected()
		must(t, err)
		return rows
	}
	// update connects again, if the connection was cut before, and saves. It returns the bytes of this.
	update := func(after int64, stays bool) (used int64, rows int64, err error) {
		p.arm(after, stays)
		err = s.Portfolio().Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) { return add, nil })
		used = after - p.left.Load()
		p.arm(plenty, false)
		return used, takeBack(), err
	}
	_, _, _ = update(0, true) // so that the next one connects
	size, _, err := update(plenty, false)
	if err != nil {
		t.Fatal(err)
	}
	var cuts []int64
	for after := int64(0); after < size+50; after++ { // not each conversation has the same size
		if *long || after%397 == 0 || after > size-60 && after%5 == 0 { // the commit and its answer are at the end
			cuts = append(cuts, after)
		}
	}
	saved, uncertain := 0, 0
	for _, after := range cuts {
		for _, stays := range []bool{true, false} {
			_, rows, err := update(after, stays)
			switch {
			case err == nil && rows == 1:
				saved++
			case errors.Is(err, postgres.ErrUncertain) && rows <= 1:
				uncertain++
				_, id, _ := strings.Cut(err.Error(), "nfa store check ")
				id, _, _ = strings.Cut(id, " ")
				if known, err := s.Saved(t.Context(), uuid.MustParse(id)); err != nil || known != (rows == 1) {
					t.Errorf("Saved = %t, %v with %d rows", known, err, rows)
				}
			case err != nil && rows == 0:
			default:
				t.Errorf("cut after %d of %d bytes (stays down: %t): %d rows, %v", after, size, stays, rows, err)
			}
			if err != nil && !stays && !strings.Contains(err.Error(), "cannot reach") && !errors.Is(err, postgres.ErrLost) {
				t.Errorf("cut once after %d of %d bytes: %v; want it repeated, or an error of connecting", after, size, err)
			}
		}
	}
	t.Logf("%d cuts in %d bytes: %d saved, %d uncertain", 2*len(cuts), size, saved, uncertain)
	if saved < len(cuts)/2 || uncertain == 0 {
		t.Errorf("%d saved, %d uncertain: the cuts did not meet every moment", saved, uncertain)
	}
}
