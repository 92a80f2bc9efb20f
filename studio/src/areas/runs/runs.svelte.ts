/** The list of runs as the server tells it, and the curves of those that are looked at. */
import { get, type Schema } from '../../api/client';
import { listen } from '../../api/feed';

export type RunRow = Schema['RunRow'];
export type RunList = Schema['RunList'];
export type Curves = Schema['Curves'];

export const shelf = $state<{ list: RunList | undefined }>({ list: undefined });

/** Keep the list as it is on disk, as long as somebody looks at it; returns what stops that. */
export function watchRuns(): () => void {
  return listen('runs', (said) => {
    if (!said.error) shelf.list = said.data as RunList;
  });
}

/** All that was measured, one column each. */
export type Columns = Omit<Curves, 'fresh' | 'since'>;

export const NONE: Columns = {
  iteration: [],
  seconds: [],
  exploitability: [],
  pulse_iteration: [],
  pulse_seconds: [],
  speed: [],
  infosets: [],
};

/** What is known with what is new. */
export function grown(known: Columns, more: Curves): Columns {
  const before = more.fresh ? NONE : known;
  return {
    iteration: [...before.iteration, ...more.iteration],
    seconds: [...before.seconds, ...more.seconds],
    exploitability: [...before.exploitability, ...more.exploitability],
    pulse_iteration: [...before.pulse_iteration, ...more.pulse_iteration],
    pulse_seconds: [...before.pulse_seconds, ...more.pulse_seconds],
    speed: [...before.speed, ...more.speed],
    infosets: [...before.infosets, ...more.infosets],
  };
}

/** Follow the curves of a run; returns what stops that. */
export function watchCurves(name: string, tell: (columns: Columns) => void): () => void {
  let known = NONE;
  return listen(`metrics/${name}`, (said) => {
    if (said.error || !said.data) return;
    known = grown(known, said.data as Curves);
    tell(known);
  });
}

export const detailOf = (name: string) => get('/api/runs/{name}', { path: { name } });
