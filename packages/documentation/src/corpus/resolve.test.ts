import { array, assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { archiveInMemory } from '../testing/archive.ts';
import { answerPage, parseTarget, resolve } from './pages.ts';

const archive = archiveInMemory({
  'index.html': 'home',
  'llms.txt': 'agents',
  'guide/index.html': 'guide',
  'guide/install.html': 'install',
  '__proto__/constructor.html': 'odd',
  'a b/ü?.html': 'escaped',
});
const resolved = (segments: readonly string[], query = '') => resolve(archive, { segments, query });

describe('an address in an archive', () => {
  it('is a file by exactly its own name, in its own case', () => {
    expect(resolved(['1.0.0', 'guide', 'install.html'])).toMatchObject({ file: { name: 'guide/install.html' } });
    for (const name of ['Install.html', 'install.htm', 'install.html.html', ' install.html', 'install.html ']) {
      expect(resolved(['1.0.0', 'guide', name])).toMatchObject({ refusal: { code: 'documentation-page' } });
    }
  });

  it('may be spelled like a member of every object', () => {
    expect(resolved(['1.0.0', '__proto__', 'constructor'])).toMatchObject({
      file: { name: '__proto__/constructor.html' },
    });
    for (const name of ['toString', 'hasOwnProperty', '__proto__']) {
      expect(resolved(['1.0.0', name])).toMatchObject({ refusal: { code: 'documentation-page' } });
    }
  });

  it('is redirected to the folder with a slash, its query kept and its name escaped', () => {
    expect(resolved(['1.0.0', 'guide'], '?a=b&c')).toEqual({ location: '/v/1.0.0/guide/?a=b&c' });
    expect(resolved(['a b', 'ü?.html'], '?q')).toEqual({ location: '/v/1.0.0/a%20b/%C3%BC%3F.html?q' });
  });

  it('leads from every redirect to a file or a refusal after a few steps, and never leaves the documentation', () => {
    const segment = constantFrom(
      '',
      'guide',
      'install',
      'index.html',
      '1.0.0',
      '2.0',
      'llms.txt',
      'x y',
      'v',
      '//',
      'é',
    );
    assert(
      property(array(segment, { maxLength: 4 }), constantFrom('', '?q=1', '?/v/2.0.0/'), (segments, query) => {
        let target = `/v/${segments.map(encodeURIComponent).join('/')}${query}`;
        let steps = 0;
        for (let address = parseTarget(target); address !== null; address = parseTarget(target)) {
          const { status, headers } = answerPage(archive, address, {});
          if (status !== 302) break;
          target = headers['location'] ?? '';
          steps += 1;
          expect(target.startsWith('/v/1.0.0/')).toBe(true);
          expect(steps).toBeLessThan(4);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is never a file that the archive does not list', () => {
    assert(
      property(array(string({ unit: 'grapheme' }), { maxLength: 4 }), (segments) => {
        const found = resolved(['1.0.0', ...segments]);
        expect('file' in found ? archive.files.get(found.file.name) === found.file : true).toBe(true);
      }),
    );
  });
});

describe('a version in an address', () => {
  it.each(['2.0.0', '1.0', '10.0.0', '1.0.0-rc.1', '1.0.0+1', '01.0.0', '0.0'])(
    '%s is refused with both versions',
    (version) => {
      expect(resolved([version, 'guide', ''])).toEqual({
        refusal: expect.objectContaining({
          code: 'documentation-version',
          details: { installed: '1.0.0', base: '/v/1.0.0', requested: version },
        }),
      });
    },
  );

  it.each(['1', 'v1.0.0', '1.0.0.0', '1..0', '1.0.x', 'latest', '1.0.0-', '-1.0.0'])(
    '%s is none: the address is completed',
    (name) => {
      expect(resolved([name])).toEqual({ location: `/v/1.0.0/${name}` });
    },
  );
});
