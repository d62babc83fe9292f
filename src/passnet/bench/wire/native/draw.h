// Draws the inputs of one call from its key: element i of an input follows from the key, the input's number and i alone.
//
// One text for the processor and for CUDA. A call's inputs must not tell their key: who has it knows of each element what
// was drawn, and so what no real input tells. So all words come from a block cipher in counter mode.
#include <stdint.h>

#ifdef __CUDACC__
#include <cuda_fp16.h>
#define PASSNET_FUNCTION __device__ __forceinline__
#define PASSNET_LARGE __device__ __noinline__
#else
#include "passnet.h"
#define PASSNET_FUNCTION static inline
#define PASSNET_LARGE static inline
#endif

// How elements are drawn; the same numbers as in generator.py.
enum { COPY = 0, PICK = 1, BLEND_HALF = 2, BLEND_BFLOAT = 3, BLEND_FLOAT = 4, BLEND_DOUBLE = 5, RANGE = 6 };

// Of kind COPY, a table is as long as the input, or `entries` is not zero and so many elements come again and again.
// Of kind RANGE, an entry is the first number and the count of numbers in a row, and an integer is one of them.
//
// One input: `count` elements of `bytes` bytes at `out`, drawn from `entries` values of `table`. Where `row` is not
// zero, each row of so many elements holds `first` at one place and `last` at another; if it is `uneven`, a third of the
// rows are `first` throughout, a third `last`, and the others are left as they are drawn. In half of the rows that are
// alike one element is the other one of the two. Where `uneven` is 2, every row is alike but for one element. Where it is
// more, some places of each row are shown: these are `first`, or stay as they are drawn with KEPT, and all others are
// `last`. See the kinds below. `height`: how many rows a matrix has in which a region is shown.
//
// Where `size` is not zero, some elements are odd: `inner` neighbours belong to one place, there are `size` places, which
// repeat, and one of them is odd. It is the same one in all inputs of so many places. `most`: the places of the input that
// has most. Only odd elements are drawn from `odd_table` then, and only in these are `first` and `last`.
//
// Where `run` is not zero, the odd elements are a run of each row of so many elements instead, in a run of the rows of each
// matrix of `tall` rows. In a quarter of the matrices all else is odd. `meets`: inputs share the places of such runs and
// what is drawn into them, so that those of one shape and of equal tables hold the same numbers there.
//
// Where `sized` is not zero, each row of so many elements is multiplied at last by a power of two between `least` and
// `least + span`. It is the same power in the rows of one number of all inputs with the same `least` and `span`. The
// elements are of kind `numbers`.
//
// Where `line` is not zero, some lines of so many elements are alike or in order. The elements of a line are `apart` from
// each other. Some lines are those of the same number in other inputs, if the tables are equal, and some are all one line.
// Of others the elements rise or fall, if the table is sorted, or come again after some. With `apart` 0, the input holds
// matrices of `line` rows and columns, and the last one and half of the others are symmetric. Lines are of numbers of
// `parts` elements. With `apart` below 0 all lines rise, each with a bend of its own, and no two neighbours are as near as
// rounding could turn round. It is -1 less the sum of the flags and of four times how far their elements are apart beyond
// neighbours. FROM_FIRST: each begins with the table's first value. FALLS: all fall instead. Where `share` is not zero, that share of
// 2^32 of the lines is near one centre instead, which is the same in all inputs of lines of one length, and all others are
// as they are drawn. Of 2^16, `noise` is how far from its centre a near line lies at most. Where `centres` is not zero, there
// are so many, and near lines of some have a part of their elements in common alone, or none with `entirely`. Where `others`
// is not zero, centres are some of so many rows of the input of number `other`, whose elements are `between` from each other
// and are drawn by themselves. Where `within` is not zero, the row is one of the same so many rows as the line, or below zero
// that of the line's own number.
//
// Where `named` is not zero, the input holds integers that name rows. Input `namer` has so many lines of which a share of
// `naming` is near such centres, of which there are `centres`. Some elements are the number of the row which is the centre of
// their own line, or of the one before that. Of `stride` lines each has one element.
//
// Where `related` is not zero, some rows of so many elements are those of the same number in other inputs, opposite to
// these, multiples of them, or the sum of two of them. Some `block`s of rows are related as one row. `unit`: the multiple.
// `opposes`: whether a row may be opposite; it and the other one add up to `centre`. `role`: whether a row is the first of
// those that are added up, the second, or the sum; or NO_ROLE. Which one is which is drawn. Elements are of kind `numbers`.
struct Input {
    void* out;
    const void* table;
    int64_t count;
    int64_t row;
    uint64_t first;
    uint64_t last;
    uint32_t kind;
    uint32_t bytes;
    uint32_t entries;
    uint32_t number;
    uint32_t uneven;
    uint32_t odd_kind;
    uint32_t odd_entries;
    const void* odd_table;
    int64_t inner;
    int64_t size;
    int64_t most;
    int64_t sized;
    float least;
    float span;
    uint32_t numbers;
    int64_t line;
    int64_t apart;
    uint32_t share;
    uint32_t noise;
    int64_t parts;
    int64_t height;
    int64_t related;
    int64_t block;
    float unit;
    float centre;
    uint32_t opposes;
    uint32_t role;
    int64_t run;
    int64_t tall;
    uint32_t meets;
    uint32_t centres;
    uint32_t entirely;
    uint32_t other;
    int64_t others;
    int64_t between;
    int64_t within;
    int64_t named;
    int64_t stride;
    uint32_t namer;
    uint32_t naming;
};

// Which places of a row are shown, the same numbers as in generator.py: those from its first one on, those up to its last
// one, these or a run or scattered ones, or a rectangle of each matrix. The flags: all rows are alike, inputs share their
// rows, and shown elements stay as they are drawn.
enum { ALL_UNEVEN = 2, RIGHT = 3, LEFT = 4, MIXED = 5, REGIONS = 6, OF_KIND = 7, ALIKE_ROWS = 8, SHARED_ROWS = 16, KEPT = 32 };

struct Numbers { uint64_t first, count; };
struct Stream { uint32_t a, b; };
struct Words { uint32_t first, second; };
struct Wide { uint64_t low, high; };

#define PASSNET_TURN(left)                                                                             \
    x += y;                                                                                            \
    y = (y << left) | (y >> (32 - left));                                                              \
    y ^= x;

#define PASSNET_TURNS(r0, r1, r2, r3, k0, k1, number)                                                  \
    PASSNET_TURN(r0) PASSNET_TURN(r1) PASSNET_TURN(r2) PASSNET_TURN(r3)                                \
    x += k0;                                                                                           \
    y += k1 + number;

// Two words of a stream: Threefry-2x32 of 20 rounds (Salmon and others, 2011). It makes of each pair of index and purpose
// another pair, by the stream's key. Who sees the words of an input knows no others, and not the key. A word by itself
// comes again as often as a random one. No two pairs of words are equal: of 2^24 random ones two are in one of 2^17 draws.
PASSNET_FUNCTION Words words_at(Stream stream, uint32_t index, uint32_t purpose) {
    const uint32_t a = stream.a, b = stream.b, c = a ^ b ^ 0x1bd11bdau;
    uint32_t x = index + a, y = purpose + b;
    PASSNET_TURNS(13, 15, 26, 6, b, c, 1u)
    PASSNET_TURNS(17, 29, 16, 24, c, a, 2u)
    PASSNET_TURNS(13, 15, 26, 6, a, b, 3u)
    PASSNET_TURNS(17, 29, 16, 24, b, c, 4u)
    PASSNET_TURNS(13, 15, 26, 6, c, a, 5u)
    return Words{x, y};
}

