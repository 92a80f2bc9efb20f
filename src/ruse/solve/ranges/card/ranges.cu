// The range engine on a graphics card: what solve/ranges/passes does, one level on all boards at once.
//
// All kernels have one face, (world, begin, end). Most have a thread for each of the numbers begin .. end, which are an
// item times STRIDE plus a hand: a node on a board, and hands side by side, so that a warp reads whole lines. No thread
// reads what another one of the same launch writes, and every sum is added up in one order, so a run has the same bits
// each time. `ends` has a block for an item: sums over hands are made in shared memory, in phases between which a block
// waits for its threads; in a phase no thread reads what another one writes.
//
// Numbers are kept as `Number`, which is double or float; arithmetic is in double. Compiled without fused multiply-add
// they are the processor's bits but for the sums of all hands at an end, which are added up in pieces.

#ifndef NUMBER
#define NUMBER double
#endif
#ifndef BLOCK_KERNEL  // a processor that stands in for a card has its own
#define BLOCK_KERNEL(name, phase_of, phases, size)                                     \
    extern "C" __global__ void name(const World* world, Index begin, Index end) {      \
        __shared__ double shared[size];                                                \
        Index item = begin / blockDim.x + blockIdx.x;                                  \
        if ((Offset)item * blockDim.x >= end) return;                                  \
        for (Index phase = 0; phase < phases; phase++, __syncthreads())                \
            phase_of(*world, item, threadIdx.x, blockDim.x, phase, shared);            \
    }
#endif

typedef NUMBER Number;
typedef unsigned int Index;
typedef unsigned long long Offset;
typedef unsigned short Small;

const Index NONE = 0xFFFFFFFFu, CARDS = 52, ALL = 52, LISTS = 53, PLACES = 6;
const Index HANDS = 1326, SUMS = 3 * HANDS + LISTS;  // each list of hands has one sum more: that of none
const Index PIECES = 64, SHARED = SUMS + PIECES;     // in which the sum of all hands is made
const double LEAST = 1e-37;                          // as in rows.py

enum Weight { POSITIVE, NEGATIVE, FLOOR, FADING, AHEAD, NEXT, COUNTED, WEIGHTS };

// All that a kernel works on. Fields take eight bytes each and stand in the order of `RangeWorld` in layout.py.
struct World {
    Offset stride;  // threads for an item: no board has more hands
    // what is done: a node, and a place, which is 2 * a pair of a block and a board + the player who is updated
    const Index *item_node, *item_place;  // [item]
    const Index *end_item, *end_place;    // [item of an end] which end, and its place
    // nodes of the forest
    const Index *player, *actions;  // [node]
    const Index* table_row;    // [node] its first row in the tables of its block
    const Index* value_row;    // [node] its row of values in the scratch memory of its block
    const Index* reach_row;    // [player, node] of the other's reach while the player is updated
    const Index* edge;         // [node] where its children start in the next two
    const Index* value_below;  // [edge] the child's row of values
    const Index* reach_below;  // [edge] the child's row of reach, while the one who does not decide here is updated
    const Index* deal;         // [node] of a root: the deal above it, a node of another block
    const Index *root, *root_block;  // [node] of a deal: the root below it, and its block
    Offset nodes;
    // pairs of a block and a board
    const Offset *value_base, *reach_base;  // [pair] where its values and its reach start
    const Offset* rows;        // [player, pair] where its rows start in the tables
    const Index* length;       // [pair] of a row of values or reach
    const Index* pair_board;   // [pair]
    const Index* pair_above;   // [pair] the pair of the block and the board above
    const Index* pair_of;      // [block, board]
    Offset pairs;
    // boards
    const Index* hands;          // [player, board]
    const Index* width;          // [player, board] of the tables' rows
    const Index* lift;           // [board + 1] the boards that are solved together, itself first
    const Index *below, *board_below;  // [board + 1] where the boards below it start; which they are
    const Index* stretch;        // [board] which boards the processor adds up before it adds them to the others
    const Offset* origin_at;     // [player, lift] where each of the next lists starts
    const Small* origin;         // the place of each hand among those of the board before
    const Offset* inverse_at;    // [player, lift]
    const Index* inverse;        // the place, on this board, of each hand of the board before; NONE if it is blocked
    Offset boards, lifts;
    // ends
    const Index* end_reach;      // [end] the row of the other's reach
    const Index *end_showdown, *end_fold;  // [end] the row of values at its showdown, at its fold; NONE for none
    const double* showdown_pays; // [end] what is won, or lost
    const double* house_pays;    // [end] what a house takes at the showdown, as a payoff
    const double* fold_pays;     // [end]
    const Offset* removal_at;    // [player, board] where its hands start in the next four
    const unsigned char *high, *low;  // cards
    const Small* same;           // the same hand among the other's
    const Small* place;          // [hand, PLACES] in the other's sums
    const Small* list_start;     // [player, board, LISTS + 1]
    const Small* listed;         // hands by card, the weakest first; three entries a hand
    // what a pass changes
    Number *reach, *value, *regret, *average;
    Number *plays, *then;  // the strategy, which is the regret itself if it follows from it; the next one
    const Number* weights;  // [player, hand] the ranges at the root
    Offset entries;         // of a table
    Offset is_ahead;        // whether the strategy has a table of its own
    double prediction;
    const double* schedule;  // [iteration, weight]
    Offset* clock;           // [1]
};

