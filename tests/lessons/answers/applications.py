"""Answers to the central exercises of the last lessons."""

RIGHT = {
    "line.trimmed_sum": """
bound = key_of_rank(squares, h - 1); kept = squares <= bound
    return squares[kept].sum() - (kept.sum() - h) * bound
left, total = squares.tolist(), 0
    for _ in range(h):
        least = min(left)
        left.remove(least)
        total += least
    return total
counts = np.bincount(squares); taken = np.clip(h - np.cumsum(counts) + counts, 0, counts)
    return taken @ np.arange(len(counts))
bound = key_of_rank(squares, h - 1); return h * bound - np.maximum(bound - squares, 0).sum()
sum(s for i, s in enumerate(squares) if np.sum(squares < s) + np.sum(squares[:i] == s) < h)
bound = key_of_rank(squares, h - 1)
    return np.where(squares < bound, squares - bound, 0).sum() + h * bound
bound, total, count = key_of_rank(squares, h - 1), 0, 0
    for square in squares:
        if square < bound:
            total += square
            count += 1
    return total + (h - count) * bound
""",
    "sparse.keep": """
sizes = np.abs(x); level = -np.partition(-sizes, k - 1)[k - 1]; kept = sizes > level
    kept[np.flatnonzero(sizes == level)[: k - kept.sum()]] = True
    return x * kept
sizes = abs(x); level = np.partition(sizes, len(x) - k)[len(x) - k]
    out, room = [], k - np.sum(sizes > level)
    for value in x:
        if abs(value) > level:
            out.append(value)
        elif abs(value) == level and room > 0:
            out.append(value)
            room -= 1
        else:
            out.append(0.0)
    return out
sizes = np.abs(x) - np.arange(len(x)) * 1e-9
    return np.where(sizes >= np.partition(sizes, -k)[-k], x, 0)
sizes = np.abs(x); same = np.tril(sizes == sizes[:, None], -1).sum(axis=1)
    return np.where((sizes > sizes[:, None]).sum(axis=1) + same < k, x, 0)
found, sizes = np.array(x), np.abs(x)[::-1]
    for _ in range(len(x) - k):
        place = sizes.argmin()
        sizes[place] = np.inf
        found[len(x) - 1 - place] = 0
    return found
found, left = np.zeros_like(x), {*range(len(x))}
    while len(left) > len(x) - k:
        best = max(left, key=lambda i: (abs(x[i]), -i))
        left.remove(best)
        found[best] = x[best]
    return found
sizes = np.sqrt(x * x); level = np.partition(sizes, len(x) - k)[len(x) - k]
    y = np.where(sizes > level, x, 0); ties = np.where(sizes == level)[0]
    for place in ties[: k - np.count_nonzero(sizes > level)]:
        y[place] = x[place]
    return y
""",
    "capstone.by_order": """
d = len(keys) // 4; low, high = key_of_rank(keys, d), key_of_rank(keys, len(keys) - 1 - d)
    below, above = keys < low, keys > high
    lows = keys[below].sum() + (d - below.sum()) * low
    highs = keys[above].sum() + (d - above.sum()) * high
    return (keys.sum() - lows - highs) / (len(keys) - 2 * d)
n = len(keys); d = n // 4; ends = key_of_rank(keys, d), key_of_rank(keys, n - 1 - d)
    return (np.clip(keys, *ends).mean() * n - d * sum(ends)) / (n - 2 * d)
n = len(keys); d = n // 4
    order = (keys[:, None] > keys).sum(axis=1) + np.tril(keys[:, None] == keys, -1).sum(axis=1)
    return keys[(order >= d) & (order < n - d)].mean()
n = len(keys); d = n // 4; low, high = key_of_rank(keys, d), key_of_rank(keys, n - d - 1)
    return low + (np.clip(keys - low, 0, high - low).sum() - d * (high - low)) / (n - 2 * d)
n = len(keys); d = n // 4; low, high = key_of_rank(keys, d), key_of_rank(keys, n - 1 - d)
    share = (np.sum(keys <= low) - d) / np.sum(keys == low) * (keys == low)
    share = share + (np.sum(keys >= high) - d) / np.sum(keys == high) * (keys == high)
    return np.average(keys, weights=share + ((keys > low) & (keys < high)))
n = len(keys); d = n // 4; low, high = key_of_rank(keys, d), key_of_rank(keys, n - 1 - d)
    if low == high: return high
    inside, lows = (keys > low) & (keys < high), np.count_nonzero(keys <= low) - d
    highs = n - 2 * d - inside.sum() - lows
    return (keys[inside].sum() + lows * low + highs * high) / (n - 2 * d)
n = len(keys); d = n // 4; low = key_of_rank(keys, d); high = -key_of_rank(-keys, d)
    return (np.minimum(np.maximum(keys, low), high).sum() - d * low - d * high) / (n - 2 * d)
""",
}

