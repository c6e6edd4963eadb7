// The rank of a key among the distinct keys of a texture: how many are smaller, by binary search.
// Another texture holds the distinct keys in order, four to a texel.

uniform SAMPLER values;
uniform int value_count;

KEY value_at(int i) {
    int texel = i >> 2, width = textureSize(values, 0).x;
    return texelFetch(values, ivec2(texel % width, texel / width), 0)[i & 3];
}

int rank_of(KEY key) {
    int first = 0, last = value_count - 1;
    while (first < last) {
        int middle = (first + last) >> 1;
        if (value_at(middle) < key)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}
