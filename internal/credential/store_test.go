package credential_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/credential"
)

const canary = "sk-canary-0123456789abcdef"

// fakeKeyring is a keyring in memory; down makes it fail, and hold makes it wait.
type fakeKeyring struct {
	mu      sync.Mutex
	secrets map[string]string
	err     error
	hold    chan struct{}
}

func (r *fakeKeyring) with(do func() error) error {
	if r.hold != nil {
		<-r.hold
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return r.err
	}
	return do()
}

func (r *fakeKeyring) Get(account string) (secret string, err error) {
	err = r.with(func() error {
		var ok bool
		if secret, ok = r.secrets[account]; !ok {
			return credential.ErrNotFound
		}
		return nil
	})
	return secret, err
}

func (r *fakeKeyring) Set(account, secret string) error {
	return r.with(func() error {
		if r.secrets == nil {
			r.secrets = map[string]string{}
		}
		r.secrets[account] = secret
		return nil
	})
}

func (r *fakeKeyring) Delete(account string) error {
	return r.with(func() error {
		if _, ok := r.secrets[account]; !ok {
			return credential.ErrNotFound
		}
		delete(r.secrets, account)
		return nil
	})
}

func setKey(t *testing.T, s *credential.Store, name, secret string) credential.Placement {
	t.Helper()
	placement, err := s.Set(t.Context(), name, secret)
	if err != nil {
		t.Fatalf("Set %s: %v", name, err)
	}
	return placement
}

func wantKey(t *testing.T, s *credential.Store, name, want string) {
	t.Helper()
	if got, err := s.Get(t.Context(), name); err != nil || got != want {
		t.Errorf("Get %s = %q, %v, want %q", name, got, err, want)
	}
}

func TestStore_AKeyGoesIntoTheKeyringAndNotIntoTheFile(t *testing.T) {
	keyring := &fakeKeyring{}
	s := credential.Open(filepath.Join(t.TempDir(), "home"), keyring, 0, nil)
	if placement := setKey(t, s, "deepseek", "  "+canary+"\n"); placement.Place != credential.InKeyring || placement.KeyringErr != nil {
		t.Errorf("kept %+v", placement)
	}
	wantKey(t, s, "deepseek", canary)
	text, err := os.ReadFile(s.Path())
	if err != nil || strings.Contains(string(text), "canary") {
		t.Errorf("the file holds %s, %v", text, err)
	}
	placement, err := s.Remove(t.Context(), "deepseek")
	if err != nil || placement.Place != credential.InKeyring || len(keyring.secrets) != 0 {
		t.Errorf("Remove = %+v, %v, leaving %v", placement, err, keyring.secrets)
	}
	if _, err := s.Get(t.Context(), "deepseek"); !errors.Is(err, credential.ErrNotFound) {
		t.Errorf("Get after Remove: %v", err)
	}
}

func TestStore_WithoutAKeyringTheFileIsForTheUserAlone(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	down := errors.New("org.freedesktop.secrets was not provided")
	s := credential.Open(home, &fakeKeyring{err: down}, 0, nil)
	if placement := setKey(t, s, "openai", canary); placement.Place != credential.InFile || !errors.Is(placement.KeyringErr, down) {
		t.Errorf("kept %+v, want in the file, because of %v", placement, down)
	}
	if placement := setKey(t, credential.Open(home, nil, 0, nil), "xai", "xai-other-key"); placement.Place != credential.InFile || placement.KeyringErr != nil {
		t.Errorf("without a keyring: %+v", placement)
	}
	wantKey(t, s, "openai", canary)
	wantKey(t, s, "xai", "xai-other-key")
	entries, err := s.List()
	if diff := cmp.Diff([]credential.Entry{{Name: "openai", Place: credential.InFile}, {Name: "xai", Place: credential.InFile}}, entries); diff != "" || err != nil {
		t.Errorf("List: %v (-want +got):\n%s", err, diff)
	}
	if runtime.GOOS != "windows" {
		for path, want := range map[string]fs.FileMode{s.Path(): 0o600, home: 0o700, s.Path() + ".lock": 0o600} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v, %v, want mode %o", path, info.Mode().Perm(), err, want)
			}
		}
	}
}

