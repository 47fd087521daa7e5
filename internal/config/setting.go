package config

import (
	"cmp"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/text/currency"
)

// Kind is the type of a setting.
type Kind string

// The kinds of settings, as error messages name them.
const (
	Text     Kind = "text"
	Server   Kind = "a URL"
	Database Kind = "the address of a database"
	Email    Kind = "an email address"
	Switch   Kind = "true or false"
	Number   Kind = "a whole number"
	Choice   Kind = "one of a few words"
	Paths    Kind = "a list of paths"
	Duration Kind = "a duration"
	Amount   Kind = "an amount"
	Currency Kind = "a currency"
	Symbol   Kind = "a symbol"
)

// Setting describes one setting: a field of Config and its tags.
type Setting struct {
	Key             string // tag key: as in the file; a dot is one level down
	Kind            Kind
	Default         string
	Flag            string        // with its dashes, or ""
	Choices         []string      // of a Choice, separated by spaces
	Min, Max        int           // of a Number
	MaxDuration     time.Duration // tag max of a Duration; an hour if it is zero
	ZeroIsUnlimited bool          // tag zero: 0 is no limit, for a Number or a Duration
	// Project allows the setting in a project's file. A cloned folder must not redirect questions,
	// provide a key, or approve anything.
	Project bool
	Secret  bool
	Doc     string // one line for people

	index []int // of the field in Config
}

// kinds maps the tag kind of string fields.
var kinds = map[string]Kind{"": Text, "server": Server, "database": Database, "email": Email, "amount": Amount, "currency": Currency, "symbol": Symbol}

// Settings returns all settings in the order of Config's fields.
var Settings = sync.OnceValue(func() []Setting {
	var all []Setting
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Config]()) {
		if f.Type.Kind() != reflect.Struct {
			all = appendSetting(all, f, nil)
			continue
		}
		for i := range f.Type.NumField() {
			all = appendSetting(all, f.Type.Field(i), f.Index)
		}
	}
	return all
})

func appendSetting(all []Setting, f reflect.StructField, parent []int) []Setting {
	tag := f.Tag.Get
	if tag("key") == "" {
		return all
	}
	s := Setting{
		Key: tag("key"), Kind: kinds[tag("kind")], Default: tag("default"), Flag: tag("flag"), Choices: strings.Fields(tag("choices")),
		ZeroIsUnlimited: tag("zero") == "unlimited", Project: tag("project") == "true", Secret: tag("secret") == "true", Doc: tag("doc"),
		index: append(slices.Clone(parent), f.Index...),
	}
	if len(s.Choices) > 0 {
		s.Kind = Choice
	}
	switch reflect.New(f.Type).Interface().(type) {
	case *bool:
		s.Kind = Switch
	case *int:
		s.Kind = Number
		s.Min, _ = strconv.Atoi(tag("min"))
		s.Max, _ = strconv.Atoi(tag("max"))
	case *time.Duration:
		s.Kind = Duration
		s.MaxDuration, _ = time.ParseDuration(tag("max"))
	case *[]string:
		s.Kind = Paths
	}
	return append(all, s)
}

// field returns a pointer to the setting's field in c.
func (s Setting) field(c *Config) any {
	return reflect.ValueOf(c).Elem().FieldByIndex(s.index).Addr().Interface()
}

const maxTimeout = time.Hour

// Env returns the environment variable of the setting.
func (s Setting) Env() string {
	return "NFA_" + strings.ToUpper(strings.ReplaceAll(s.Key, ".", "_"))
}

func (s Setting) maxDuration() time.Duration { return cmp.Or(s.MaxDuration, maxTimeout) }

func (s Setting) unlimitedNote() string {
	if s.ZeroIsUnlimited {
		return "; 0 is unlimited"
	}
	return ""
}

// Expects describes the allowed values for people.
func (s Setting) Expects() string {
	switch s.Kind {
	case Choice:
		return "one of " + strings.Join(s.Choices, ", ")
	case Number:
		return fmt.Sprintf("a whole number from %d to %d%s", s.Min, s.Max, s.unlimitedNote())
	case Amount:
		return "an amount of US dollars, such as 0.50"
	case Duration:
		return fmt.Sprintf("a duration up to %.0fh, such as 10s or 1m30s%s", s.maxDuration().Hours(), s.unlimitedNote())
	case Currency:
		return "three letters of ISO 4217, such as EUR"
	case Symbol:
		return "the symbol of an index or a fund, such as VTI or ^GSPC; omit it for no benchmark"
	case Email:
		return "an email address, such as you@example.com"
	case Server:
		return "a URL that starts with http:// or https:// and has no password"
	case Database:
		return "an address that must not contain a password; save the password with: nfa auth set store"
	default:
		return string(s.Kind)
	}
}

