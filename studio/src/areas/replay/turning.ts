/** How a game went for one player, step by step, and where it turned. */

export interface Judged {
  step: number;
  player: number;
  now: number[];
  after: number[]; // what everybody could expect after the choice
}

export interface Point {
  step: number;
  value: number;
}

export interface Turn {
  step: number;
  change: number;
  luck: boolean; // chance, or what became known, and nobody's choice
}

const SHARE = 0.12; // of the whole range of a game, before a change counts
const MOST = 6;

/** What one player could expect, before and after each choice that was judged, and at the end. */
export function course(judged: Judged[], player: number, last: number, payoff: number): Point[] {
  const found: Point[] = [];
  for (const one of [...judged].sort((a, b) => a.step - b.step)) {
    found.push({ step: one.step - 1, value: one.now[player] ?? 0 }, { step: one.step, value: one.after[player] ?? 0 });
  }
  return found.length ? [...found, { step: last, value: payoff }] : [];
}

/** The largest changes, in the order of the game. */
export function turns(judged: Judged[], player: number, last: number, payoff: number): Turn[] {
  const sorted = [...judged].sort((a, b) => a.step - b.step);
  const values = [...sorted.flatMap((one) => [one.now[player] ?? 0, one.after[player] ?? 0]), payoff];
  const range = Math.max(...values) - Math.min(...values);
  if (!sorted.length || range <= 0) return [];
  const found: Turn[] = [];
  sorted.forEach((one, k) => {
    const before = sorted[k - 1];
    // What lies between two decisions that are next to each other is chance; with a gap in between nobody can tell.
    if (before && one.step - before.step === 2) found.push({ step: one.step - 1, change: (one.now[player] ?? 0) - (before.after[player] ?? 0), luck: true });
    found.push({ step: one.step, change: (one.after[player] ?? 0) - (one.now[player] ?? 0), luck: false });
  });
  const tail = sorted.at(-1)!;
  if (last - tail.step === 2) found.push({ step: last - 1, change: payoff - (tail.after[player] ?? 0), luck: true });
  return found
    .filter((turn) => Math.abs(turn.change) >= SHARE * range)
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change))
    .slice(0, MOST)
    .sort((a, b) => a.step - b.step);
}
