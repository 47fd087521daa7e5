package alert

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
)

// StoredRule is a rule of the user.
type StoredRule struct {
	ID        string    `json:"id"` // "r7"
	Text      string    `json:"rule"`
	Channels  []string  `json:"channels,omitempty"` // empty means all
	Once      bool      `json:"once,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	// Paused means that the rule is not evaluated, until PausedUntil or, if that is zero, for good.
	Paused      bool      `json:"paused,omitempty"`
	PausedUntil time.Time `json:"paused_until,omitzero"`
	// Rule is Text as parsed; its Kind is "" if this version cannot read it.
	Rule Rule `json:"-"`
}

// created returns the day from which events count.
func (s StoredRule) created() string { return day(s.CreatedAt) }

// pausedAt reports whether the rule is not evaluated at a time.
func (s StoredRule) pausedAt(now time.Time) bool {
	return s.Paused && (s.PausedUntil.IsZero() || now.Before(s.PausedUntil))
}

// State is the state of a rule for one subject after the last reading.
type State struct {
	RuleID, Subject string
	Armed           bool
	LastAsOf        time.Time
	LastValue       decimal.Decimal
	Edge            int    // how often it has fired
	Problem         string // why the last evaluation gave no figure; "" if it did
}

// Alert is a message with the data it is based on.
type Alert struct {
	ID      string        `json:"id"`
	RuleID  string        `json:"rule_id"`
	Rule    string        `json:"rule"`
	Subject string        `json:"subject"`
	Text    string        `json:"text"`
	Notice  bool          `json:"notice,omitempty"` // about the data, not about the condition
	Figure  tool.Figure   `json:"figure,omitzero"`
	Figures []tool.Figure `json:"figures,omitempty"` // of a morning note
	Tool    string        `json:"tool,omitempty"`
	Args    string        `json:"arguments,omitempty"`
	At      time.Time     `json:"at"`
}

// alertID returns the ID of an alert, which is always the same for the same event.
func alertID(rule, subject, event string) string {
	sum := sha256.Sum256([]byte(rule + "\x00" + subject + "\x00" + event))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:16])
}

// Delivery is the delivery of an alert to a channel.
type Delivery struct {
	Alert
	Channel string
	Hold    time.Time // do not send before this time; zero means now
	Tries   int
	Next    time.Time // of the next try
	Sent    time.Time // zero until delivered
	Failed  bool      // permanently
	Error   string    // of the last try
}

// ErrNotFound means that no rule or alert has the ID.
var ErrNotFound = errors.New("not found")

// Store stores rules, their states and the messages. Every method is one transaction.
type Store interface {
	// Rules lists the rules by ID.
	Rules(ctx context.Context) ([]StoredRule, error)
	// AddRule adds a rule and returns its ID, which is never reused. A rule that already has an ID keeps it.
	AddRule(ctx context.Context, rule StoredRule) (id string, err error)
	// PutRule replaces a rule. For an unknown ID the error is ErrNotFound.
	PutRule(ctx context.Context, rule StoredRule) error
	// RemoveRule removes a rule and its state. Its alerts stay in the log.
	RemoveRule(ctx context.Context, id string) error
	States(ctx context.Context) ([]State, error)
	// Record saves states together with alerts, and a delivery of each alert to each channel. An alert
	// that is already recorded is not recorded again; Record returns the new ones.
	Record(ctx context.Context, states []State, alerts []NewAlert) ([]Alert, error)
	// Alerts lists the alerts, newest first, at most limit.
	Alerts(ctx context.Context, limit int) ([]Alert, error)
	// Deliveries lists the deliveries that are pending, and those that have failed since a time.
	Deliveries(ctx context.Context, failedSince time.Time) ([]Delivery, error)
	// SentSince counts the messages sent since a time. Deliveries with the same time are one message.
	SentSince(ctx context.Context, since time.Time) (int, error)
	// PutDelivery saves the result of a try.
	PutDelivery(ctx context.Context, d Delivery) error
	// Lock makes other runs fail with ErrLocked until release is called.
	Lock(ctx context.Context) (release func(), err error)
}

// NewAlert is an alert to record, with the channels that receive it and when.
type NewAlert struct {
	Alert
	Channels []string
	Hold     time.Time
}

// ErrLocked means that another run is active.
var ErrLocked = errors.New("another run is active")
