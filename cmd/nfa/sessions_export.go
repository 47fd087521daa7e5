package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/diskfile"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/minutes"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/session"
)

// Forms in which a session leaves the program.
const (
	formMarkdown = "md"
	formJSON     = "json"
)

func newSessionsExport(g *globals) *cobra.Command {
	var form, file string
	var replace bool
	cmd := &cobra.Command{
		Use: "export ID", Short: "Write a session to a file, for people (md) or programs (json)",
		Long: `export writes a session as Markdown, with questions, answers, the tools that were called and
the figures they gave, or as JSON, which nfa sessions import reads. What is known for a key
or looks like one is left out.`,
		Example: `  nfa sessions export 20261121-150405-7k3qab -o retirement.md
  nfa sessions export 20261121-150405-7k3qab --format json -o retirement.json`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, ids []string) error {
			form, err := exportForm(form, file)
			if err != nil {
				return err
			}
			return g.inArchive(func(cmd *cobra.Command, h *house, ids []string) error {
				if file == "" {
					return h.writeSession(cmd.Context(), g.out, ids[0], form)
				}
				if err := h.exportTo(cmd.Context(), ids[0], file, replace, form); errors.Is(err, diskfile.ErrThere) {
					return fmt.Errorf("%w (--replace)", err)
				} else if err != nil {
					return err
				}
				_, err = fmt.Fprintf(g.out, "exported %s: %s\n", ids[0], markdown.SanitizeLine(file))
				return err
			})(cmd, ids)
		},
	}
	cmd.Flags().StringVar(&form, "format", "", "md or json (default: by the name of the file, else md)")
	cmd.Flags().StringVarP(&file, "output", "o", "", "the `FILE` to write, else standard output")
	cmd.Flags().BoolVar(&replace, "replace", false, "write over a file that is there")
	return cmd
}

// exportForm is the form that was asked for, or the one of the file's name.
func exportForm(form, file string) (string, error) {
	switch {
	case form == formMarkdown, form == formJSON:
		return form, nil
	case form != "":
		return "", misuse.Errorf("--format %s: must be md or json", form)
	case strings.EqualFold(filepath.Ext(file), ".json"):
		return formJSON, nil
	}
	return formMarkdown, nil
}

// writeSession prints a session in a form.
func (h *house) writeSession(ctx context.Context, out io.Writer, id, form string) error {
	text, err := h.exportSession(ctx, id, form)
	if err != nil {
		return err
	}
	if _, err := out.Write(text); err != nil {
		return fmt.Errorf("writing session %s: %w", id, err)
	}
	return nil
}

// exportTo writes a session to a file, for the user alone to read.
func (h *house) exportTo(ctx context.Context, id, file string, replace bool, form string) error {
	text, err := h.exportSession(ctx, id, form)
	if err != nil {
		return err
	}
	return diskfile.Create(file, text, 0o600, replace)
}

// exportSession is a session in a form, without the secrets that were said in it.
func (h *house) exportSession(ctx context.Context, id, form string) ([]byte, error) {
	s, entries, err := h.loadSession(ctx, id)
	if err != nil {
		return nil, err
	}
	secrets := secretsOf(h.cfg, h.home)()
	if form == formMarkdown {
		return []byte(secrets.Hide(minutes.Write(s, entries, minutes.Options{}))), nil
	}
	var doc bytes.Buffer
	if err := console.JSON(&doc, session.NewArchive(s, entries)); err != nil {
		return nil, err
	}
	return console.Harmless(secrets.HideInJSON(doc.Bytes())), nil
}

func (h *house) loadSession(ctx context.Context, id string) (session.Session, []session.Entry, error) {
	if err := checkID(id); err != nil {
		return session.Session{}, nil, err
	}
	s, entries, err := h.store.Load(ctx, id)
	if errors.Is(err, session.ErrNotFound) {
		err = noSession(id, h.home)
	}
	return s, entries, err
}
