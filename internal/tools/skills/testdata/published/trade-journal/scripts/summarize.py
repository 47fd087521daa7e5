import json
import sys
from collections import defaultdict
from decimal import Decimal
from pathlib import Path

try:
    import pandas as pd  # faster, if it is there
except ImportError:
    pd = None

template = json.loads((Path(__file__).resolve().parent.parent / "assets" / "template.json").read_text())
total = defaultdict(Decimal)
for line in sys.stdin:
    symbol, profit = line.split()
    total[symbol] += Decimal(profit)
print(template["title"])
print(json.dumps({k: str(v) for k, v in sorted(total.items())}))
print(f"processed {len(total)} symbols", file=sys.stderr)
