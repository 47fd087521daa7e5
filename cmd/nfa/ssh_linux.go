package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"unicode"

	"github.com/spf13/cobra"
	gossh "golang.org/x/crypto/ssh"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/sshserver"
	"github.com/nfa-cli/nfa/internal/usage"
)

const sshAddress = "127.0.0.1:2222"

func newServeSSH(g *globals) *cobra.Command {
	var listen, users string
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return g.serveSSH(cmd.Context(), listen, users) },
	}
	cmd.Flags().StringVar(&listen, "listen", sshAddress, "`ADDRESS` and port; :2222 listens on all interfaces")
	cmd.Flags().StringVar(&users, "users", "", "`FILE` of users who may connect (default ssh/users.yaml in the data folder)")
	return cmd
}

func (g *globals) serveSSH(ctx context.Context, listen, users string) error {
	if g.env("NFA_SERVED") != "" {
		return errors.New("a chat over SSH cannot start another server")
	}
	settings, err := g.settings()
	if err != nil {
		return err
	}
	log, logFile, err := settings.OpenLog()
	if err != nil {
		return err
	}
	defer logFile.Close()
	folder := filepath.Join(settings.Home, "ssh")
	if users == "" {
		users = filepath.Join(folder, "users.yaml")
	}
	hostKey, err := sshserver.HostKey(filepath.Join(folder, "host_key"))
	if err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	server, err := sshserver.New(sshserver.Options{
		Users: func() ([]sshserver.User, error) { return sshserver.ReadUsers(users) }, HostKey: hostKey, Program: program, Args: []string{"chat"}, Log: log,
	})
	if errors.Is(err, os.ErrNotExist) {
		return usage.Errorf("no users file %s; docs/ssh.md has an example", humanize.ShortPath(users))
	}
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	reload := make(chan os.Signal, 1)
	signal.Notify(reload, syscall.SIGHUP)
	ctx, stop := context.WithCancel(ctx)
	var reloading crash.WaitGroup
	reloading.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-reload:
			}
			if err := server.Reload(); err != nil {
				g.notice("the users were not reloaded: " + err.Error())
				continue
			}
			g.notice("reloaded the users")
		}
	})
	defer reloading.Wait()
	defer stop()
	defer signal.Stop(reload)
	g.notice(fmt.Sprintf("listening on %s; host key %s", listener.Addr(), gossh.FingerprintSHA256(hostKey.PublicKey())))
	return server.Serve(ctx, listener)
}

func newServeSSHInstall(g *globals) *cobra.Command {
	var listen, users string
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			program, err := os.Executable()
			if err != nil {
				return err
			}
			if strings.ContainsFunc(listen+users, unicode.IsControl) {
				return usage.Errorf("an address or path must not contain control characters")
			}
			_, err = fmt.Fprint(g.out, sshserver.Unit(program, listen, users))
			return err
		},
	}
	cmd.Flags().StringVar(&listen, "listen", sshAddress, "`ADDRESS` and port")
	cmd.Flags().StringVar(&users, "users", "/etc/nfa/users.yaml", "`FILE` of users who may connect")
	return cmd
}