// A node on a board, with one hand.
struct Here { Index node, pair, player, board, hand; };

__device__ Offset number_of(Index begin, Index end, bool& is_mine) {
    Offset at = (Offset)blockIdx.x * blockDim.x + threadIdx.x;
    is_mine = at < end - begin;
    return begin + at;
}

__device__ bool find(const World& w, Index begin, Index end, Here& here) {
    bool is_mine;
    Offset number = number_of(begin, end, is_mine);
    if (!is_mine) return false;
    Offset item = number / w.stride;
    Index pair = w.item_place[item] / 2;
    here = {w.item_node[item], pair, w.item_place[item] % 2, w.pair_board[pair], (Index)(number % w.stride)};
    return true;
}

__device__ Number* value_of(const World& w, Index pair, Index row) {
    return w.value + w.value_base[pair] + (Offset)row * w.length[pair];
}

__device__ Number* reach_of(const World& w, Index pair, Index row) {
    return w.reach + w.reach_base[pair] + (Offset)row * w.length[pair];
}

// The other's reach at a node, while the player is updated.
__device__ Number* reach_at(const World& w, Index pair, Index player, Index node) {
    return reach_of(w, pair, w.reach_row[player * w.nodes + node]);
}

// Where the rows of a decision start in the tables, and how far apart they are.
__device__ Offset rows_of(const World& w, const Here& here, Index decider, Index& width) {
    width = w.width[decider * w.boards + here.board];
    return w.rows[decider * w.pairs + here.pair] + (Offset)w.table_row[here.node] * width;
}

__device__ const double* weights_now(const World& w) { return w.schedule + w.clock[0] * WEIGHTS; }

// ---- a strategy from a table: rows.py -------------------------------------------------------------------------------

struct Shares { double times, plus; };
__device__ double positive(double x) { return x > 0.0 ? x : 0.0; }

__device__ Shares shares(const Number* table, Index width, Index actions) {
    double total = 0.0;
    for (Index a = 0; a < actions; a++) total += positive(table[(Offset)a * width]);
    return total > LEAST ? Shares{1.0 / total, 0.0} : Shares{0.0, 1.0 / actions};
}

__device__ double share(const Shares& s, double entry) { return positive(entry) * s.times + s.plus; }

// ---- down -----------------------------------------------------------------------------------------------------------

