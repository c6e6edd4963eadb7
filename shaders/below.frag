// Lets the keys below a pivot through.

#include "counted.glsl"

void main() {
    if (!(counted_key() < pivot)) discard;
}
