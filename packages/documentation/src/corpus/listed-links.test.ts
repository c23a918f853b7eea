import { array, assert, constantFrom, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLinks, withListedAddresses } from './passages.ts';

const title = constantFrom('Install', 'Seats & licences', 'C# clients', 'Überblick', 'FAQ (short)');
const list = array(tuple(title, constantFrom('/a', '/b', 'https://x.example/c?d#e', '../f.md')), { maxLength: 8 });
const page = (name: string, url: string | null = null) => ({ title: name, url, lines: [] });

describe('the links of llms.txt', () => {
  it('are those that were written, by title and in order, in every form of a list', () => {
    const form = constantFrom(
      (name: string, url: string) => `- [${name}](${url}): About it.`,
      (name: string, url: string) => `* [${name}](${url})`,
      (name: string, url: string) => `  + [${name}](<${url}>): [more](/no)`,
      (name: string, url: string) => `- [**${name}**]( ${url} "title")`,
    );
    assert(
      property(list, form, (entries, write) => {
        const text = `# Product\n\n> About it\n\n## Docs\n\n${entries.map(([name, url]) => write(name, url)).join('\n')}`;
        const links = readLinks(text);
        for (const [name] of entries) {
          const urls = entries.filter(([other]) => other === name).map(([, url]) => url);
          expect(links.get(name.toLowerCase())).toEqual(urls);
        }
        expect(links.size).toBe(new Set(entries.map(([name]) => name)).size);
      }),
    );
  });

  it('are none in text that is no list item', () => {
    expect(readLinks('See [Install](/a).\n-[Install](/a)\n- Install: /a\n- [Install]\n').size).toBe(0);
  });
});

describe('a page without an address', () => {
  it('gets the one that is listed for its title, in any case', () => {
    expect(withListedAddresses([page('INSTALL')], readLinks('- [Install](/a)'))).toEqual([page('INSTALL', '/a')]);
  });

  it('gets none if as many pages as addresses do not have its title', () => {
    const links = readLinks('- [FAQ](/a)\n- [FAQ](/b)');
    expect(withListedAddresses([page('FAQ')], links)).toEqual([page('FAQ')]);
    expect(withListedAddresses([page('FAQ'), page('FAQ'), page('FAQ')], links).map(({ url }) => url)).toEqual([
      null,
      null,
      null,
    ]);
    expect(withListedAddresses([page('FAQ'), page('FAQ')], links).map(({ url }) => url)).toEqual(['/a', '/b']);
  });

  it('is the only one that gets an address: others keep theirs', () => {
    expect(withListedAddresses([page('FAQ', '/own')], readLinks('- [FAQ](/a)'))).toEqual([page('FAQ', '/own')]);
  });
});
