import { expect, it } from 'vitest';
import { readLinks, withListedAddresses } from './llms-links.ts';

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
