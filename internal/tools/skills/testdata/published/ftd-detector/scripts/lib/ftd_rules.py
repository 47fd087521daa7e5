from __future__ import annotations


def find(bars: list[dict]) -> list[str]:
    days = []
    for before, bar in zip(bars, bars[1:]):
        if bar["close"] >= before["close"] * 1.0125 and bar["volume"] > before["volume"]:
            days.append(bar["date"])
    return days
