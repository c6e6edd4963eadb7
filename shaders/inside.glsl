// Steps that join the lists of one texel: the last steps of a pass. INSIDE names them in their order,
// "TURN(2) ORDER(2)" for example. List c is joined with list c ^ mask. Each channel is a list; or
// there are two lists, of records of two channels. order.glsl is to be included before.

#ifndef INSIDE
#define INSIDE
#endif

#define TURN(mask) if ((wire & 1) != 0) lists = exchanged(lists, mask);
#define ORDER(mask) lists = ordered(lists, mask);

TEXEL exchanged(TEXEL lists, int mask) {
#ifdef RECORD
    return lists.barg;
#else
    return mask == 1 ? lists.grab : mask == 2 ? lists.barg : lists.abgr;
#endif
}

TEXEL ordered(TEXEL lists, int mask) {
    TEXEL others = exchanged(lists, mask);
    TEXEL low = smaller(lists, others), high = larger(lists, others);
#ifndef RECORD
    if (mask == 1) return TEXEL(low.r, high.g, low.b, high.a);
#endif
    return TEXEL(low.rg, high.ba);
}

TEXEL after_steps_inside(TEXEL lists, int wire) {
    INSIDE
    return lists;
}
