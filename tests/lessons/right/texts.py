"""Right answers to the exercises that ask for texts, by lesson and exercise.

A shader is the body of its function; a kernel is what changes in the solution, as `old -> new`.
Those of lesson 18 are for the trimmed mean, and for the mode where the name says so.
"""

from collections.abc import Mapping

NEIGHBOURS_FIRST = "int step = THREADS / 2; step > 0; step /= 2"
NEIGHBOURS_FIRST += " -> int step = 1; step < THREADS; step *= 2"
NEIGHBOURS_FIRST += " & thread < step -> thread % (2 * step) == 0"
"""The tree of a sum the other way round."""

PIECES = "int i = block * THREADS + thread; i < n; i += blocks * THREADS"
PIECES += " -> int i = block * (n / blocks + 1) + thread;"
PIECES += " i < min(n, (block + 1) * (n / blocks + 1)); i += THREADS"
"""Loops over keys: a piece of the keys for each block, not all blocks side by side."""

QUARTERS = "THREADS / 2; step > 0; step /= 2 -> THREADS / 4; step > 0; step /= 4 & + step];"
QUARTERS += " -> + step] + sums[thread + 2 * step] + sums[thread + 3 * step];"
"""A tree of a sum that adds three others in each step."""

UP_AND_DOWN = """        int left = 0;
        if (thread >= step) left = sums[thread - step];
        barrier();
        sums[thread] += left;
        barrier();
    }
 ->        if ((thread + 1) % (2 * step) == 0) sums[thread] += sums[thread - step];
        barrier();
    }
    for (int step = THREADS / 4; step > 0; step /= 2) {
        if ((thread + 1) % (2 * step) == step && thread >= 2 * step) {
            sums[thread] += sums[thread - step];
        }
        barrier();
    }
"""

IN_PARALLEL = """if (thread == 0) {
        chosen = 0;
        before = 0;
        while (before + counts[chosen] <= k) {
            before += counts[chosen];
            ++chosen;
        }
 -> if (thread < BUCKETS) {
        int sum = 0;
        for (int b = 0; b < thread; ++b) sum += counts[b];
        if (sum <= k && k < sum + counts[thread]) {
            chosen = thread;
            before = sum;
        }
"""

COUNTED = ["count += 1 -> ++count", "int count = 0, -> int count; count = 0; int"]
"""The counts of both kernels of lesson 18."""

STAGED = """shared int total; -> shared int total, staged[THREADS + 1];
 & for (int i = block * THREADS + thread; i < n; i += blocks * THREADS) {
        if (i > 0 && keys[i - 1] > keys[i]) falls += 1;
 ->    for (int start = block * THREADS; start < n; start += blocks * THREADS) {
        int i = start + thread;
        staged[thread + 1] = i < n ? keys[i] : 99;
        if (thread == 0) staged[0] = keys[max(start - 1, 0)];
        barrier();
        if (staged[thread] > staged[thread + 1]) falls += 1;
        barrier();
"""
"""Falls of keys up to 99, each of which is read once from global memory."""

