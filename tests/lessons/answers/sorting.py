"""Answers to the central exercises of lessons 1 to 3."""

RIGHT = {
    "drawing.turned": """
ivec2 last = size - ivec2(1); return texel_at(last - place);
return texel_of(size.x * size.y - 1 - (place.y * size.x + place.x));
int x = size.x - place.x - 1; int y = size.y - place.y - 1; return texel_at(ivec2(x, y));
ivec2 other = -place; other += size; other -= 1; return texel_at(other);
return texelFetch(keys, size - place - 1, 0);
vec2 at = vec2(size) - vec2(place) - 1.0; return texel_at(ivec2(at));
ivec2 p = size - 1; p.x -= place.x; p.y -= place.y; vec4 found = texel_at(p); return found;
""",
    "networks.sorts": """
import itertools
    for keys in itertools.permutations(range(n)):
        keys = list(keys)
        for low, high in comparators:
            if keys[low] > keys[high]:
                keys[low], keys[high] = keys[high], keys[low]
        if keys != sorted(keys):
            return False
    return True
import itertools
    def after(keys):
        keys = list(keys)
        for a, b in comparators:
            keys[a], keys[b] = min(keys[a], keys[b]), max(keys[a], keys[b])
        return keys
    return all(after(keys) == sorted(keys) for keys in itertools.product([0, 1], repeat=n))
keys = zeros_and_ones(n).T.copy()
    for low, high in comparators:
        keys[low], keys[high] = keys[low] & keys[high], keys[low] | keys[high]
    return bool((np.diff(keys, axis=0) >= 0).all())
rows = {tuple(row) for row in zeros_and_ones(n).tolist()}
    for low, high in comparators:
        wires = [high if i == low else low if i == high else i for i in range(n)]
        rows = {tuple(r[i] for i in wires) if r[low] > r[high] else r for r in rows}
    return len(rows) == n + 1
rows = zeros_and_ones(n)
    for low, high in comparators:
        swap = rows[:, low] > rows[:, high]
        rows[swap, low], rows[swap, high] = 0, 1
    return not (rows[:, :-1] > rows[:, 1:]).any()
def run(number):
        for low, high in comparators:
            if number >> low & 1 and not number >> high & 1:
                number ^= 1 << low | 1 << high
        return number
    return all(run(i) in [(1 << n) - (1 << z) for z in range(n + 1)] for i in range(2**n))
keys = zeros_and_ones(n)
    ones = keys.sum(axis=1)
    for low, high in comparators:
        both = keys[:, [low, high]]
        keys[:, low], keys[:, high] = both.min(axis=1), both.max(axis=1)
    return np.array_equal(keys, np.arange(n) >= n - ones[:, None])
""",
    "networks.balanced_comparators": """
[(first + i, first + block - 1 - i) for first in range(0, n, block) for i in range(block // 2)]
[(a, b) for a in range(n) for b in range(a + 1, n)
    if a // block == b // block and a % block + b % block == block - 1]
wires = np.arange(n).reshape(-1, block); half = block // 2
    return np.stack([wires[:, :half].ravel(), wires[:, : half - 1 : -1].ravel()], axis=1)
[(i, i // block * block + block - 1 - i % block) for i in range(n) if i % block < block // 2]
sorted({(min(i, i ^ (block - 1)), max(i, i ^ (block - 1))) for i in range(n)})
if n == block:
        return [(i, n - 1 - i) for i in range(n // 2)]
    half = balanced_comparators(n // 2, block)
    return half + [(a + n // 2, b + n // 2) for a, b in half]
tuple((at, at ^ (block - 1)) for at in range(n) if not at & (block >> 1))
""",
    "by_drawing.mirror_step": """
int partner = wire ^ (block - 1); vec4 a = texel_of(wire), b = texel_of(partner);
    return partner > wire ? min(a, b) : max(a, b);
int place = wire % block; int partner = wire - place + block - 1 - place;
    if (place < block / 2) { return min(texel_of(wire), texel_of(partner)); }
    return max(texel_of(wire), texel_of(partner));
int first = wire - wire % block; int partner = 2 * first + block - 1 - wire;
    vec4 own = texel_of(wire), other = texel_of(partner);
    if (wire > partner) return max(own, other); else return min(other, own);
int partner = wire ^ (block - 1); vec4 own = texel_of(wire), other = texel_of(partner);
    return mix(min(own, other), max(own, other), float(wire > partner));
int partner = wire ^ (block - 1); vec4 own = texel_of(wire), low = min(own, texel_of(partner));
    return wire < partner ? low : own + texel_of(partner) - low;
int p = wire ^ (block - 1); vec4 a = texel_of(min(wire, p)), b = texel_of(max(wire, p));
    vec4 low = min(a, b), high = max(a, b); if (wire == min(wire, p)) return low; return high;
int p = wire ^ (block - 1); vec4 own = texel_of(wire), other = texel_of(p);
    for (int c = 0; c < 4; c++) if ((own[c] > other[c]) == (wire < p)) own[c] = other[c];
    return own;
""",
}

