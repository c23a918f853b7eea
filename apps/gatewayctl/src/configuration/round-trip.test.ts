import {
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  double,
  option,
  property,
  record,
  string,
  uniqueArray,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { WholeDocument } from './document.ts';
import { readConfiguration, writeConfiguration } from './read.ts';

/** Texts that YAML reads as something else if they are not quoted, and that need escapes or several lines. */
const odd = constantFrom(
  'yes',
  'null',
  '~',
  '0x1F',
  '1e3',
  '01',
  '2027-01-31',
  '- item',
  'a: b',
  '# none',
  '"quoted"',
  "it's",
  '{a}',
  '[a]',
  '&a',
  '*a',
  '!tag',
  '%25',
  '@at',
  '`code`',
  'true',
  '.inf',
  '<<',
  '=',
  'a #b',
  'ends:',
  'Ünïcode 漢 🔒',
  'x'.repeat(190),
);
const slug = constantFrom('a', 'b-1', 'C_2', '007', 'null', 'yes', '1e3', '0x1F', 'x'.repeat(60));
const price = double({ min: 0, max: 1, noNaN: true }).map((number) =>
  number < 1e-12 ? 0 : Number(number.toPrecision(6)),
);
const list = <Item>(item: Parameters<typeof uniqueArray<Item, string>>[0], name: (one: Item) => string) =>
  uniqueArray(item, { selector: name, maxLength: 4 });

const document = record({
  version: constant(1 as const),
  providers: list(
    record({
      slug,
      name: odd,
      baseUrl: constantFrom('https://engine.example/v1', 'http://127.0.0.1:8080'),
      apiKeyEnv: option(constantFrom('CLOUD_KEY', 'NO', 'Y')),
      apiKeyHeader: option(constantFrom('x-api-key', 'api-key')),
      clearTextAcknowledged: constant(true),
    }),
    (one) => one.slug,
  ),
  models: list(
    record({
      provider: slug,
      slug: odd,
      name: odd,
      inputPrice: price,
      outputPrice: price,
      cachedInputPrice: option(price),
      cacheWritePrice: option(price),
    }),
    (one) => `${one.provider}/${one.slug}`,
  ),
  endpoints: list(
    record({
      name: slug,
      provider: slug,
      model: odd,
      standby: option(record({ provider: constant('standby'), model: odd })),
      active: boolean(),
      paths: constantFrom([], ['/chat/completions', '/models/*']),
    }),
    (one) => one.name,
  ),
  roles: list(
    record({ subject: odd, role: constantFrom('auditeur', 'utilisateur-standard'), project: constant(null) }),
    (one) => `${one.subject} ${one.role}`,
  ),
  projects: list(record({ project: odd, members: uniqueArray(odd, { maxLength: 3 }) }), (one) => one.project),
  authorizationPolicy: constantFrom('', '@id("x")\nforbid(principal, action, resource);\n'),
});

describe('a configuration', () => {
  it('that was written is read back as the same one', () => {
    assert(
      property(document, (given) => {
        const text = writeConfiguration(given as unknown as WholeDocument);
        const read = readConfiguration(text);
        expect('faults' in read ? read.faults : []).toEqual([]);
        expect('document' in read && read.document).toEqual(given);
      }),
      { numRuns: 200 },
    );
  });

  it('may be JSON as well, with the same content', () => {
    assert(
      property(document, (given) => {
        const read = readConfiguration(JSON.stringify(given));
        expect('document' in read && read.document).toEqual(given);
      }),
      { numRuns: 100 },
    );
  });

  it('is read or refused, for any text: never an exception, and each fault on a line of it', () => {
    const piece = constantFrom(
      'version: 1\n',
      'providers:\n',
      '  - slug: a\n',
      '- ',
      '\t',
      '{',
      '"',
      '&a ',
      '*a',
      '!!js ',
      '\n',
      ': ',
      '# x\n',
      '---\n',
      '...\n',
    );
    assert(
      property(array(piece, { maxLength: 12 }), string({ maxLength: 5 }), (pieces, more) => {
        const text = `${pieces.join('')}${more}`;
        const read = readConfiguration(text);
        const lines = text.split(/\r\n|\n|\r/).length;
        for (const { line, sentence } of 'faults' in read ? read.faults : []) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines);
          expect(sentence).toMatch(/^[^\n]+$/);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('names its purpose and leaves out members without a value', () => {
    const text = writeConfiguration({
      version: 1,
      providers: [{ slug: 'a', apiKeyEnv: null }],
    } as unknown as WholeDocument);
    expect(text).toMatch(/^# Configuration of a gateway instance\..*gatewayctl apply FILE\n/);
    expect(parse(text)).toEqual({ version: 1, providers: [{ slug: 'a' }] });
  });
});