func TestStore_AKeyringThatComesBackTakesTheKeyOutOfTheFile(t *testing.T) {
	keyring := &fakeKeyring{err: errors.New("locked")}
	s := credential.Open(t.TempDir(), keyring, 0, nil)
	setKey(t, s, "openai", canary)
	keyring.err = nil
	setKey(t, s, "openai", canary)
	if text, _ := os.ReadFile(s.Path()); strings.Contains(string(text), "canary") {
		t.Errorf("the file still holds %s", text)
	}
	keyring.err = errors.New("locked")
	if _, err := s.Get(t.Context(), "openai"); err == nil || !strings.Contains(err.Error(), "from the keyring: locked") {
		t.Errorf("Get from a locked keyring: %v", err)
	}
	placement, err := s.Remove(t.Context(), "openai")
	if err != nil || placement.KeyringErr == nil {
		t.Errorf("Remove with a locked keyring = %+v, %v; want it done, and said", placement, err)
	}
}

func TestStore_AKeyringThatHangsIsNotWaitedForForever(t *testing.T) {
	keyring := &fakeKeyring{hold: make(chan struct{})}
	t.Cleanup(func() { close(keyring.hold) })
	s := credential.Open(t.TempDir(), keyring, time.Millisecond, nil)
	if placement := setKey(t, s, "openai", canary); placement.Place != credential.InFile || !strings.Contains(placement.KeyringErr.Error(), "no response for 1ms") {
		t.Errorf("kept %+v", placement)
	}
	patient := credential.Open(t.TempDir(), keyring, time.Hour, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := patient.Set(ctx, "openai", canary); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if entries, _ := patient.List(); len(entries) != 0 {
		t.Errorf("a cancelled Set kept %v", entries)
	}
}

// brokenKeyring is a keyring whose library panics with its arguments.
type brokenKeyring struct{ fakeKeyring }

func (*brokenKeyring) Set(account, secret string) error { panic(account + " " + secret) }

// lateBrokenKeyring panics after its caller has stopped waiting.
type lateBrokenKeyring struct {
	fakeKeyring
	hold chan struct{}
}

func (l *lateBrokenKeyring) Set(account, secret string) error {
	<-l.hold
	panic(account + " " + secret)
}

func TestStore_AKeyringThatCrashesIsNoKeyring(t *testing.T) {
	var sites []*crash.Site
	s := credential.Open(t.TempDir(), &brokenKeyring{}, time.Hour, func(at *crash.Site) { sites = append(sites, at) })
	placement := setKey(t, s, "openai", canary)
	if want := "internal error"; placement.Place != credential.InFile || placement.KeyringErr == nil || placement.KeyringErr.Error() != want {
		t.Errorf("kept %+v; want the file, and why without the key: %s", placement, want)
	}
	if len(sites) != 1 || sites[0].Kind() != "string" || !strings.Contains(sites[0].Stack(), "(*brokenKeyring).Set") {
		t.Fatalf("reported %d panics %+v; want one of a string, in Set", len(sites), sites)
	}
	if output := fmt.Sprintf("%+v %+v %s", placement.KeyringErr, sites[0], sites[0].Stack()); strings.Contains(output, canary) {
		t.Errorf("the key is in the report: %s", output)
	}
	setKey(t, credential.Open(t.TempDir(), &brokenKeyring{}, time.Hour, nil), "openai", canary) // without a function for panics
}

func TestStore_ACrashAfterTheTimeoutIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		sites := make(chan *crash.Site, 1)
		s := credential.Open(t.TempDir(), &lateBrokenKeyring{hold: hold}, time.Second, func(at *crash.Site) { sites <- at })
		if placement := setKey(t, s, "openai", canary); placement.Place != credential.InFile || !strings.Contains(placement.KeyringErr.Error(), "no response for 1s") {
			t.Errorf("kept %+v; want the file, because nobody answered", placement)
		}
		close(hold)
		if at := <-sites; !strings.Contains(at.Stack(), "(*lateBrokenKeyring).Set") {
			t.Errorf("reported a panic elsewhere:\n%s", at.Stack())
		}
	})
}

func TestStore_WhatIsNoKeyIsRefusedWithoutShowingIt(t *testing.T) {
	s := credential.Open(t.TempDir(), nil, 0, nil)
	for _, secret := range []string{"", " \n", canary + " two", canary + "\nHost: evil", canary + "\x00", "ключ" + canary, strings.Repeat(canary, 1000)} {
		if _, err := s.Set(t.Context(), "openai", secret); err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("Set %.20q: %v", secret, err)
		}
	}
	if _, err := os.Stat(s.Path()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a refused key made the file: %v", err)
	}
	if _, err := s.Remove(t.Context(), "openai"); !errors.Is(err, credential.ErrNotFound) {
		t.Errorf("Remove of nothing: %v", err)
	}
}

