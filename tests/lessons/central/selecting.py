"""Answers to the central exercises of lessons 7 to 17."""

TWO_LEVELS = """
shared int sums[THREADS], parts[8];
void kernel() {
    int i = block * THREADS + thread;
    sums[thread] = i < n ? abs(keys[i] - pivot) : 0;
    barrier();
    if (thread < 8) {
        int sum = 0;
        for (int j = 8 * thread; j < 8 * thread + 8; ++j) sum += sums[j];
        parts[thread] = sum;
    }
    barrier();
    if (thread == 0) {
        int sum = 0;
        for (int j = 0; j < 8; ++j) sum += parts[j];
        result[block] = sum;
    }
}
"""
TWO_LEVEL_SCAN = """
shared int sums[THREADS], parts[8];
void kernel() {
    int i = block * THREADS + thread;
    sums[thread] = i < n ? keys[i] : 0;
    barrier();
    if (thread % 8 == 0) {
        for (int j = thread + 1; j < thread + 8; ++j) sums[j] += sums[j - 1];
        parts[thread / 8] = sums[thread + 7];
    }
    barrier();
    int before = 0;
    for (int p = 0; p < thread / 8; ++p) before += parts[p];
    if (i < n) result[i] = before + sums[thread];
}
"""
DOUBLE_BUFFER = """
shared int a[THREADS], b[THREADS];
void kernel() {
    int i = block * THREADS + thread;
    a[thread] = i < n ? keys[i] : 0;
    barrier();
    for (int step = 1; step < THREADS; step *= 4) {
        b[thread] = thread >= step ? a[thread] + a[thread - step] : a[thread];
        barrier();
        a[thread] = thread >= 2 * step ? b[thread] + b[thread - 2 * step] : b[thread];
        barrier();
    }
    if (i < n) result[i] = a[thread];
}
"""
LOOP = "for (int step = THREADS / 2; step > 0; step /= 2) {"

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
    "median.objective": """
(abs(pivot - keys).sum(), 2 * np.count_nonzero(keys <= pivot) - keys.size)
[np.maximum(keys - pivot, pivot - keys).sum(), np.where(keys <= pivot, 1, -1).sum()]
left = keys[keys <= pivot]; right = keys[keys > pivot]
    return right.sum() - left.sum() + pivot * (len(left) - len(right)), len(left) - len(right)
math.fsum(abs(keys - pivot)), int((keys <= pivot).sum() - (keys > pivot).sum())
np.sqrt((keys - pivot) ** 2).sum(), np.sum(np.sign(pivot - keys) + (keys == pivot))
total = slope = 0
    for key in keys:
        total += abs(key - pivot)
        slope += 1 if key <= pivot else -1
    return total, slope
np.dot(np.where(keys > pivot, 1, -1), keys - pivot), -np.where(keys > pivot, 1, -1).sum()
far = keys - pivot; return np.array([np.abs(far).sum(), (far <= 0).sum() - (far > 0).sum()])
""",
    "buckets.one_round": """
number = np.minimum((keys - keys.min()) * count // (keys.max() - keys.min()), count - 1)
    chosen = np.sort(number)[k]
    return keys[number == chosen], k - (number < chosen).sum()
width = (keys.max() - keys.min()) / count
    number = np.clip(((keys - keys.min()) / width).astype(int), 0, count - 1)
    chosen = np.partition(number, k)[k]
    return keys[number == chosen], k - np.count_nonzero(number < chosen)
edges = np.linspace(keys.min(), keys.max(), count + 1)
    number = np.clip(np.digitize(keys, edges) - 1, 0, count - 1)
    for bucket in range(count):
        inside = keys[number == bucket]
        if k < len(inside):
            return inside, k
        k -= len(inside)
low, high, buckets = min(keys), max(keys), {}
    for key in keys:
        buckets.setdefault(min(int(count * (key - low) / (high - low)), count - 1), []).append(key)
    for number in sorted(buckets):
        if k < len(buckets[number]):
            return buckets[number], k
        k -= len(buckets[number])
least, width = keys.min(), (keys.max() - keys.min()) / count
    bucket = min(int((np.sort(keys)[k] - least) / width), count - 1)
    low = least + bucket * width
    inside = keys[(keys >= low) & ((keys < low + width) | (bucket == count - 1))]
    return inside, k - np.sum(keys < low)
number = np.minimum(count * (keys - keys.min()) // np.ptp(keys), count - 1)
    ends = np.cumsum(np.bincount(number, minlength=count)); chosen = np.argmax(ends > k)
    return keys[number == chosen], k - (ends[chosen - 1] if chosen else 0)
number = np.minimum(count * (keys - keys.min()) // np.ptp(keys), count - 1)
    ends = np.cumsum(np.bincount(number)); chosen = np.searchsorted(ends, k + 1)
    inside = np.compress(number == chosen, keys)
    return inside, k - ends[chosen] + len(inside)
""",
    "hundred.bucket_and_place": """
ends = np.cumsum(counts); buckets = np.digitize(ks, ends)
    return buckets, ks - np.append(0, ends)[buckets]
import bisect
    ends = np.cumsum(counts).tolist()
    buckets = [bisect.bisect_right(ends, k) for k in ks]
    return buckets, [k - ends[b] + counts[b] for k, b in zip(ks, buckets)]
buckets, places = [], []
    for k in ks.tolist():
        bucket = 0
        while k >= counts[bucket]:
            k -= counts[bucket]
            bucket += 1
        buckets.append(bucket)
        places.append(k)
    return np.array(buckets), np.array(places)
buckets = np.argmax(np.cumsum(counts) > ks[:, None], axis=1)
    return buckets, ks - np.array([counts[:b].sum() for b in buckets])
starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    buckets = np.searchsorted(np.cumsum(counts), ks, "right")
    return buckets, ks - starts[buckets]
ends = np.cumsum(counts); buckets = np.searchsorted(ends, ks + 1)
    return [buckets, ks + counts[buckets] - ends[buckets]]
table = [(b, p) for b, count in enumerate(counts) for p in range(count)]
    return [table[k][0] for k in ks], [table[k][1] for k in ks]
""",
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
RIGHT_KERNELS = {
    "median.sum_of_distances": [
        TWO_LEVELS,
        f"{LOOP} -> int step = THREADS; while (step > 1) {{ step /= 2;",
        "thread < step -> thread < step && thread + step < THREADS",
        "if (thread == 0) result -> if (thread == THREADS - 1) result",
        f"if (thread < step) {{ -> {{ & sums[thread + step] -> other & {LOOP}"
        " -> for (int step = 1; step < THREADS; step *= 2) {"
        " int other = thread + step < THREADS ? sums[thread + step] : 0; barrier();",
    ],
    "side_by_side.prefix_sums": [
        *(TWO_LEVEL_SCAN, DOUBLE_BUFFER, "step *= 2 -> step <<= 1"),
        "i < n ? keys[i] : 0; -> 0; if (i < n) sums[thread] = keys[i];",
        "if (i < n) result[i] -> if (i >= n) return; result[i]",
    ],
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
    "median.objective": """
np.abs(keys - pivot).sum()
np.abs(keys - pivot).mean(), np.sum(keys <= pivot) - np.sum(keys > pivot)
np.abs(keys - pivot).sum(), np.sum(keys < pivot) - np.sum(keys > pivot)
np.abs(keys - pivot).sum(), np.sum(keys <= pivot)
np.abs(keys - pivot), np.sum(keys <= pivot) - np.sum(keys > pivot)
((keys - pivot) ** 2).sum(), np.sum(keys <= pivot) - np.sum(keys > pivot)
np.abs(keys - pivot).sum(), np.sign(pivot - keys).sum()
np.sum(keys <= pivot) - np.sum(keys > pivot), np.abs(keys - pivot).sum()
keys -= pivot; return np.abs(keys).sum(), np.sum(keys <= 0) - np.sum(keys > 0)
keys.sort(); return np.abs(keys - pivot).sum(), np.sum(keys <= pivot) - np.sum(keys > pivot)
""",
    "buckets.one_round": """
(keys, k)
(np.sort(keys)[[k]], 0)
(keys[keys <= np.sort(keys)[k]], k)
round_of(keys, k, count)
np.minimum((count * shares).astype(int), count - 1) -> (count * shares).astype(int)
keys - keys.min() -> keys
(keys - keys.min()) / -> keys /
k - np.sum(number < chosen) -> np.sum(number < chosen)
k - np.sum(number < chosen) -> k - np.sum(number <= chosen)
side="right" -> side="left"
ends, k, side="right" -> ends, k - 1, side="right"
(count * shares).astype(int) -> np.rint(count * shares).astype(int)
count * shares -> (count - 1) * shares
keys[number == chosen] -> keys[number <= chosen]
keys[number == chosen] -> np.unique(keys[number == chosen])
number = np.minimum -> number = np.argsort(keys) * count // len(keys); np.minimum
""",
    "hundred.bucket_and_place": """
(ks, ks)
ends = np.cumsum(counts); b = np.searchsorted(ends, ks, "right"); return b, ends[b] - ks
ends = np.cumsum(counts); b = np.searchsorted(ends, ks, "right"); return b, ks - ends[b]
ends = np.cumsum(counts); b = np.searchsorted(ends, ks, "right"); return b, ks - ends[b - 1]
ends = np.cumsum(counts); b = np.searchsorted(ends, ks); return b, ks - (ends - counts)[b]
ends = np.cumsum(counts); b = np.searchsorted(counts, ks); return b, ks - (ends - counts)[b - 1]
ends = np.cumsum(counts); return np.searchsorted(ends, ks, "right")
ends = np.cumsum(counts); b = np.searchsorted(ends, ks, "right")
    return b + 1, ks - (ends - counts)[b]
ends = np.cumsum(counts); b = np.searchsorted(ends, ks, "right"); return ks - (ends - counts)[b], b
ends = np.cumsum(counts); b = np.searchsorted(ends, ks, "right"); return b, ks - counts[b]
""",
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
