package tuitest_test

import (
	"io"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/nfa-cli/nfa/internal/tui/tuitest"
)

func TestOpen_WhatIsWrittenInsideIsSeenOutside(t *testing.T) {
	outside, inside, err := tuitest.OpenTestPTY(24, 80)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	defer outside.Close()
	defer inside.Close()
	size, err := unix.IoctlGetWinsize(int(inside.Fd()), unix.TIOCGWINSZ)
	if err != nil || size.Row != 24 || size.Col != 80 {
		t.Errorf("the size is %+v, %v, want 24 rows of 80", size, err)
	}
	if _, err := inside.WriteString("hello"); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 5)
	if _, err := io.ReadFull(outside, got); err != nil || string(got) != "hello" {
		t.Errorf("outside sees %q, %v, want hello", got, err)
	}
}
