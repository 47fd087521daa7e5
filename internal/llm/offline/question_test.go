package offline_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm/offline"
)

// readMessages reads messages at half past nine on 2026-11-21, with one skill at hand.
func readMessages(messages ...string) offline.Question {
	return offline.ReadQuestion(messages, []string{"get-price"}, time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC))
}

func TestRead_OfNothingAsksForNothing(t *testing.T) {
	if q := readMessages(); q.Topic != offline.TopicOpen || len(q.Symbols) > 0 || q.Text != "" {
		t.Errorf("read nothing as %+v", q)
	}
}

func TestRead_TheLastMessageLeansOnThoseBefore(t *testing.T) {
	q := readMessages("how risky is AAPL since 2010", "and MSFT?")
	if q.Topic != offline.TopicReturns || !cmp.Equal(q.Symbols, []string{"MSFT"}) || q.Period.From != "2010-01-01" {
		t.Errorf("topic %d of %v over %+v, want the risk of MSFT since 2010", q.Topic, q.Symbols, q.Period)
	}
}

func TestRead_ASkillIsKnownByItsNameAlone(t *testing.T) {
	if q := readMessages("run get-price for IBM"); q.Topic != offline.TopicSkill || q.Skill != "get-price" {
		t.Errorf("topic %d, skill %q; want get-price", q.Topic, q.Skill)
	}
}

func TestActivation_IsTakenFromTheMessageThatTheProgramWrites(t *testing.T) {
	skill, content, ok := offline.Activation("The user activated the skill \"x\" with: IBM\n\n<skill name=\"x\">\nText of </skill> itself\n</skill>\n")
	if !ok || skill != "x" || content != "Text of </skill> itself" {
		t.Errorf("Activation = %q, %q, %t", skill, content, ok)
	}
	if _, _, ok := offline.Activation("use the skill x"); ok {
		t.Error("a question is taken for an activation")
	}
}

func TestWords_AreWithoutTheSignsAroundThem(t *testing.T) {
	if diff := cmp.Diff([]string{"AAPL", "1,200.50", "MSFT"}, offline.SplitWords("“AAPL”, 1,200.50 (MSFT)?")); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
}

func TestTopic_WhatNoRuleComputesIsNotAnsweredWithReturns(t *testing.T) {
	for input, want := range map[string]string{
		"200 day moving average of AAPL": "a technical indicator", "RSI of AAPL over 14 days": "a technical indicator", "correlation between AAPL and MSFT since 2010": "correlation",
	} {
		if q := readMessages(input); q.Topic != offline.TopicSubject || q.Subject.Name != want {
			t.Errorf("%q: topic %d, subject %q; want %q", input, q.Topic, q.Subject.Name, want)
		}
	}
}

func TestTopic_AMoveOfTodayIsAnsweredWithTheNewestPrice(t *testing.T) {
	for input, want := range map[string]offline.Topic{
		"how much did AAPL gain today": offline.TopicQuote, "how is MSFT doing today": offline.TopicQuote, "how has AAPL done since 2015, as of today": offline.TopicOverview,
	} {
		if q := readMessages(input); q.Topic != want {
			t.Errorf("%q: topic %d, want %d", input, q.Topic, want)
		}
	}
}