func TestStore_AFileThatIsNotOursIsLeftAlone(t *testing.T) {
	for name, text := range map[string]string{
		"text":          "OPENAI_API_KEY=" + canary,
		"cut":           `{"version":1,"keys":{"openai":{"in":"file","key":"` + canary,
		"of the future": `{"version":2,"keys":{}}`,
		"a header":      `{"version":1,"keys":{"openai":{"in":"file","key":"` + canary + `\r\nHost: evil"}}}`,
		"a new place":   `{"version":1,"keys":{"openai":{"in":"cloud","key":"` + canary + `"}}}`,
		"two":           `{"version":1,"keys":{}}{"version":1,"keys":{}}`,
		"a sign more":   `{"version":1,"keys":{}}}`,
		"unknown":       `{"version":1,"keys":{},"more":"` + canary + `"}`,
		"large":         `{"version":1,"keys":{}}` + strings.Repeat(" ", 1<<20),
		"empty":         "",
	} {
		t.Run(name, func(t *testing.T) {
			s := credential.Open(t.TempDir(), nil, 0, nil)
			if err := os.WriteFile(s.Path(), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, getErr := s.Get(t.Context(), "openai")
			_, setErr := s.Set(t.Context(), "openai", "another-key-1234")
			for _, err := range []error{getErr, setErr} {
				if err == nil || strings.Contains(err.Error(), "canary") || !strings.Contains(err.Error(), "unknown format") {
					t.Errorf("with a %s file: %v", name, err)
				}
			}
			if now, _ := os.ReadFile(s.Path()); string(now) != text {
				t.Errorf("the file was changed to %s", now)
			}
		})
	}
}

func TestStore_AFileThatOthersMayReadIsRefusedWithTheMend(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing here")
	}
	s := credential.Open(t.TempDir(), nil, 0, nil)
	setKey(t, s, "openai", canary)
	if err := os.Chmod(s.Path(), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(t.Context(), "openai"); err == nil || !strings.Contains(err.Error(), "chmod 600 "+s.Path()) {
		t.Errorf("Get: %v", err)
	}
	if err := os.Remove(s.Path()); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(s.Path(), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := s.List(); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("List of a folder: %v", err)
	}
}

func TestStore_BelowAFileThereIsNoKeyAndNoneCanBeKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := credential.Open(filepath.Join(file, "home"), nil, 0, nil)
	if entries, err := s.List(); err != nil || len(entries) != 0 {
		t.Errorf("List = %v, %v", entries, err)
	}
	if _, err := s.Set(t.Context(), "openai", canary); err == nil || strings.Contains(err.Error(), "canary") {
		t.Errorf("Set = %v", err)
	}
}

const (
	childHome = "NFA_TEST_CREDENTIAL_HOME"
	childName = "NFA_TEST_CREDENTIAL_NAME"
)

// TestStore_TwoProcessesLoseNoKey starts this test binary twice; both set keys at the same time.
func TestStore_TwoProcessesLoseNoKey(t *testing.T) {
	const keys = 20
	if home := os.Getenv(childHome); home != "" {
		s := credential.Open(home, nil, 0, nil)
		for i := range keys {
			setKey(t, s, fmt.Sprint(os.Getenv(childName), i), canary)
		}
		return
	}
	home := t.TempDir()
	var children []*exec.Cmd
	for _, name := range []string{"a", "b"} {
		child := exec.Command(os.Args[0], "-test.run=^TestStore_TwoProcessesLoseNoKey$")
		child.Env = append(os.Environ(), childHome+"="+home, childName+"="+name)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		children = append(children, child)
	}
	for _, child := range children {
		if err := child.Wait(); err != nil {
			t.Error(err)
		}
	}
	entries, err := credential.Open(home, nil, 0, nil).List()
	if err != nil || len(entries) != 2*keys {
		t.Errorf("%d keys, %v, want %d", len(entries), err, 2*keys)
	}
	if leftovers, _ := filepath.Glob(filepath.Join(home, ".auth*")); len(leftovers) != 0 {
		t.Errorf("left behind: %v", leftovers)
	}
}
