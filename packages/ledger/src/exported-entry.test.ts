import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from './canonical.ts';
import { GENESIS, link, seal } from './chain.ts';
import { createSigner, generateSigningKey } from './note.ts';
import { type ExportedEntry, ExportFault, readExportedEntry, writeExportedEntry } from './verify.ts';

const CHAIN = 'authorization_decisions';
const signer = createSigner(generateSigningKey());

function exported(content: JsonObject, sealed: boolean): ExportedEntry {
  const entry = { ...content, sequence: 7 };
  const { digest } = link(GENESIS, entry);
  const place = { chain: CHAIN, sequence: 7n, digest };
  return { ...place, entry, previous: GENESIS, seal: sealed ? seal(signer, place) : null };
}

const line = writeExportedEntry(exported({ subject: 'alice', status: 200 }, true));

describe('an exported entry', () => {
  it('is read back unchanged, for any texts', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u2028', '\u2029', '\r', '\n', '\ufeff', '__proto__'),
    );
    const own = ['chain', 'previous', 'digest', 'seal'];
    const content = fc.dictionary(
      text.filter((name) => !own.includes(name)),
      fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text)),
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(content, fc.boolean(), (some, sealed) => {
        const one = exported(some, sealed);
        const written = writeExportedEntry(one);
        expect(written).not.toContain('\n');
        expect(readExportedEntry(written)).toEqual(one);
      }),
    );
  });

  it.each<[string, string]>([
    ['no JSON', line.slice(0, -1)],
    ['nothing', ''],
    ['a list', '[]'],
    ['a nesting without end', `{"deep":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['null', 'null'],
    ['white space within', line.replace(':', ': ')],
    ['white space behind', `${line} `],
    ['a member given twice', line.replace('"subject":"alice"', '"subject":"mallory","subject":"alice"')],
    ['a number in another form', line.replace('200', '2e2')],
    ['a number that no double represents', line.replace('200', '9007199254740993')],
    ['a text in another form', line.replace('alice', '\\u0061lice')],
    ['no chain', line.replace(`"chain":"${CHAIN}",`, '')],
    ['a digest in capitals', line.replace(/"digest":"(\w+)"/, (all) => all.toUpperCase().replace('DIGEST', 'digest'))],
    ['a shorter link', line.replace('"previous":"00', '"previous":"')],
    ['no seal at all', line.replace(/,"seal":.*/, '}')],
    ['a seal that is a text', line.replace(/"seal":.*/, '"seal":"x"}')],
    ['a seal with more in it', line.replace('"seal":{', '"seal":{"by":"x",')],
    ['a shorter signature', line.replace(/"signature":"../, '"signature":"')],
    ['a key without its id', line.replace(/"keyId":"../, '"keyId":"')],
    ['no sequence', line.replace('"sequence":7,', '')],
    ['a sequence that is a text', line.replace('"sequence":7', '"sequence":"7"')],
    ['half an entry as its sequence', line.replace('"sequence":7', '"sequence":7.5')],
  ])('is refused: %s', (_, changed) => {
    expect(changed).not.toBe(line);
    expect(() => readExportedEntry(changed)).toThrow(ExportFault);
  });
});
