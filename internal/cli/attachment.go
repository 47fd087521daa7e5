package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tools/files"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// The limits of attached files.
const (
	maxAttachment  = 256 << 10 // bytes of one file
	maxAttachments = 512 << 10 // bytes of all
)

// attachment is an attached file for the model. It is JSON, so that the content cannot imitate the
// end of the attachment.
type attachment struct {
	Path string `json:"attached_file"`
	Size int    `json:"size"`
	Note string `json:"note"`
	Text string `json:"text"`
}

// AttachFiles adds the text files named with @ to the model's input, as untrusted content, and
// lists them in the message. A name without a file remains text. If a file cannot be attached, it
// returns an error with the next step and leaves the message unchanged.
func AttachFiles(files *files.Workspace, in agent.Input) (agent.Input, error) {
	var names, texts []string
	total := 0
	for _, mention := range widget.FindMentions(in.Text) {
		path, ok := mentionedPath(mention)
		if !ok {
			continue
		}
		raw, err := readAttachable(files, path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return in, fmt.Errorf("attach @%w", err)
		}
		if total += len(raw); total > maxAttachments {
			return in, fmt.Errorf("attach @%s: files are limited to %d KiB per message; attach fewer and let the assistant read the others", path, maxAttachments>>10)
		}
		text, err := toolkit.EncodeResult(attachment{filepath.ToSlash(path), len(raw), toolkit.OutsideTextNote, string(raw)})
		if err != nil {
			return in, fmt.Errorf("attach @%s: %w", path, err)
		}
		names, texts = append(names, path), append(texts, text)
	}
	if len(names) == 0 {
		return in, nil
	}
	if in.ForModel == "" {
		in.ForModel = in.Text
	}
	in.ForModel += "\n\nFiles that the user attached with @:\n" + strings.Join(texts, "\n")
	in.Text = widget.AddAttachmentNote(in.Text, names)
	return in, nil
}

// mentionedPath returns the path in a mention. Punctuation at the end may belong to the sentence.
func mentionedPath(mention string) (path string, ok bool) {
	for _, name := range []string{mention, widget.TrimMention(mention)} {
		if strings.HasPrefix(name, files.HomePrefix) {
			return widget.TrimMention(name), true
		}
		if rest, home := strings.CutPrefix(name, "~/"); home {
			user, err := os.UserHomeDir()
			if err != nil {
				continue
			}
			name = filepath.Join(user, rest)
		}
		if info, err := os.Lstat(name); err == nil {
			return name, !info.IsDir()
		}
	}
	return "", false
}

// readAttachable reads a text file within the size limit from a folder that the assistant may read.
// Its error starts with the path and names the next step.
func readAttachable(folder *files.Workspace, path string) ([]byte, error) {
	_, raw, err := folder.ReadBytes(path, maxAttachment)
	if err == nil && (!utf8.Valid(raw) || bytes.IndexByte(raw, 0) >= 0) {
		err = fmt.Errorf("%s: %w", path, files.ErrNotText)
	}
	next := ""
	switch {
	case err == nil:
		return raw, nil
	case errors.Is(err, files.ErrOutsideWorkspace):
		next = "; copy the file into the current folder, or paste the relevant part"
	case errors.Is(err, files.ErrHiddenFile), errors.Is(err, files.ErrSecretFile), errors.Is(err, files.ErrNotText):
		next = "; paste the relevant part, or write the name without @"
	case errors.Is(err, files.ErrFileTooLarge):
		next = "; write the name without @, so that the assistant reads the file in parts"
	}
	return nil, fmt.Errorf("%w%s", err, next)
}
