import { array, assert, constantFrom, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passagesOf } from './passages.ts';
import { atOnce } from './sliced.ts';
import { splitCorpus } from './split.ts';

const FENCE = '```';
/** Parts of a page that no form takes for the beginning of another. */
const part = constantFrom(
  'A sentence of the page.',
  '## A section',
  '### A deeper one',
  '- item\n- another item',
  `${FENCE}bash\n# a comment\nnpm install\n${FENCE}`,
  `~~~\n${FENCE}\n~~~`,
  `\`\`\`\`md\n${FENCE}js\ncode()\n${FENCE}\n\`\`\`\``,
  '| a | b |\n| - | - |\n| 1 | 2 |',
  'Text with `code` and *emphasis*.',
  '> A quotation',
  '  - item\n\n    ```sh\n    run\n    ```',
);
const title = constantFrom(
  'Install',
  'Seats & licences',
  'C# clients',
  'The `gw` command',
  '404',
  'Überblick',
  'Install',
);
const page = tuple(
  title,
  array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('\n\n')),
);
const shown = (written: string): string => written.replaceAll('`', '');

const FORMS = {
  'heading, then URL': (name: string, url: string, body: string) =>
    `# ${name}\nSource: https://x.example${url}\n\n${body}\n\n`,
  'URL, then heading': (name: string, url: string, body: string) =>
    `URL: https://x.example${url}\n# ${name}\n\n${body}\n\n`,
  'heading with URL': (name: string, url: string, body: string) => `# ${name} (https://x.example${url})\n\n${body}\n\n`,
  'front matter': (name: string, url: string, body: string) =>
    `---\ntitle: "${name}"\nurl: https://x.example${url}\n---\n\n${body}\n\n---\n\n`,
} as const;

describe.each(Object.entries(FORMS))('a corpus in the form "%s"', (_, write) => {
  it('is split into the pages from which it was written', () => {
    assert(
      property(array(page, { minLength: 1, maxLength: 6 }), constantFrom('\n', '\r\n'), (pages, lineEnd) => {
        const corpus = pages.map(([name, body], at) => write(name, `/page/${at}`, body)).join('');
        const found = atOnce(splitCorpus(corpus.replaceAll('\n', lineEnd)));
        expect(found.map(({ title: name, url, lines }) => [name, url, lines.join('\n').trim()])).toEqual(
          pages.map(([name, body], at) => [shown(name), `https://x.example/page/${at}`, body.trim()]),
        );
      }),
      { numRuns: 200 },
    );
  });
});

describe('the passages of a page', () => {
  it('contain every line of it that is no heading, in order', () => {
    assert(
      property(page, ([name, body]) => {
        const lines = body.split('\n');
        const texts = passagesOf({ title: name, url: null, lines }).map(({ text }) => text);
        const isText = (line: string): boolean => line.trim() !== '' && !/^#{2,3} /.test(line);
        expect(texts.flatMap((text) => text.split('\n')).filter(isText)).toEqual(lines.filter(isText));
      }),
      { numRuns: 200 },
    );
  });

  it('have as many headings above as their level allows, the nearest last', () => {
    const level = constantFrom(2, 3, 4, 5, 6);
    assert(
      property(array(level, { minLength: 1, maxLength: 12 }), (levels) => {
        const lines = levels.flatMap((depth, at) => [`${'#'.repeat(depth)} H${depth}-${at}`, '', 'Text.', '']);
        const passages = passagesOf({ title: 'Page', url: null, lines });
        expect(passages).toHaveLength(levels.length);
        for (const [at, { headings }] of passages.entries()) {
          expect(headings.at(-1)).toBe(`H${levels[at] ?? 0}-${at}`);
          const depths = headings.map((heading) => Number(heading[1]));
          expect(depths).toEqual([...new Set(depths)].sort((one, other) => one - other));
        }
      }),
    );
  });
});

describe('a large corpus', () => {
  it('is split in slices between which other work may run', () => {
    const corpus = Array.from({ length: 3000 }, (_, at) =>
      FORMS['heading with URL'](`Page ${at}`, `/${at}`, 'Text.'),
    ).join('');
    const work = splitCorpus(corpus);
    let slices = 0;
    let step = work.next();
    for (; step.done !== true; step = work.next()) slices += 1;
    expect(step.value).toHaveLength(3000);
    expect(slices).toBeGreaterThan(10);
  });
});
