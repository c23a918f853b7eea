import { describe, expect, it } from 'vitest';
import { parseIdentityCard } from './identity-card.ts';

const read = (card: unknown) =>
  parseIdentityCard(typeof card === 'string' ? card : JSON.stringify(card), '/docs/archive.json');

describe('the identity card', () => {
  it.each(['1.0.0', '0.0.1', '10.20.30', '1.0.0-beta.1', '1.0.0+build.5', '1.0.0-rc-1.x+y'])('takes %s', (version) => {
    expect(read({ version, path: `/v/${version}` })).toEqual({ version, path: `/v/${version}` });
  });
  it('is accepted as an editor of another system writes it', () => {
    expect(read('\ufeff{"version":"1.0.0",\r\n"path":"/v/1.0.0"}\r\n')).toEqual({ version: '1.0.0', path: '/v/1.0.0' });
  });
  // documentation-5
  it('keeps only version and path', () => {
    expect(read({ version: '1.0.0', path: '/v/1.0.0', builtAt: 'yesterday' })).toEqual({
      version: '1.0.0',
      path: '/v/1.0.0',
    });
  });
  it.each([
    ['a text that is not JSON', '{"version":', /archive\.json is not JSON/],
    ['a list', [], /declares no version/],
    ['null', null, /not a JSON object/],
    ['a text', '"1.0.0"', /not a JSON object/],
    ['no version', { path: '/v/1.0.0' }, /declares no version/],
    ['an empty version', { version: '', path: '/v/' }, /declares no version/],
    ['a number as version', { version: 1, path: '/v/1' }, /declares no version/],
    ['a version that climbs', { version: '../../etc', path: '/v/../../etc' }, /not a semantic version/],
    ['a version with a v', { version: 'v1.0.0', path: '/v/v1.0.0' }, /not a semantic version/],
    ['a leading zero', { version: '01.0.0', path: '/v/01.0.0' }, /not a semantic version/],
    ['no path', { version: '1.0.0' }, /declares no path/],
    ['a path elsewhere', { version: '1.0.0', path: '/docs/1.0.0' }, /"\/docs\/1\.0\.0", which is not served/],
    ['a path of another version', { version: '1.0.0', path: '/v/2.0.0' }, /"\/v\/2\.0\.0", which is not served/],
    ['a path with a slash behind', { version: '1.0.0', path: '/v/1.0.0/' }, /which is not served/],
  ])('refuses %s, naming the file', (_, card, sentence) => {
    const refused = read(card);
    expect(refused).toHaveProperty('fault', expect.stringMatching(sentence));
    expect(refused).toHaveProperty('fault', expect.stringContaining('/docs/archive.json'));
  });
});
