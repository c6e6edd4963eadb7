"""Answers to the central exercises of lessons 4 to 6."""

RIGHT = {
    "four_sorts.merged": """
out, i, j = [], 0, 0
    while len(out) < len(first) + len(second):
        if j == len(second) or i < len(first) and first[i] <= second[j]:
            out.append(first[i]); i += 1
        else:
            out.append(second[j]); j += 1
    return out
from collections import deque
    a, b, out = deque(first), deque(second), []
    while a and b:
        out.append(a.popleft() if a[0] < b[0] else b.popleft())
    return [*out, *a, *b]
a, b, out = list(first), list(second), []
    while a and b:
        out.append((a if a[0] <= b[0] else b).pop(0))
    return out + a + b
a, b, out = first[::-1], second[::-1], []
    while a and b:
        out.append(a.pop() if a[-1] < b[-1] else b.pop())
    return out + a[::-1] + b[::-1]
i, j, out = len(first) - 1, len(second) - 1, [0] * (len(first) + len(second))
    for place in range(len(out) - 1, -1, -1):
        if j < 0 or i >= 0 and first[i] > second[j]:
            out[place] = first[i]; i -= 1
        else:
            out[place] = second[j]; j -= 1
    return out
out, i = first.copy(), 0
    for key in second:
        while i < len(out) and out[i] <= key:
            i += 1
        out.insert(i, key)
        i += 1
    return out
def walk():
        a, b = iter(first), iter(second)
        x, y = next(a, None), next(b, None)
        while x is not None or y is not None:
            if y is None or x is not None and x < y:
                yield x
                x = next(a, None)
            else:
                yield y
                y = next(b, None)
    return list(walk())
""",
    "four_sorts.packed": """
np.stack([windows[c::4] for c in range(4)], axis=-1).reshape(-1, width, 4)
windows.reshape(-1, 4, windows.shape[1]).transpose(0, 2, 1).reshape(-1, width, 4)
texture = np.zeros((windows.size // 4 // width, width, 4), windows.dtype)
    rows = windows.shape[1] // width
    for number, window in enumerate(windows):
        at = number // 4 * rows
        texture[at : at + rows, :, number % 4] = window.reshape(rows, width)
    return texture
np.einsum("gcl->glc", windows.reshape(-1, 4, windows.shape[1])).reshape(-1, width, 4)
parts = windows.reshape(-1, 4, windows.shape[1] // width, width)
    return np.moveaxis(parts, 1, -1).reshape(-1, width, 4)
groups = [windows[g : g + 4] for g in range(0, len(windows), 4)]
    return np.vstack([np.stack(four, axis=1).reshape(-1, width, 4) for four in groups])
(count, length), four = windows.shape, range(4)
    texels = [[windows[g + c][p] for c in four] for g in range(0, count, 4) for p in range(length)]
    return np.array(texels).reshape(-1, width, 4)
""",
    "ladder.after_one_step": """
two = np.stack([keys, keys[partner]])
    return np.where(np.arange(len(keys)) < partner, two.min(axis=0), two.max(axis=0))
sign = np.where(np.arange(len(keys)) < partner, 1, -1)
    return sign * np.minimum(sign * keys, sign * keys[partner])
first = np.flatnonzero(np.arange(len(keys)) < partner); second = partner[first]; out = keys.copy()
    out[first] = np.minimum(keys[first], keys[second])
    out[second] = np.maximum(keys[first], keys[second])
    return out
last, other = (np.arange(len(keys)) > partner).astype(int), keys[partner]
    return np.choose(last, [np.minimum(keys, other), np.maximum(keys, other)])
other = keys[partner]; low = np.minimum(keys, other)
    return low + (np.arange(keys.size) > partner) * abs(keys - other)
first = np.arange(len(keys)) < partner; other = keys[partner]
    return first * np.minimum(keys, other) + ~first * np.maximum(keys, other)
wires, other = np.arange(len(keys)), keys[partner]
    swap = np.where(wires < partner, keys > other, keys < other)
    return keys[np.where(swap, partner, wires)]
""",
    "ladder.counts_of_texel": """
float b = float(four.r < pivot) + float(four.g < pivot);
    b += float(four.b < pivot) + float(four.a < pivot);
    float s = dot(vec4(equal(four, vec4(pivot))), vec4(1.0)); return vec4(b, s, 4.0 - b - s, 0.0);
vec4 d = sign(four - pivot), one = vec4(1.0); float below = dot(max(-d, 0.0), one);
    float above = dot(max(d, 0.0), one); return vec4(below, 4.0 - below - above, above, 0.0);
vec4 p = vec4(pivot), one = vec4(1.0); float other = dot(vec4(notEqual(four, p)), one);
    float b = dot(vec4(lessThan(four, p)), one); return vec4(b, 4.0 - other, other - b, 0.0);
vec4 p = vec4(pivot), le = vec4(lessThanEqual(four, p)), ge = vec4(greaterThanEqual(four, p));
    vec4 one = vec4(1.0);
    return vec4(4.0 - dot(ge, one), dot(le * ge, one), 4.0 - dot(le, one), 0.0);
ivec4 b = ivec4(lessThan(four, vec4(pivot))), a = ivec4(greaterThan(four, vec4(pivot)));
    int below = b.x + b.y + b.z + b.w, above = a.x + a.y + a.z + a.w;
    return vec4(float(below), float(4 - below - above), float(above), 0.0);
vec4 p = vec4(pivot), one = vec4(1.0), less = one - step(p, four), more = one - step(four, p);
    return vec4(dot(less, one), dot(one - less - more, one), dot(more, one), 0.0);
vec4 far = four - vec4(pivot);
    vec4 more = clamp(far * 2.0, 0.0, 1.0), less = clamp(-far * 2.0, 0.0, 1.0);
    float a = more.r + more.g + more.b + more.a, b = less.r + less.g + less.b + less.a;
    return vec4(b, 4.0 - a - b, a, 0.0);
""",
}

