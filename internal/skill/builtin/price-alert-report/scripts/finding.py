"""Compares the last close with price levels and with its average.

Reads {symbol, below?, above?, file?, history, indicators} as JSON and writes the
alerts, the report under "markdown" and its path under "path". Only a report
with this script's default name may be replaced.
"""

import json
import re
import sys
from decimal import Decimal


def latest(indicators, name):
    """The latest value of an indicator, or None."""
    for one in indicators.get("indicators") or []:
        if one["indicator"] == name:
            return (one.get("latest") or {}).get("value")
    return None


def main():
    given = json.load(sys.stdin, parse_float=Decimal)
    history, indicators = given["history"], given["indicators"]
    last = history["last"]
    close, unit, day = Decimal(str(last["close"])), history.get("currency") or "points", last["date"]
    below, above = given.get("below"), given.get("above")
    average, strength = latest(indicators, "sma:10"), latest(indicators, "rsi:14")

    alerts = []
    if below is not None and close < Decimal(str(below)):
        alerts.append(f"the close {close} {unit} is below {below}")
    if above is not None and close > Decimal(str(above)):
        alerts.append(f"the close {close} {unit} is above {above}")

    bars = history["interval"]
    lines = [
        f"# Price alert: {history['name']} ({given['symbol']})",
        "",
        f"Last close **{close} {unit}** on {day}, {bars} data from {history['source']}.",
        "",
    ]
    if below is None and above is None:
        lines.append("No level was named.")
    elif alerts:
        lines.extend(f"- **Alert**: {alert}" for alert in alerts)
    else:
        lines.append("No level was crossed.")
    lines.extend(["", "| measure | value |", "|---|---:|"])
    for label, level in (("alert below", below), ("alert above", above)):
        if level is not None:
            lines.append(f"| {label} | {level} {unit} |")
    if average is not None:
        side = "above" if close > average else "at or below"
        lines.append(f"| average of 10 bars ({bars}) | {average} {unit}; the close is {side} it |")
    if strength is not None:
        lines.append(f"| relative strength, 14 bars | {strength} of 100 |")
    flags = ", ".join(history.get("flags") or [])
    lines.extend(["", f"Data as of {history['as_of']}" + (f"; {flags}" if flags else "") + ". Not financial advice."])

    own = "nfa:reports/price-alert-%s-%s.md" % (re.sub(r"[^A-Za-z0-9]+", "-", given["symbol"]).strip("-").lower(), day)
    path = given.get("file") or own
    json.dump({"path": path, "replace": path == own, "alerts": alerts, "close": close, "unit": unit, "date": day, "markdown": "\n".join(lines) + "\n"},
              sys.stdout, default=lambda d: float(d) if isinstance(d, Decimal) else str(d))


main()
