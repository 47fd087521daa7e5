package main

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/app"
)

// goOnline makes a program that was opened offline find its models as if it were online.
func goOnline(t testing.TB, a *app.App) {
	t.Helper()
	a.Config.Offline = false
	models, err := app.OpenModels(a.Settings, a.Log, nil)
	if err != nil {
		t.Fatal(err)
	}
	*a.Models = *models
}
