package crash_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nfa-cli/nfa/internal/crash"
)

const secret = "sk-CANARY-0001"

// caught returns the error to which Catch converts a panic of act.
func caught(act func()) (err error) {
	defer crash.Catch(&err)
	act()
	return nil
}

func breakDown(value any) { panic(value) }

func outOfRange(list []string, i int) string { return list[i] }

func nobody(s *strings.Builder) int { return s.Len() }

// wantSite checks that err is a site in the function fn and shows no value.
func wantSite(t *testing.T, err error, fn string) *crash.Site {
	t.Helper()
	var site *crash.Site
	if !errors.As(err, &site) {
		t.Fatalf("caught %v, want a *Site", err)
	}
	first, _, _ := strings.Cut(site.Stack(), "\n")
	if !strings.HasSuffix(first, fn) || !strings.Contains(site.Stack(), "crash_test.go:") {
		t.Errorf("the stack begins with %q, want the function %s, and its file and line:\n%s", first, fn, site.Stack())
	}
	for _, how := range []string{"%v", "%+v", "%#v", "%q", "%s"} {
		if shown := fmt.Sprintf(how, site) + fmt.Sprintf(how, *site); strings.Contains(shown, "CANARY") {
			t.Errorf("%s shows the value: %s", how, shown)
		}
	}
	return site
}

func TestCatch_KeepsWherePanicsHappenAndNotWhatTheySay(t *testing.T) {
	for _, row := range []struct {
		name, fn, kind string
		act            func()
	}{
		{"a text", "crash_test.breakDown", "string", func() { breakDown("the key " + secret) }},
		{"an error", "crash_test.breakDown", "*errors.errorString", func() { breakDown(errors.New(secret)) }},
		{"a struct", "crash_test.breakDown", "struct { Key string }", func() { breakDown(struct{ Key string }{secret}) }},
		{"nil", "crash_test.breakDown", "*runtime.PanicNilError", func() { breakDown(nil) }},
		{"out of range", "crash_test.outOfRange", "runtime.boundsError", func() { outOfRange([]string{secret}, 184_250) }},
		{"nobody there", "strings.(*Builder).Len", "runtime.errorString", func() { nobody(nil) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			site := wantSite(t, caught(row.act), row.fn)
			if site.Kind() != row.kind {
				t.Errorf("Kind = %q, want %q", site.Kind(), row.kind)
			}
			if strings.Contains(site.Stack(), "184250") || strings.Contains(site.Stack(), "0x") {
				t.Errorf("the stack has arguments:\n%s", site.Stack())
			}
		})
	}
	if err := caught(func() {}); err != nil {
		t.Errorf("caught %v where nothing happened", err)
	}
}

func TestStack_IsBoundedWhereARecursionIsNot(t *testing.T) {
	var down func(n int)
	down = func(n int) {
		if n == 0 {
			panic(secret)
		}
		down(n - 1)
	}
	var site *crash.Site
	if !errors.As(caught(func() { down(10_000) }), &site) || strings.Count(site.Stack(), "\n") > 150 {
		t.Errorf("a stack of %d lines, want 64 functions", strings.Count(site.Stack(), "\n"))
	}
}

func TestSite_OfTwoPanicsTheStackIsOfTheFirstAndTheKindOfTheSecond(t *testing.T) {
	err := caught(func() {
		defer func() { outOfRange([]string{secret}, 7) }()
		breakDown(secret)
	})
	if site := wantSite(t, err, "crash_test.breakDown"); site.Kind() != "runtime.boundsError" || strings.Contains(site.Stack(), "outOfRange") {
		t.Errorf("Kind = %q, want that of the deferred function's; the stack:\n%s", site.Kind(), site.Stack())
	}
}

func TestNewSite_WhatIsPassedOnKeepsItsPlace(t *testing.T) {
	err := caught(func() { panic(caught(func() { breakDown(secret) })) })
	wantSite(t, err, "crash_test.breakDown")
}

func TestWaitGroup_HandsAPanicToTheOneWhoWaits(t *testing.T) {
	var done atomic.Int64
	err := caught(func() {
		var g crash.WaitGroup
		for i := range 8 {
			g.Go(func() {
				if i == 3 {
					breakDown(secret)
				}
				done.Add(1)
			})
		}
		g.Wait()
	})
	wantSite(t, err, "crash_test.breakDown")
	if done.Load() != 7 {
		t.Errorf("%d of the others were done, want all 7", done.Load())
	}
}

func TestGroup_HandsAPanicToTheOneWhoWaitsAndStopsTheOthers(t *testing.T) {
	err := caught(func() {
		g, ctx := crash.WithContext(t.Context())
		g.SetLimit(2)
		g.Go(func() error { <-ctx.Done(); return ctx.Err() })
		g.Go(func() error { breakDown(secret); return nil })
		_ = g.Wait()
	})
	wantSite(t, err, "crash_test.breakDown")
}

func TestGroup_IsAnErrgroupOtherwise(t *testing.T) {
	wrong := errors.New("wrong")
	g, ctx := crash.WithContext(t.Context())
	g.Go(func() error { return wrong })
	g.Go(func() error { <-ctx.Done(); return ctx.Err() })
	if err := g.Wait(); !errors.Is(err, wrong) || !errors.Is(context.Cause(ctx), wrong) {
		t.Errorf("Wait = %v, cause %v; want the first error", err, context.Cause(ctx))
	}
	var zero crash.Group
	zero.Go(func() error { return nil })
	if err := zero.Wait(); err != nil {
		t.Errorf("Wait = %v, want none", err)
	}
	all, ended := crash.WithContext(t.Context())
	all.Go(func() error { return nil })
	if err := all.Wait(); err != nil || ended.Err() == nil {
		t.Errorf("Wait = %v, context %v; want the context ended with the group", err, ended.Err())
	}
}
