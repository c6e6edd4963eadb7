"""Answers to the central exercises on selection, and to two with kernels."""

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
    "median.sum_of_distances": """
if (thread < step) -> if (thread == 0) for (int j = 0; j < step; ++j)
    & sums[thread] += sums[thread + step] -> sums[j] += sums[j + step]
sums[thread] += sums[thread + step] -> atomicAdd(sums[thread], sums[thread + step])
""",
}
