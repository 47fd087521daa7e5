"""Compounds a monthly saving in exact decimals.

Reads {monthly, years, annual_return?, start?, observed} as JSON and writes the
cases, with a table for people under "markdown".
"""

import json
import re
import sys
from decimal import Decimal, getcontext

getcontext().prec = 40
CENT = Decimal("0.01")


def money(text):
    """Amount and currency of "500 EUR", "$500" or "500"."""
    if text is None:
        return Decimal(0), ""
    found = re.fullmatch(r"(-?)([^\d.\-]*)([\d.]+)\s*([^\d.]*)", str(text).strip())
    if not found:
        sys.exit(f"not an amount of money: {text}")
    sign, before, amount, after = found.groups()
    return Decimal(sign + amount), (after or before).strip()


def grow(start, monthly, rate, months):
    """Value after a number of months, with payments at the end of each."""
    factor = (1 + rate) ** (Decimal(1) / 12)
    total = start
    for _ in range(months):
        total = total * factor + monthly
    return total


def main():
    given = json.load(sys.stdin, parse_float=Decimal)
    monthly, currency = money(given["monthly"])
    start, start_currency = money(given.get("start"))
    years = int(given["years"])
    if not 1 <= years <= 80:
        sys.exit("years must be from 1 to 80")
    if monthly <= 0:
        sys.exit("the monthly amount must be above zero")
    if start and start_currency != currency:
        sys.exit(f"start is in {start_currency or 'no currency'} but monthly is in {currency or 'no currency'}: use one currency")

    observed = given["observed"]
    basis = "assumed"
    if given.get("annual_return") is not None:
        rate = Decimal(given["annual_return"]) / 100
    elif observed.get("annual_return") is not None:
        rate = Decimal(observed["annual_return"])
        basis = f"observed of {observed['symbol']}, {observed['from']} to {observed['to']}"
    else:
        sys.exit("no assumed and no observed return: set annual_return")
    if rate <= -1:
        sys.exit("annual_return must be above -100%")

    months = years * 12
    paid = start + monthly * months
    cases = []
    for name, r in (("as assumed", rate), ("three points less per year", rate - Decimal("0.03")), ("no return", Decimal(0))):
        if r <= -1:
            continue
        total = grow(start, monthly, r, months).quantize(CENT)
        cases.append({"case": name, "annual_return_percent": (r * 100).quantize(CENT), "total": total, "growth": total - paid.quantize(CENT)})

    unit = currency or "units of your currency"
    lines = [f"| case | return per year | after {years} years ({unit}) | growth |", "|---|---:|---:|---:|"]
    for c in cases:
        lines.append(f"| {c['case']} | {c['annual_return_percent']}% | {c['total']:,} | {c['growth']:,} |")
    lines.append("")
    lines.append(f"Paid in: {paid.quantize(CENT):,} {unit}. Return {basis}. No costs, taxes or inflation.")

    json.dump({
        "currency": currency, "years": years, "paid_in": paid.quantize(CENT), "basis": basis, "cases": cases,
        "observed": {k: observed.get(k) for k in ("symbol", "from", "to", "annual_return", "source", "as_of", "flags", "note")},
        "markdown": "\n".join(lines),
    }, sys.stdout, default=lambda d: float(d) if isinstance(d, Decimal) else str(d))


main()
