import json
import urllib.request

with urllib.request.urlopen("https://example.com/data.json") as answer:
    print(json.load(answer))
