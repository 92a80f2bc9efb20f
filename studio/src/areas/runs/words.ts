/** Numbers and times as people read them. */

export function count(value: number): string {
  if (value < 1e6) return value.toLocaleString('en', { maximumFractionDigits: 0 });
  const units: [number, string][] = [
    [1e12, ' trillion'],
    [1e9, ' billion'],
    [1e6, ' million'],
  ];
  for (const [size, word] of units) {
    if (value >= size && value < size * 1000) return `${Number((value / size).toPrecision(3))}${word}`;
  }
  return value.toExponential(1).replace('e+', ' × 10^');
}

/** Three digits; what is small in powers of ten. */
export function figure(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e6) return value.toExponential(1).replace('.0e', 'e').replace('e+', 'e');
  return String(Number(value.toPrecision(3)));
}

export function span(seconds: number): string {
  if (seconds < 1) return `${Math.round(1000 * seconds)} ms`;
  if (seconds < 60) return `${Number(seconds.toPrecision(2))} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86400)} days`;
}

export function ago(created: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(created)) / 1000);
  if (seconds < 60) return 'just now';
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  const days = Math.floor(seconds / 86400);
  return days === 1 ? 'yesterday' : `${days} days ago`;
}

export function bytes(size: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let at = 0;
  while (size >= 1000 && at < units.length - 1) {
    size /= 1000;
    at += 1;
  }
  return `${Number(size.toPrecision(3))} ${units[at]}`;
}

/** How much of what was asked is done, from 0 to 1; undefined where nobody can tell. */
export function share(run: {
  iterations: number;
  planned: number | null;
  seconds: number | null;
  limit: number | null;
}): number | undefined {
  const shares = [
    run.planned ? run.iterations / run.planned : undefined,
    run.limit && run.seconds !== null ? run.seconds / run.limit : undefined,
  ].filter((one) => one !== undefined);
  return shares.length ? Math.min(1, Math.max(...shares)) : undefined;
}

/** What stands where a chart would be that has nothing to show. */
export function silence(runs: readonly { status: string; iterations: number }[]): string {
  if (runs.some((run) => run.status === 'running')) return 'Nothing has been measured yet; the first numbers come soon.';
  if (runs.every((run) => run.iterations === 0)) return 'Nothing was trained before this was stopped. “Go on” takes it up.';
  return 'Nothing was measured on the way.';
}
