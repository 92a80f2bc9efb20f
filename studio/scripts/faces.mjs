// Makes public/cards and public/tiles from two packages whose art is CC0 (see THIRD_PARTY.md). Run it in studio/ after
//   npm install --no-save @heruka_urgyen/react-playing-cards@0.5.0 riichi-mahjong-tiles@0.1.0 --ignore-scripts --legacy-peer-deps
// Its results are committed, so nobody needs the packages to build the page.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const modules = process.argv[2] ?? 'node_modules';
const cards = join(modules, '@heruka_urgyen/react-playing-cards/src/images/2color-bf');
const tiles = join(modules, 'riichi-mahjong-tiles/components/regular/regular');

/** Numbers with few digits after the point: nobody sees the difference at this size. In a path a sign or a point may
 * be all that parts two numbers, so a blank takes its place where it goes. */
const rounded = (text, digits) =>
  text.replace(/-?\d*\.\d+/g, (number) => {
    const short = String(Number(Number(number).toFixed(digits)));
    return (number.startsWith('.') || number.startsWith('-')) && !short.startsWith('-') ? ` ${short}` : short;
  });

mkdirSync('public/cards', { recursive: true });
for (const rank of 'A23456789TJQK') {
  for (const suit of 'CDHS') {
    const text = readFileSync(join(cards, `${rank}${suit}.svg`), 'utf8')
      .replace(/<\?xml.*?\?>\s*/, '')
      .replace(/ (class|face)="[^"]*"/g, '')
      .replace(' height="3.5in" preserveAspectRatio="none"', '')
      .replace(' width="2.5in"', '')
      .replace('fill="white" stroke="black"', 'fill="white"') // the page draws the edge
      .replaceAll('stroke-width="80"', 'stroke-width="108"') // letters that can be read on a phone
      .replace('height="40" x="-20" y="-20"', rank === 'A' ? 'height="120" x="-60" y="-60"' : 'height="40" x="-20" y="-20"');
    writeFileSync(join('public/cards', `${rank}${suit.toLowerCase()}.svg`), rounded(text, 2).trim() + '\n');
  }
}

const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const NAMES = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => [`${n}m`, `Man${n}`])),
  E: 'Ton', S: 'Nan', W: 'Shaa', N: 'Pei', C: 'Chun', F: 'Hatsu',
};
mkdirSync('public/tiles', { recursive: true });
for (const [name, file] of Object.entries(NAMES)) {
  const source = readFileSync(join(tiles, `Regular${file}.tsx`), 'utf8');
  const drawing = source
    .slice(source.indexOf('<svg'), source.lastIndexOf('</svg>') + 6)
    .replace(/\s*\{\.\.\.props\}/, '')
    .replace(/style=\{\{([^}]*)\}\}/g, (_, rules) =>
      [...rules.matchAll(/(\w+):\s*("[^"]*"|[\d.]+)/g)]
        .map(([, key, value]) => `${kebab(key)}="${value.replaceAll('"', '')}"`)
        .filter((rule) => !/^(fill-opacity|stroke-opacity|stroke-width)="1"$|="(butt|miter)"$|^stroke="none"$/.test(rule))
        .join(' '))
    .replace(/([a-z]+[A-Z]\w*)=\{([^}]*)\}/g, (_, key, value) => `${kebab(key)}="${value}"`)
    .replace(/\b(fillRule|clipRule|strokeWidth|strokeLinecap|strokeLinejoin)=/g, (_, key) => `${kebab(key)}=`)
    .replace(/\s+/g, ' ')
    .replace(/> </g, '><')
    .replace(/ \/>/g, '/>');
  writeFileSync(join('public/tiles', `${name}.svg`), rounded(drawing, 1) + '\n');
}
