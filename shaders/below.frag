// Discards all keys but those below a pivot.

#include "counted.glsl"

void main() {
    if (!(counted_key() < pivot)) discard;
}