// What words are for. Those of one purpose and index are the same wherever they are asked for.
enum {
    ELEMENT, WIDE, LINE, NEAR_LINES, CENTRE, PART, ENDS, ODD, ROW, RELATION, ACROSS, DOWN, SCATTERED, RUNS, RUN_ACROSS,
    RUN_DOWN, SIZE, BLOCK, WAY, SIGN, CENTRE_ROW, NAMED
};

// Whose streams are: an input's own one, that which inputs share, those of the first and second of related rows, and that of
// the input whose rows are centres or whose lines are named.
enum { OWN_STREAM, SHARED_STREAM, FIRST_STREAM, SECOND_STREAM, OTHER_STREAM, STREAMS };

// The key makes the streams by the same cipher, first by one half and then by the other. So no stream tells another.
PASSNET_FUNCTION Stream stream_of(uint64_t key0, uint64_t key1, uint32_t whose, uint32_t number) {
    const Words once = words_at(Stream{(uint32_t)key0, (uint32_t)(key0 >> 32)}, whose == OWN_STREAM ? number : 0u, whose);
    const Words made = words_at(Stream{(uint32_t)key1, (uint32_t)(key1 >> 32)}, once.first, once.second);
    return Stream{made.first, made.second};
}

PASSNET_FUNCTION uint64_t whole(Words words) { return (uint64_t)words.first << 32 | words.second; }

// The share of `count` that a word is of 2^32.
PASSNET_FUNCTION int64_t share_of(uint32_t word, int64_t count) { return (int64_t)(((uint64_t)word * (uint64_t)count) >> 32); }

// Which of `lines` lines are near a centre: scattered ones, or so many in a row from `begin` on.
struct Near { bool scattered; int64_t lines, begin, count; };

PASSNET_FUNCTION Near near_lines(Stream own, Stream shared, uint32_t share, int64_t lines) {
    const bool scattered = words_at(shared, 0u, NEAR_LINES).first & 1u;
    const int64_t begin = share_of(words_at(own, 0u, NEAR_LINES).second, lines);
    return Near{scattered, lines, begin, share_of(share, lines) + 1};
}

// The streams of an input.
struct Streams { Stream own, shared, other; Near near; };

PASSNET_FUNCTION Streams streams_with(const Input& in, Stream own, Stream shared, Stream other) {
    if (in.named) return Streams{own, shared, other, near_lines(other, shared, in.naming, in.named)};
    if (!in.share) return Streams{own, shared, other, {false, 0, 0, 0}};
    return Streams{own, shared, other, near_lines(own, shared, in.share, in.count / in.parts / in.line)};
}

PASSNET_FUNCTION uint32_t other_than(const Input& in) { return in.named ? in.namer : in.other; }

// In how many lines of eight what is so: like those of other inputs, all one line, rising, falling, periodic. Of few lines
// none is as it is drawn. One of SHORT periods is as long as another, of half a line at most.
enum { OF_OTHERS = 2, ALL_ONE = 3, RISING = 5, FALLING = 6, PERIODIC = 7, LINES = 8, FEW_LINES = 8, SHORT = 7 };
// Of `apart` below 0.
enum { FROM_FIRST = 1, FALLS = 2, FURTHER = 4 };

// Where an element of a line is: the number of its line and its place in it, both of numbers, and its part of a number.
// Of matrices: the number of its matrix, and its place in this.
struct Spot { int64_t number, place, part; };

PASSNET_FUNCTION Spot spot_of(const Input& in, int64_t element) {
    const int64_t apart = in.apart < 0 ? (-1 - in.apart) / FURTHER + 1 : in.apart, halves = in.apart < 0 ? 0 : in.parts - 1;
    const int64_t i = element >> halves, part = element & halves;
    if (!apart) return Spot{i / (in.line * in.line), i % (in.line * in.line), part};
    const int64_t step = apart == 1 ? i : i / apart;
    return Spot{step / in.line * apart + (i - step * apart), step % in.line, part};
}

// The stream of what is decided about a line: lines of which others know, or of this input alone.
PASSNET_FUNCTION Stream decides(const Input& in, const Streams& streams) {
    return in.apart < 0 || in.share ? streams.own : streams.shared;
}

// What is done with a line of which others know. There are `kinds`.
PASSNET_FUNCTION uint32_t kinds_of_lines(const Input& in) {
    return in.count / in.parts < FEW_LINES * in.line ? PERIODIC : LINES;
}

PASSNET_FUNCTION uint32_t kind_of_line(Words how, uint32_t kinds) {
    return kinds == LINES ? how.first % LINES : how.first % PERIODIC;
}

// From which words of which stream an element follows.
struct Origin { uint32_t index; bool shared; };

PASSNET_FUNCTION Origin origin_of(const Input& in, const Spot& spot, Words how, uint32_t kind, int64_t element) {
    const Origin own = {(uint32_t)element, false};
    if (in.apart < 0 || in.share) return own;
    if (!in.apart) {
        const int64_t size = in.line * in.line, begin = spot.number * size;
        const int64_t row = spot.place / in.line, column = spot.place % in.line;
        const bool turned = column < row && (begin + size >= in.count / in.parts || (how.first & 1u));
        return turned ? Origin{(uint32_t)((begin + column * in.line + row) * in.parts + spot.part), false} : own;
    }
    if (kind < OF_OTHERS) return Origin{(uint32_t)((spot.number * in.line + spot.place) * in.parts + spot.part), true};
    if (kind < ALL_ONE) return Origin{(uint32_t)(spot.place * in.parts + spot.part), true};
    if (kind == FALLING && in.line >= 4) {
        const int64_t period = 2 + how.second % (in.line < 2 * SHORT + 2 ? in.line / 2 - 1 : SHORT);
        return Origin{(uint32_t)((spot.number * in.line + spot.place % period) * in.parts + spot.part), false};
    }
    return own;
}

// The bits of an element of a line that rises: its place and up to half a step, and three quarters of an arch more or
// less, or half of that. Without the arch few numbers would be what they are. So it rises by an eighth of a step or more.
PASSNET_FUNCTION uint64_t rising(const Input& in, const Spot& spot, Words how, Words drawn) {
    const int64_t kind = -1 - in.apart;
    if (!spot.place && (kind & FROM_FIRST)) return 0u;
    const int64_t at = (int64_t)((((uint64_t)spot.place << 32) | (drawn.first >> 1)) / (uint64_t)in.line);
    const int64_t arch = (int64_t)((uint64_t)at * (0x100000000ull - (uint64_t)at) >> 33);
    const int64_t turn = (int32_t)how.first;
    const int64_t bend = turn / 2 + (turn < 0 ? -(1ll << 30) : 1ll << 30);
    const uint32_t word = (uint32_t)(at + arch * (bend / 4 * 3) / (1ll << 30));
    return whole(Words{(kind & FALLS) ? ~word : word, drawn.second});
}