WRONG = {
    "drawing.turned": """
return texel_at(place - size - 1);
return texel_at(size - place);
return texel_at(size - 2 - place);
return texel_of(size.x * size.y - place.y * size.x + place.x);
return texel_at(-place);
return texel_at(ivec2(size.y - 1 - place.y, size.x - 1 - place.x));
return 1.0 - texel_at(place);
return texel_at(size - 1 - place).abgr;
return texel_at(size - 1 - place) * 0.5;
return texel_of(place.y * size.x + place.x);
while (true) {} return texel_at(size - 1 - place);
vec4 found; for (int i = 0; i < size.x; i++) found = texel_at(ivec2(i, place.y)); return found;
""",
    "networks.sorts": """
True
False
len(comparators) >= n - 1
len(comparators) >= n * (n - 1) // 2
{wire for pair in comparators for wire in pair} == {*range(n)}
all((i, i + 1) in comparators for i in range(n - 1))
while True: pass
zeros_and_ones(n) -> np.arange(n)[None, ::-1].copy()
zeros_and_ones(n) -> np.random.default_rng(1).permuted(np.tile(np.arange(n), (20, 1)), axis=1)
zeros_and_ones(n) -> zeros_and_ones(n)[: n + 1]
zeros_and_ones(n) -> zeros_and_ones(n)[1::2]
smaller = np.minimum -> keys[:, low] = smaller = np.minimum
np.all(keys[:, :-1] <= keys[:, 1:]) -> np.any(keys[:, :-1] <= keys[:, 1:])
in comparators -> in comparators[::-1]
in comparators -> in sorted(comparators)
""",
    "networks.balanced_comparators": """
[(first + i, first + block - i) for first in range(0, n, block) for i in range(block // 2)]
[(i, block - 1 - i) for i in range(block // 2)]
[(i, n - 1 - i) for i in range(n // 2)]
[(first + block - 1 - i, first + i) for first in range(0, n, block) for i in range(block // 2)]
[(first + i, first + block - 1 - i) for first in range(0, n, block) for i in range(block)]
[(first + i, first + block - 1 - i) for first in range(0, n, block // 2) for i in range(block // 2)]
[(first + i, first + block // 2 + i) for first in range(0, n, block) for i in range(block // 2)]
[(first + i, first + block - 1 - i) for first in range(n // block) for i in range(block // 2)]
[(i, i + 1) for i in range(n - 1)]
[first + i for first in range(0, n, block) for i in range(block // 2)]
[(i, i ^ block) for i in range(n)]
print([(i, i + 1) for i in range(n)]) or []
n // block
""",
    "by_drawing.mirror_step": """
int partner = wire ^ (block - 1); return min(texel_of(wire), texel_of(partner));
int p = wire ^ block; return wire < p ? min(texel_of(wire), texel_of(p)) : texel_of(wire);
int partner = block - 1 - wire; vec4 a = texel_of(wire), b = texel_of(partner);
    return wire < partner ? min(a, b) : max(a, b);
int partner = wire ^ (block - 1); return texel_of(partner);
int partner = wire + block / 2; return min(texel_of(wire), texel_of(partner));
int partner = wire ^ (block - 1); vec4 a = texel_of(wire), b = texel_of(partner);
    if (wire < partner) return min(a, b);
int i = 0; while (i < block) { wire += 0; } return texel_of(wire);
return wire < block ? min(texel_of(wire), texel_of(wire + 1)) : texel_of(wire);
int partner = wire ^ (block - 1); return (texel_of(wire) + texel_of(partner)) / 2.0;
""",
}
