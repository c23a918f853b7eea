import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  commandEventLine,
  isOwnVariable,
  isUntrustedAuthority,
  LONGEST_VARIABLE_BYTES,
  outputEvent,
  parseActBatch,
  parseCommand,
} from './command.ts';
import { sentenceOf, statusOf } from './refusals.ts';

const BODY = {
  session: 'root',
  interpreteur: 'bash',
  arguments: ['-c', 'echo one'],
  variablesSupplementaires: { LEVEL: '7' },
  sansFluxDeSortie: true,
};
const sentence = (body: unknown) => {
  const parsed = parseCommand(body);
  if ('command' in parsed) return null;
  expect(statusOf(parsed.refused)).toBe(parsed.refused.code === 'command-variable-too-long' ? 413 : 400);
  return sentenceOf(parsed.refused);
};

describe('a command body', () => {
  it('becomes a command', () => {
    expect(parseCommand(BODY)).toEqual({
      command: {
        session: 'root',
        parentSession: null,
        interpreter: 'bash',
        arguments: ['-c', 'echo one'],
        variables: new Map([['LEVEL', '7']]),
        silent: true,
      },
    });
  });
  it('may name the session it descends from', () => {
    expect(parseCommand({ ...BODY, parentSession: 'above' })).toHaveProperty('command.parentSession', 'above');
    expect(parseCommand({ ...BODY, parentSession: null })).toHaveProperty('command.parentSession', null);
    for (const parentSession of [7, '', 'x'.repeat(301)]) {
      expect(sentence({ ...BODY, parentSession })).toBe('session must be a non-empty string.');
    }
    expect(sentence({ ...BODY, session: 'x'.repeat(300), parentSession: 'y'.repeat(300) })).toBeNull();
    expect(sentence({ ...BODY, session: 'x'.repeat(301), parentSession: 'above' })).not.toBeNull();
  });
  it('has a session whose name fits into an index', () => {
    expect(sentence({ ...BODY, session: 'x'.repeat(800) })).toBeNull();
    expect(sentence({ ...BODY, session: 'x'.repeat(801) })).toBe('session must be a non-empty string.');
  });
  it.each([undefined, null, 'yes', 1, false])('is not silent with sansFluxDeSortie %j', (sansFluxDeSortie) => {
    expect(parseCommand({ ...BODY, sansFluxDeSortie })).toHaveProperty('command.silent', false);
  });
  it.each([undefined, null, [], 'ls', 7, true])('must be an object: %j', (body) => {
    expect(sentence(body)).toBe('The request body must be a JSON object.');
  });
  it.each([undefined, '', 7, null, ['s'], {}, 'a\0b', '\udc00'])('needs a session: %j', (session) => {
    expect(sentence({ ...BODY, session })).toBe('session must be a non-empty string.');
  });
  it.each([undefined, '', 7, null, ['sh'], 'sh\0'])('needs an interpreter: %j', (interpreteur) => {
    expect(sentence({ ...BODY, interpreteur })).toBe('interpreteur must be a non-empty string.');
  });
  it.each([undefined, 'ls', { 0: 'ls' }, null, ['-c', 7], [['-c']], ['a\0b']])('needs arguments: %j', (words) => {
    expect(sentence({ ...BODY, arguments: words })).toBe('arguments must be an array of strings.');
  });
  it.each([undefined, null, [], 'A=1', 7])('needs variables: %j', (variablesSupplementaires) => {
    expect(sentence({ ...BODY, variablesSupplementaires })).toBe('variablesSupplementaires must be an object.');
  });
  it.each([
    ['LEVEL', { GOOD: 'yes', LEVEL: 7 }],
    ['LEVEL', { LEVEL: null }],
    ['OTHER', { OTHER: ['x'] }],
    ['$&', { '$&': 7 }],
    ['A=B', { 'A=B': 'c' }],
    ['', { '': 'c' }],
    ['NUL', { NUL: 'a\0' }],
  ])('needs every variable to be a string, and names %s', (key, variablesSupplementaires) => {
    expect(sentence({ ...BODY, variablesSupplementaires })).toBe(`variablesSupplementaires.${key} must be a string.`);
  });
  it.each([
    ['value in bytes', { LIST: 'é'.repeat(LONGEST_VARIABLE_BYTES / 2 - 1) }, 'LIST'],
    ['name', { ['N'.repeat(LONGEST_VARIABLE_BYTES)]: 'x' }, 'N'.repeat(LONGEST_VARIABLE_BYTES)],
  ])('refuses a variable that is too long by its %s', (_, variablesSupplementaires, key) => {
    expect(sentence({ ...BODY, variablesSupplementaires })).toBe(
      `variablesSupplementaires.${key} is longer than 65536 bytes. Write the value to a file.`,
    );
  });
  it('accepts a variable of the greatest length, and several of them', () => {
    const value = 'x'.repeat(LONGEST_VARIABLE_BYTES - 1);
    expect(sentence({ ...BODY, variablesSupplementaires: { A: value, B: value } })).toBeNull();
  });
  it('takes a variable of any name as a variable, never as a member', () => {
    const parsed = parseCommand(JSON.parse(JSON.stringify(BODY).replace('"LEVEL"', '"__proto__"')));
    expect(parsed).toHaveProperty('command.variables', new Map([['__proto__', '7']]));
  });
  it('inherits nothing: only members of the body itself count', () => {
    expect(sentence(JSON.parse(`{"__proto__": ${JSON.stringify(BODY)}}`))).toBe('session must be a non-empty string.');
  });
  it('parses or is refused with one of the sentences, for any JSON', () => {
    fc.assert(
      fc.property(fc.record(Object.fromEntries(Object.keys(BODY).map((name) => [name, fc.jsonValue()]))), (body) => {
        expect(sentence(body) ?? 'session must be').toMatch(
          /^(session|interpreteur|arguments|variablesSupplementaires|The request body)/,
        );
      }),
      { verbose: true },
    );
  });
});