// Of the lines that are near a centre: which one it is, by a word of each line's own.
PASSNET_FUNCTION uint32_t centre_of(const Input& in, Words how) { return (uint32_t)(((uint64_t)how.second * in.centres) >> 32); }

PASSNET_FUNCTION uint32_t place_in_line(const Input& in, const Spot& spot) { return (uint32_t)(spot.place * in.parts + spot.part); }

// The row that is a line's centre.
PASSNET_FUNCTION int64_t centre_row(const Input& in, Stream shared, Words how, int64_t line) {
    if (in.within < 0) return line % in.others;
    const uint32_t drawn = words_at(shared, centre_of(in, how), CENTRE_ROW).first;
    if (!in.within) return share_of(drawn, in.others);
    return (line / in.within * in.within + share_of(drawn, in.within)) % in.others;
}

// Where the words of a line's centre are.
PASSNET_FUNCTION uint32_t centre_at(const Input& in, const Spot& spot, Words how) {
    return place_in_line(in, spot) + centre_of(in, how) * (uint32_t)(in.line * in.parts);
}

// The words of an element of another input that is drawn by itself, as `bits_of` or as `word_of` takes them.
PASSNET_FUNCTION Words word_of_other(const Input& in, Stream other, int64_t element) {
    if (in.kind == BLEND_DOUBLE || in.kind == RANGE) return words_at(other, (uint32_t)element, WIDE);
    const Words both = words_at(other, (uint32_t)(element >> 1), ELEMENT);
    return element & 1 ? Words{both.second, both.first} : both;
}

// The words of the centre at an element of a line.
PASSNET_FUNCTION Words centre_words(const Input& in, const Streams& streams, const Spot& spot, Words how) {
    if (!in.others) return words_at(streams.shared, centre_at(in, spot, how), CENTRE);
    const int64_t row = centre_row(in, streams.shared, how, spot.number), outer = row / in.between;
    const int64_t element = (outer * in.line + spot.place) * in.between + (row - outer * in.between);
    return word_of_other(in, streams.other, element * in.parts + spot.part);
}

PASSNET_FUNCTION bool is_near(const Near& near, uint32_t share, int64_t number, Words how) {
    const int64_t after = number - near.begin;
    return near.scattered ? how.first < share : (after < 0 ? after + near.lines : after) < near.count;
}

// Whether a near line has an element in common with its centre. What half of the near lines have in common is a part that
// all lines of a centre share, and the others have a part of their own: eighths, which are runs or every eighth element, from
// the line's beginning on, from its end, or from anywhere.
PASSNET_FUNCTION bool is_common(const Input& in, const Streams& streams, const Spot& spot, Words how) {
    const bool of_centre = how.second >> 18 & 1u;
    const uint32_t index = of_centre ? centre_of(in, how) : (uint32_t)spot.number, length = (uint32_t)(in.line * in.parts);
    const uint32_t part = words_at(of_centre ? streams.shared : streams.own, index, PART).first;
    const uint32_t from = part & 8u ? 0u : part >> 7, at = (place_in_line(in, spot) + from) % length / (uint32_t)in.parts;
    const uint32_t eighth = (part & 48u) ? (uint32_t)(at * 8ull / (uint64_t)in.line) : at & 7u;
    // All eighths are in common, or all but one, two, three or four, or every other one, or one.
    const uint64_t common = 0xfffefefcf8f05501ull >> (part & 7u) * 8u;
    return common >> (part & 64u ? eighth : 7u - eighth) & 1u;
}

// The bits of an element of a line that is near a centre, or as it is drawn. In half of the calls near lines are
// scattered, in the others they are neighbours. How far a line lies from its centre is between a sixteenth of `noise` and all
// of it. Numbers turn back at either end, so those of a near line are spread as usual.
PASSNET_FUNCTION uint64_t near_centre(const Input& in, const Streams& streams, const Spot& spot, Words how, Words drawn, Words centre) {
    if (!is_near(streams.near, in.share, spot.number, how)) return whole(drawn);
    if (in.centres && !in.entirely && !is_common(in, streams, spot, how)) return whole(drawn);
    const int64_t furthest = (int64_t)((uint64_t)in.noise * (0x10000u + (how.second & 0xffffu)) >> (1u + (how.second >> 16 & 3u)));
    const int64_t away = (int64_t)(int32_t)(drawn.first ^ 0x80000000u) * furthest;
    const uint64_t half = (whole(centre) >> 1) + (uint64_t)away;
    return (half >> 63 ? ~half : half) << 1 | (whole(centre) & 1u);
}

// The random bits of an element of a line, by what was decided about the line and by the words from which it follows.
PASSNET_FUNCTION uint64_t bits_in_line(const Input& in, const Spot& spot, Words how, uint32_t kind, Words drawn) {
    if (in.apart < 0) return rising(in, spot, how, drawn);
    if (!in.apart || kind < ALL_ONE || kind >= FALLING) return whole(drawn);
    // As many steps as the line is long, and of each step the share that was drawn.
    const uint64_t line = (uint64_t)in.line, at = (uint64_t)(kind < RISING ? spot.place : in.line - 1 - spot.place);
    const uint64_t high = at << 32 | drawn.first, low = (high % line) << 32 | drawn.second;
    return (high / line) << 32 | low / line;
}

PASSNET_LARGE uint64_t bits_of_line(const Input& in, const Streams& streams, int64_t i) {
    const Spot spot = spot_of(in, i);
    const Words how = words_at(decides(in, streams), (uint32_t)spot.number, LINE);
    const uint32_t kind = kind_of_line(how, kinds_of_lines(in));
    const Origin from = origin_of(in, spot, how, kind, i);
    const Words drawn = words_at(from.shared ? streams.shared : streams.own, from.index, WIDE);
    if (!in.share) return bits_in_line(in, spot, how, kind, drawn);
    return near_centre(in, streams, spot, how, drawn, centre_words(in, streams, spot, how));
}

// The 64 random bits from which an integer of a range or a float64 follows.
PASSNET_FUNCTION uint64_t bits_of(const Input& in, const Streams& streams, int64_t i) {
    return in.line ? bits_of_line(in, streams, i) : whole(words_at(streams.own, (uint32_t)i, WIDE));
}

// The 32 random bits from which any other element follows. Two neighbours share a pair of words.
PASSNET_FUNCTION uint32_t word_of(const Input& in, const Streams& streams, int64_t i) {
    if (in.line) return (uint32_t)(bits_of_line(in, streams, i) >> 32);
    const Words both = words_at(streams.own, (uint32_t)(i >> 1), ELEMENT);
    return i & 1 ? both.second : both.first;
}

PASSNET_FUNCTION uint32_t shift_of(uint32_t entries) {
    uint32_t shift = 32;
    for (; entries > 1; entries >>= 1) --shift;
    return shift;
}

#ifdef __CUDACC__
typedef uint16_t Half, Brain;

PASSNET_FUNCTION float power_of_two(float exponent) { return exp2f(exponent); }

PASSNET_FUNCTION uint16_t to_half(float value) { return __half_as_ushort(__float2half_rn(value)); }

