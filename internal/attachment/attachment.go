// Package attachment puts files into a message: Add reads those that its words name with @
// and gives them to the model as outside material, from where the assistant may read and no
// larger than a message may be.
package attachment

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
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/tui/draft"
	"github.com/nfa-cli/nfa/internal/workspace"
)

// Bounds of what is attached to a message.
const (
	mostAttached = 256 << 10 // bytes of one file
	mostTogether = 512 << 10 // bytes of all
)

// attachment is a file as the model reads it: JSON, so that no text in it can pose
// as the end of it.
type attachment struct {
	Path string `json:"attached_file"`
	Size int    `json:"size"`
	Note string `json:"note"`
	Text string `json:"text"`
}

// Add puts the text files that a message names with @ behind what the model reads, as
// outside material, and says in the message which they are. A name that no file has is
// text. A file that cannot be attached is an error that says what to do, and leaves the
// message as it is.
func Add(files *workspace.Workspace, in agent.Input) (agent.Input, error) {
	var names, texts []string
	together := 0
	for _, mention := range draft.Mentions(in.Text) {
		path, ok := namedFile(mention)
		if !ok {
			continue
		}
		raw, err := attachable(files, path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return in, fmt.Errorf("attaching @%w", err)
		}
		if together += len(raw); together > mostTogether {
			return in, fmt.Errorf("attaching @%s: the files of a message have at most %d KiB together; name fewer with @, and the assistant reads the others in pieces", path, mostTogether>>10)
		}
		text, err := present.Encoded(attachment{filepath.ToSlash(path), len(raw), present.Outside, string(raw)})
		if err != nil {
			return in, fmt.Errorf("attaching @%s: %w", path, err)
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
	in.Text = draft.WithAttached(in.Text, names)
	return in, nil
}

// namedFile is the path of the file that a mention names; the signs at its end may
// belong to the sentence.
func namedFile(mention string) (path string, ok bool) {
	for _, name := range []string{mention, draft.Bare(mention)} {
		if strings.HasPrefix(name, workspace.HomePrefix) {
			return draft.Bare(name), true
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

// attachable reads a file that is text and small enough, from where the assistant
// may read. Its error begins with the path and says what to do.
func attachable(files *workspace.Workspace, path string) ([]byte, error) {
	_, raw, err := files.Bytes(path, mostAttached)
	if err == nil && (!utf8.Valid(raw) || bytes.IndexByte(raw, 0) >= 0) {
		err = fmt.Errorf("%s: %w", path, workspace.ErrNotText)
	}
	next := ""
	switch {
	case err == nil:
		return raw, nil
	case errors.Is(err, workspace.ErrOutside):
		next = "; copy the file into the folder that nfa was started in, or paste what matters"
	case errors.Is(err, workspace.ErrHidden), errors.Is(err, workspace.ErrSecret), errors.Is(err, workspace.ErrNotText):
		next = "; paste what matters, or write the name without the @"
	case errors.Is(err, workspace.ErrTooLong):
		next = "; write the name without the @, and the assistant reads it in pieces"
	}
	return nil, fmt.Errorf("%w%s", err, next)
}
