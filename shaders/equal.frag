// Lets the keys equal to a pivot through.

#include "counted.glsl"

void main() {
    if (!(counted_key() == pivot)) discard;
}