// To the nearest, ties to even; tables hold no NaN.
PASSNET_FUNCTION uint16_t to_bfloat(float value) {
    const uint32_t bits = __float_as_uint(value);
    return (uint16_t)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

PASSNET_FUNCTION float half_at(const uint16_t* halves, int64_t i, bool brain) {
    return brain ? __uint_as_float((uint32_t)halves[i] << 16) : __half2float(__ushort_as_half(halves[i]));
}

PASSNET_FUNCTION void set_half(uint16_t* halves, int64_t i, float value, bool brain) {
    halves[i] = brain ? to_bfloat(value) : to_half(value);
}

PASSNET_FUNCTION float plain(float value) { return value; }

// From 0 to below 1, by 52 bits.
PASSNET_FUNCTION double unit_of(uint64_t bits) {
    return __longlong_as_double((long long)(bits >> 12 | 0x3ff0000000000000ull)) - 1.0;
}

PASSNET_FUNCTION uint64_t high_product(uint64_t a, uint64_t b) { return __umul64hi(a, b); }

// Between two neighbours of 2^(32 - shift) + 1 sorted values.
PASSNET_FUNCTION float blend(const float* table, uint32_t shift, uint32_t u) {
    const uint32_t place = u >> shift;
    const float part = (float)(u & ((1u << shift) - 1u)) * (1.0f / (float)(1u << shift));
    const float low = table[place];
    return low + part * (table[place + 1] - low);
}

#define PASSNET_BLEND(Out, convert)                                                                    \
    {                                                                                                  \
        const float* table = (const float*)in.table;                                                   \
        Out* out = (Out*)in.out;                                                                       \
        const uint32_t shift = shift_of(in.entries);                                                   \
        for (int64_t i = begin; i < end; i += step) out[i] = convert(blend(table, shift, word_of(in, streams, i))); \
    }

PASSNET_FUNCTION void blend_doubles(const Input& in, const Streams& streams, int64_t begin, int64_t end, int64_t step) {
    const uint32_t shift = shift_of(in.entries);
    for (int64_t i = begin; i < end; i += step) {
        const uint64_t bits = bits_of(in, streams, i);
        const double* span = (const double*)in.table + (bits >> (32 + shift));
        ((double*)in.out)[i] = span[0] + unit_of(bits << (32 - shift)) * (span[1] - span[0]);
    }
}

#define PASSNET_PICK(Element)                                                                          \
    {                                                                                                  \
        const Element* table = (const Element*)in.table;                                               \
        Element* out = (Element*)in.out;                                                               \
        for (int64_t i = begin; i < end; i += step) out[i] = table[((uint64_t)word_of(in, streams, i) * in.entries) >> 32]; \
    }
#else
using Half = passnet::fp16;
using Brain = passnet::bf16;

static inline float power_of_two(float exponent) { return std::exp2(exponent); }
static inline float half_at(const uint16_t* halves, int64_t i, bool brain) {
    return brain ? (float)((const Brain*)halves)[i] : (float)((const Half*)halves)[i];
}
static inline void set_half(uint16_t* halves, int64_t i, float value, bool brain) {
    if (brain) ((Brain*)halves)[i] = Brain(value);
    else ((Half*)halves)[i] = Half(value);
}

// From 0 to below 1, by 52 bits.
static inline double unit_of(uint64_t bits) {
    double value;
    bits = bits >> 12 | 0x3ff0000000000000ull;
    std::memcpy(&value, &bits, sizeof value);
    return value - 1.0;
}

static inline uint64_t high_product(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b >> 64); }

// Tile by tile, each step a loop of its own: ciphering and blending in vectors, looking up by plain loads, of two neighbours
// at once. What is left of the time would hide a candidate's work: drawing must not be slower than it need be.
constexpr int64_t TILE = 512;

static void lines_tile(const Input& in, uint64_t* bits, int64_t at, int64_t count, const Streams& streams) {
    alignas(64) Words hows[TILE], drawn[TILE];
    alignas(64) uint32_t index[TILE], shared[TILE], kind[TILE];
    Spot spots[TILE];
    const Stream own = streams.own, others = streams.shared, decide = decides(in, streams);
    const Stream apart = {own.a ^ others.a, own.b ^ others.b};
    const uint32_t kinds = kinds_of_lines(in);
    for (int64_t i = 0; i < count; ++i) spots[i] = spot_of(in, at + i), index[i] = (uint32_t)spots[i].number;
    for (int64_t i = 0; i < count; ++i) hows[i] = words_at(decide, index[i], LINE);
    for (int64_t i = 0; i < count; ++i) {
        kind[i] = kind_of_line(hows[i], kinds);
        const Origin from = origin_of(in, spots[i], hows[i], kind[i], at + i);
        index[i] = from.index, shared[i] = 0u - (uint32_t)from.shared;
    }
    for (int64_t i = 0; i < count; ++i)
        drawn[i] = words_at(Stream{own.a ^ (apart.a & shared[i]), own.b ^ (apart.b & shared[i])}, index[i], WIDE);
    if (!in.share) {
        for (int64_t i = 0; i < count; ++i) bits[i] = bits_in_line(in, spots[i], hows[i], kind[i], drawn[i]);
        return;
    }
    alignas(64) Words centres[TILE];
    if (in.others) {
        for (int64_t i = 0; i < count; ++i) centres[i] = centre_words(in, streams, spots[i], hows[i]);
    } else {
        for (int64_t i = 0; i < count; ++i) index[i] = centre_at(in, spots[i], hows[i]);
        for (int64_t i = 0; i < count; ++i) centres[i] = words_at(others, index[i], CENTRE);
    }
    for (int64_t i = 0; i < count; ++i) bits[i] = near_centre(in, streams, spots[i], hows[i], drawn[i], centres[i]);
}

static void bits_tile(const Input& in, uint64_t* bits, int64_t at, int64_t count, const Streams& streams) {
    if (in.line) return lines_tile(in, bits, at, count, streams);
    const Stream own = streams.own;
    for (int64_t i = 0; i < count; ++i) bits[i] = whole(words_at(own, (uint32_t)(at + i), WIDE));
}

// The words of a tile, in room for two more than a tile has: the first one may be the second of its pair.
static const uint32_t* words_tile(const Input& in, uint32_t* words, int64_t at, int64_t count, const Streams& streams) {
    if (in.line) {
        alignas(64) uint64_t bits[TILE];
        lines_tile(in, bits, at, count, streams);
        for (int64_t i = 0; i < count; ++i) words[i] = (uint32_t)(bits[i] >> 32);
        return words;
    }
    const Stream own = streams.own;
    const int64_t first = at >> 1, pairs = ((at + count + 1) >> 1) - first;
    for (int64_t i = 0; i < pairs; ++i) {
        const Words both = words_at(own, (uint32_t)(first + i), ELEMENT);
        words[2 * i] = both.first;
        words[2 * i + 1] = both.second;
    }
    return words + (at & 1);
}

template <class Value> struct Span { Value low, high; };

