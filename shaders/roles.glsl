// What a pass does to each texel: the Role of roles.py, and its colour.

uniform usampler2D roles;
uniform vec3 role_colours[4];

const uint MIN_ROLE = 2u;  // MIN is 2, MAX is 3

uint role_at(ivec2 texel) {
    ivec2 size = textureSize(roles, 0);
    if (any(lessThan(texel, ivec2(0))) || any(greaterThanEqual(texel, size))) return 0u;
    return texelFetch(roles, texel, 0).r;
}

// Whether a texel with another role lies within `reach` texels of this place.
bool at_edge(vec2 place, ivec2 texel, float reach) {
    uint role = role_at(texel);
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
            ivec2 nearby = ivec2(floor(place + reach * vec2(x, y)));
            if (nearby != texel && role_at(nearby) != role) return true;
        }
    return false;
}
