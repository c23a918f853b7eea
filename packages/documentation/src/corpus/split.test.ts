import { describe, expect, it } from 'vitest';
import { atOnce } from './sliced.ts';
import { closesFence, fenceAfter, isBalanced, openingFence, plainText, splitCorpus } from './split.ts';

const FENCE = '```';
const split = (text: string, titles: readonly string[] = []) => atOnce(splitCorpus(text, new Set(titles)));
const heads = (text: string, titles?: readonly string[]) => split(text, titles).map(({ title, url }) => [title, url]);
const linesOf = (text: string, title: string) =>
  split(text)
    .find((page) => page.title === title)
    ?.lines.join('\n');

/** How each generator writes one page, and how it joins them. */
const FORMS = {
  'Mintlify: heading, then Source': {
    page: (title: string, url: string, body: string) => `# ${title}\nSource: https://docs.example.com${url}\n\n${body}`,
    join: '\n\n',
    before: '',
    url: (url: string) => `https://docs.example.com${url}`,
  },
  'Mintlify with a blank line': {
    page: (title: string, url: string, body: string) =>
      `# ${title}\n\nURL: <https://docs.example.com${url}>\n\n${body}`,
    join: '\n\n',
    before: '',
    url: (url: string) => `https://docs.example.com${url}`,
  },
  'Fumadocs: heading with the path': {
    page: (title: string, url: string, body: string) => `# ${title} (${url})\n\n${body}`,
    join: '\n\n',
    before: '',
    url: (url: string) => url,
  },
  'vitepress-plugin-llms: front matter': {
    page: (title: string, url: string, body: string) =>
      `---\nurl: '${url}.md'\ndescription: >-\n  About it,\n  at length\n---\n\n# ${title}\n\n${body}`,
    join: '\n\n---\n\n',
    before: '',
    url: (url: string) => `${url}.md`,
  },
  'URL before the heading': {
    page: (title: string, url: string, body: string) =>
      `Source: https://docs.example.com${url}\n\n# ${title}\n\n${body}`,
    join: '\n\n',
    before: '',
    url: (url: string) => `https://docs.example.com${url}`,
  },
  'bare URL before the heading': {
    page: (title: string, url: string, body: string) => `https://docs.example.com${url}\n# ${title}\n\n${body}`,
    join: '\n\n',
    before: '',
    url: (url: string) => `https://docs.example.com${url}`,
  },
  'starlight: headings alone': {
    page: (title: string, _: string, body: string) => `# ${title}\n\n> About it\n\n${body}`,
    join: '\n\n',
    before: '<SYSTEM>This is the full documentation of the product</SYSTEM>\n\n',
    url: () => null,
  },
  'docusaurus: second-level headings behind rules': {
    page: (title: string, _: string, body: string) => `## ${title}\n\n${body}`,
    join: '\n\n---\n\n',
    before: '# The product\n\n> All of it\n\nThis file contains all documentation content in a single document.\n\n',
    url: () => null,
  },
} as const;

describe.each(Object.entries(FORMS))('%s', (_, form) => {
  const corpus = (bodies: readonly string[]) =>
    form.before + bodies.map((body, at) => form.page(`Page ${at + 1}`, `/guide/page-${at + 1}`, body)).join(form.join);
  const all = (count: number) =>
    Array.from({ length: count }, (_, at) => [`Page ${at + 1}`, form.url(`/guide/page-${at + 1}`)]);

  it('is split into its pages', () => {
    expect(heads(corpus(['One.', 'Two.\n\n### Part\n\nText.', 'Three.']))).toEqual(all(3));
  });
  it('keeps the text of each page and nothing of the next', () => {
    const text = corpus(['One.', 'Two.']);
    expect(linesOf(text, 'Page 1')).toMatch(/One\.$/);
    expect(linesOf(text, 'Page 2')).toMatch(/Two\.$/);
  });
  it('takes Windows line ends and a byte order mark', () => {
    expect(heads(`\ufeff${corpus(['One.', 'Two.']).replaceAll('\n', '\r\n')}`)).toEqual(all(2));
  });
  it('takes no comment in a fence for a heading', () => {
    expect(heads(corpus([`${FENCE}bash\n# Install it\nnpm i\n${FENCE}`, 'Two.']))).toEqual(all(2));
  });
  it('takes no sample of its own form in a fence for a page', () => {
    const sample = [form.page('Sample', '/sample', 'Text.'), form.page('Another', '/another', 'Text.')].join(form.join);
    for (const [open, close] of [
      [FENCE, FENCE],
      [`${FENCE}txt`, FENCE],
      ['````md', '````'],
      ['~~~', '~~~'],
    ]) {
      expect(heads(corpus([`Like this:\n\n${open}\n${sample}\n${close}\n\nThat was it.`, 'Two.', 'Three.']))).toEqual(
        all(3),
      );
    }
  });
  it('takes no fence of three inside one of four for its end', () => {
    const nested = `\`\`\`\`md\n${FENCE}bash\n# comment\n${FENCE}\n\n${form.page('Sample', '/sample', 'Text.')}\n\`\`\`\``;
    expect(heads(corpus([nested, 'Two.']))).toEqual(all(2));
  });
  it('does not lose the pages after an unclosed fence', () => {
    for (const open of [FENCE, `${FENCE}bash`]) {
      expect(heads(corpus([`Before.\n\n${open}\nnpm i`, `${FENCE}js\ncode()\n${FENCE}`, 'Three.']))).toEqual(all(3));
      expect(
        heads(corpus([`Before.\n\n${open}\nnpm i`, `Text.\n\n${FENCE}\ncode\n${FENCE}\n\nText.`, 'Three.'])),
      ).toEqual(all(3));
      expect(heads(corpus(['One.', 'Two.', `${open}\nnpm i`]))).toEqual(all(3));
    }
  });
  it('keeps a rule inside a page', () => {
    const text = corpus(['Above.\n\n---\n\nBelow.', 'Two.']);
    expect(heads(text)).toEqual(all(2));
    expect(linesOf(text, 'Page 1')).toMatch(/Above\.\n\n---\n\nBelow\.$/);
  });
});

