// Discards all keys but those equal to a pivot.

#include "counted.glsl"

void main() {
    if (!(counted_key() == pivot)) discard;
}
