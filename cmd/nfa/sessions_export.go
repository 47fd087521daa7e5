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

	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/report"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/usage"
)

// Forms in which a session leaves the program.
const (
	formatMarkdown = "md"
	formatJSON     = "json"
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
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, ids []string) error {
			form, err := exportFormat(form, file)
			if err != nil {
				return err
			}
			return g.withSessions(func(cmd *cobra.Command, p *program, ids []string) error {
				if file == "" {
					return p.writeSession(cmd.Context(), g.out, ids[0], form)
				}
				if err := p.exportTo(cmd.Context(), ids[0], file, replace, form); errors.Is(err, atomicfile.ErrExists) {
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

// exportFormat is the form that was asked for, or the one of the file's name.
func exportFormat(format, file string) (string, error) {
	switch {
	case format == formatMarkdown, format == formatJSON:
		return format, nil
	case format != "":
		return "", usage.Errorf("--format %s: must be md or json", format)
	case strings.EqualFold(filepath.Ext(file), ".json"):
		return formatJSON, nil
	}
	return formatMarkdown, nil
}

// writeSession prints a session in a form.
func (p *program) writeSession(ctx context.Context, out io.Writer, id, format string) error {
	text, err := p.exportSession(ctx, id, format)
	if err != nil {
		return err
	}
	if _, err := out.Write(text); err != nil {
		return fmt.Errorf("writing session %s: %w", id, err)
	}
	return nil
}

// exportTo writes a session to a file, for the user alone to read.
func (p *program) exportTo(ctx context.Context, id, file string, replace bool, format string) error {
	text, err := p.exportSession(ctx, id, format)
	if err != nil {
		return err
	}
	return atomicfile.Create(file, text, 0o600, replace)
}

// exportSession is a session in a form, without the secrets that were said in it.
func (p *program) exportSession(ctx context.Context, id, format string) ([]byte, error) {
	s, entries, err := p.loadSession(ctx, id)
	if err != nil {
		return nil, err
	}
	secrets := newSecretFilter(p.cfg, p.home)()
	if format == formatMarkdown {
		return []byte(secrets.Hide(report.WriteTranscript(s, entries, report.TranscriptOptions{}))), nil
	}
	var doc bytes.Buffer
	if err := cli.WriteJSON(&doc, session.NewArchive(s, entries)); err != nil {
		return nil, err
	}
	return cli.EscapeControls(secrets.HideInJSON(doc.Bytes())), nil
}

func (p *program) loadSession(ctx context.Context, id string) (session.Session, []session.Entry, error) {
	if err := checkSessionID(id); err != nil {
		return session.Session{}, nil, err
	}
	s, entries, err := p.sessions.Load(ctx, id)
	if errors.Is(err, session.ErrNotFound) {
		err = sessionNotFound(id, p.home)
	}
	return s, entries, err
}
