"""Answers to the central exercises of lessons 7 to 9."""

RIGHT = {
    "quantiles.bounds_at": """
import bisect
    i = bisect.bisect_right(entries.values, x)
    low = 0 if i == 0 else entries.smallest[i - 1]
    return low, entries.n if i == len(entries.values) else entries.largest[i] - 1
known = entries.values <= x
    low = entries.smallest[known].max() if known.any() else 0
    return low, entries.n if known.all() else entries.largest[~known].min() - 1
i = np.searchsorted(entries.values, x, "right")
    return np.append(0, entries.smallest)[i], np.append(entries.largest - 1, entries.n)[i]
i = np.count_nonzero(entries.values <= x)
    return [entries.smallest[i - 1] if i else 0, [*entries.largest - 1, entries.n][i]]
values, smallest, largest, n = entries
    low = next((s for v, s in zip(values[::-1], smallest[::-1]) if v <= x), 0)
    return low, next((g - 1 for v, g in zip(values, largest) if v > x), n)
low, high = 0, entries.n
    for value, small in zip(entries.values, entries.smallest):
        if value <= x:
            low = small
    for value, large in reversed([*zip(entries.values, entries.largest)]):
        if value > x:
            high = large - 1
    return int(low), int(high)
(max([0, *entries.smallest[entries.values <= x].tolist()]),
    min([entries.n, *(entries.largest[entries.values > x] - 1).tolist()]))
""",
    "frequent.histogram": """
counts = {}
    for key in window.tolist():
        counts[key] = counts.get(key, 0) + 1
    items = sorted(counts)
    return items, [counts[item] for item in items]
low = window.min(); counts = np.bincount(window - low); items = np.flatnonzero(counts)
    return items + low, counts[items]
ordered = np.sort(window); items = ordered[np.diff(ordered, prepend=ordered[0] - 1) != 0]
    return items, np.array([np.sum(window == item) for item in items])
items = sorted(dict.fromkeys(window.tolist()))
    return items, [np.count_nonzero(window == item) for item in items]
ordered = np.sort(window); items = ordered[np.append(True, ordered[1:] > ordered[:-1])]
    return items, (items[:, None] == window).sum(axis=1)
ordered = np.sort(window); begins = np.flatnonzero(np.append(True, np.diff(ordered)))
    return ordered[begins], np.add.reduceat(np.ones(len(window), int), begins)
items, counts = [], []
    for key in sorted(window):
        if items and items[-1] == key:
            counts[-1] += 1
        else:
            items.append(key)
            counts.append(1)
    return items, counts
""",
    "frequent.take_window": """
now = {item: list(pair) for item, pair in held.items()}
    for item in window:
        now.setdefault(int(item), [0, over])[0] += 1
    return {item: tuple(pair) for item, pair in now.items() if sum(pair) > over + 1}
counts, found = Counter(window.tolist()), {}
    for item in held.keys() | counts.keys():
        count, missed = held.get(item, (0, over))
        if count + counts[item] + missed >= over + 2:
            found[item] = (count + counts[item], missed)
    return found
found = held.copy()
    items, counts = np.unique(window, return_counts=True)
    for item, count in zip(items.tolist(), counts.tolist()):
        before, missed = found.get(item, (0, over))
        found[item] = before + count, missed
    for item in list(found):
        if sum(found[item]) <= over + 1:
            del found[item]
    return found
now = dict(held)
    for item in set(window.tolist()):
        count = int((window == item).sum())
        now[item] = (now[item][0] + count, now[item][1]) if item in now else (count, over)
    return {item: pair for item, pair in now.items() if not sum(pair) <= over + 1}
items, counts = histogram_of(window); new = dict(zip(items, counts))
    all_items = {**held, **{item: (0, over) for item in new if item not in held}}
    added = {i: (c + new.get(i, 0), m) for i, (c, m) in all_items.items()}
    return {i: (c, m) for i, (c, m) in added.items() if c + m > over + 1}
from collections import defaultdict
    now = defaultdict(lambda: (0, over), held)
    for item, count in zip(*histogram_of(window)):
        now[item] = (now[item][0] + count, now[item][1])
    return dict(filter(lambda pair: sum(pair[1]) > over + 1, now.items()))
counts = np.bincount(window, minlength=20); found = {}
    for item in range(20):
        seen, missed = held[item] if item in held else (0, over)
        total = seen + int(counts[item])
        if total and total + missed > over + 1:
            found[item] = [total, missed]
    return found
""",
    "sliding.cover": """
blocks = []
    while start < stop:
        size = min(largest, start & -start or largest)
        while start + size > stop:
            size >>= 1
        blocks.append((start, size))
        start += size
    return blocks
blocks, sizes = [], [s for s in (64, 32, 16, 8, 4, 2, 1) if s <= largest]
    while start != stop:
        size = next(s for s in sizes if start % s == 0 and start + s <= stop)
        blocks.append([start, size])
        start += size
    return blocks
def walk(at):
        while at < stop:
            size = max(s for s in (1 << p for p in range(7))
                if s <= largest and at % s == 0 and at + s <= stop)
            yield at, size
            at += size
    return list(walk(start))
blocks, size = [(i, 1) for i in range(start, stop)], 1
    while size < largest:
        merged = []
        for block in blocks:
            last = merged[-1] if merged else (0, 0)
            aligned = last[0] % (2 * size) == 0 and block[0] == last[0] + size
            if block[1] == size == last[1] and aligned:
                merged[-1] = (last[0], 2 * size)
            else:
                merged.append(block)
        blocks, size = merged, 2 * size
    return blocks
def part(begin, size):
        if begin >= stop or begin + size <= start:
            return []
        if start <= begin and begin + size <= stop:
            return [(begin, size)]
        return part(begin, size // 2) + part(begin + size // 2, size // 2)
    return [block for begin in range(0, stop, largest) for block in part(begin, largest)]
blocks, size = [], 1
    while start < stop:
        while size < largest and start % (2 * size) == 0 and start + 2 * size <= stop:
            size *= 2
        while start + size > stop:
            size //= 2
        blocks.append((start, size))
        start += size
    return blocks
if start >= stop:
        return []
    size = 1
    while 2 * size <= largest and start % (2 * size) == 0 and start + 2 * size <= stop:
        size = 2 * size
    return [(start, size)] + cover(start + size, stop, largest)
""",
}

