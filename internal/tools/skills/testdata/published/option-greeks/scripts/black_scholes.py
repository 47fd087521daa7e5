import math
import sys
from dataclasses import dataclass
from statistics import NormalDist

N = NormalDist()


@dataclass
class Greeks:
    price: float
    delta: float
    vega: float


def greeks(kind, spot, strike, years, rate, vol):
    d1 = (math.log(spot / strike) + (rate + vol**2 / 2) * years) / (vol * math.sqrt(years))
    d2 = d1 - vol * math.sqrt(years)
    if kind == "call":
        price = spot * N.cdf(d1) - strike * math.exp(-rate * years) * N.cdf(d2)
        delta = N.cdf(d1)
    else:
        price = strike * math.exp(-rate * years) * N.cdf(-d2) - spot * N.cdf(-d1)
        delta = N.cdf(d1) - 1
    return Greeks(price, delta, spot * N.pdf(d1) * math.sqrt(years) / 100)


if len(sys.argv) != 7:
    print("usage: black_scholes.py call|put SPOT STRIKE YEARS RATE VOL", file=sys.stderr)
    sys.exit(2)
g = greeks(sys.argv[1], *map(float, sys.argv[2:]))
print(f"price {g.price:.4f}\ndelta {g.delta:.4f}\nvega {g.vega:.4f}")