// The range of the other at the root; one item.
extern "C" __global__ void begin_pass(const World* world, Index begin, Index end) {
    Here here;
    const World w = *world;
    if (!find(w, begin, end, here) || here.hand >= w.length[here.pair]) return;
    reach_at(w, here.pair, here.player, here.node)[here.hand] = w.weights[(1 - here.player) * w.stride + here.hand];
}

// Splits the reach of the one who decides, who is not updated; adds it to the average if `counted` is not negative.
__device__ void split(const World& w, Index begin, Index end, const Number* plays, double fading, double counted) {
    Here here;
    if (!find(w, begin, end, here)) return;
    Index width, decider = 1 - here.player, actions = w.actions[here.node];
    Offset row = rows_of(w, here, decider, width) + here.hand;
    if (here.hand >= width) return;
    double above = reach_at(w, here.pair, here.player, here.node)[here.hand];
    Shares s = shares(plays + row, width, actions);
    for (Index a = 0; a < actions; a++) {
        Offset k = row + (Offset)a * width;
        double mine = above * share(s, plays[k]);
        reach_of(w, here.pair, w.reach_below[w.edge[here.node] + a])[here.hand] = mine;
        if (counted >= 0.0) w.average[k] = w.average[k] * fading + mine * counted;
    }
}

extern "C" __global__ void split_now(const World* w, Index begin, Index end) {
    split(*w, begin, end, w->plays, weights_now(*w)[FADING], 1.0);
}

// While the second player is updated in turns, the first one's next strategy is averaged.
extern "C" __global__ void split_next(const World* w, Index begin, Index end) {
    split(*w, begin, end, w->plays, weights_now(*w)[NEXT], weights_now(*w)[COUNTED]);
}

extern "C" __global__ void split_average(const World* w, Index begin, Index end) {
    split(*w, begin, end, w->average, 0.0, -1.0);
}

// Reach at a root: of the hands that are left, in this board's order.
extern "C" __global__ void enter(const World* world, Index begin, Index end) {
    Here here;
    const World w = *world;
    if (!find(w, begin, end, here) || here.hand >= w.length[here.pair]) return;
    Index other = 1 - here.player;
    const Number* above = reach_at(w, w.pair_above[here.pair], here.player, w.deal[here.node]);
    Offset origin = w.origin_at[other * w.lifts + w.lift[here.board]] + here.hand;
    bool is_held = here.hand < w.hands[other * w.boards + here.board];
    reach_at(w, here.pair, here.player, here.node)[here.hand] = is_held ? above[w.origin[origin]] : (Number)0.0;
}

// ---- ends: removal.py, showdowns.py ---------------------------------------------------------------------------------

struct End {
    Index number, pair, player, board, hands;  // hands of the other
    const Number* reach;
    const Small* start;
    const Small* listed;
};

__device__ End end_at(const World& w, Index item) {
    Index number = w.end_item[item], pair = w.end_place[item] / 2, player = w.end_place[item] % 2;
    Index board = w.pair_board[pair], side = (1 - player) * (Index)w.boards + board;
    return {number, pair, player, board, w.hands[side], reach_of(w, pair, w.end_reach[number]),
            w.list_start + (Offset)side * (LISTS + 1), w.listed + 3 * w.removal_at[side]};
}

__device__ double last_sum(const End& e, const double* sums, Index card) { return sums[e.start[card + 1] + card]; }

__device__ double sum_at(const double* sums, const Small* at, Index k) { return sums[at[k]] + sums[at[k + 1]]; }

// Hands of the list of all that a piece begins with.
__device__ Index piece_start(Index hands, Index piece) { return (Index)((Offset)hands * piece / PIECES); }