template <class Out>
static void blend_all(const Input& in, const Streams& streams, int64_t begin, int64_t end) {
    const float* table = (const float*)in.table;
    const uint32_t shift = shift_of(in.entries), inside = (1u << shift) - 1u;
    alignas(64) uint32_t room[TILE + 2];
    alignas(64) Span<float> spans[TILE];
    alignas(64) float values[TILE];
    for (int64_t at = begin; at < end; at += TILE) {
        const int64_t count = end - at < TILE ? end - at : TILE;
        const uint32_t* words = words_tile(in, room, at, count, streams);
        for (int64_t i = 0; i < count; ++i) std::memcpy(&spans[i], table + (words[i] >> shift), sizeof spans[i]);
        float* made = values;
        if constexpr (sizeof(Out) == sizeof(float)) made = (float*)in.out + at;
        for (int64_t i = 0; i < count; ++i) {
            const float part = (float)(int32_t)(words[i] & inside) * (1.0f / (float)(1u << shift));
            made[i] = spans[i].low + part * (spans[i].high - spans[i].low);
        }
        if constexpr (sizeof(Out) != sizeof(float)) passnet::narrow(values, (Out*)in.out + at, count);
    }
}

static void blend_doubles(const Input& in, const Streams& streams, int64_t begin, int64_t end, int64_t) {
    const double* table = (const double*)in.table;
    const uint32_t shift = shift_of(in.entries);
    alignas(64) uint64_t bits[TILE];
    alignas(64) Span<double> spans[TILE];
    for (int64_t at = begin; at < end; at += TILE) {
        const int64_t count = end - at < TILE ? end - at : TILE;
        bits_tile(in, bits, at, count, streams);
        for (int64_t i = 0; i < count; ++i) std::memcpy(&spans[i], table + (bits[i] >> (32 + shift)), sizeof spans[i]);
        double* out = (double*)in.out + at;
        for (int64_t i = 0; i < count; ++i)
            out[i] = spans[i].low + unit_of(bits[i] << (32 - shift)) * (spans[i].high - spans[i].low);
    }
}

template <class Element>
static void pick_all(const Input& in, const Streams& streams, int64_t begin, int64_t end) {
    const Element* table = (const Element*)in.table;
    const uint64_t entries = in.entries;
    alignas(64) uint32_t room[TILE + 2];
    for (int64_t at = begin; at < end; at += TILE) {
        const int64_t count = end - at < TILE ? end - at : TILE;
        const uint32_t* words = words_tile(in, room, at, count, streams);
        Element* out = (Element*)in.out + at;
        for (int64_t i = 0; i < count; ++i) out[i] = table[words[i] * entries >> 32];
    }
}

#define PASSNET_BLEND(Out, convert) blend_all<Out>(in, streams, begin, end);
#define PASSNET_PICK(Element) pick_all<Element>(in, streams, begin, end)
#endif

#define PASSNET_COPY(Element)                                                                          \
    {                                                                                                  \
        const Element* table = (const Element*)in.table;                                               \
        Element* out = (Element*)in.out;                                                               \
        if (in.entries)                                                                                \
            for (int64_t i = begin; i < end; i += step) out[i] = table[i % in.entries];                \
        else                                                                                           \
            for (int64_t i = begin; i < end; i += step) out[i] = table[i];                             \
    }

#define PASSNET_BY_SIZE(WHAT)                                                                          \
    switch (in.bytes) {                                                                                \
        case 1: WHAT(uint8_t); break;                                                                  \
        case 2: WHAT(uint16_t); break;                                                                 \
        case 4: WHAT(uint32_t); break;                                                                 \
        case 8: WHAT(uint64_t); break;                                                                 \
        default: WHAT(Wide);                                                                           \
    }

PASSNET_FUNCTION void put(void* out, uint32_t bytes, int64_t i, uint64_t bits) {
    switch (bytes) {
        case 1: ((uint8_t*)out)[i] = (uint8_t)bits; break;
        case 2: ((uint16_t*)out)[i] = (uint16_t)bits; break;
        case 4: ((uint32_t*)out)[i] = (uint32_t)bits; break;
        default: ((uint64_t*)out)[i] = bits;
    }
}

// An integer of one of the ranges: the high half of a product picks the range, the low half the number in it.
PASSNET_FUNCTION uint64_t number_of(const Numbers* table, uint64_t entries, uint64_t bits) {
    const Numbers some = table[high_product(bits, entries)];
    return some.first + high_product(bits * entries, some.count);
}

#ifdef __CUDACC__
#define PASSNET_RANGE(Element)                                                                         \
    {                                                                                                  \
        const Numbers* table = (const Numbers*)in.table;                                               \
        Element* out = (Element*)in.out;                                                               \
        for (int64_t i = begin; i < end; i += step) out[i] = (Element)number_of(table, in.entries, bits_of(in, streams, i)); \
    }
#else
template <class Element>
static void range_all(const Input& in, const Streams& streams, int64_t begin, int64_t end) {
    const Numbers* table = (const Numbers*)in.table;
    alignas(64) uint64_t bits[TILE];
    for (int64_t at = begin; at < end; at += TILE) {
        const int64_t count = end - at < TILE ? end - at : TILE;
        bits_tile(in, bits, at, count, streams);
        Element* out = (Element*)in.out + at;
        for (int64_t i = 0; i < count; ++i) out[i] = (Element)number_of(table, in.entries, bits[i]);
    }
}

#define PASSNET_RANGE(Element) range_all<Element>(in, streams, begin, end)
#endif

// Elements begin, begin + step, ... before the end, of one input.
PASSNET_FUNCTION void draw_some(const Input& in, const Streams& streams, int64_t begin, int64_t end, int64_t step) {
    switch (in.kind) {
        case COPY: PASSNET_BY_SIZE(PASSNET_COPY); break;
        case PICK: PASSNET_BY_SIZE(PASSNET_PICK); break;
        case RANGE:
            switch (in.bytes) {
                case 1: PASSNET_RANGE(uint8_t); break;
                case 2: PASSNET_RANGE(uint16_t); break;
                case 4: PASSNET_RANGE(uint32_t); break;
                default: PASSNET_RANGE(uint64_t);
            }
            break;
        case BLEND_HALF: PASSNET_BLEND(Half, to_half); break;
        case BLEND_BFLOAT: PASSNET_BLEND(Brain, to_bfloat); break;
        case BLEND_FLOAT: PASSNET_BLEND(float, plain); break;
        default: blend_doubles(in, streams, begin, end, step);
    }
}

// Where a row holds `first` and `last`: two of its places, drawn like everything else.
struct Ends { int64_t first, last; };

PASSNET_FUNCTION Ends ends_of(const Input& in, Stream stream, int64_t row) {
    const Words drawn = words_at(stream, (uint32_t)row, ENDS);
    const int64_t first = share_of(drawn.first, in.row), apart = share_of(drawn.second, in.row - 1);
    return Ends{first, (first + 1 + apart) % in.row};
}

// The input as its odd elements are drawn.
PASSNET_FUNCTION Input odd_of(const Input& in) {
    Input odd = in;
    odd.table = in.odd_table, odd.kind = in.odd_kind, odd.entries = in.odd_entries;
    return odd;
}

// Which place is odd. All inputs ask for the same number, so that rows that a graph adds up are odd together.
PASSNET_FUNCTION int64_t odd_place(const Input& in, const Streams& streams) {
    return share_of(words_at(streams.shared, 0u, ODD).first, in.most) % in.size;
}

