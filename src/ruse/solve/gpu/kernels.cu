// The full-width engine on a graphics card: what solve/full/engine.py does, one level of a decision tree at a time.
//
// All kernels have one face, (world, begin, end), and one thread for each of the numbers begin .. end. No thread reads
// what another one of the same launch writes, and every sum is added up by one thread, in the order in which the
// processor's engine adds: threads may run in any order, and a run has the same bits each time. Compiled without fused
// multiply-add they are the processor's bits, but for exp and for sequences whose leaves are in several strips.
//
// Numbers are kept as `Number`, which is double or float, but for the average; arithmetic is in double.

#ifndef NUMBER
#define NUMBER double
#endif

typedef NUMBER Number;
typedef unsigned int Index;
typedef unsigned long long Offset;

const Index NONE = 0xFFFFFFFFu;
const Index LANES = 32;  // strips side by side

enum Weight { POSITIVE, NEGATIVE, FLOOR, FADING, AHEAD, WEIGHTS };  // as in solve/solver/rules.py
enum Rule { MATCHING, HIGHEST, HEDGE };                             // as in codes.py
enum Form { WEIGHTED, BEST, TIMES };
enum Fallback { SHARES, MOST };

// All that a kernel works on. Fields take eight bytes each and stand in the order of `World` in world.py.
struct World {
    // the decision trees
    const Index* first;          // [node + 1] as in SequenceForm
    const Index* slot;           // [node] where its row starts; null if it is the node's own first sequence
    const Index* row;            // [sequence] its place in the tables; null if it is its own
    const Index* above;          // [sequence] the sequence that leads to its node
    const Number* copies;        // [node]
    const Index* child_start;    // [sequence + 1] the nodes below a sequence
    const Index* child;          // [node] those of each sequence, the last one first
    const Index* sharing_start;  // [node + 1] the nodes that share a row, for the one that owns it
    const Index* sharing;        // the last one first
    // leaves, in strips of at most a thousand or so: 32 strips lie side by side, so that a warp reads whole lines
    const Offset* slice;       // [slice + 1] where its entries start
    const Index* strip_at;     // [position] which strip a thread adds up, NONE for none
    const Index* strip_start;  // [sequence + 1] the strips of a sequence
    const Index* others;       // [player - 1, entry] the other players' sequences
    const Number* payoff;      // [entry] payoff times the probability of chance; 0 where a strip is shorter
    Offset entries;
    Offset opponents;
    // what an iteration changes
    Number* regret;   // [slot]
    double* average;  // [slot] what is added to it becomes smaller and smaller beside it
    Number* sigma;    // [slot]
    Number* reach;    // [sequence]
    Number* value;    // [sequence] scratch; the strategy that is judged, by slot
    Number* strip;    // [strip] what its leaves are worth
    Number* worth;    // [node] to its owner
    // what judging needs besides
    Number* followed;  // [sequence] reach under the strategy that is judged
    Number* best;      // [node] worth to an owner who responds as well as can be
    // the weights of some iterations, and which of them it is now
    const double* schedule;  // [iteration, weight]
    Offset* clock;           // [1]
    // the update rule
    Offset rule;
    double rate;  // prediction or eta
    // preferences; see solve/prefer/rows.py
    const int* preferred;  // [slot] the preferred infoset whose row starts there, negative for none; null without any
    Offset form;
    double form_rate;  // prediction
    Offset fallback;
    Offset inner_rule;  // what TIMES asks
    double inner_rate;
    const Index* delta_start;  // [infoset]
    const double* delta;
    const double* wish;  // delta to the power of the form
    const double* beta;  // [infoset]
    const Index* visit_start;    // [infoset + 1]
    const Index* visit_others;   // [visit, player - 1]
    const double* visit_chance;  // [visit]
};

// A row of the tables on its way to the next strategy; pointers are to its first action.
struct Row {
    Number* regret;
    Number* sigma;
    const Number* value;
    double expected;
    Index count;
    const double* weights;
};

// ---- update rules: solve/solver/rules.py ----------------------------------------------------------------------------

