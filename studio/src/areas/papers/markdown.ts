/** Just enough Markdown for our own pages, as data: nothing of it is ever taken for HTML. */

export type Inline =
  | { kind: 'text' | 'strong' | 'em' | 'code'; text: string }
  | { kind: 'link'; text: string; to: string };

export type Block =
  | { kind: 'heading'; level: number; inline: Inline[] }
  | { kind: 'paragraph'; inline: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'image'; alt: string; source: string };

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

export function inline(text: string): Inline[] {
  const found: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > at) found.push({ kind: 'text', text: text.slice(at, match.index) });
    const [, code, strong, em, words, to] = match;
    if (code !== undefined) found.push({ kind: 'code', text: code });
    else if (strong !== undefined) found.push({ kind: 'strong', text: strong.replaceAll('`', '') });
    else if (em !== undefined) found.push({ kind: 'em', text: em });
    else if (words !== undefined) found.push({ kind: 'link', text: words.replaceAll('`', ''), to: to ?? '' });
    at = match.index + match[0].length;
  }
  if (at < text.length) found.push({ kind: 'text', text: text.slice(at) });
  return found;
}

const cells = (line: string): Inline[][] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => inline(cell.trim()));

const ITEM = /^\s*(?:[-*]|(\d+)\.)\s+(.*)$/;
const IMAGE = /^!\[([^\]]*)\]\(([^)\s]+)\)$/;

export function blocks(page: string): Block[] {
  const lines = page.replace(/<!--[\s\S]*?-->/g, '').split('\n');
  const found: Block[] = [];
  let at = 0;
  const take = (fits: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && fits(lines[at] ?? '')) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    const image = IMAGE.exec(line.trim());
    if (!line.trim()) at += 1;
    else if (heading) {
      found.push({ kind: 'heading', level: heading[1]?.length ?? 1, inline: inline(heading[2] ?? '') });
      at += 1;
    } else if (image) {
      found.push({ kind: 'image', alt: image[1] ?? '', source: image[2] ?? '' });
      at += 1;
    } else if (line.startsWith('```')) {
      at += 1;
      const inside = take((one) => !one.startsWith('```'));
      at += 1;
      found.push({ kind: 'code', text: inside.join('\n') });
    } else if (/^ {4}\S/.test(line)) {
      found.push({ kind: 'code', text: take((one) => /^ {4}/.test(one)).map((one) => one.slice(4)).join('\n') });
    } else if (line.trimStart().startsWith('|')) {
      const [head, , ...rows] = take((one) => one.trimStart().startsWith('|'));
      found.push({ kind: 'table', head: cells(head ?? ''), rows: rows.map(cells) });
    } else if (ITEM.test(line)) {
      const items: string[] = [];
      const ordered = ITEM.exec(line)?.[1] !== undefined;
      for (const one of take((text) => ITEM.test(text) || /^\s+\S/.test(text))) {
        const item = ITEM.exec(one);
        if (item) items.push(item[2] ?? '');
        else items.push(`${items.pop() ?? ''} ${one.trim()}`);
      }
      found.push({ kind: 'list', ordered, items: items.map(inline) });
    } else {
      const text = take((one) => !!one.trim() && !/^(#{1,6}\s|```|\|)/.test(one) && !IMAGE.test(one.trim()));
      found.push({ kind: 'paragraph', inline: inline(text.join(' ')) });
    }
  }
  return found;
}