PASSNET_FUNCTION bool is_odd(const Input& in, int64_t place, int64_t i) { return i / in.inner % in.size == place; }

// What all of an uneven row is, but for the element at `place`. Nothing where the row is left as it is drawn.
struct Alike { bool some; uint64_t base, other; int64_t place; };

PASSNET_FUNCTION Alike alike_in(const Input& in, Stream stream, int64_t row) {
    const Words words = words_at(stream, (uint32_t)row, ROW);
    const uint32_t drawn = words.first, how = words.second;
    const uint32_t kind = in.uneven == ALL_UNEVEN ? drawn & 1u : drawn % 3u;
    const bool odd = in.uneven == ALL_UNEVEN || (how & 1u);
    // A walk that ends early leaves out the last element above all.
    const int64_t place = (how & 6u) ? ends_of(in, stream, row).first : in.row - 1;
    return Alike{kind < 2, kind ? in.last : in.first, kind ? in.first : in.last, odd ? place : -1};
}

// The places of a line that are shown: those whose number in an order is from `least` on and below `end`. The order begins
// at `start` and goes round, or it is by chance.
struct Shown { int64_t start, least, end; bool scattered; };

// Of `length` places, which are two or more, some are shown and some are not. In half of the lines as many as you like are
// shown, and in the others few, or nearly all.
PASSNET_FUNCTION Shown shown_of(uint32_t kind, Stream stream, uint32_t purpose, uint32_t line, int64_t length) {
    const Words drawn = words_at(stream, 2u * line, purpose);
    const uint32_t how = words_at(stream, 2u * line + 1u, purpose).first, size = how & 3u, which = how >> 5 & 7u;
    int64_t count = 1 + share_of(drawn.first, length - 1);
    const int64_t few = 1 + ((count - 1) >> (how >> 2 & 7u));
    if (size > 1u) count = size == 2u ? few : length - few;
    const int64_t anywhere = share_of(drawn.second, length - count + 1);
    if (kind == RIGHT || (kind == MIXED && which < 2u)) return Shown{0, 0, count, false};
    if (kind == LEFT || (kind == MIXED && which < 3u)) return Shown{length - count, 0, count, false};
    if (kind == MIXED && which < 4u) return Shown{(anywhere + count) % length, 0, length - count, false};  // a gap
    return Shown{anywhere, 0, count, kind == MIXED && which > 5u};
}

PASSNET_FUNCTION bool is_shown(Shown shown, int64_t place, int64_t length, uint32_t word) {
    int64_t at = place < shown.start ? place - shown.start + length : place - shown.start;
    // One is always shown, and the one behind it is not.
    if (shown.scattered && at) at = at == 1 ? length - 1 : share_of(word, length);
    return at >= shown.least && at < shown.end;
}

// Rows of mixed kinds that inputs share are the same in both, or opposite, or apart from each other, or within each other.
PASSNET_FUNCTION Shown related(Shown shown, int64_t length, uint32_t relation) {
    if (relation == 3u || relation == 4u) return Shown{shown.start, shown.end, length, shown.scattered};
    if (relation == 5u) return Shown{shown.start, (shown.end + length) / 2, length, shown.scattered};
    if (relation == 6u) return Shown{shown.start, 0, (shown.end + 1) / 2, shown.scattered};
    return shown;
}

// What is shown of a row of a mask. In a matrix some rows show nothing, and all others the same places.
struct RowShown { Shown places; Stream words; int64_t row; bool none, turned; };

PASSNET_FUNCTION RowShown row_shown(const Input& in, const Streams& streams, int64_t row) {
    const uint32_t kind = in.uneven & OF_KIND, matrix = in.uneven & ALIKE_ROWS ? 0u : (uint32_t)(row / in.height);
    const uint32_t line = in.uneven & ALIKE_ROWS ? 0u : (uint32_t)row;
    const uint32_t how = words_at(streams.own, kind == REGIONS ? matrix : line, RELATION).first, relation = how & 7u;
    const bool shared = (in.uneven & SHARED_ROWS) && !(kind == MIXED && relation == 7u);
    const Stream stream = shared ? streams.shared : streams.own;
    if (kind != REGIONS) {
        const Shown places = shown_of(kind, stream, ACROSS, line, in.row);
        const bool relates = shared && kind == MIXED;
        return RowShown{relates ? related(places, in.row, relation) : places, stream, line, false, false};
    }
    const Shown down = shown_of(kind, stream, DOWN, matrix, in.height);
    const Shown across = shown_of(kind, stream, ACROSS, matrix, in.row);
    const bool none = (how & 3u) != 0u && !is_shown(down, row % in.height, in.height, 0u);
    return RowShown{(how & 3u) == 1u ? Shown{0, 0, in.row, false} : across, stream, line, none, (how & 12u) == 0u};
}

// Some neighbours of a line. What is left of it at either end is drawn: at most half of it, or a quarter, or less, so that a
// decision of most of a line is taken by these alone. In a quarter of the lines they are as many as you like.
PASSNET_FUNCTION Shown run_of(Stream stream, uint32_t purpose, uint32_t line, int64_t length) {
    const Words drawn = words_at(stream, 2u * line, purpose);
    const uint32_t how = words_at(stream, 2u * line + 1u, purpose).second;
    if ((how & 3u) == 0u) return shown_of(REGIONS, stream, purpose, line, length);
    const int64_t most = (length >> (1u + (how >> 2 & 3u))) + 1;
    const int64_t before = share_of(drawn.first, most), after = share_of(drawn.second, most);
    return Shown{before, 0, before + after < length ? length - before - after : 1, false};
}

// The odd elements of a row of a matrix. `all_else`: those that are not of the run are odd.
struct Run { Shown across; bool none, all_else; };

PASSNET_FUNCTION Run run_in(const Input& in, const Streams& streams, int64_t row) {
    const Stream stream = in.meets ? streams.shared : streams.own;
    const uint32_t matrix = (uint32_t)(row / in.tall), how = words_at(stream, matrix, RUNS).first;
    const Shown whole = Shown{0, 0, in.run, false}, across = run_of(stream, RUN_ACROSS, (uint32_t)row, in.run);
    const bool none = in.tall > 1 && !is_shown(run_of(stream, RUN_DOWN, matrix, in.tall), row % in.tall, in.tall, 0u);
    return Run{in.tall > 1 && (how & 3u) == 0u ? whole : across, none, (how & 12u) == 0u};
}

PASSNET_FUNCTION bool is_in_run(const Input& in, const Run& run, int64_t i) {
    return (!run.none && is_shown(run.across, i % in.run, in.run, 0u)) != run.all_else;
}

// The streams of the elements of runs.
PASSNET_FUNCTION Streams streams_of_runs(const Input& in, const Streams& streams) {
    return in.meets ? streams_with(in, streams.shared, streams.shared, streams.other) : streams;
}

// What the row makes of one of its elements, which was drawn.
PASSNET_FUNCTION void show(const Input& in, const RowShown& row, int64_t i) {
    const int64_t place = i % in.row;
    const uint32_t word = row.places.scattered ? words_at(row.words, (uint32_t)(row.row * in.row + place), SCATTERED).first : 0u;
    const bool shown = !row.none && is_shown(row.places, place, in.row, word);
    if (shown == row.turned) put(in.out, in.bytes, i, in.last);
    else if (!(in.uneven & KEPT)) put(in.out, in.bytes, i, in.first);
}