WRONG = {
    "quantiles.bounds_at": """
(0, entries.n)
(x, x)
entries.smallest[0], entries.largest[-1]
i = np.searchsorted(entries.values, x); return entries.smallest[i - 1], entries.largest[i] - 1
i = np.searchsorted(entries.values, x, side="right")
    return entries.smallest[i - 1], entries.largest[i] - 1
i = np.searchsorted(entries.values, x, side="right")
    return [0, *entries.smallest][i], [*entries.largest, entries.n][i]
i = np.searchsorted(entries.values, x, side="right")
    return entries.largest[i - 1] if i > 0 else 0, entries.n
i = np.searchsorted(entries.values, x, side="right")
    return i, i
entries.values[entries.values <= x].sum(), entries.n
bounds_of(entries, x)
module = __import__("shadersort.lessons.quantiles.entries", fromlist=["entries"])
    return getattr(module, "bounds_of")(entries, x)
f = bounds_of; return f(entries, x)
""",
    "frequent.histogram": """
np.unique(window, return_counts=True)
getattr(np, "uni" + "que")(window, return_counts=True)
items = sorted(set(window.tolist())); return items, [window.tolist().count(i) for i in items]
counts = Counter(window.tolist()); return sorted(counts), [counts[i] for i in sorted(counts)]
count = __import__("collections").Counter
    return sorted(count(window.tolist())), [n for _, n in sorted(count(window.tolist()).items())]
np.sort(window), np.ones(len(window))
counts = np.bincount(abs(window)); items = np.flatnonzero(counts); return items, counts[items]
np.append(True, ordered[1:] != ordered[:-1]) -> ordered[1:] != ordered[:-1]
np.append(True, ordered[1:] != ordered[:-1]) -> np.append(ordered[1:] != ordered[:-1], True)
np.diff(begins, append=len(window)) -> np.diff(begins)
np.diff(begins, append=len(window)) -> np.diff(begins, prepend=0)
ordered[begins], -> begins,
np.sort(window) -> np.sort(window)[::-1]
np.sort(window) -> window
ordered = np.sort(window) -> window.sort(); ordered = window
""",
    "frequent.take_window": """
held
{}
{item: (1, over) for item in window.tolist()}
{item: (int((window == item).sum()), over) for item in window.tolist()}
(0, over) -> (0, 0)
(0, over) -> (1, over)
(0, over) -> (0, over + 1)
if sum(pair) > over + 1 ->
sum(pair) > over + 1 -> pair[0] > over + 1
sum(pair) > over + 1 -> pair[1] > over + 1
sum(pair) > over + 1 -> sum(pair) > over
(before + count, missed) -> (count, missed)
(before + count, missed) -> (before + 1, missed)
(before + count, missed) -> (before + count, over)
now = dict(held) -> now = held
dict(held) -> {}
for item, pair in now.items() -> for item, pair in held.items()
zip(*histogram_of(window), strict=True) -> ((item, 1) for item in held)
now.get(item, (0, over)) -> now[item]
""",
    "sliding.cover": """
[(start, stop - start)]
[(at, 1) for at in range(start, stop)]
[(at, largest) for at in range(start, stop, largest)]
[(at, largest) for at in range(start // largest * largest, stop, largest)]
covering(start, stop, largest)
f = covering; return f(start, stop, largest)
import functools; return functools.partial(covering, start)(stop, largest)
while start < stop: pass
start % size != 0 or start + size > stop -> start + size > stop
start % size != 0 or start -> start
start % size != 0 or start + size > stop -> start % size != 0
start + size > stop -> size > 1 and start + size >= stop
size = largest -> size = min(largest, 4)
blocks.append((start, size)) -> blocks.append((start, start + size))
blocks.append((start, size)) -> blocks.insert(0, (start, size))
start += size -> start += largest
""",
}