__device__ double add_regret(const Row& row, Index a, double instant) {
    double regret = row.regret[a];
    double total = regret * (regret > 0.0 ? row.weights[POSITIVE] : row.weights[NEGATIVE]) + instant;
    total = total > row.weights[FLOOR] ? total : row.weights[FLOOR];
    row.regret[a] = total;
    return total;
}

// Fills sigma with what is positive of regret and of what is predicted, times delta unless that is null.
__device__ double match_regret(const Row& row, double prediction, const double* delta) {
    double total = 0.0;
    for (Index a = 0; a < row.count; a++) {
        double instant = row.value[a] - row.expected;
        double predicted = add_regret(row, a, instant) * row.weights[AHEAD] + prediction * instant;
        double positive = predicted > 0.0 ? predicted : 0.0;
        positive = delta ? delta[a] * positive : positive;
        row.sigma[a] = positive;
        total += positive;
    }
    return total;
}

__device__ void share(const Row& row, double total) {
    double scale = 1.0 / total;
    for (Index a = 0; a < row.count; a++) row.sigma[a] = total > 0.0 ? row.sigma[a] * scale : 1.0 / row.count;
}

__device__ void play_highest(const Row& row) {
    Index best = 0;
    double highest = 0.0;
    for (Index a = 0; a < row.count; a++) {
        double regret = add_regret(row, a, row.value[a] - row.expected);
        if (a == 0 || regret > highest) {
            best = a;
            highest = regret;
        }
        row.sigma[a] = 0.0;
    }
    row.sigma[best] = 1.0;
}

__device__ void hedge(const Row& row, double eta) {
    double highest = 0.0, total = 0.0;
    for (Index a = 0; a < row.count; a++) {
        double regret = add_regret(row, a, row.value[a] - row.expected);
        highest = a == 0 || regret > highest ? regret : highest;
    }
    for (Index a = 0; a < row.count; a++) {
        double weight = exp(eta * (row.regret[a] - highest));
        row.sigma[a] = weight;
        total += weight;
    }
    for (Index a = 0; a < row.count; a++) row.sigma[a] = row.sigma[a] / total;
}

__device__ void match(const Row& row, Offset rule, double rate) {
    if (rule == MATCHING)
        share(row, match_regret(row, rate, nullptr));
    else if (rule == HIGHEST)
        play_highest(row);
    else
        hedge(row, rate);
}

// ---- preferences: solve/prefer/favour.py ----------------------------------------------------------------------------

__device__ void share_out(const Row& row, double total, const double* delta) {
    double wishes = 0.0;
    for (Index a = 0; a < row.count; a++) wishes += delta[a] - 1.0;
    for (Index a = 0; a < row.count; a++) {
        if (total > 0.0)
            row.sigma[a] = row.sigma[a] / total;
        else
            row.sigma[a] = wishes > 0.0 ? (delta[a] - 1.0) / wishes : 1.0 / row.count;
    }
}

__device__ void play_best(const Row& row, const World& w, Index d) {
    Index best = 0, most = 0;
    double highest = 0.0;
    for (Index a = 0; a < row.count; a++) {
        double wish = w.wish[d + a] * add_regret(row, a, row.value[a] - row.expected);
        if (wish > highest) {
            best = a;
            highest = wish;
        }
        most = w.delta[d + a] > w.delta[d + most] ? a : most;
        row.sigma[a] = 0.0;
    }
    if (highest == 0.0 && w.fallback == SHARES)
        share_out(row, 0.0, w.delta + d);
    else
        row.sigma[highest == 0.0 ? most : best] = 1.0;
}

__device__ void match_times(const Row& row, const World& w, Index d) {
    double total = 0.0;
    match(row, w.inner_rule, w.inner_rate);
    for (Index a = 0; a < row.count; a++) {
        double wanted = row.sigma[a] * w.delta[d + a];
        row.sigma[a] = wanted;
        total += wanted;
    }
    share_out(row, total, w.delta + d);
}

