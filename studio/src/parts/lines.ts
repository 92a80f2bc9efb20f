/** Lines for Curve.svelte, joined over one horizontal axis as uPlot wants them. */
import type { AlignedData } from 'uplot';

export interface Line {
  name: string;
  x: number[]; // rising
  y: (number | null)[];
  series?: number; // 1 to 8, the colour; else by place
}

/** One axis with every x of every line; what a logarithm cannot show is left out. */
export function joined(lines: Line[], { logX = false, logY = false } = {}): AlignedData {
  const shown = (x: number) => !logX || x > 0;
  const kept = (y: number | null | undefined) => (y === null || y === undefined || !Number.isFinite(y) || (logY && y <= 0) ? null : y);
  const only = lines[0];
  if (lines.length === 1 && only) {
    const first = logX ? only.x.findIndex(shown) : 0;
    const from = first < 0 ? only.x.length : first;
    return [only.x.slice(from), only.y.slice(from).map(kept)];
  }
  const every = [...new Set(lines.flatMap((line) => line.x.filter(shown)))].sort((a, b) => a - b);
  const place = new Map(every.map((x, at) => [x, at]));
  return [
    every,
    ...lines.map((line) => {
      const column: (number | null | undefined)[] = new Array(every.length).fill(undefined);
      line.x.forEach((x, at) => {
        const found = place.get(x);
        if (found !== undefined) column[found] = kept(line.y[at]);
      });
      return column;
    }),
  ];
}
