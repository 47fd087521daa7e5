package tool

import (
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

func TestEncodeSchema_WritesWhatTheLibraryWrites(t *testing.T) {
	two, list := 2.0, []string{"array", "null"}
	for name, s := range map[string]*jsonschema.Schema{
		"nothing asked for":  {},
		"nothing allowed":    {Not: &jsonschema.Schema{}},
		"not that":           {Not: &jsonschema.Schema{Type: "string"}},
		"text to be escaped": {Type: "string", Description: "a <b> & \"c\" \u2028 é"},
		"choices":            {Type: "string", Enum: []any{"a", 1, nil, true}},
		"bounds":             {Type: "number", Minimum: &two},
		"several types":      {Types: list, Items: &jsonschema.Schema{Type: "integer"}},
		"no properties":      {Type: "object", Properties: map[string]*jsonschema.Schema{}},
		"an order, and what has none": {Type: "object", PropertyOrder: []string{"z", "gone", "m"}, Required: []string{"z"},
			Properties: map[string]*jsonschema.Schema{
				"a": {Type: "string"}, "m": {Type: "number", Minimum: &two}, "z": {Type: "array", Items: &jsonschema.Schema{}}, "b": {Not: &jsonschema.Schema{}},
			}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}},
		"a property that is nil": {Type: "object", PropertyOrder: []string{"z", "b"},
			Properties: map[string]*jsonschema.Schema{"a": {Type: "string"}, "b": nil, "z": {Type: "string"}}},
		"any property":  {Type: "object", AdditionalProperties: &jsonschema.Schema{}},
		"a definition":  {Ref: "#/$defs/x", Defs: map[string]*jsonschema.Schema{"x": {Type: "string"}}},
		"more than one": {AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "null"}}},
		"an extra":      {Type: "string", Extra: map[string]any{"x-unit": "USD"}},
	} {
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := encodeSchema(s)
		if err != nil || string(got) != string(want) {
			t.Errorf("encodeSchema(%s)\n got %s, %v\nwant %s", name, got, err, want)
		}
	}
}

func TestEncodeSchema_WhatTheLibraryRefusesIsRefused(t *testing.T) {
	for name, s := range map[string]*jsonschema.Schema{
		"one type and several":  {Type: "string", Types: []string{"null"}},
		"one below":             {Type: "object", Properties: map[string]*jsonschema.Schema{"a": {Type: "string", Types: []string{"null"}}}},
		"a name twice in order": {Type: "object", PropertyOrder: []string{"a", "a"}, Properties: map[string]*jsonschema.Schema{"a": {Type: "string"}}},
	} {
		if got, err := encodeSchema(s); err == nil {
			t.Errorf("encodeSchema(%s) = %s, want an error as json.Marshal gives", name, got)
		}
	}
}

type deep struct {
	Symbols []string `json:"symbols" jsonschema:"symbols, such as AAPL"`
	Rows    []struct {
		Day   string             `json:"day" jsonschema:"the day"`
		Price float64            `json:"price,omitempty" jsonschema:"what one costs"`
		Parts map[string]float64 `json:"parts,omitempty"`
	} `json:"rows,omitempty" jsonschema:"one a day"`
	Limit *int `json:"limit,omitempty" jsonschema:"the most rows"`
}

func TestEncodeSchema_OfAGoTypeIsWhatTheLibraryWrites(t *testing.T) {
	s, err := jsonschema.For[deep](nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := encodeSchema(s); err != nil || string(got) != string(want) {
		t.Errorf("encodeSchema\n got %s, %v\nwant %s", got, err, want)
	}
}

func BenchmarkEncodeSchema(b *testing.B) {
	s, err := jsonschema.For[deep](nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := encodeSchema(s); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(s); err != nil {
				b.Fatal(err)
			}
		}
	})
}