// What the end is worth to one hand of the player.
__device__ void fill_end(const World& w, const End& e, const double* sums, Index hand) {
    Index side = e.player * (Index)w.boards + e.board;
    Offset i = w.removal_at[side] + hand;
    bool is_held = hand < w.hands[side];
    double every = last_sum(e, sums, ALL), met = 0.0, beaten = 0.0;
    Index showdown = w.end_showdown[e.number], fold = w.end_fold[e.number];
    if (is_held) {
        double high = last_sum(e, sums, w.high[i]), low = last_sum(e, sums, w.low[i]);
        Index same = w.same[i];
        met = every - high - low + (same < e.hands ? (double)e.reach[same] : 0.0);
        if (showdown != NONE) {
            const Small* place = w.place + i * PLACES;
            double mine = (sum_at(sums, place, 2) - high) + (sum_at(sums, place, 4) - low);
            beaten = (sum_at(sums, place, 0) - every - mine) * w.showdown_pays[e.number];
        }
    }
    if (showdown != NONE) {
        double house = w.house_pays[e.number];
        value_of(w, e.pair, showdown)[hand] = house != 0.0 ? met * house + beaten : beaten;
    }
    if (fold != NONE) value_of(w, e.pair, fold)[hand] = met * w.fold_pays[e.number];
}

const Index PHASES = 5;

// Each list of hands is laid out and added up: those of a card by a thread each, that of all hands in pieces.
__device__ void end_phase(const World& w, Index item, Index thread, Index threads, Index phase, double* shared) {
    End e = end_at(w, item);
    double* sums = shared;
    double* piece_sums = shared + SUMS;
    double* all = sums + e.start[ALL] + ALL;  // [hand + 1]
    if (phase == 0) {
        for (Index k = thread; k < e.hands; k += threads) all[k + 1] = e.reach[e.listed[e.start[ALL] + k]];
        for (Index card = thread; card < CARDS; card += threads) {
            double total = 0.0;
            Index place = e.start[card] + card;
            sums[place] = 0.0;
            for (Index k = e.start[card]; k < e.start[card + 1]; k++) {
                total += e.reach[e.listed[k]];
                sums[++place] = total;
            }
        }
        if (thread == 0) all[0] = 0.0;
    } else if (phase == 1) {
        for (Index piece = thread; piece < PIECES; piece += threads) {
            double total = 0.0;
            for (Index k = piece_start(e.hands, piece); k < piece_start(e.hands, piece + 1); k++) {
                total += all[k + 1];
                all[k + 1] = total;
            }
            piece_sums[piece] = total;
        }
    } else if (phase == 2) {
        double total = 0.0;
        for (Index piece = 0; thread == 0 && piece < PIECES; piece++) {
            double own = piece_sums[piece];
            piece_sums[piece] = total;
            total += own;
        }
    } else if (phase == 3) {
        for (Index piece = thread; piece < PIECES; piece += threads)
            for (Index k = piece_start(e.hands, piece); k < piece_start(e.hands, piece + 1); k++)
                all[k + 1] += piece_sums[piece];
    } else {
        for (Index hand = thread; hand < w.length[e.pair]; hand += threads) fill_end(w, e, sums, hand);
    }
}

// Numbers are an item times the threads of a block: a block for each item.
BLOCK_KERNEL(ends, end_phase, PHASES, SHARED)

// ---- up -------------------------------------------------------------------------------------------------------------

__device__ double value_below(const World& w, const Here& here, Index a) {
    return value_of(w, here.pair, w.value_below[w.edge[here.node] + a])[here.hand];
}

__device__ double expected_of(const World& w, const Here& here, const Number* table, Index width, const Shares& s) {
    double expected = 0.0;
    for (Index a = 0; a < w.actions[here.node]; a++)
        expected += share(s, table[(Offset)a * width]) * value_below(w, here, a);
    return expected;
}

__device__ Number* own_value(const World& w, const Here& here) {
    return value_of(w, here.pair, w.value_row[here.node]) + here.hand;
}

