import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readingsOf } from './readings.ts';

describe('the readings of a target', () => {
  it.each(['/demo/v1/chat/completions', '/demo', '/', '/demo/v1/x?q=1&r=a+b', '/demo/v1.0/files/a.b'])(
    '%s has one',
    (target) => expect(readingsOf(target)).toEqual([target]),
  );

  it.each([
    ['/demo/v1/%66iles', ['/demo/v1/files']],
    ['/demo/v1%2Ffiles', ['/demo/v1/files']],
    ['/demo/v1//files/', ['/demo/v1/files/']],
    ['/demo/v1/x/../files', ['/demo/v1/files']],
    ['/demo/v1/x/%2e%2E/files', ['/demo/v1/x/../files', '/demo/v1/files']],
    ['/demo/v1/./files/..', ['/demo/v1/']],
    ['/demo/v1/x//../files', ['/demo/v1/x/files', '/demo/v1/files']],
    ['/demo\\v1\\files', ['/demo/v1/files']],
    ['/..//../', ['/']],
    ['/demo//', ['/demo/']],
    ['/demo/x?n%61me=%31&a=//..', ['/demo/x?name=1&a=//..']],
    ['/demo/x%3Fname=1?y', ['/demo/x?name=1?y']],
    ['/demo/%FFx', []],
    ['/demo/100%', []],
    ['/demo/x/..;/admin', ['/demo/x/../admin', '/demo/admin']],
    ['/demo/x/..;a=1/admin;b', ['/demo/x/../admin', '/demo/admin']],
    ['/demo/%252e%252e/admin', ['/demo/%2e%2e/admin', '/demo/../admin', '/admin']],
    ['/demo/%2561dmin', ['/demo/%61dmin', '/demo/admin']],
    ['/demo/%C1%A1dmin', ['/demo/admin']],
    ['/demo%C0%AFadmin', ['/demo/admin']],
    ['/demo/%E0%81%A1dmin', ['/demo/admin']],
    ['/demo/%ED%A0%80', []],
    ['/demo/secret%00.png', ['/demo/secret\0.png', '/demo/secret', '/demo/secret.png']],
  ])('%s has others', (target, others) => expect(readingsOf(target)).toEqual([target, ...others]));

  it('contain the path of a URL, decoded', () => {
    const part = fc.constantFrom('/', '//', '/..', '/.', '/%2e%2E', '/%2e', 'a', 'files', '.', '%66', '%C3%A9', '\\');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const target = `/x${parts.join('')}`;
        const { pathname } = new URL(`http://host${target}`);
        expect(readingsOf(target)).toContain(decodeURIComponent(pathname));
      }),
      { seed: 20261122, numRuns: 3000 },
    );
  });
});
