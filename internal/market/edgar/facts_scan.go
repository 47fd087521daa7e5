package edgar

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// errFactsTruncated means that a document ends before it is complete.
var errFactsTruncated = errors.New("the document ends too early")

// maxJSONDepth nesting of a document; companyfacts have seven levels.
const maxJSONDepth = 64

// jsonScanner walks over JSON without keeping it. Documents have eight megabytes of
// which a tenth is of interest: what is skipped costs a look for its end.
type jsonScanner struct {
	text []byte
	at   int
}

func (s *jsonScanner) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\n', '\r', '\t':
			s.at++
		default:
			return
		}
	}
}

// peek is the first byte of what comes next, zero at the end.
func (s *jsonScanner) peek() byte {
	s.space()
	if s.at == len(s.text) {
		return 0
	}
	return s.text[s.at]
}

func (s *jsonScanner) take(c byte) error {
	switch found := s.peek(); found {
	case c:
		s.at++
		return nil
	case 0:
		return errFactsTruncated
	default:
		return fmt.Errorf("byte %d is %q, not %q", s.at, found, c)
	}
}

// object calls visit for each member; visit must consume the value.
func (s *jsonScanner) object(visit func(key []byte) error) error {
	return s.list('{', '}', func() error {
		key, err := s.str()
		if err != nil {
			return err
		}
		if err := s.take(':'); err != nil {
			return err
		}
		return visit(key)
	})
}

// array calls visit for each element; visit must consume it.
func (s *jsonScanner) array(visit func() error) error { return s.list('[', ']', visit) }

func (s *jsonScanner) list(open, end byte, visit func() error) error {
	if err := s.take(open); err != nil {
		return err
	}
	if s.peek() == end {
		s.at++
		return nil
	}
	for {
		if err := visit(); err != nil {
			return err
		}
		if s.peek() == end {
			s.at++
			return nil
		}
		if err := s.take(','); err != nil {
			return err
		}
	}
}

// str reads a string. The bytes may be the document's own.
func (s *jsonScanner) str() ([]byte, error) {
	if err := s.take('"'); err != nil {
		return nil, err
	}
	from := s.at
	if err := s.skipString(); err != nil {
		return nil, err
	}
	raw := s.text[from : s.at-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw, nil
	}
	var text string
	if err := json.Unmarshal(s.text[from-1:s.at], &text); err != nil {
		return nil, fmt.Errorf("string at byte %d: %w", from, err)
	}
	return []byte(text), nil
}

// skipString moves behind the closing quote of a string that was entered.
func (s *jsonScanner) skipString() error {
	for {
		i := bytes.IndexByte(s.text[s.at:], '"')
		if i < 0 {
			return errFactsTruncated
		}
		s.at += i + 1
		slashes := 0
		for j := s.at - 2; j >= 0 && s.text[j] == '\\'; j-- {
			slashes++
		}
		if slashes%2 == 0 {
			return nil
		}
	}
}

// scalar reads a string, a number or a word. What is null comes back empty.
func (s *jsonScanner) scalar() ([]byte, error) {
	switch s.peek() {
	case 0:
		return nil, errFactsTruncated
	case '"':
		return s.str()
	case '{', '[', '}', ']', ',', ':':
		return nil, fmt.Errorf("byte %d is %q where a value belongs", s.at, s.text[s.at])
	}
	from := s.at
	for s.at < len(s.text) && !bytes.ContainsRune([]byte(",]} \n\r\t"), rune(s.text[s.at])) {
		s.at++
	}
	if word := s.text[from:s.at]; string(word) != "null" {
		return word, nil
	}
	return nil, nil
}

// skip moves past a value, however deep.
func (s *jsonScanner) skip() error {
	if c := s.peek(); c != '{' && c != '[' {
		_, err := s.scalar()
		return err
	}
	depth := 0
	for s.at < len(s.text) {
		c := s.text[s.at]
		s.at++
		switch c {
		case '"':
			if err := s.skipString(); err != nil {
				return err
			}
		case '{', '[':
			if depth++; depth > maxJSONDepth {
				return errors.New("the document is nested too deep")
			}
		case '}', ']':
			if depth--; depth == 0 {
				return nil
			}
		}
	}
	return errFactsTruncated
}
