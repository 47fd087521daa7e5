#!/usr/bin/env python3
"""Shares for a fixed fractional risk."""
import argparse
import json
import math
from datetime import date
from pathlib import Path


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entry", type=float, required=True)
    parser.add_argument("--stop", type=float, required=True)
    parser.add_argument("--account-size", type=float, required=True)
    parser.add_argument("--risk-pct", type=float, default=1.0)
    parser.add_argument("--output-dir", default="reports")
    args = parser.parse_args()
    if args.stop >= args.entry:
        parser.error("the stop must be below the entry")
    risk = args.account_size * args.risk_pct / 100
    shares = math.floor(risk / (args.entry - args.stop))
    result = {"shares": shares, "risk": risk, "value": round(shares * args.entry, 2)}
    out = Path(args.output_dir)
    out.mkdir(parents=True, exist_ok=True)
    (out / "position.json").write_text(json.dumps(result, indent=2))
    (out / "position.md").write_text(f"# Position\n\n{shares} shares at {args.entry}\n")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