// A decision of the player who is updated: values, regret, and the next strategy where it has a table.
extern "C" __global__ void learn(const World* world, Index begin, Index end) {
    Here here;
    const World w = *world;
    if (!find(w, begin, end, here)) return;
    Index width, actions = w.actions[here.node];
    Offset row = rows_of(w, here, here.player, width) + here.hand;
    if (here.hand >= width) return;
    const double* now = weights_now(w);
    double expected = expected_of(w, here, w.plays + row, width, shares(w.plays + row, width, actions));
    *own_value(w, here) = expected;
    for (Index a = 0; a < actions; a++) {
        Offset k = row + (Offset)a * width;
        double old = w.regret[k], instant = value_below(w, here, a) - expected;
        double total = old * (old > 0.0 ? now[POSITIVE] : now[NEGATIVE]) + instant;
        total = total > now[FLOOR] ? total : now[FLOOR];
        w.regret[k] = total;
        if (w.is_ahead) w.then[k] = total * now[AHEAD] + w.prediction * instant;
    }
}

// The same for one who follows the average, and for one who takes the best action.
extern "C" __global__ void follow_average(const World* world, Index begin, Index end) {
    Here here;
    const World w = *world;
    if (!find(w, begin, end, here)) return;
    Index width;
    Offset row = rows_of(w, here, here.player, width) + here.hand;
    if (here.hand >= width) return;
    Shares s = shares(w.average + row, width, w.actions[here.node]);
    *own_value(w, here) = expected_of(w, here, w.average + row, width, s);
}

extern "C" __global__ void respond(const World* world, Index begin, Index end) {
    Here here;
    const World w = *world;
    if (!find(w, begin, end, here) || here.hand >= w.width[here.player * w.boards + here.board]) return;
    double best = value_below(w, here, 0);
    for (Index a = 1; a < w.actions[here.node]; a++)
        best = best > value_below(w, here, a) ? best : value_below(w, here, a);
    *own_value(w, here) = best;
}

// The other's decisions: reach is in the values already.
extern "C" __global__ void add_up(const World* world, Index begin, Index end) {
    Here here;
    const World w = *world;
    if (!find(w, begin, end, here) || here.hand >= w.width[here.player * w.boards + here.board]) return;
    double total = value_below(w, here, 0);
    for (Index a = 1; a < w.actions[here.node]; a++) total += value_below(w, here, a);
    *own_value(w, here) = total;
}

// A deal: the values of all boards below, and of those that differ from them in suits alone.
extern "C" __global__ void leave(const World* world, Index begin, Index end) {
    Here here;
    const World w = *world;
    if (!find(w, begin, end, here) || here.hand >= w.length[here.pair]) return;
    double total = 0.0, some = 0.0;
    Index root = w.root[here.node], block = w.root_block[here.node], stretch = 0;
    bool is_held = here.hand < w.hands[here.player * w.boards + here.board];
    for (Index n = w.below[here.board]; is_held && n < w.below[here.board + 1]; n++) {
        Index board = w.board_below[n];
        if (w.stretch[board] != stretch) total += some, some = 0.0, stretch = w.stretch[board];
        const Number* value = value_of(w, w.pair_of[block * w.boards + board], w.value_row[root]);
        for (Index lift = w.lift[board]; lift < w.lift[board + 1]; lift++) {
            Index there = w.inverse[w.inverse_at[here.player * w.lifts + lift] + here.hand];
            if (there != NONE) some += value[there];
        }
    }
    *own_value(w, here) = total + some;
}

// ---- between iterations ---------------------------------------------------------------------------------------------

// Entries of a table: what was made for later is played.
extern "C" __global__ void take_up(const World* world, Index begin, Index end) {
    bool is_mine;
    Offset k = number_of(begin, end, is_mine);
    if (is_mine) world->plays[k] = world->then[k];
}

extern "C" __global__ void tick(const World* world, Index begin, Index end) {
    Offset only = (Offset)blockIdx.x * blockDim.x + threadIdx.x;
    if (only < end - begin) world->clock[0] += 1;
}