RIGHT: Mapping[str, list[str]] = {
    "drawing.turned": [
        "return texel_at(ivec2(size.x - 1 - place.x, size.y - 1 - place.y));",
        """int last = size.x * size.y - 1, own = place.y * size.x + place.x;
        return texel_at(ivec2((last - own) % size.x, (last - own) / size.x));""",
    ],
    "drawing.kept_smaller": [
        """vec4 a = texel_at(place), b = texel_at(size - place - ivec2(1, 1));
        return mix(a, b, vec4(lessThan(b, a)));""",
        """vec4 own = texel_at(place), other = texel_at(size - 1 - place);
        for (int c = 0; c < 4; c++) if (other[c] < own[c]) own[c] = other[c];
        return own;""",
    ],
    "by_drawing.mirror_step": [
        """int first = wire / block * block;
        vec4 own = texel_of(wire), other = texel_of(first + block - 1 - (wire - first));
        if (wire - first < block / 2) return min(own, other);
        return max(own, other);""",
        """float side = (wire & (block / 2)) == 0 ? 1.0 : -1.0;
        return side * min(side * texel_of(wire), side * texel_of(wire ^ (block - 1)));""",
    ],
    "by_drawing.directed_step": [
        """bool first = wire / distance % 2 == 0;
        vec4 own = texel_of(wire), other = texel_of(first ? wire + distance : wire - distance);
        if (wire / run % 2 == 1) first = !first;
        return first ? min(own, other) : max(own, other);""",
        """int partner = wire ^ distance;
        vec4 own = texel_of(wire), other = texel_of(partner);
        vec4 low = min(own, other);
        return ((wire & run) == 0) == (wire < partner) ? low : own + other - low;""",
    ],
    "four_sorts.channel_pairs": [
        """vec2 low = min(four.rb, four.ga), high = max(four.rb, four.ga);
        return vec4(low.r, high.r, low.g, high.g);""",
        """four = mix(four, four.grab, vec4(greaterThan(four * vec4(1, -1, 1, -1),
            four.grab * vec4(1, -1, 1, -1))));
        return four;""",
    ],
    "four_sorts.sorted_texel": [
        """vec2 low = min(four.rg, four.ba), high = max(four.rg, four.ba);
        float b = max(low.r, low.g), c = min(high.r, high.g);
        return vec4(min(low.r, low.g), min(b, c), max(b, c), max(high.r, high.g));""",
        """vec4 a = four;
        a = vec4(min(a.rg, a.gr).r, max(a.rg, a.gr).r, min(a.ba, a.ab).r, max(a.ba, a.ab).r);
        float low = min(a.r, a.b), high = max(a.g, a.a), rest = dot(a, vec4(1.0)) - low - high;
        float middle = max(min(a.g, a.a), max(a.r, a.b));
        return vec4(low, rest - middle, middle, high);""",
    ],
    "four_sorts.one_list": [
        """int texels = block / 4, first = texel / texels * texels;
        vec4 own = texel_of(texel).abgr, other = texel_of(2 * first + texels - 1 - texel);
        return texel - first < texels / 2 ? min(own, other).abgr : max(own, other).abgr;""",
        """int mask = block / 4 - 1;
        vec4 own = texel_of(texel), t = texel_of(texel ^ mask);
        vec4 other = vec4(t.a, t.b, t.g, t.r);
        if ((texel & mask) > mask / 2) return max(own, other);
        return min(other, own);""",
    ],
    "ladder.largest_of_four": [
        """vec4 most = texel_at(2 * place);
        for (int i = 1; i < 4; i++) most = max(most, texel_at(2 * place + ivec2(i % 2, i / 2)));
        return most;""",
        """ivec2 last = place + place + ivec2(1, 1), left = ivec2(1, 0), up = ivec2(0, 1);
        return -min(-max(texel_at(last), texel_at(last - left)),
            min(-texel_at(last - up), -texel_at(last - up - left)));""",
    ],
    "ladder.counts_of_texel": [
        """vec4 below = vec4(lessThan(four, vec4(pivot)));
        vec4 same = vec4(equal(four, vec4(pivot)));
        float first = below.r + below.g + below.b + below.a;
        float second = same.r + same.g + same.b + same.a;
        return vec4(first, second, 4.0 - first - second, 0.0);""",
        """float most = dot(step(vec4(pivot), four), vec4(1.0));
        float least = dot(step(four, vec4(pivot)), vec4(1.0));
        return vec4(4.0 - most, most + least - 4.0, 4.0 - least, 0.0);""",
    ],
    "median.distances": [
        "if (i < n) { -> if (i >= n) return; {",
        "keys[i] - pivot) -> pivot - keys[i])",
        "abs(keys[i] - pivot) -> keys[i] > pivot ? keys[i] - pivot : pivot - keys[i]",
        "abs(keys[i] - pivot) -> max(keys[i], pivot) - min(keys[i], pivot)",
    ],
    "median.sum_of_distances": [
        *(NEIGHBOURS_FIRST, QUARTERS),
        "int step = THREADS / 2; step > 0; step /= 2 -> int step = 32; step != 0; step >>= 1",
        "i < n ? abs(keys[i] - pivot) : 0 -> i >= n ? 0 : max(keys[i] - pivot, pivot - keys[i])",
    ],
    "buckets.block_histogram": [
        PIECES,
        "THREADS) atomicAdd(result -> THREADS) if (counts[b] != 0) atomicAdd(result",
        "int bucket = (keys[i] - least) -> int bucket = keys[i] - least; bucket = bucket",
        "counts[b] = 0; -> { counts[b] = 0; }",
    ],
    "side_by_side.prefix_sums": [
        UP_AND_DOWN,
        "= sums[thread - -> += sums[thread - & left = 0 -> left = sums[thread] & += left -> = left",
        *(
            "step *= 2 -> step += step",
            "sums[thread] += -> sums[thread] = sums[thread] +",
        ),
    ],
    "side_by_side.compacted": [
        "thread == THREADS - 1 -> thread == 0 & [0], ends[thread] -> [0], ends[THREADS - 1]",
        "int left = thread >= step ? ends[thread - step] : 0;"
        " -> int left = 0; if (thread >= step) left = ends[thread - step];",
        *("kept ? 1 : 0 -> int(kept)", "thread == THREADS - 1 -> !(thread + 1 < THREADS)"),
    ],
    "side_by_side.select_round": [
        IN_PARALLEL,
        "atomicAdd(filled, 1) -> -atomicAdd(filled, -1) & [1] = filled; -> [1] = -filled;",
        "while (before -> for (; before & <= k) -> <= k; )",
        "int place = atomicAdd(filled, 1); -> & 2 + place -> atomicAdd(filled, 1) + 2",
    ],
    "kernel_costs.falls": [
        *(PIECES, "i > 0 && keys[i - 1] > keys[i] -> i + 1 < n && keys[i + 1] < keys[i]"),
        STAGED,
    ],
    "kernel_costs.transposed": [
        "33 * y + x] = -> 32 * y + (x + y) % 32] = & 33 * x + y] -> 32 * x + (x + y) % 32]",
        "33 * y + x] = -> 32 * y + (x ^ y)] = & 33 * x + y] -> 32 * x + (x ^ y)]",
        "33 * y + x] = -> 33 * x + y] = & = tile[33 * x + y] -> = tile[33 * y + x]",
    ],
    "kernel_costs.up_sweep": [
        "right < THREADS -> thread < THREADS / (2 * step)",
        "int right = 2 * step * (thread + 1) - 1; -> int left = (2 * thread + 1) * step - 1; & "
        "if (right < THREADS) sums[right] += sums[right - step]; -> if (left + step < THREADS) "
        "sums[left + step] = sums[left] + sums[left + step];",
        "step < THREADS; step *= 2 -> 2 * step <= THREADS; step += step",
    ],
    "capstone.by_drawing": [
        """vec4 own = texel_of(number);
        vec4 outside = max(step(own, vec4(low)), step(vec4(high), own));
        return vec4(4.0 - dot(outside, vec4(1.0)), dot(own, 1.0 - outside), vec2(0.0));""",
        """vec4 own = texel_of(number), marks = vec4(own.r > low && own.r < high, own.g > low &&
            own.g < high, own.b > low && own.b < high, own.a > low && own.a < high);
        return vec4(marks.r + marks.g + marks.b + marks.a, dot(marks, own), 0.0, 0.0);""",
    ],
    "capstone.mode_by_drawing": [
        """vec4 own = texel_of(number), last = texel_of(number - 1);
        bool first = number == 0 || own.r != last.a;
        return vec4(first, own.g != own.r, own.b != own.g, own.a != own.b);""",
        """vec4 own = texel_of(number), last = texel_of(number - 1);
        vec4 before = vec4(last.a, own.r, own.g, own.b);
        if (number == 0) before.r = own.r - 1.0;
        return 1.0 - vec4(equal(own, before));""",
    ],
    "capstone.by_kernel": [
        *(*COUNTED, NEIGHBOURS_FIRST, PIECES),
        "low < keys[i] && keys[i] < high -> !(keys[i] <= low || keys[i] >= high)",
    ],
    "capstone.mode_by_kernel": [
        *(*COUNTED, NEIGHBOURS_FIRST, "place = min(place, i); -> if (i < place) place = i;"),
    ],
}