// parse sets the field in c from texts: one, or any number for a list. Without texts the field becomes
// empty.
func (s Setting) parse(c *Config, texts []string) error {
	if s.Kind == Paths {
		for _, path := range texts {
			if path == "" || !printable(path) {
				return fmt.Errorf("%s has an empty or unprintable path", s.Key)
			}
		}
		*s.field(c).(*[]string) = texts
		return nil
	}
	text := ""
	if len(texts) > 0 {
		text = strings.TrimSpace(texts[0])
	}
	if !s.parseText(s.field(c), text) {
		return s.valueError(text)
	}
	return nil
}

func (s Setting) parseText(field any, text string) bool {
	switch p := field.(type) {
	case *bool:
		v, err := strconv.ParseBool(text)
		*p = v
		return err == nil
	case *int:
		v, err := strconv.Atoi(text)
		*p = v
		return err == nil && v >= s.Min && v <= s.Max
	case *time.Duration:
		v, err := time.ParseDuration(text)
		*p = v
		return err == nil && (v > 0 || v == 0 && s.ZeroIsUnlimited) && v <= s.maxDuration()
	case *string:
		*p = text
		return s.valid(text)
	}
	return false
}

func (s Setting) valid(text string) bool {
	switch {
	case s.Kind == Choice:
		return slices.Contains(s.Choices, text)
	case s.Kind == Amount && text != "":
		whole, fraction, _ := strings.Cut(text, ".")
		return isDigits(whole, maxAmountDigits) && (fraction == "" || isDigits(fraction, maxAmountDigits))
	case s.Kind == Email && text != "":
		return isAddress(text)
	case s.Kind == Currency && text != "":
		code, err := currency.ParseISO(text)
		return err == nil && code.String() == text
	case s.Kind == Symbol && text != "":
		return isSymbol(text)
	case s.Kind == Database && text != "":
		u, err := url.Parse(text)
		if err != nil {
			return false
		}
		_, hasPassword := u.User.Password()
		return printable(text) && !hasPassword && !u.Query().Has("password") && !u.Query().Has("sslpassword")
	case s.Kind == Server && text != "":
		u, err := url.Parse(text)
		return err == nil && printable(text) && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == ""
	}
	return printable(text)
}

// isAddress catches mistakes, such as a name in place of an address. It does not check whether mail
// would arrive. The address goes into a header of requests.
func isAddress(text string) bool {
	name, host, ok := strings.Cut(text, "@")
	return ok && name != "" && host != "" && !strings.Contains(host, "@") &&
		!strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

// isSymbol catches mistakes; the sources of data decide whether a symbol exists. It refuses None,
// because calls use that for no benchmark.
func isSymbol(text string) bool {
	const longest = 24
	alphanumeric := func(r rune) bool { return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' }
	return len(text) <= longest && !strings.EqualFold(text, "none") && strings.ContainsFunc(text, alphanumeric) &&
		!strings.ContainsFunc(text, func(r rune) bool { return !alphanumeric(r) && !strings.ContainsRune("^.-=&/", r) })
}

const maxAmountDigits = 6 // before the decimal point, and after it

func isDigits(s string, limit int) bool {
	return s != "" && len(s) <= limit && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

// valueError quotes the value unless it may contain a secret; a URL may contain a password.
func (s Setting) valueError(text string) error {
	if s.Secret || s.Kind == Server || s.Kind == Database {
		return fmt.Errorf("%s is invalid; expected %s", s.Key, s.Expects())
	}
	return fmt.Errorf("%s is %q; expected %s", s.Key, text, s.Expects())
}

// show formats the value for people.
func (s Setting) show(c *Config) string {
	switch p := s.field(c).(type) {
	case *string:
		switch {
		case s.Secret && *p != "":
			return "set"
		case s.Secret:
			return "unset"
		}
		return *p
	case *[]string:
		return strings.Join(*p, ", ")
	case *bool:
		return strconv.FormatBool(*p)
	case *int:
		return strconv.Itoa(*p)
	case *time.Duration:
		return p.String()
	}
	return ""
}

// printable keeps control sequences out of headers, logs and the screen.
func printable(text string) bool {
	return !strings.ContainsFunc(text, unicode.IsControl)
}

func lookupSetting(settings []Setting, key string) (Setting, bool) {
	for _, s := range settings {
		if s.Key == key {
			return s, true
		}
	}
	return Setting{}, false
}
