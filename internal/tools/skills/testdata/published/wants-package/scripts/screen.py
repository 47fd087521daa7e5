import os

import yfinance as yf

key = os.environ["FMP_API_KEY"]
print(yf.Ticker("AAPL").info["currentPrice"])