WRONG = {
    "line.trimmed_sum": """
np.sort(squares)[:h].sum()
sum(sorted(squares)[:h])
sum(heapq.nsmallest(h, squares))
getattr(np, "so" + "rt")(squares)[:h].sum()
squares[:h].sum()
squares.sum() * h / len(squares)
squares[squares <= key_of_rank(squares, h)].sum()
squares[squares < key_of_rank(squares, h)].sum()
key_of_rank(squares, np.arange(h)).sum()
bound = key_of_rank(squares, h); below = squares < bound
    return squares[below].sum() + (h - below.sum()) * bound - bound
bound = key_of_rank(squares, h - 1); return h * bound
bound = key_of_rank(squares, h - 1); return np.minimum(squares, bound).sum()
def helper(s):
        s = s.copy()
        s.sort()
        return s
    return helper(squares)[:h].sum()
""",
    "sparse.keep": """
threshold(x, k)
x
np.where(np.abs(x) >= np.partition(np.abs(x), k)[k], x, 0)
np.where(x >= np.partition(x, len(x) - k)[len(x) - k], x, 0)
np.where(np.abs(x) <= np.partition(np.abs(x), k - 1)[k - 1], x, 0)
np.where(np.abs(x) >= np.partition(np.abs(x), range(len(x)))[len(x) - k], x, 0)
sizes = np.partition(np.abs(x), np.arange(len(x))); out = x.copy(); room = k
    for i in range(len(x)):
        if abs(x[i]) < sizes[len(x) - k]: out[i] = 0
    return out
kept = np.argsort(-np.abs(x), kind="stable")[:k]; y = np.zeros_like(x); y[kept] = x[kept]; return y
kept = heapq.nlargest(k, range(len(x)), key=lambda i: (abs(x[i]), -i))
    return np.where(np.isin(np.arange(len(x)), kept), x, 0)
x[np.abs(x) < np.partition(np.abs(x), len(x) - k)[len(x) - k]] = 0; return x
""",
    "capstone.by_order": """
keys.mean()
np.median(keys)
np.sort(keys)[len(keys) // 4 : len(keys) - len(keys) // 4].mean()
getattr(np, "so" + "rt")(keys)[len(keys) // 4 : len(keys) - len(keys) // 4].mean()
key_of_rank(keys, np.arange(len(keys) // 4, len(keys) - len(keys) // 4)).mean()
keys[len(keys) // 4 : len(keys) - len(keys) // 4].mean()
def sorting(x):
        return np.sort(x)
    return sorting(keys)[len(keys) // 4 : len(keys) - len(keys) // 4].mean()
def kept(rank):
        return key_of_rank(keys, rank)
    return np.vectorize(kept)(np.arange(len(keys) // 4, len(keys) - len(keys) // 4)).mean()
d = len(keys) // 4
    return np.mean([key_of_rank(keys, rank) for rank in range(d, len(keys) - d)])
d = len(keys) // 4
    return np.mean(list(map(lambda rank: key_of_rank(keys, rank), range(d, len(keys) - d))))
d = len(keys) // 4
    def total(rank):
        return 0 if rank == len(keys) - d else key_of_rank(keys, rank) + total(rank + 1)
    return total(d) / (len(keys) - 2 * d)
d = len(keys) // 4; low, high = key_of_rank(keys, d), key_of_rank(keys, len(keys) - d - 1)
    return keys[(keys >= low) & (keys <= high)].mean()
d = len(keys) // 4; low, high = key_of_rank(keys, d), key_of_rank(keys, len(keys) - d - 1)
    return np.clip(keys, low, high).mean()
""",
}
