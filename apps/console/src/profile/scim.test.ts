import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, Reading } from '@gateway/configuration';
import { afterAll, describe, expect, it } from 'vitest';
import { readScim } from './configuration.ts';

const folder = mkdtempSync(join(tmpdir(), 'console-scim-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (content: string | Uint8Array): string => {
  const path = join(folder, 'token');
  writeFileSync(path, content);
  return path;
};

const TOKEN = '0123456789abcdef0123456789abcdef';
function read(environment: Environment) {
  const reading = new Reading(environment);
  return { scim: readScim(reading), faults: reading.faults };
}
const FORM =
  'must contain a random text of at least 32 characters without blanks. Make one, for example with: openssl rand -hex 32';

describe('the token of provisioning', () => {
  it('is absent by default, and then nothing is provisioned', () => {
    expect(read({})).toEqual({ scim: null, faults: [] });
    expect(read({ CONSOLE_SCIM_TOKEN: '', CONSOLE_SCIM_TOKEN_FILE: ' ' })).toEqual({ scim: null, faults: [] });
    expect(read({ CONSOLE_SCIM_SUBJECT: 'externalId' })).toEqual({ scim: null, faults: [] });
  });
  it('is a variable, or a file with or without a line end', () => {
    const known = { token: TOKEN, subjectAttribute: 'userName' };
    expect(read({ CONSOLE_SCIM_TOKEN: TOKEN })).toEqual({ scim: known, faults: [] });
    for (const content of [TOKEN, `${TOKEN}\n`, `${TOKEN}\r\n`, `\n ${TOKEN} \n`]) {
      expect(read({ CONSOLE_SCIM_TOKEN_FILE: file(content) })).toEqual({ scim: known, faults: [] });
    }
  });
  it.each([
    ['31 characters', TOKEN.slice(1)],
    ['a blank', `${TOKEN} ${TOKEN}`],
    ['two lines', `${TOKEN}\n${TOKEN}`],
    ['a letter beyond ASCII', `${TOKEN}é`],
    ['a control character', `${TOKEN}\u0007${TOKEN}`],
  ])('of %s refuses the start and names the variable, never the token', (_, token) => {
    const own = read({ CONSOLE_SCIM_TOKEN: token });
    const inFile = read({ CONSOLE_SCIM_TOKEN_FILE: file(token) });
    expect([own.scim, own.faults, inFile.scim, inFile.faults]).toEqual([
      null,
      [`CONSOLE_SCIM_TOKEN: ${FORM}`],
      null,
      [`CONSOLE_SCIM_TOKEN_FILE: ${FORM}`],
    ]);
  });
  it('in an empty file is not given by mistake: the start is refused', () => {
    const { scim, faults } = read({ CONSOLE_SCIM_TOKEN_FILE: file('') });
    expect([scim, faults.length]).toEqual([null, 1]);
    expect(faults[0]).toMatch(/^CONSOLE_SCIM_TOKEN_FILE: /);
  });
  it('that is given twice is refused once, although both are good', () => {
    expect(read({ CONSOLE_SCIM_TOKEN: TOKEN, CONSOLE_SCIM_TOKEN_FILE: file(TOKEN) }).faults).toEqual([
      'CONSOLE_SCIM_TOKEN_FILE: is set together with CONSOLE_SCIM_TOKEN. Keep one.',
    ]);
  });
  it('in a file that cannot be read refuses the start, with its path', () => {
    const [fault] = read({ CONSOLE_SCIM_TOKEN_FILE: join(folder, 'nowhere') }).faults;
    expect(fault).toMatch(/^CONSOLE_SCIM_TOKEN_FILE: names a file that cannot be read \(ENOENT\): .*nowhere/);
  });
});

describe('the attribute that names the subject', () => {
  it('is the one that was chosen', () => {
    const chosen = read({ CONSOLE_SCIM_TOKEN: TOKEN, CONSOLE_SCIM_SUBJECT: 'externalId' });
    expect(chosen.scim?.subjectAttribute).toBe('externalId');
  });
  it.each(['username', 'externalid', 'id', 'emails'])('is exactly one of two: not %s', (attribute) => {
    expect(read({ CONSOLE_SCIM_TOKEN: TOKEN, CONSOLE_SCIM_SUBJECT: attribute })).toEqual({
      scim: null,
      faults: ['CONSOLE_SCIM_SUBJECT: must be userName or externalId.'],
    });
  });
});