// What the structure of rows makes of element i, which was drawn.
PASSNET_FUNCTION void fix(const Input& in, const Streams& streams, int64_t i) {
    const int64_t row = i / in.row, place = i % in.row;
    if (in.uneven > ALL_UNEVEN) {
        show(in, row_shown(in, streams, row), i);
        return;
    }
    if (in.uneven) {
        const Alike alike = alike_in(in, streams.own, row);
        if (alike.some) put(in.out, in.bytes, i, place == alike.place ? alike.other : alike.base);
        return;
    }
    const Ends ends = ends_of(in, streams.own, row);
    if (place == ends.first) put(in.out, in.bytes, i, in.first);
    else if (place == ends.last) put(in.out, in.bytes, i, in.last);
}

// By what a row is multiplied.
PASSNET_FUNCTION float size_of_row(const Input& in, const Streams& streams, int64_t row) {
    const uint32_t drawn = words_at(streams.shared, (uint32_t)row, SIZE).first;
    return power_of_two(in.least + in.span * ((float)(drawn >> 8) * (1.0f / 16777216.0f)));
}

PASSNET_FUNCTION double number_at(const Input& in, int64_t i) {
    switch (in.numbers) {
        case BLEND_HALF: return half_at((const uint16_t*)in.out, i, false);
        case BLEND_BFLOAT: return half_at((const uint16_t*)in.out, i, true);
        case BLEND_FLOAT: return ((const float*)in.out)[i];
        default: return ((const double*)in.out)[i];
    }
}

PASSNET_FUNCTION void set_number(const Input& in, int64_t i, double value) {
    switch (in.numbers) {
        case BLEND_HALF: set_half((uint16_t*)in.out, i, (float)value, false); break;
        case BLEND_BFLOAT: set_half((uint16_t*)in.out, i, (float)value, true); break;
        case BLEND_FLOAT: ((float*)in.out)[i] = (float)value; break;
        default: ((double*)in.out)[i] = value;
    }
}

PASSNET_FUNCTION void give_size(const Input& in, int64_t i, float by) {
    switch (in.numbers) {
        case BLEND_HALF:
        case BLEND_BFLOAT: {
            const bool brain = in.numbers == BLEND_BFLOAT;
            set_half((uint16_t*)in.out, i, half_at((const uint16_t*)in.out, i, brain) * by, brain);
            break;
        }
        case BLEND_FLOAT: ((float*)in.out)[i] *= by; break;
        default: ((double*)in.out)[i] *= by;
    }
}

// What a row is to those of its number in other inputs: one of these of WAYS. A quarter of the blocks are as one row.
enum { MULTIPLE = 2, SUM = 4, UNRELATED = 6, WAYS = 8, ROLES = 3, NO_ROLE = 3, WHOLE = 4, PARTS = 2 };

// So many elements of a row are related at once.
#ifdef __CUDACC__
enum { TOGETHER = 1 };
#else
enum { TOGETHER = 64 };
#endif

// The streams with which related rows are drawn.
struct Related { Streams first, second; };

// With which of two streams a row is drawn, or with both if it is their sum. Then `times` and `more`, of each part.
struct Relation { bool some, first, second; double times[PARTS], more[PARTS]; };

PASSNET_FUNCTION Relation relation_of(const Input& in, const Streams& streams, int64_t row) {
    const uint32_t block = (uint32_t)(row / in.block);
    const bool one = words_at(streams.shared, block, BLOCK).first % WHOLE == 0;
    const uint32_t number = one ? block * (uint32_t)in.block : (uint32_t)row;
    const uint32_t drawn = words_at(streams.shared, number, WAY).first, way = drawn % WAYS;
    const uint32_t signs = words_at(streams.own, number, SIGN).first;
    Relation found = {way < UNRELATED, true, false, {1.0, 1.0}, {0.0, 0.0}};
    if (way >= SUM && in.role < NO_ROLE) {
        const uint32_t role = (in.role + drawn / WAYS) % ROLES;
        found.first = role != 1, found.second = role != 0;
        return found;
    }
    const bool multiple = way >= MULTIPLE && in.unit != 1.0f;
    for (int part = 0; part < PARTS; ++part) {
        const bool turned = in.opposes && (signs >> part & 1u);
        found.times[part] = (turned ? -1.0 : 1.0) * (multiple ? in.unit : 1.0f);
        found.more[part] = turned && !multiple ? in.centre : 0.0;
    }
    return found;
}

// No more elements than TOGETHER of one row.
PASSNET_FUNCTION void relate(const Input& in, const Related& streams, const Relation& how, int64_t begin, int64_t end) {
    double others[TOGETHER];
    if (how.second) {
        draw_some(in, streams.second, begin, end, 1);
        if (!how.first) return;
        for (int64_t i = begin; i < end; ++i) others[i - begin] = number_at(in, i);
    }
    draw_some(in, streams.first, begin, end, 1);
    for (int64_t i = begin; i < end; ++i) {
        const int64_t part = i % in.parts;
        const double other = how.second ? others[i - begin] : how.more[part];
        set_number(in, i, number_at(in, i) * how.times[part] + other);
    }
}

// An integer that names the row that is the centre of its line. In a quarter of the places it is that of the line before,
// and in a quarter it is as it was drawn.
PASSNET_FUNCTION void name(const Input& in, const Streams& streams, int64_t i) {
    const uint32_t way = words_at(streams.own, (uint32_t)i, NAMED).first & 3u;
    const int64_t line = way > 1u ? (i - 1) * in.stride : i * in.stride;
    if (way == 3u || line < 0 || line >= in.named) return;
    const Words how = words_at(streams.other, (uint32_t)line, LINE);
    if (is_near(streams.near, in.naming, line, how)) put(in.out, in.bytes, i, (uint64_t)centre_row(in, streams.shared, how, line));
}

