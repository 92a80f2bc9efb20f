/** Words for what can be looked at. */
import type { Schema } from '../../api/client';

export type Source = Schema['StrategySource'];

export const KINDS: Record<Source['kind'], string> = {
  strategy: 'strategy',
  spot: 'spot',
  blueprint: 'blueprint',
  game: 'game',
};

/** A source in one line, for lists to choose from. */
export function lineOf(source: Source): string {
  const name = source.id.replace(/^\d{8}T\d{6}Z-/, '');
  const made = source.id === name ? '' : `, ${dateOf(stampOf(source.id))}`;
  return source.kind === 'spot' ? `${source.title.replace(/^holdem:\s*/, '')}${made}` : `${source.title} · ${source.rule ?? name}${made}`;
}

function stampOf(id: string): string {
  const found = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(id);
  return found ? `${found[1]}-${found[2]}-${found[3]}T${found[4]}:${found[5]}:${found[6]}Z` : '';
}

/** Day and hour, as short as it can be. */
export function dateOf(stamp: string): string {
  const when = new Date(stamp);
  if (Number.isNaN(when.getTime())) return '';
  return when.toLocaleString('en', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hour12: false });
}