describe('a command that is accepted', () => {
  const word = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.includes('\0'));
  const name = word.filter((text) => text !== '');

  it('has every word and variable as its caller wrote it', () => {
    const variables = fc.uniqueArray(
      fc.tuple(
        name.filter((text) => !text.includes('=')),
        word,
      ),
      { selector: ([key]) => key },
    );
    fc.assert(
      fc.property(name, name, fc.array(word), variables, (session, interpreteur, words, pairs) => {
        const given = pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',');
        const body = { session, interpreteur, arguments: words, variablesSupplementaires: JSON.parse(`{${given}}`) };
        const parsed = parseCommand(body);
        expect(parsed).toMatchObject({
          command: { session, interpreter: interpreteur, arguments: words, silent: false },
        });
        expect('command' in parsed && Object.fromEntries(parsed.command.variables)).toEqual(Object.fromEntries(pairs));
      }),
    );
  });
});

describe('a command event', () => {
  it('is one line of JSON, ended by a newline', () => {
    const event = { evenement: 'demarre', identifiant: 'i', session: 'a\nb', a: '2026-01-01T00:00:00.000Z' } as const;
    expect(commandEventLine(event)).toBe(
      '{"evenement":"demarre","identifiant":"i","session":"a\\nb","a":"2026-01-01T00:00:00.000Z"}\n',
    );
  });
  it('carries any bytes intact', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.constantFrom('stdout', 'stderr'), (bytes, flux) => {
        const line = commandEventLine(outputEvent(flux, Buffer.from(bytes)));
        const event = JSON.parse(line);
        expect(event).toMatchObject({ evenement: 'sortie', flux });
        expect(new Uint8Array(Buffer.from(event.donnees, 'base64'))).toEqual(bytes);
        expect(line.indexOf('\n')).toBe(line.length - 1);
      }),
      { verbose: true },
    );
  });
});

const ID = '01890000-0000-7000-8000-00000000000a';
const ACT = {
  id: ID,
  session: 'root',
  subject: 'somebody',
  at: '2026-01-31T10:00:00.000Z',
  tool: 'read_file',
  target: { kind: 'path', value: 'src/index.ts' },
  authorizedBy: 'human',
  outcome: 'succeeded',
};
const parse = (...acts: unknown[]) => parseActBatch({ acts });
const refusedOf = (batch: ReturnType<typeof parseActBatch>) => ('refused' in batch ? batch.refused : null);

