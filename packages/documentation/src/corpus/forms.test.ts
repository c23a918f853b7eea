import { describe, expect, it } from 'vitest';
import { FORMS_WITH_URLS, FORMS_WITHOUT_URLS, type PageHead } from './split.ts';

function headIn(name: string, text: string): PageHead | null {
  const form = [...FORMS_WITH_URLS, ...FORMS_WITHOUT_URLS].find((one) => one.name === name);
  if (form === undefined) throw new Error(`${name} is no form`);
  return form.headAt(text.split('\n'), 0);
}

describe('the URL beside a heading', () => {
  it.each([
    'Source: https://x.example/a',
    'source: https://x.example/a',
    'URL: <https://x.example/a>',
    'Page URL : https://x.example/a',
    'Canonical: https://x.example/a',
    '[Docs] Source: https://x.example/a',
    '<!-- source: https://x.example/a -->',
    'https://x.example/a',
    '<https://x.example/a>',
  ])('may be written %j, before or after it', (line) => {
    for (const gap of ['\n', '\n\n', '\n\n\n']) {
      expect(headIn('heading, then URL', `# Title${gap}${line}\nText`)).toEqual({
        title: 'Title',
        url: 'https://x.example/a',
        body: gap.length + 1,
      });
      expect(headIn('URL, then heading', `${line}${gap}# Title\nText`)).toEqual({
        title: 'Title',
        url: 'https://x.example/a',
        body: gap.length + 1,
      });
    }
  });

  it('may be a path', () => {
    expect(headIn('heading, then URL', '# Title\nURL: /guide/a')).toMatchObject({ url: '/guide/a' });
    expect(headIn('heading with URL', '# Title (/guide/a)')).toMatchObject({ title: 'Title', url: '/guide/a' });
  });

  it.each([
    '# Title\n\n\n\nSource: https://x.example/a',
    '# Title\nSource: somewhere',
    '# Title\nSee https://x.example/a',
    '## Title\nSource: https://x.example/a',
    '#Title\nSource: https://x.example/a',
    ' # Title\nSource: https://x.example/a',
    '# Title',
    '',
  ])('is none in %j', (text) => {
    expect(headIn('heading, then URL', text)).toBeNull();
  });

  it.each(['# Title (see below)', '# f(x)', '# Title (/a b)', '# Title(/a)', '# (/a)'])(
    'is none in parentheses that are text: %s',
    (line) => {
      expect(headIn('heading with URL', line)).toBeNull();
    },
  );
});

describe('a front matter', () => {
  it.each([
    ['url: /a', { title: null, url: '/a', body: 3 }],
    ['title: One\nurl: "/a"', { title: 'One', url: '/a', body: 4 }],
    ["title: 'It is: one'\nsource: https://x.example/a", { title: 'It is: one', url: 'https://x.example/a', body: 4 }],
    ['URL: /a\nTitle: One', { title: 'One', url: '/a', body: 4 }],
    ['title: One', { title: 'One', url: null, body: 3 }],
    ['title: One\ntags:\n  - a\n- b\nlink: /a', { title: 'One', url: '/a', body: 7 }],
    ['permalink: /b\nurl: /a', { title: null, url: '/a', body: 4 }],
    ['title: One\nkeywords: a, b', { title: 'One', url: null, body: 4, keywords: 'a, b' }],
    ['title: "unbalanced\nurl: /a', { title: '"unbalanced', url: '/a', body: 4 }],
    ['title: `code` and **more**\nurl: /a', { title: 'code and more', url: '/a', body: 4 }],
  ])('with %j names its page', (lines, head) => {
    expect(headIn('front matter', `---\n${lines}\n---\nText`)).toEqual(head);
  });

  it.each([
    '---\nurl: /a\nno pair\n---',
    '---\ndescription: only this\n---',
    '---\nurl: /a',
    '---\n\nurl: /a\n---',
    '----\nurl: /a\n---',
    `---\nurl: /a\n${'- x\n'.repeat(100)}---`,
    '---\nurl:\ntitle:\n---',
  ])('is none in %j', (text) => {
    expect(headIn('front matter', text)).toBeNull();
  });
});

describe('a heading alone', () => {
  it('is one of the first level, or of the second behind a rule and a blank line', () => {
    expect(headIn('heading alone', '# Title ##\nText')).toEqual({ title: 'Title', url: null, body: 1 });
    expect(headIn('heading alone', '## Title')).toBeNull();
    expect(headIn('rule, then heading', '---\n\n## Title\nText')).toEqual({ title: 'Title', url: null, body: 3 });
    for (const text of ['---\n## Title', '---\n\n\n\n## Title', '---\n\n# Title', '***\n\n## Title']) {
      expect(headIn('rule, then heading', text)).toBeNull();
    }
  });
});
