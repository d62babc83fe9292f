// Draws the inputs of one call from its key: element i of an input follows from the key, the input's number and i alone.
//
// One text for the processor and for CUDA. The mixing need not be cryptographic: a key is used once, and nobody but the
// controller knows it before its call is due.
#include <stdint.h>

#ifdef __CUDACC__
#include <cuda_fp16.h>
#define PASSNET_FUNCTION __device__ __forceinline__
#else
#include "passnet.h"
#define PASSNET_FUNCTION static inline
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
// as they are drawn. Of 2^16, `noise` is the share of what is drawn for a near line in its elements.
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
};

// Which places of a row are shown, the same numbers as in generator.py: those from its first one on, those up to its last
// one, these or a run or scattered ones, or a rectangle of each matrix. The flags: all rows are alike, inputs share their
// rows, and shown elements stay as they are drawn.
enum { ALL_UNEVEN = 2, RIGHT = 3, LEFT = 4, MIXED = 5, REGIONS = 6, OF_KIND = 7, ALIKE_ROWS = 8, SHARED_ROWS = 16, KEPT = 32 };

struct Numbers { uint64_t first, count; };
struct Mix { uint32_t a, b; };
struct Wide { uint64_t low, high; };

PASSNET_FUNCTION uint64_t spread(uint64_t x) {
    x ^= x >> 30; x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27; x *= 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

// What the key makes of one input: two words with which the positions of its elements are mixed.
PASSNET_FUNCTION Mix mix_of(uint64_t key0, uint64_t key1, uint32_t number) {
    const uint64_t mixed = spread(spread(key0 + 0x9e3779b97f4a7c15ull * (number + 1ull)) ^ key1);
    return Mix{(uint32_t)mixed, (uint32_t)(mixed >> 32)};
}

PASSNET_FUNCTION uint32_t chance(uint32_t i, Mix mix) {
    uint32_t x = i ^ mix.a;
    x ^= x >> 16; x *= 0x21f0aaadu;
    x ^= x >> 15; x += mix.b; x *= 0x735a2d97u;
    x ^= x >> 15; x *= 0x9e3779b1u;
    return x ^ (x >> 16);
}

// What the positions of an input's elements are mixed with, and those of lines that inputs share.
struct Mixes { Mix own, shared; };

PASSNET_FUNCTION Mixes mixes_of(const Input& in, uint64_t key0, uint64_t key1) {
    return Mixes{mix_of(key0, key1, in.number), mix_of(key0, key1, 0x7ffffffdu)};
}

// In how many lines of eight what is so: like those of other inputs, all one line, rising, falling, periodic. Of few lines
// none is as it is drawn. One of SHORT periods is as long as another, of half a line at most.
enum { OF_OTHERS = 2, ALL_ONE = 3, RISING = 5, FALLING = 6, PERIODIC = 7, LINES = 8, FEW_LINES = 8, SHORT = 7 };
// Of `apart` below 0.
enum { FROM_FIRST = 1, FALLS = 2, FURTHER = 4 };

// The word of an element of a line that rises: its place and up to half a step, and three quarters of an arch more or
// less, or half of that. Without the arch few numbers would be what they are. So it rises by an eighth of a step or more.
PASSNET_FUNCTION uint32_t rising_word(const Input& in, Mix mix, int64_t i) {
    const int64_t how = -1 - in.apart, inner = how / FURTHER + 1;
    const uint64_t place = (uint64_t)(i / inner % in.line), number = (uint64_t)(i / (inner * in.line) * inner + i % inner);
    if (!place && (how & FROM_FIRST)) return 0u;
    const int64_t at = (int64_t)(((place << 32) | (chance((uint32_t)i, mix) >> 1)) / (uint64_t)in.line);
    const int64_t arch = (int64_t)((uint64_t)at * (0x100000000ull - (uint64_t)at) >> 33);
    const int64_t drawn = (int32_t)chance(~(uint32_t)number, mix);
    const int64_t bend = drawn / 2 + (drawn < 0 ? -(1ll << 30) : 1ll << 30);
    const uint32_t word = (uint32_t)(at + arch * (bend / 4 * 3) / (1ll << 30));
    return (how & FALLS) ? ~word : word;
}

// The word of an element at a place of a line: `drawn`, or one near the centre's. In half of the calls near lines are
// scattered, in the others they are neighbours.
PASSNET_FUNCTION uint32_t near_word(const Input& in, Mixes mixes, int64_t number, int64_t place, uint32_t drawn) {
    if (chance(0x30000000u, mixes.shared) & 1u) {
        if (chance(~(uint32_t)number, mixes.own) >= in.share) return drawn;
    } else {
        const uint64_t lines = (uint64_t)(in.count / in.parts / in.line);
        const uint64_t begin = ((uint64_t)chance(0x30000001u, mixes.own) * lines) >> 32;
        if (((uint64_t)number + lines - begin) % lines > (in.share * lines) >> 32) return drawn;
    }
    const int64_t centre = chance((uint32_t)place, mixes.shared);
    return (uint32_t)(centre + ((int64_t)drawn - centre) * (int64_t)in.noise / 65536);
}

// The random word from which an element follows. `i`, `count`: of numbers, which have several elements each.
PASSNET_FUNCTION uint32_t word_of(const Input& in, Mixes mixes, int64_t element) {
    if (!in.line) return chance((uint32_t)element, mixes.own);
    if (in.apart < 0) return rising_word(in, mixes.own, element);
    const int64_t i = element / in.parts, part = element % in.parts, count = in.count / in.parts;
    if (!in.apart) {
        const int64_t size = in.line * in.line, begin = i / size * size, row = i % size / in.line, column = i % in.line;
        const bool turned = column < row && (begin + size >= count || (chance(~(uint32_t)begin, mixes.shared) & 1u));
        return chance((uint32_t)((turned ? begin + column * in.line + row : i) * in.parts + part), mixes.own);
    }
    const int64_t place = i / in.apart % in.line, number = i / (in.apart * in.line) * in.apart + i % in.apart;
    if (in.share) return near_word(in, mixes, number, place * in.parts + part, chance((uint32_t)element, mixes.own));
    const uint32_t how = chance(~(uint32_t)number, mixes.shared) % (count < FEW_LINES * in.line ? PERIODIC : LINES);
    if (how < OF_OTHERS) return chance((uint32_t)((number * in.line + place) * in.parts + part), mixes.shared);
    if (how < ALL_ONE) return chance((uint32_t)(place * in.parts + part), mixes.shared);
    if (how == FALLING && in.line >= 4) {
        const int64_t period = 2 + chance((uint32_t)number, mixes.shared) % (in.line < 2 * SHORT + 2 ? in.line / 2 - 1 : SHORT);
        return chance((uint32_t)((number * in.line + place % period) * in.parts + part), mixes.own);
    }
    const uint32_t drawn = chance((uint32_t)element, mixes.own);
    if (how >= FALLING) return drawn;
    const int64_t at = how < RISING ? place : in.line - 1 - place;
    return (uint32_t)((((uint64_t)at << 32) | drawn) / (uint64_t)in.line);
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
PASSNET_FUNCTION double plain(double value) { return value; }

// Between two neighbours of 2^(32 - shift) + 1 sorted values.
template <typename Value>
PASSNET_FUNCTION Value blend(const Value* table, uint32_t shift, uint32_t u) {
    const uint32_t place = u >> shift;
    const Value part = (Value)(u & ((1u << shift) - 1u)) * ((Value)1 / (Value)(1u << shift));
    const Value low = table[place];
    return low + part * (table[place + 1] - low);
}

#define PASSNET_BLEND(Out, Value, convert)                                                             \
    {                                                                                                  \
        const Value* table = (const Value*)in.table;                                                   \
        Out* out = (Out*)in.out;                                                                       \
        const uint32_t shift = shift_of(in.entries);                                                   \
        for (int64_t i = begin; i < end; i += step) out[i] = convert(blend<Value>(table, shift, word_of(in, mixes, i))); \
    }

#define PASSNET_PICK(Element)                                                                          \
    {                                                                                                  \
        const Element* table = (const Element*)in.table;                                               \
        Element* out = (Element*)in.out;                                                               \
        for (int64_t i = begin; i < end; i += step) out[i] = table[((uint64_t)word_of(in, mixes, i) * in.entries) >> 32]; \
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

// Tile by tile, each step a loop of its own: mixing and blending in vectors, looking up by plain loads, of two neighbours
// at once. What is left of the time would hide a candidate's work: drawing must not be slower than it need be.
constexpr int64_t TILE = 512;

static inline void mix_tile(const Input& in, uint32_t* words, int64_t at, int64_t count, Mixes mixes) {
    if (in.line)
        for (int64_t i = 0; i < count; ++i) words[i] = word_of(in, mixes, at + i);
    else
        for (int64_t i = 0; i < count; ++i) words[i] = chance((uint32_t)(at + i), mixes.own);
}

template <class Value> struct Span { Value low, high; };

template <class Out, class Value>
static void blend_all(const Input& in, Mixes mixes, int64_t begin, int64_t end) {
    const Value* table = (const Value*)in.table;
    const uint32_t shift = shift_of(in.entries), inside = (1u << shift) - 1u;
    alignas(64) uint32_t words[TILE];
    alignas(64) Span<Value> spans[TILE];
    alignas(64) Value values[TILE];
    for (int64_t at = begin; at < end; at += TILE) {
        const int64_t count = end - at < TILE ? end - at : TILE;
        mix_tile(in, words, at, count, mixes);
        for (int64_t i = 0; i < count; ++i) std::memcpy(&spans[i], table + (words[i] >> shift), sizeof spans[i]);
        for (int64_t i = 0; i < count; ++i) {
            const Value part = (Value)(int32_t)(words[i] & inside) * ((Value)1 / (Value)(1u << shift));
            values[i] = spans[i].low + part * (spans[i].high - spans[i].low);
        }
        if constexpr (sizeof(Out) == sizeof(Value)) std::memcpy((Out*)in.out + at, values, count * sizeof(Out));
        else passnet::narrow(values, (Out*)in.out + at, count);
    }
}

template <class Element>
static void pick_all(const Input& in, Mixes mixes, int64_t begin, int64_t end) {
    const Element* table = (const Element*)in.table;
    alignas(64) uint32_t words[TILE];
    for (int64_t at = begin; at < end; at += TILE) {
        const int64_t count = end - at < TILE ? end - at : TILE;
        mix_tile(in, words, at, count, mixes);
        for (int64_t i = 0; i < count; ++i) words[i] = (uint32_t)(((uint64_t)words[i] * in.entries) >> 32);
        Element* out = (Element*)in.out + at;
        for (int64_t i = 0; i < count; ++i) out[i] = table[words[i]];
    }
}

#define PASSNET_BLEND(Out, Value, convert) blend_all<Out, Value>(in, mixes, begin, end);
#define PASSNET_PICK(Element) pick_all<Element>(in, mixes, begin, end)
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
PASSNET_FUNCTION uint64_t number_of(const Numbers* table, uint32_t entries, uint32_t word) {
    const uint64_t product = (uint64_t)word * entries, part = (uint32_t)product;
    const Numbers some = table[product >> 32];
    return some.first + part * (some.count >> 32) + ((part * (uint32_t)some.count) >> 32);
}

#ifdef __CUDACC__
#define PASSNET_RANGE(Element)                                                                         \
    {                                                                                                  \
        const Numbers* table = (const Numbers*)in.table;                                               \
        Element* out = (Element*)in.out;                                                               \
        for (int64_t i = begin; i < end; i += step) out[i] = (Element)number_of(table, in.entries, word_of(in, mixes, i)); \
    }
#else
template <class Element>
static void range_all(const Input& in, Mixes mixes, int64_t begin, int64_t end) {
    alignas(64) uint32_t words[TILE];
    for (int64_t at = begin; at < end; at += TILE) {
        const int64_t count = end - at < TILE ? end - at : TILE;
        mix_tile(in, words, at, count, mixes);
        Element* out = (Element*)in.out + at;
        for (int64_t i = 0; i < count; ++i) out[i] = (Element)number_of((const Numbers*)in.table, in.entries, words[i]);
    }
}

#define PASSNET_RANGE(Element) range_all<Element>(in, mixes, begin, end)
#endif

// Elements begin, begin + step, ... before the end, of one input.
PASSNET_FUNCTION void draw_some(const Input& in, Mixes mixes, int64_t begin, int64_t end, int64_t step) {
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
        case BLEND_HALF: PASSNET_BLEND(Half, float, to_half); break;
        case BLEND_BFLOAT: PASSNET_BLEND(Brain, float, to_bfloat); break;
        case BLEND_FLOAT: PASSNET_BLEND(float, float, plain); break;
        default: PASSNET_BLEND(double, double, plain);
    }
}

// Where a row holds `first` and `last`: two of its places, drawn like everything else.
struct Ends { int64_t first, last; };

PASSNET_FUNCTION Ends ends_of(const Input& in, Mix mix, int64_t row) {
    const int64_t first = (int64_t)(((uint64_t)chance(2u * (uint32_t)row, mix) * (uint64_t)in.row) >> 32);
    const int64_t apart = (int64_t)(((uint64_t)chance(2u * (uint32_t)row + 1u, mix) * (uint64_t)(in.row - 1)) >> 32);
    return Ends{first, (first + 1 + apart) % in.row};
}

PASSNET_FUNCTION Mix mix_of_ends(const Input& in, uint64_t key0, uint64_t key1) { return mix_of(key0, key1, ~in.number); }

// The input as its odd elements are drawn.
PASSNET_FUNCTION Input odd_of(const Input& in) {
    Input odd = in;
    odd.table = in.odd_table, odd.kind = in.odd_kind, odd.entries = in.odd_entries;
    return odd;
}

// Which place is odd. All inputs ask for the same number, so that rows that a graph adds up are odd together.
PASSNET_FUNCTION int64_t odd_place(const Input& in, uint64_t key0, uint64_t key1) {
    const uint64_t drawn = (uint64_t)chance(0, mix_of(key0, key1, 0x7fffffffu));
    return (int64_t)((drawn * (uint64_t)in.most) >> 32) % in.size;
}

PASSNET_FUNCTION bool is_odd(const Input& in, int64_t place, int64_t i) { return i / in.inner % in.size == place; }

// What all of an uneven row is, but for the element at `place`. Nothing where the row is left as it is drawn.
struct Alike { bool some; uint64_t base, other; int64_t place; };

PASSNET_FUNCTION Alike alike_in(const Input& in, Mix mix, int64_t row) {
    const uint32_t drawn = chance((uint32_t)row, mix), how = chance(~(uint32_t)row, mix);
    const uint32_t kind = in.uneven == ALL_UNEVEN ? drawn & 1u : drawn % 3u;
    const bool odd = in.uneven == ALL_UNEVEN || (how & 1u);
    // A walk that ends early leaves out the last element above all.
    const int64_t place = (how & 6u) ? ends_of(in, mix, row).first : in.row - 1;
    return Alike{kind < 2, kind ? in.last : in.first, kind ? in.first : in.last, odd ? place : -1};
}

// The places of a line that are shown: those whose number in an order is from `least` on and below `end`. The order begins
// at `start` and goes round, or it is by chance.
struct Shown { int64_t start, least, end; bool scattered; };

// Of `length` places, which are two or more, some are shown and some are not. In half of the lines as many as you like are
// shown, and in the others few, or nearly all.
PASSNET_FUNCTION Shown shown_of(uint32_t kind, Mix mix, uint32_t line, int64_t length) {
    const uint32_t how = chance(~line, mix), size = how & 3u, which = how >> 5 & 7u;
    int64_t count = 1 + (int64_t)(((uint64_t)chance(2u * line, mix) * (uint64_t)(length - 1)) >> 32);
    const int64_t few = 1 + ((count - 1) >> (how >> 2 & 7u));
    if (size > 1u) count = size == 2u ? few : length - few;
    const int64_t anywhere = (int64_t)(((uint64_t)chance(2u * line + 1u, mix) * (uint64_t)(length - count + 1)) >> 32);
    if (kind == RIGHT || (kind == MIXED && which < 2u)) return Shown{0, 0, count, false};
    if (kind == LEFT || (kind == MIXED && which < 3u)) return Shown{length - count, 0, count, false};
    if (kind == MIXED && which < 4u) return Shown{(anywhere + count) % length, 0, length - count, false};  // a gap
    return Shown{anywhere, 0, count, kind == MIXED && which > 5u};
}

PASSNET_FUNCTION bool is_shown(Shown shown, int64_t place, int64_t length, uint32_t word) {
    int64_t at = place < shown.start ? place - shown.start + length : place - shown.start;
    // One is always shown, and the one behind it is not.
    if (shown.scattered && at) at = at == 1 ? length - 1 : (int64_t)(((uint64_t)word * (uint64_t)length) >> 32);
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
struct RowShown { Shown places; Mix words; int64_t row; bool none, turned; };

PASSNET_FUNCTION RowShown row_shown(const Input& in, Mixes mixes, Mix of_ends, int64_t row) {
    const uint32_t kind = in.uneven & OF_KIND, matrix = in.uneven & ALIKE_ROWS ? 0u : (uint32_t)(row / in.height);
    const uint32_t line = in.uneven & ALIKE_ROWS ? 0u : (uint32_t)row, relation = chance(line, of_ends) & 7u;
    const bool shared = (in.uneven & SHARED_ROWS) && !(kind == MIXED && relation == 7u);
    const Mix mix = shared ? mixes.shared : of_ends, words = shared ? mixes.shared : mixes.own;
    // Other lines of the same number, which inputs may share too, follow from other words.
    const uint32_t salt = 0x40000000u;
    if (kind != REGIONS) {
        const Shown places = shown_of(kind, mix, salt + line, in.row);
        const bool relates = shared && kind == MIXED;
        return RowShown{relates ? related(places, in.row, relation) : places, words, line, false, false};
    }
    const uint32_t how = chance(salt + ~matrix, of_ends);
    const Shown down = shown_of(kind, mix, salt + 2u * matrix, in.height);
    const Shown across = shown_of(kind, mix, salt + 2u * matrix + 1u, in.row);
    const bool none = (how & 3u) != 0u && !is_shown(down, row % in.height, in.height, 0u);
    return RowShown{(how & 3u) == 1u ? Shown{0, 0, in.row, false} : across, words, line, none, (how & 12u) == 0u};
}

// Some neighbours of a line. What is left of it at either end is drawn: at most half of it, or a quarter, or less, so that a
// decision of most of a line is taken by these alone. In a quarter of the lines they are as many as you like.
PASSNET_FUNCTION Shown run_of(Mix mix, uint32_t line, int64_t length) {
    const uint32_t how = chance(~line, mix);
    if ((how & 3u) == 0u) return shown_of(REGIONS, mix, line, length);
    const uint64_t most = (uint64_t)(length >> (1u + (how >> 2 & 3u))) + 1u;
    const int64_t before = (int64_t)(((uint64_t)chance(2u * line, mix) * most) >> 32);
    const int64_t after = (int64_t)(((uint64_t)chance(2u * line + 1u, mix) * most) >> 32);
    return Shown{before, 0, before + after < length ? length - before - after : 1, false};
}

// The odd elements of a row of a matrix. `all_else`: those that are not of the run are odd.
struct Run { Shown across; bool none, all_else; };

PASSNET_FUNCTION Run run_in(const Input& in, Mixes mixes, Mix of_ends, int64_t row) {
    const Mix mix = in.meets ? mixes.shared : of_ends;
    // Runs of rows, runs of matrices and what is done with these follow from words of their own.
    const uint32_t matrix = (uint32_t)(row / in.tall), how = chance(0x50000000u + matrix, mix);
    const Shown whole = Shown{0, 0, in.run, false}, across = run_of(mix, 0x60000000u + (uint32_t)row, in.run);
    const bool none = in.tall > 1 && !is_shown(run_of(mix, 0x70000000u + matrix, in.tall), row % in.tall, in.tall, 0u);
    return Run{in.tall > 1 && (how & 3u) == 0u ? whole : across, none, (how & 12u) == 0u};
}

PASSNET_FUNCTION bool is_in_run(const Input& in, const Run& run, int64_t i) {
    return (!run.none && is_shown(run.across, i % in.run, in.run, 0u)) != run.all_else;
}

// What the elements of runs are mixed with.
PASSNET_FUNCTION Mixes mixes_of_runs(const Input& in, Mixes mixes) {
    return in.meets ? Mixes{mixes.shared, mixes.shared} : mixes;
}

// What the row makes of one of its elements, which was drawn.
PASSNET_FUNCTION void show(const Input& in, const RowShown& row, int64_t i) {
    const int64_t place = i % in.row;
    const uint32_t word = row.places.scattered ? chance((uint32_t)(row.row * in.row + place), row.words) : 0u;
    const bool shown = !row.none && is_shown(row.places, place, in.row, word);
    if (shown == row.turned) put(in.out, in.bytes, i, in.last);
    else if (!(in.uneven & KEPT)) put(in.out, in.bytes, i, in.first);
}

// What the structure of rows makes of element i, which was drawn.
PASSNET_FUNCTION void fix(const Input& in, Mixes mixes, Mix mix, int64_t i) {
    const int64_t row = i / in.row, place = i % in.row;
    if (in.uneven > ALL_UNEVEN) {
        show(in, row_shown(in, mixes, mix, row), i);
        return;
    }
    if (in.uneven) {
        const Alike alike = alike_in(in, mix, row);
        if (alike.some) put(in.out, in.bytes, i, place == alike.place ? alike.other : alike.base);
        return;
    }
    const Ends ends = ends_of(in, mix, row);
    if (place == ends.first) put(in.out, in.bytes, i, in.first);
    else if (place == ends.last) put(in.out, in.bytes, i, in.last);
}

// By what a row is multiplied.
PASSNET_FUNCTION float size_of_row(const Input& in, uint64_t key0, uint64_t key1, int64_t row) {
    const uint32_t drawn = chance((uint32_t)row, mix_of(key0, key1, 0x7ffffffeu));
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

// The mixes of ways and of signs, and those with which related rows are drawn.
struct Related { Mix ways, signs, first, second; };

// With which of two mixes a row is drawn, or with both if it is their sum. Then `times` and `more`, of each part.
struct Relation { bool some, first, second; double times[PARTS], more[PARTS]; };

PASSNET_FUNCTION Related related_of(const Input& in, uint64_t key0, uint64_t key1) {
    return Related{mix_of(key0, key1, 0x7ffffffcu), mix_of(key0, key1, 0x70000000u + in.number),
                   mix_of(key0, key1, 0x7ffffffbu), mix_of(key0, key1, 0x7ffffffau)};
}

PASSNET_FUNCTION Relation relation_of(const Input& in, const Related& mixes, int64_t row) {
    const uint32_t block = (uint32_t)(row / in.block);
    const bool whole = chance(~block, mixes.ways) % WHOLE == 0;
    const uint32_t number = whole ? block * (uint32_t)in.block : (uint32_t)row;
    const uint32_t drawn = chance(number, mixes.ways), way = drawn % WAYS, signs = chance(number, mixes.signs);
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
PASSNET_FUNCTION void relate(const Input& in, const Related& mixes, const Relation& how, int64_t begin, int64_t end) {
    double others[TOGETHER];
    if (how.second) {
        draw_some(in, Mixes{mixes.second, mixes.second}, begin, end, 1);
        if (!how.first) return;
        for (int64_t i = begin; i < end; ++i) others[i - begin] = number_at(in, i);
    }
    draw_some(in, Mixes{mixes.first, mixes.first}, begin, end, 1);
    for (int64_t i = begin; i < end; ++i) {
        const int64_t part = i % in.parts;
        const double other = how.second ? others[i - begin] : how.more[part];
        set_number(in, i, number_at(in, i) * how.times[part] + other);
    }
}

#ifdef __CUDACC__
// Blocks of as many threads as generator.py launches, four at once on a multiprocessor: this leaves each thread 64 registers.
// One row of blocks per input. Every element has one writer: whoever drew it writes it again.
extern "C" __global__ void __launch_bounds__(256, 4) passnet_draw(const Input* inputs, unsigned long long key0, unsigned long long key1) {
    const Input in = inputs[blockIdx.y];
    const int64_t begin = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, step = (int64_t)gridDim.x * blockDim.x;
    const Mixes mixes = mixes_of(in, key0, key1);
    const Mix of_ends = mix_of_ends(in, key0, key1);
    draw_some(in, mixes, begin, in.count, step);
    if (in.size) {
        const Input odd = odd_of(in);
        const int64_t place = odd_place(in, key0, key1);
        for (int64_t i = begin; i < in.count; i += step) {
            if (!is_odd(in, place, i)) continue;
            draw_some(odd, mixes, i, i + 1, 1);
            if (in.row > 1) fix(in, mixes, of_ends, i);
        }
    } else if (in.row > 1) {
        for (int64_t i = begin; i < in.count; i += step) fix(in, mixes, of_ends, i);
    }
    if (in.run) {
        const Input odd = odd_of(in);
        const Mixes of_runs = mixes_of_runs(in, mixes);
        for (int64_t i = begin; i < in.count; i += step)
            if (is_in_run(in, run_in(in, mixes, of_ends, i / in.run), i)) draw_some(odd, of_runs, i, i + 1, 1);
    }
    if (in.related) {
        const Related related = related_of(in, key0, key1);
        for (int64_t i = begin; i < in.count; i += step) {
            const Relation how = relation_of(in, related, i / in.related);
            if (how.some) relate(in, related, how, i, i + 1);
        }
    }
    if (in.sized)
        for (int64_t i = begin; i < in.count; i += step) give_size(in, i, size_of_row(in, key0, key1, i / in.sized));
}
#else
// The odd elements of one input: runs of neighbours.
static void draw_odd(const Input& in, Mixes mixes, Mix of_ends, int64_t place) {
    const Input odd = odd_of(in);
    for (int64_t begin = place * in.inner; begin < in.count; begin += in.size * in.inner) {
        const int64_t end = begin + in.inner < in.count ? begin + in.inner : in.count;
        draw_some(odd, mixes, begin, end, 1);
        if (in.row > 1)
            for (int64_t i = begin; i < end; ++i) fix(in, mixes, of_ends, i);
    }
}

// The runs of one input.
static void draw_runs(const Input& in, Mixes mixes, Mix of_ends) {
    const Input odd = odd_of(in);
    const Mixes of_runs = mixes_of_runs(in, mixes);
    for (int64_t row = 0; row < in.count / in.run; ++row) {
        const Run run = run_in(in, mixes, of_ends, row);
        // As `is_in_run` has it: no run goes round the end of its row.
        const int64_t begin = row * in.run, end = begin + in.run;
        const int64_t from = run.none ? begin : begin + run.across.start, to = run.none ? begin : from + run.across.end;
        draw_some(odd, of_runs, run.all_else ? begin : from, run.all_else ? from : to, 1);
        if (run.all_else) draw_some(odd, of_runs, to, end, 1);
    }
}

static void fix_rows(const Input& in, Mixes mixes, Mix of_ends) {
    for (int64_t row = 0; row < in.count / in.row; ++row) {
        if (in.uneven > ALL_UNEVEN) {
            const RowShown shown = row_shown(in, mixes, of_ends, row);
            for (int64_t i = row * in.row; i < (row + 1) * in.row; ++i) show(in, shown, i);
        } else if (in.uneven) {
            const Alike alike = alike_in(in, of_ends, row);
            if (!alike.some) continue;
            for (int64_t i = row * in.row; i < (row + 1) * in.row; ++i) put(in.out, in.bytes, i, alike.base);
            if (alike.place >= 0) put(in.out, in.bytes, row * in.row + alike.place, alike.other);
        } else {
            const Ends ends = ends_of(in, of_ends, row);
            put(in.out, in.bytes, row * in.row + ends.first, in.first);
            put(in.out, in.bytes, row * in.row + ends.last, in.last);
        }
    }
}

static void relate_rows(const Input& in, uint64_t key0, uint64_t key1) {
    const Related related = related_of(in, key0, key1);
    for (int64_t row = 0; row < in.count / in.related; ++row) {
        const Relation how = relation_of(in, related, row);
        const int64_t end = (row + 1) * in.related;
        for (int64_t begin = row * in.related; how.some && begin < end; begin += TOGETHER)
            relate(in, related, how, begin, begin + TOGETHER < end ? begin + TOGETHER : end);
    }
}

static void size_rows(const Input& in, uint64_t key0, uint64_t key1) {
    for (int64_t begin = 0; begin < in.count; begin += in.sized) {
        const int64_t end = begin + in.sized < in.count ? begin + in.sized : in.count;
        const float by = size_of_row(in, key0, key1, begin / in.sized);
        for (int64_t i = begin; i < end; ++i) give_size(in, i, by);
    }
}

extern "C" __attribute__((visibility("default"))) void passnet_draw(const Input* inputs, int64_t count, uint64_t key0, uint64_t key1) {
    for (int64_t n = 0; n < count; ++n) {
        const Input& in = inputs[n];
        const Mixes mixes = mixes_of(in, key0, key1);
        const Mix of_ends = mix_of_ends(in, key0, key1);
        draw_some(in, mixes, 0, in.count, 1);
        if (in.size) draw_odd(in, mixes, of_ends, odd_place(in, key0, key1));
        else if (in.row > 1) fix_rows(in, mixes, of_ends);
        if (in.run) draw_runs(in, mixes, of_ends);
        if (in.related) relate_rows(in, key0, key1);
        if (in.sized) size_rows(in, key0, key1);
    }
}

static void draw_one(const Input& in, uint64_t key0, uint64_t key1, int64_t i) {
    const Mixes mixes = mixes_of(in, key0, key1);
    const Mix of_ends = mix_of_ends(in, key0, key1);
    draw_some(in, mixes, i, i + 1, 1);
    const bool odd = in.size && is_odd(in, odd_place(in, key0, key1), i);
    if (odd) draw_some(odd_of(in), mixes, i, i + 1, 1);
    if (in.row > 1 && (odd || !in.size)) fix(in, mixes, of_ends, i);
    if (in.run && is_in_run(in, run_in(in, mixes, of_ends, i / in.run), i))
        draw_some(odd_of(in), mixes_of_runs(in, mixes), i, i + 1, 1);
    if (in.related) {
        const Related related = related_of(in, key0, key1);
        const Relation how = relation_of(in, related, i / in.related);
        if (how.some) relate(in, related, how, i, i + 1);
    }
    if (in.sized) give_size(in, i, size_of_row(in, key0, key1, i / in.sized));
}

// Some elements alone, as passnet_draw draws them: those of input n at the places from `begins[n]` on. Nothing else is
// written.
extern "C" __attribute__((visibility("default"))) void passnet_draw_some(const Input* inputs, int64_t count, uint64_t key0, uint64_t key1, const int64_t* places, const int64_t* begins) {
    for (int64_t n = 0; n < count; ++n)
        for (int64_t at = begins[n]; at < begins[n + 1]; ++at) draw_one(inputs[n], key0, key1, places[at]);
}
#endif