describe('a batch of acts', () => {
  it('is accepted unchanged', () => {
    const whole = { ...ACT, parentSession: 'parent', reason: 'asked' };
    expect(parse(ACT, whole)).toEqual({ acts: [ACT, whole] });
  });
  it('may be empty', () => {
    expect(parse()).toEqual({ acts: [] });
  });
  it.each([null, 7, 'x', [], {}, { acts: {} }, { acts: null }, { acts: 'x' }])('is a list in an object: %j', (body) => {
    expect(refusedOf(parseActBatch(body))).toMatch(/^the body is an object/);
  });
  it('has no member beside acts', () => {
    expect(refusedOf(parseActBatch({ acts: [ACT], note: 1 }))).toBe('the body has one member, acts; "note" is not one');
  });
  // limits-3
  it('contains at most 500 acts', () => {
    const acts = Array.from({ length: 501 }, () => ACT);
    expect(parseActBatch({ acts: acts.slice(0, 500) })).toHaveProperty('acts.length', 500);
    expect(refusedOf(parseActBatch({ acts }))).toBe('act #501: a batch holds at most 500 acts');
  });
  it('is refused for its first fault, counted from 1', () => {
    expect(refusedOf(parse(ACT, { ...ACT, tool: 7 }, { ...ACT, id: 'x' }))).toBe('act #2: tool must be text');
    expect(refusedOf(parse({ ...ACT, note: 'more' }))).toBe('act #1: must not hold the field "note"');
    expect(refusedOf(parse({ ...ACT, [`${'n'.repeat(60)}ext`]: 7 }))).toBe(
      `act #1: must not hold the field "${'n'.repeat(60)}"`,
    );
    expect(refusedOf(parse({ ...ACT, target: { ...ACT.target, content: '' } }))).toBe(
      'act #1: target must not hold the field "content"',
    );
    expect(refusedOf(parse({ ...ACT, outcome: 'perhaps' }))).toBe(
      'act #1: outcome must be one of succeeded, failed, refused, interrupted',
    );
    expect(refusedOf(parse(ACT, 'read_file'))).toBe('act #2: must be an object');
    expect(refusedOf(parse([ACT]))).toBe('act #1: must be an object');
    expect(refusedOf(parse(JSON.parse('{"__proto__": {"session": "s"}}')))).toMatch(/^act #1: /);
  });
});

describe('an act', () => {
  it.each(Object.keys(ACT))('must have %s', (member) => {
    const rest = Object.fromEntries(Object.entries(ACT).filter(([name]) => name !== member));
    expect(refusedOf(parse(rest))).toMatch(new RegExp(`^act #1: ${member} `));
  });
  it.each([
    { id: 'act-2' },
    { id: '01890000-0000-7000-8000-00000000000' },
    { session: '' },
    { session: 'a\0b' },
    { session: 's'.repeat(301) },
    { parentSession: '' },
    { parentSession: null },
    { subject: '\ud800' },
    { subject: 's'.repeat(401) },
    { at: 'yesterday' },
    { at: '2026-01-31' },
    { at: '2026-02-30T00:00:00Z' },
    { at: '0000-01-01T00:00:00Z' },
    { at: '1969-12-31T23:59:59.999Z' },
    { at: '9999-12-31T23:59:59-23:59' },
    { at: 1_769_853_600_000 },
    { tool: '' },
    { tool: 't'.repeat(201) },
    { target: 'src/index.ts' },
    { target: { kind: 'file', value: 'x' } },
    { target: { kind: 'path' } },
    { target: { kind: 'path', value: '' } },
    { target: { kind: 'path', value: 'x'.repeat(8193) } },
    { authorizedBy: 'nobody' },
    { outcome: 'perhaps' },
    { reason: 'r'.repeat(301) },
    { reason: null },
    { parameters: { path: 'x' } },
  ])('is refused with %j', (change) => {
    expect(refusedOf(parse({ ...ACT, ...change }))).toMatch(/^act #1: \S/);
  });
  it.each([
    ...['path', 'command', 'host'].map((kind) => ({ target: { kind, value: 'x' } })),
    ...['policy', 'human', 'automatic'].map((authorizedBy) => ({ authorizedBy })),
    ...['succeeded', 'failed', 'refused', 'interrupted'].map((outcome) => ({ outcome })),
    { target: { kind: 'command', value: 'git commit -m "one\ntwo"' } },
    { session: '🔒'.repeat(300) },
    { subject: 's'.repeat(400) },
    { tool: 't'.repeat(200) },
    { at: '1970-01-01T00:00:00.000Z' },
    { target: { kind: 'path', value: 'x'.repeat(8192) } },
    { reason: '' },
    { reason: 'r'.repeat(300) },
    { session: 'root é&?=%' },
  ])('is accepted with %j', (change) => {
    expect(parse({ ...ACT, ...change })).toEqual({ acts: [{ ...ACT, ...change }] });
  });
  it.each([
    ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31T23:59:00.5+23:59', '2026-01-31T00:00:00.500Z'],
    [`2026-01-31T10:00:00.${'9'.repeat(300)}Z`, '2026-01-31T10:00:00.999Z'],
  ])('is accepted at %s, which is %s', (at, inUtc) => {
    expect(parse({ ...ACT, at })).toEqual({ acts: [{ ...ACT, at: inUtc }] });
  });
  it('counts the characters of a reason as people do', () => {
    expect(refusedOf(parse({ ...ACT, reason: '🔒'.repeat(300) }))).toBeNull();
    expect(refusedOf(parse({ ...ACT, reason: '🔒'.repeat(301) }))).toBe(
      'act #1: reason must contain at most 300 characters',
    );
  });
  // workstation-6
  it('contains no member outside the list, for any name and value', () => {
    const known = new Set([...Object.keys(ACT), 'parentSession', 'reason']);
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), fc.boolean(), (member, value, inTarget) => {
        if (known.has(member) || member === 'kind' || member === 'value') return;
        const stranger = `{${JSON.stringify(member)}: ${JSON.stringify(value)}, `;
        const target = `${inTarget ? stranger : '{'}${JSON.stringify(ACT.target).slice(1)}`;
        const rest = JSON.stringify({ ...ACT, target: undefined }).slice(1);
        const faulty = JSON.parse(`${inTarget ? '{' : stranger}"target": ${target}, ${rest}`);
        expect(refusedOf(parse(faulty))).toMatch(/^act #1: /);
      }),
      { verbose: true },
    );
  });
  it('never has its values repeated in a refusal', () => {
    const secret = 'canary-7f3a';
    for (const member of ['id', 'at', 'authorizedBy', 'outcome']) {
      expect(refusedOf(parse({ ...ACT, [member]: secret }))).not.toContain(secret);
    }
    expect(refusedOf(parse({ ...ACT, reason: secret.repeat(40) }))).not.toContain(secret);
  });
  it('parses or is refused, for any JSON: never an exception', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        parseActBatch(value);
        const batch = parse(value);
        expect('acts' in batch || /^act #1: \S/.test(batch.refused)).toBe(true);
      }),
      { verbose: true },
    );
  });
});

