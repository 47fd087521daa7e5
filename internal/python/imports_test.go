package python_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/python"
)

func TestScan_EveryFormOfImport(t *testing.T) {
	src := "import os, sys as system, xml.etree.ElementTree as tree\n" +
		"from collections import (\n    OrderedDict as od,  # kept\n    deque,\n)\n" +
		"from . import peer\n" +
		"from ..lib.util import *\n" +
		"import a; import b\n" +
		"if True: import c\n" +
		"import \\\n  d\n"
	want := []python.Import{
		{Module: "os", Line: 1},
		{Module: "sys", Line: 1},
		{Module: "xml.etree.ElementTree", Line: 1},
		{Module: "collections", Names: []string{"OrderedDict", "deque"}, Line: 2},
		{Names: []string{"peer"}, Level: 1, Line: 6},
		{Module: "lib.util", Names: []string{"*"}, Level: 2, Line: 7},
		{Module: "a", Line: 8},
		{Module: "b", Line: 8},
		{Module: "c", Line: 9},
		{Module: "d", Line: 10},
	}
	if diff := cmp.Diff(want, python.ScanImports([]byte(src))); diff != "" {
		t.Errorf("ScanImports (-want +got):\n%s", diff)
	}
}

func TestScan_WhatLooksLikeAnImportIsNone(t *testing.T) {
	for name, src := range map[string]string{
		"comment":            "# import socket\nx = 1 # import ssl\n",
		"string":             "x = 'import socket'\ny = \"\\\"; import ssl\"\n",
		"triple-quoted":      "'''\nimport socket\n'''\n\"\"\"it's\nimport ssl\"\"\"\n",
		"raw and bytes":      "r'\\\\'; b'import x'\nrb\"\"\"\nimport socket\n\"\"\"\n",
		"f-string":           "f'{x}\\\nimport socket'\n",
		"raise from":         "raise ValueError() from error\n",
		"yield from":         "def f():\n    yield from socket\n",
		"attribute":          "loader.import_it\nx.imports = 1\nimported = 2\n",
		"inside brackets":    "x = [\nfrom_, import_\n]\n",
		"annotation":         "x: int = 1\n",
		"import of nothing":  "import\nfrom\nfrom x\nfrom import y\n",
		"string left open":   "x = 'import socket\n",
		"nothing whatsoever": "",
	} {
		t.Run(name, func(t *testing.T) {
			if got := python.ScanImports([]byte(src)); len(got) != 0 {
				t.Errorf("ScanImports(%q) = %v, want none", src, got)
			}
		})
	}
}

func TestScan_AnOpenStringHidesOneLineOnly(t *testing.T) {
	got := python.ScanImports([]byte("x = 'import socket\nimport ssl\n"))
	if len(got) != 1 || got[0].Module != "ssl" || got[0].Line != 2 {
		t.Errorf("ScanImports = %v, want ssl on line 2", got)
	}
}

func TestScan_OptionalIsWhatTheProgramCanDoWithout(t *testing.T) {
	src := "import math\n" +
		"try:\n" +
		"    import numpy\n" +
		"    if x:\n" +
		"        import pandas\n" +
		"except ImportError:\n" +
		"    import tomli\n" +
		"else:\n" +
		"    import json\n" +
		"try: import scipy\n" +
		"except ImportError: scipy = None\n" +
		"if TYPE_CHECKING:\n" +
		"    from typing import Any\n" +
		"with contextlib.suppress(ImportError):\n" +
		"    import rich\n" +
		"with open('x'):\n" +
		"    import csv\n" +
		"def f():\n" +
		"    import socket\n"
	optional, required := map[string]bool{}, map[string]bool{}
	for _, i := range python.ScanImports([]byte(src)) {
		if i.Optional {
			optional[i.Module] = true
		} else {
			required[i.Module] = true
		}
	}
	set := func(names string) map[string]bool {
		out := map[string]bool{}
		for n := range strings.FieldsSeq(names) {
			out[n] = true
		}
		return out
	}
	if diff := cmp.Diff(set("numpy pandas tomli scipy typing rich"), optional); diff != "" {
		t.Errorf("optional (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(set("math json csv socket"), required); diff != "" {
		t.Errorf("required (-want +got):\n%s", diff)
	}
}

func TestScan_TakesWindowsLinesAndUnicodeNames(t *testing.T) {
	got := python.ScanImports([]byte("import größe\r\nimport \\\r\n  os\r\n"))
	want := []python.Import{{Module: "größe", Line: 1}, {Module: "os", Line: 2}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ScanImports (-want +got):\n%s", diff)
	}
}

func FuzzScanImports(f *testing.F) {
	for _, seed := range []string{
		"import a.b as c, d\n", "from ..x import (y,\n z)\n", "try:\n import n\nexcept: pass\n",
		"'''\nimport x", "f\"{x[\"a\"]}\"\nimport y", "x = (\\\n", "\\", "r'", "\xff\xfe import z",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		lines := strings.Count(string(src), "\n") + 1
		last := 0
		for _, i := range python.ScanImports(src) {
			if i.Module == "" && i.Level == 0 {
				t.Errorf("an import of nothing: %+v", i)
			}
			if i.Line < last || i.Line < 1 || i.Line > lines {
				t.Errorf("line %d of %d, after line %d", i.Line, lines, last)
			}
			last = i.Line
		}
	})
}