// What a preferred infoset has to pay: beta times the reach of chance and of the others.
__device__ double price(const World& w, int n) {
    if (!(w.beta[n] > 0.0)) return 0.0;
    double total = 0.0;
    for (Index v = w.visit_start[n]; v < w.visit_start[n + 1]; v++) {
        double product = w.visit_chance[v];
        for (Offset c = 0; c < w.opponents; c++) product *= w.reach[w.visit_others[v * w.opponents + c]];
        total += product;
    }
    return w.beta[n] * total;
}

// The row that starts at a slot gets its regret and its next strategy; values are those from `at` on.
__device__ void update(const World& w, Index slot, Index count, Index at, double expected) {
    const double* weights = w.schedule + w.clock[0] * WEIGHTS;
    Row row = {w.regret + slot, w.sigma + slot, w.value + at, expected, count, weights};
    int n = w.preferred ? w.preferred[slot] : -1;
    if (n < 0) {
        match(row, w.rule, w.rate);
        return;
    }
    row.expected += price(w, n);
    Index d = w.delta_start[n];
    if (w.form == WEIGHTED)
        share_out(row, match_regret(row, w.form_rate, w.delta + d), w.delta + d);
    else if (w.form == BEST)
        play_best(row, w, d);
    else
        match_times(row, w, d);
}

// ---- a pass up -------------------------------------------------------------------------------------------------------

__device__ bool is_mine(Index begin, Index end, Index& number) {
    Offset place = (Offset)blockIdx.x * blockDim.x + threadIdx.x;
    number = begin + (Index)place;
    return place < end - begin;
}

__device__ void add_up_strip(const World& w, const Number* reach, Index position) {
    Index strip = w.strip_at[position], lane = position % LANES;
    if (strip == NONE) return;
    Offset begin = w.slice[position / LANES] + lane, end = w.slice[position / LANES + 1];
    double total = 0.0;
    for (Offset entry = begin; entry < end; entry += LANES) {
        double product = w.payoff[entry];
        for (Offset c = 0; c < w.opponents; c++) product *= reach[w.others[c * w.entries + entry]];
        total += product;
    }
    w.strip[strip] = total;
}

__device__ double at_leaves(const World& w, Index s) {
    double total = 0.0;
    for (Index strip = w.strip_start[s]; strip < w.strip_start[s + 1]; strip++) total += w.strip[strip];
    return total;
}

// Adds to a sequence's value what the nodes below it are worth.
__device__ double with_nodes(const World& w, const Number* worth, Index s, double total) {
    for (Index k = w.child_start[s]; k < w.child_start[s + 1]; k++) {
        Index j = w.child[k];
        total += (double)w.copies[j] * worth[j];
    }
    return total;
}

__device__ double fill_values(const World& w, Index j, Index slot) {
    Index first = w.first[j], last = w.first[j + 1];
    double expected = 0.0;
    for (Index s = first; s < last; s++) {
        double value = with_nodes(w, w.worth, s, 0.0) + at_leaves(w, s);
        w.value[s] = value;
        expected += w.sigma[slot + (s - first)] * value;
    }
    w.worth[j] = expected;
    return expected;
}

// Strips of one player.
extern "C" __global__ void leaves(const World* world, Index begin, Index end) {
    Index position;
    const World w = *world;
    if (is_mine(begin, end, position)) add_up_strip(w, w.reach, position);
}

// The nodes of one level, each with a row of its own: values, regret and the next strategy.
extern "C" __global__ void learn(const World* world, Index begin, Index end) {
    Index j;
    const World w = *world;
    if (!is_mine(begin, end, j)) return;
    Index first = w.first[j];
    update(w, first, w.first[j + 1] - first, first, fill_values(w, j, first));
}

// The same where nodes share rows: values now, and, when all of a player's are known, `learn_rows`.
extern "C" __global__ void bring_up(const World* world, Index begin, Index end) {
    Index j;
    const World w = *world;
    if (is_mine(begin, end, j)) fill_values(w, j, w.slot[j]);
}