it.each(['DATABASE_URL', 'ADMIN_PASS', 'GATEWAY_LICENSE', 'NODE_OPTIONS', 'PORT', 'HOST', 'HTTPS_PROXY', 'NO_PROXY'])(
  '%s is of the programs, in any case',
  (name) => {
    const capital = `${name.slice(0, 1)}${name.slice(1).toLowerCase()}`;
    expect([name, name.toLowerCase(), capital].map(isOwnVariable)).toEqual([true, true, true]);
  },
);

it.each([
  'AWS_SECRET_ACCESS_KEY',
  'aws_session_token',
  'AZURE_CLIENT_SECRET',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'KUBECONFIG',
])('%s has credentials of a cloud', (name) => {
  expect(isOwnVariable(name)).toBe(true);
});

it.each(['PGPASSWORD', 'ALL_PROXY', 'SSL_CERT_FILE', 'LD_PRELOAD'])('%s belongs to their runtime', (name) => {
  expect(isOwnVariable(name)).toBe(true);
});

it.each([
  'some_engine_key',
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'AZURE_OPENAI_API_KEY',
  'AWS_BEARER_TOKEN_BEDROCK',
  'GOOGLE_API_KEY',
  'MY_PORT',
  'PROXY_KEY',
  'PG_VECTOR_KEY',
  'HOSTED_KEY',
  // console-12
])('%s may contain the key of a provider', (name) => {
  expect(isOwnVariable(name)).toBe(false);
});

it.each(['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])(
  '%s is fixed by naming an authority',
  (code) => expect(isUntrustedAuthority(code)).toBe(true),
);

it.each(['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'ECONNRESET', ''])('%s is not', (code) =>
  expect(isUntrustedAuthority(code)).toBe(false),
);
