// The order of texels: each of the four channels holds keys of its own.

TEXEL smaller(TEXEL a, TEXEL b) { return min(a, b); }

TEXEL larger(TEXEL a, TEXEL b) { return max(a, b); }
