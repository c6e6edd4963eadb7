// The order of texels. Each of the four channels holds its own keys; or RECORD of them, 2, are one
// record. The first channel in which two records differ decides their order.

#ifndef RECORD

TEXEL smaller(TEXEL a, TEXEL b) { return min(a, b); }

TEXEL larger(TEXEL a, TEXEL b) { return max(a, b); }

#else

// whether the record in a comes before the one in b: in red and green, and in blue and alpha
bvec2 in_order(TEXEL a, TEXEL b) {
    bvec4 less = lessThan(a, b), same = equal(a, b);
    return bvec2(less.x || same.x && less.y, less.z || same.z && less.w);
}

TEXEL of_each(bvec2 first, TEXEL a, TEXEL b) {
    return TEXEL(first.x ? a.xy : b.xy, first.y ? a.zw : b.zw);
}

TEXEL smaller(TEXEL a, TEXEL b) { return of_each(in_order(a, b), a, b); }

TEXEL larger(TEXEL a, TEXEL b) { return of_each(in_order(a, b), b, a); }

#endif