WRONG = {
    "four_sorts.merged": """
sorted(first + second)
sorted([*first, *second], key=lambda key: key)
np.sort(first + second).tolist()
first + second
second + first
[key for pair in zip(first, second) for key in pair]
[min(a, b) for a, b in zip(first, second)] + [max(a, b) for a, b in zip(first, second)]
first.extend(second); first.sort(); return first
sorted({*first, *second})
out, i, j = [], 0, 0 -> out, i, j = first, 0, 0
i < len(first) and j -> i < len(first) or j
first[i] <= second[j] -> first[i] >= second[j]
out + first[i:] + second[j:] -> out + second[j:]
out + first[i:] + second[j:] -> out + first + second
first[i] <= second[j] -> first[i] < second[j] or first[i] == second[j] or first[i] <= second[j]
out.append(first[i]) -> out.append(first.pop(0)) & i += 1 -> pass & first[i:] -> first
out = list(first)
    for key in second: out.insert(sum(k < key for k in out), key)
    return out
""",
    "four_sorts.packed": """
windows.reshape(-1, width, 4)
windows.T.reshape(-1, width, 4)
np.stack([windows[c::4] for c in range(4)], axis=0).reshape(-1, width, 4)
np.stack([windows[c::4] for c in range(4)], axis=1).reshape(-1, width, 4)
windows.reshape(-1, 4, windows.shape[1]).swapaxes(0, 2).reshape(-1, width, 4)
windows.reshape(4, -1, windows.shape[1]).swapaxes(1, 2).reshape(-1, width, 4)
windows.reshape(-1, 4, windows.shape[1]).swapaxes(1, 2).reshape(width, -1, 4)
windows.reshape(-1, 4, windows.shape[1]).swapaxes(1, 2)
windows.reshape(-1, 4, width).swapaxes(1, 2).reshape(-1, width, 4)
np.sort(windows.reshape(-1, 4, windows.shape[1]).swapaxes(1, 2).reshape(-1, width, 4), axis=2)
windows[:4].T.reshape(-1, width, 4)
""",
    "ladder.after_one_step": """
np.minimum(keys, keys[partner])
np.maximum(keys, keys[partner])
low, high = np.minimum(keys, keys[partner]), np.maximum(keys, keys[partner])
    return np.where(np.arange(len(keys)) > partner, low, high)
np.where(keys < keys[partner], keys, keys[partner])
np.where(keys < partner, np.minimum(keys, keys[partner]), np.maximum(keys, keys[partner]))
np.where(np.arange(len(keys)) < keys[partner], np.minimum(keys, keys[partner]), keys)
np.where(np.arange(len(keys)) < partner, np.minimum(keys, partner), np.maximum(keys, partner))
np.where(np.arange(len(keys)) < partner, np.minimum(keys, keys[partner]), keys)
np.where(np.arange(len(keys)) < partner, keys, keys[partner])
np.sort(keys)
np.array([(min if i < p else max)(keys[i], keys[p]) for i, p in enumerate(partner)])
choose = lambda i: (min if i < partner[i] else max)(keys[i], keys[partner[i]])
    return np.array(list(map(choose, range(len(keys)))))
choose = lambda i: (min if i < partner[i] else max)(keys[i], keys[partner[i]])
    return np.vectorize(choose)(np.arange(len(keys)))
""",
    "ladder.counts_of_texel": """
return vec4(lessThan(four, vec4(pivot)));
vec4 p = vec4(pivot), one = vec4(1.0);
    float b = dot(vec4(lessThanEqual(four, p)), one); return vec4(b, 0.0, 4.0 - b, 0.0);
vec4 p = vec4(pivot), one = vec4(1.0); float b = dot(vec4(lessThan(four, p)), one);
    return vec4(b, 0.0, 4.0 - b, 0.0);
vec4 p = vec4(pivot), one = vec4(1.0); float b = dot(vec4(lessThan(four, p)), one);
    float s = dot(vec4(equal(four, p)), one); return vec4(b, b + s, 4.0, 0.0);
vec4 p = vec4(pivot), one = vec4(1.0); float b = dot(vec4(lessThan(four, p)), one);
    float s = dot(vec4(equal(four, p)), one); return vec4(b, s, 4.0 - b - s, 1.0);
vec4 p = vec4(pivot), one = vec4(1.0); float b = dot(vec4(lessThan(four, p)), one);
    float s = dot(vec4(equal(four, p)), one); return vec4(b, s, 3.0 - b - s, 0.0);
float b = 0.0; if (four.r < pivot) b = 1.0; return vec4(b, 0.0, 0.0, 0.0);
float b = four.r < pivot ? 1.0 : 0.0; return vec4(b, 0.0, 0.0, 0.0);
""",
}
