import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))

from ftd_rules import find  # noqa: E402

bars = json.loads(sys.argv[sys.argv.index("--bars") + 1])
print(json.dumps({"follow_through_days": find(bars)}, indent=2))
