import { describe, expect, it } from 'vitest';
import { passagesOf, readLinks, withListedAddresses } from './passages.ts';

const cut = (markdown: string, title = 'Page') => passagesOf({ title, url: null, lines: markdown.split('\n') });
const headings = (markdown: string, title?: string) =>
  cut(markdown, title).map((passage) => passage.headings.join(' > '));

describe('the passages of a page', () => {
  it('are its heading sections, each with the headings above', () => {
    expect(cut('Lead.\n\n## A\n\nText a.\n\n### A1\n\nText a1.\n\n## B\n\nText b.')).toEqual([
      { headings: [], text: 'Lead.' },
      { headings: ['A'], text: 'Text a.' },
      { headings: ['A', 'A1'], text: 'Text a1.' },
      { headings: ['B'], text: 'Text b.' },
    ]);
  });
  it('leave out a section without text, whose heading lives on above its own', () => {
    expect(headings('## A\n\n### A1\n\nText.')).toEqual(['A > A1']);
  });
  it('take the repeated title of the page for no section', () => {
    expect(headings('# page\n\nLead.\n\n## A\n\nText.', 'Page')).toEqual(['', 'A']);
  });
  it('take another first-level heading for a section', () => {
    expect(headings('# Other\n\nText.\n\n## A\n\nText.')).toEqual(['Other', 'Other > A']);
  });
  it('cope with levels that skip', () => {
    expect(headings('#### Deep\n\nText.\n\n## A\n\nText.\n\n##### Deeper\n\nText.')).toEqual([
      'Deep',
      'A',
      'A > Deeper',
    ]);
  });
  it('are cut at no comment inside a fence', () => {
    expect(headings('## A\n\n```bash\n# comment\n## another\n```\n\n## B\n\nText.')).toEqual(['A', 'B']);
    expect(headings('## A\n\n````md\n```\n# no heading\n```\n## none\n````\n\n## B\n\nText.')).toEqual(['A', 'B']);
  });
  it('close an unclosed fence at the next certain heading or at the end', () => {
    expect(cut('## A\n\n```bash\n# comment\nrun\n\n## B\n\nText.')).toEqual([
      { headings: ['A'], text: '```bash\n# comment\nrun\n\n```' },
      { headings: ['B'], text: 'Text.' },
    ]);
    expect(cut('~~~~\nrun')).toEqual([{ headings: [], text: '~~~~\nrun\n~~~~' }]);
  });
  it('are none for an empty page', () => {
    expect(cut('\n\n')).toEqual([]);
  });
});

const page = (title: string, url: string | null = null) => ({ title, url, lines: [] });
const urls = (pages: ReturnType<typeof page>[], llms: string) =>
  withListedAddresses(pages, readLinks(llms)).map(({ url }) => url);

it('reads titles and addresses of list items, with and without a description', () => {
  expect(
    readLinks(
      '# Site\n\n- [Install `it`](/install.md): How to\n* [Use](https://x.example/use "title")\ntext [no](/no)',
    ),
  ).toEqual(
    new Map([
      ['install it', ['/install.md']],
      ['use', ['https://x.example/use']],
    ]),
  );
});

it('gives a page the address that is listed for its title', () => {
  expect(
    urls([page('Install'), page('Unlisted'), page('Has one', '/own')], '- [install](/a)\n- [Has one](/b)'),
  ).toEqual(['/a', null, '/own']);
});

it('matches equal titles in order, and not at all where their numbers differ', () => {
  expect(urls([page('Overview'), page('Overview')], '- [Overview](/a)\n- [Overview](/b)')).toEqual(['/a', '/b']);
  expect(urls([page('Overview'), page('Overview')], '- [Overview](/a)')).toEqual([null, null]);
  expect(urls([page('Overview')], '- [Overview](/a)\n- [Overview](/b)')).toEqual([null]);
});
