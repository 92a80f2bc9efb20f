import { expect, it } from 'vitest';
import { blocks, inline } from './markdown';

it('reads what stands in a line', () => {
  expect(inline('a **b** `c*d` [e](f.md) *g*')).toEqual([
    { kind: 'text', text: 'a ' },
    { kind: 'strong', text: 'b' },
    { kind: 'text', text: ' ' },
    { kind: 'code', text: 'c*d' },
    { kind: 'text', text: ' ' },
    { kind: 'link', text: 'e', to: 'f.md' },
    { kind: 'text', text: ' ' },
    { kind: 'em', text: 'g' },
  ]);
  expect(inline('2 * 3 * 4 <b>')).toEqual([{ kind: 'text', text: '2 * 3 * 4 <b>' }]);
});

it('reads blocks', () => {
  const page = '# T\n\ntext\ngoes on\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n- one\n  more\n- two\n\n    code\n\n![x](y.png)\n<!-- no -->';
  expect(blocks(page).map((block) => block.kind)).toEqual(['heading', 'paragraph', 'table', 'list', 'code', 'image']);
  const table = blocks(page)[2];
  expect(table?.kind === 'table' && table.rows).toEqual([
    [[{ kind: 'text', text: '1' }], [{ kind: 'code', text: '2' }]],
  ]);
});

it('ends whatever is written', () => {
  for (const page of ['```', '|', '    ', '#', '- ', '![', '<!--', '**', '`']) blocks(page);
});