extern "C" __global__ void learn_rows(const World* world, Index begin, Index end) {
    Index j;
    const World w = *world;
    if (!is_mine(begin, end, j) || w.slot[j] != w.first[j]) return;
    Index first = w.first[j], count = w.first[j + 1] - first;
    for (Index a = 0; a < count; a++) {
        double instant = 0.0;
        for (Index k = w.sharing_start[j]; k < w.sharing_start[j + 1]; k++) {
            Index i = w.sharing[k];
            instant += (double)w.value[w.first[i] + a] - w.worth[i];
        }
        w.value[first + a] = instant;  // nobody else asks for the value that was there
    }
    update(w, first, count, first, 0.0);
}

// ---- a pass down -----------------------------------------------------------------------------------------------------

// The sequences of one level: the strategy that was evaluated goes into the average, and the next one is taken up.
extern "C" __global__ void descend(const World* world, Index begin, Index end) {
    Index s;
    const World w = *world;
    if (!is_mine(begin, end, s)) return;
    double fading = w.schedule[w.clock[0] * WEIGHTS + FADING];
    w.average[s] = w.average[s] * fading + w.reach[s];
    w.reach[s] = (double)w.reach[w.above[s]] * w.sigma[s];
}

// The same where nodes share rows: first the average of all of a player's rows, then level by level the reach.
extern "C" __global__ void average_rows(const World* world, Index begin, Index end) {
    Index j;
    const World w = *world;
    if (!is_mine(begin, end, j) || w.slot[j] != w.first[j]) return;
    double fading = w.schedule[w.clock[0] * WEIGHTS + FADING];
    for (Index a = 0; a < w.first[j + 1] - w.first[j]; a++) {
        double total = w.average[w.first[j] + a] * fading;
        for (Index k = w.sharing_start[j + 1]; k > w.sharing_start[j]; k--) {
            total += w.reach[w.first[w.sharing[k - 1]] + a];
        }
        w.average[w.first[j] + a] = total;
    }
}

extern "C" __global__ void descend_rows(const World* world, Index begin, Index end) {
    Index s;
    const World w = *world;
    if (is_mine(begin, end, s)) w.reach[s] = (double)w.reach[w.above[s]] * w.sigma[w.row[s]];
}

extern "C" __global__ void tick(const World* world, Index begin, Index end) {
    Index only;
    if (is_mine(begin, end, only)) world->clock[0] += 1;
}

// ---- judging: evaluate/best_response.py ------------------------------------------------------------------------------

// All nodes: the average strategy, where values are while an iteration runs.
extern "C" __global__ void normalise(const World* world, Index begin, Index end) {
    Index j;
    const World w = *world;
    if (!is_mine(begin, end, j)) return;
    Index first = w.first[j], last = w.first[j + 1];
    if (w.slot && w.slot[j] != first) return;
    double total = 0.0;
    for (Index s = first; s < last; s++) total += w.average[s];
    for (Index s = first; s < last; s++) w.value[s] = total > 0.0 ? w.average[s] / total : 1.0 / (last - first);
}

// The sequences of one level.
extern "C" __global__ void follow(const World* world, Index begin, Index end) {
    Index s;
    const World w = *world;
    if (is_mine(begin, end, s)) w.followed[s] = (double)w.followed[w.above[s]] * w.value[w.row ? w.row[s] : s];
}

extern "C" __global__ void judged_leaves(const World* world, Index begin, Index end) {
    Index position;
    const World w = *world;
    if (is_mine(begin, end, position)) add_up_strip(w, w.followed, position);
}

// The nodes of one level: what they are worth to an owner who follows the strategy, and to one who responds.
extern "C" __global__ void judge(const World* world, Index begin, Index end) {
    Index j;
    const World w = *world;
    if (!is_mine(begin, end, j)) return;
    Index first = w.first[j], last = w.first[j + 1], slot = w.slot ? w.slot[j] : first;
    double expected = 0.0, highest = 0.0;
    for (Index s = first; s < last; s++) {
        double leaves = at_leaves(w, s);
        double response = with_nodes(w, w.best, s, leaves);
        expected += w.value[slot + (s - first)] * with_nodes(w, w.worth, s, leaves);
        highest = s == first || response > highest ? response : highest;
    }
    w.worth[j] = expected;
    w.best[j] = highest;
}