describe('second-level headings after rules', () => {
  const text =
    '# All\n\n## One\n\nText.\n\n---\n\n## Two\n\nText.\n\n---\n\n## Part of two\n\nText.\n\n---\n\n## Three\n\nText.';
  it('are all pages where there is no other evidence', () => {
    expect(heads(text)).toHaveLength(4);
  });
  it('are only the listed ones where llms.txt lists most', () => {
    expect(heads(text, ['one', 'two', 'three'])).toEqual([
      ['One', null],
      ['Two', null],
      ['Three', null],
    ]);
  });
});

it('a corpus without any form is one page', () => {
  expect(split('Only text.\n\n## Part\n\nMore.')).toEqual([
    { title: 'Part', url: null, lines: ['Only text.', '', '## Part', '', 'More.'] },
  ]);
});

it('a front matter in the middle of another form is text', () => {
  const text = '# One (/one)\n\n---\ntitle: sample\n---\n\n# Two (/two)\n\nText.\n\n# Three (/three)\n\nText.';
  expect(heads(text)).toEqual([
    ['One', '/one'],
    ['Two', '/two'],
    ['Three', '/three'],
  ]);
});

it('a front matter can name keywords', () => {
  const [page] = split('---\nurl: /one\nkeywords: single sign-on, SSO\n---\n\n# One\n\nText.\n');
  expect([page?.keywords, page?.names]).toEqual(['single sign-on, SSO', undefined]);
});

it('a front matter can name the one thing that its page is about', () => {
  const [page] = split('---\nurl: /one\nnames: Splunk, HEC\n---\n\n# One\n\nText.\n');
  expect([page?.keywords, page?.names]).toEqual([undefined, 'Splunk, HEC']);
});

describe('a line opens a fence', () => {
  it.each([
    ['```', { mark: '`', length: 3 }],
    ['```bash', { mark: '`', length: 3 }],
    ['````md', { mark: '`', length: 4 }],
    ['~~~ js `x`', { mark: '~', length: 3 }],
    ['   ```', { mark: '`', length: 3 }],
    ['      ```ts title="a.ts"', { mark: '`', length: 3 }],
    ['``', null],
    ['```inline``` code', null],
    ['text ```', null],
    ['', null],
  ])('%j', (line, fence) => {
    expect(openingFence(line)).toEqual(fence);
  });
});

describe('a fence of three backticks', () => {
  const fence = { mark: '`', length: 3 } as const;
  it.each(['```', '````', '  ```  '])('is closed by %j', (line) => {
    expect(closesFence(line, fence)).toBe(true);
  });
  it.each(['``', '~~~', '```js', '# comment', '---'])('is not closed by %j', (line) => {
    expect(closesFence(line, fence)).toBe(false);
  });
});

it('a fence of four backticks contains one of three', () => {
  const lines = ['````md', '```js', '```', '# not a heading', '````', 'text'];
  const open: boolean[] = [];
  let fence = null as ReturnType<typeof fenceAfter>;
  for (const line of lines) {
    fence = fenceAfter(fence, line);
    open.push(fence !== null);
  }
  expect(open).toEqual([true, true, true, true, false, false]);
  expect(isBalanced(lines, 0, lines.length)).toBe(true);
  expect(isBalanced(lines, 0, 4)).toBe(false);
});

it.each([
  ['Plain words', 'Plain words'],
  ['`notFound()`', 'notFound()'],
  ['Closing marks ##', 'Closing marks'],
  ['C#', 'C#'],
  ['With an anchor {#anchor}', 'With an anchor'],
  ['[A link](/guide) and ![a picture](x.png)', 'A link and a picture'],
  ['**Bold** and __strong__', 'Bold and strong'],
  ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
  ['Array<string> <Badge type="tip" /> done', 'Array<string> done'],
  ['<a id="x"></a>Title', 'Title'],
  ['Escaped \\_marks\\_', 'Escaped _marks_'],
  ['  much   space ', 'much space'],
  ['`__init__` and `__all__`', '__init__ and __all__'],
  ['The `<img>` element', 'The <img> element'],
  ['`**kwargs`, `*args` and `*`', '**kwargs, *args and *'],
  ['`[link](/x)` and `{#id}`', '[link](/x) and {#id}'],
  ['`a\\_b` and a\\_b', 'a\\_b and a_b'],
  ['``a ` b`` and `` `c` ``', 'a ` b and `c`'],
  ['[`useState()`](/hooks) in **`code`**', 'useState() in code'],
  ['An \\`escaped` mark', 'An `escaped` mark'],
  ['One ` mark alone', 'One ` mark alone'],
  ['The *best* option, *in any case*', 'The best option, in any case'],
  ['2*3*4, SELECT * FROM *, *.md', '2*3*4, SELECT * FROM *, *.md'],
  ['', ''],
])('%s', (markdown, text) => {
  expect(plainText(markdown)).toBe(text);
});
