import argparse
import csv
import sys

from scorers.trend import score

parser = argparse.ArgumentParser()
parser.add_argument("--days", type=int, default=5)
args = parser.parse_args()
rows = list(csv.DictReader(sys.stdin))[-args.days :]
values = [float(r["above_200dma"]) for r in rows]
print(f"Breadth score: {score(values)}/100")
for row in rows:
    print(f"  {row['date']}  {row['above_200dma']}")
