def score(values):
    return round(sum(values) / len(values))