#ifdef __CUDACC__
// Blocks of as many threads as generator.py launches, four at once on a multiprocessor: this leaves each thread 64 registers.
// One row of blocks per input. Every element has one writer: whoever drew it writes it again.
extern "C" __global__ void __launch_bounds__(256, 4) passnet_draw(const Input* inputs, unsigned long long key0, unsigned long long key1) {
    const Input in = inputs[blockIdx.y];
    __shared__ Stream made[STREAMS];
    if (threadIdx.x < OTHER_STREAM) made[threadIdx.x] = stream_of(key0, key1, threadIdx.x, in.number);
    else if (threadIdx.x == OTHER_STREAM) made[OTHER_STREAM] = stream_of(key0, key1, OWN_STREAM, other_than(in));
    __syncthreads();
    const int64_t begin = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, step = (int64_t)gridDim.x * blockDim.x;
    const Streams streams = streams_with(in, made[OWN_STREAM], made[SHARED_STREAM], made[OTHER_STREAM]);
    draw_some(in, streams, begin, in.count, step);
    if (in.size) {
        const Input odd = odd_of(in);
        const int64_t place = odd_place(in, streams);
        for (int64_t i = begin; i < in.count; i += step) {
            if (!is_odd(in, place, i)) continue;
            draw_some(odd, streams, i, i + 1, 1);
            if (in.row > 1) fix(in, streams, i);
        }
    } else if (in.row > 1) {
        for (int64_t i = begin; i < in.count; i += step) fix(in, streams, i);
    }
    if (in.run) {
        const Input odd = odd_of(in);
        const Streams of_runs = streams_of_runs(in, streams);
        for (int64_t i = begin; i < in.count; i += step)
            if (is_in_run(in, run_in(in, streams, i / in.run), i)) draw_some(odd, of_runs, i, i + 1, 1);
    }
    if (in.related) {
        const Stream first = made[FIRST_STREAM], second = made[SECOND_STREAM];
        const Related related = {streams_with(in, first, first, first), streams_with(in, second, second, second)};
        for (int64_t i = begin; i < in.count; i += step) {
            const Relation how = relation_of(in, streams, i / in.related);
            if (how.some) relate(in, related, how, i, i + 1);
        }
    }
    if (in.named)
        for (int64_t i = begin; i < in.count; i += step) name(in, streams, i);
    if (in.sized)
        for (int64_t i = begin; i < in.count; i += step) give_size(in, i, size_of_row(in, streams, i / in.sized));
}
#else
static Streams streams_of(const Input& in, uint64_t key0, uint64_t key1) {
    const Stream own = stream_of(key0, key1, OWN_STREAM, in.number), shared = stream_of(key0, key1, SHARED_STREAM, in.number);
    return streams_with(in, own, shared, in.others ? stream_of(key0, key1, OWN_STREAM, other_than(in)) : shared);
}

static Related related_of(const Input& in, uint64_t key0, uint64_t key1) {
    const Stream first = stream_of(key0, key1, FIRST_STREAM, 0u), second = stream_of(key0, key1, SECOND_STREAM, 0u);
    return Related{streams_with(in, first, first, first), streams_with(in, second, second, second)};
}

// The odd elements of one input: runs of neighbours.
static void draw_odd(const Input& in, const Streams& streams, int64_t place) {
    const Input odd = odd_of(in);
    for (int64_t begin = place * in.inner; begin < in.count; begin += in.size * in.inner) {
        const int64_t end = begin + in.inner < in.count ? begin + in.inner : in.count;
        draw_some(odd, streams, begin, end, 1);
        if (in.row > 1)
            for (int64_t i = begin; i < end; ++i) fix(in, streams, i);
    }
}

// The runs of one input.
static void draw_runs(const Input& in, const Streams& streams) {
    const Input odd = odd_of(in);
    const Streams of_runs = streams_of_runs(in, streams);
    for (int64_t row = 0; row < in.count / in.run; ++row) {
        const Run run = run_in(in, streams, row);
        // As `is_in_run` has it: no run goes round the end of its row.
        const int64_t begin = row * in.run, end = begin + in.run;
        const int64_t from = run.none ? begin : begin + run.across.start, to = run.none ? begin : from + run.across.end;
        draw_some(odd, of_runs, run.all_else ? begin : from, run.all_else ? from : to, 1);
        if (run.all_else) draw_some(odd, of_runs, to, end, 1);
    }
}

static void fix_rows(const Input& in, const Streams& streams) {
    for (int64_t row = 0; row < in.count / in.row; ++row) {
        if (in.uneven > ALL_UNEVEN) {
            const RowShown shown = row_shown(in, streams, row);
            for (int64_t i = row * in.row; i < (row + 1) * in.row; ++i) show(in, shown, i);
        } else if (in.uneven) {
            const Alike alike = alike_in(in, streams.own, row);
            if (!alike.some) continue;
            for (int64_t i = row * in.row; i < (row + 1) * in.row; ++i) put(in.out, in.bytes, i, alike.base);
            if (alike.place >= 0) put(in.out, in.bytes, row * in.row + alike.place, alike.other);
        } else {
            const Ends ends = ends_of(in, streams.own, row);
            put(in.out, in.bytes, row * in.row + ends.first, in.first);
            put(in.out, in.bytes, row * in.row + ends.last, in.last);
        }
    }
}

static void relate_rows(const Input& in, const Streams& streams, uint64_t key0, uint64_t key1) {
    const Related related = related_of(in, key0, key1);
    for (int64_t row = 0; row < in.count / in.related; ++row) {
        const Relation how = relation_of(in, streams, row);
        const int64_t end = (row + 1) * in.related;
        for (int64_t begin = row * in.related; how.some && begin < end; begin += TOGETHER)
            relate(in, related, how, begin, begin + TOGETHER < end ? begin + TOGETHER : end);
    }
}

static void size_rows(const Input& in, const Streams& streams) {
    for (int64_t begin = 0; begin < in.count; begin += in.sized) {
        const int64_t end = begin + in.sized < in.count ? begin + in.sized : in.count;
        const float by = size_of_row(in, streams, begin / in.sized);
        for (int64_t i = begin; i < end; ++i) give_size(in, i, by);
    }
}

extern "C" __attribute__((visibility("default"))) void passnet_draw(const Input* inputs, int64_t count, uint64_t key0, uint64_t key1) {
    for (int64_t n = 0; n < count; ++n) {
        const Input& in = inputs[n];
        const Streams streams = streams_of(in, key0, key1);
        draw_some(in, streams, 0, in.count, 1);
        if (in.size) draw_odd(in, streams, odd_place(in, streams));
        else if (in.row > 1) fix_rows(in, streams);
        if (in.run) draw_runs(in, streams);
        if (in.related) relate_rows(in, streams, key0, key1);
        if (in.named)
            for (int64_t i = 0; i < in.count; ++i) name(in, streams, i);
        if (in.sized) size_rows(in, streams);
    }
}

static void draw_one(const Input& in, uint64_t key0, uint64_t key1, int64_t i) {
    const Streams streams = streams_of(in, key0, key1);
    draw_some(in, streams, i, i + 1, 1);
    const bool odd = in.size && is_odd(in, odd_place(in, streams), i);
    if (odd) draw_some(odd_of(in), streams, i, i + 1, 1);
    if (in.row > 1 && (odd || !in.size)) fix(in, streams, i);
    if (in.run && is_in_run(in, run_in(in, streams, i / in.run), i))
        draw_some(odd_of(in), streams_of_runs(in, streams), i, i + 1, 1);
    if (in.related) {
        const Related related = related_of(in, key0, key1);
        const Relation how = relation_of(in, streams, i / in.related);
        if (how.some) relate(in, related, how, i, i + 1);
    }
    if (in.named) name(in, streams, i);
    if (in.sized) give_size(in, i, size_of_row(in, streams, i / in.sized));
}

// Some elements alone, as passnet_draw draws them: those of input n at the places from `begins[n]` on. Nothing else is
// written.
extern "C" __attribute__((visibility("default"))) void passnet_draw_some(const Input* inputs, int64_t count, uint64_t key0, uint64_t key1, const int64_t* places, const int64_t* begins) {
    for (int64_t n = 0; n < count; ++n)
        for (int64_t at = begins[n]; at < begins[n + 1]; ++at) draw_one(inputs[n], key0, key1, places[at]);
}
#endif
