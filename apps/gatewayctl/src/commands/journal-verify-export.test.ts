import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDatabaseAddress } from '@gateway/database';
import { createDecisionLog } from '@gateway/database/audit-log/decision-log';
import { aDecision } from '@gateway/database/testing';
import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Commands, openCommands } from '../testing/commands.ts';

/** Valid names that break a careless parser of lines or texts. */
const NAMES = ['alice', 'a\u2028b', 'zoë 😀', '"\\\r\n\t\u0001', '\ufeffbob', '', 'x'.repeat(100_000)];

let at: Commands;
let decisions: readonly string[];
beforeAll(async () => {
  at = await openCommands();
  // Two gateways, each with a key of its own, the first with another one after a rotation.
  for (let turn = 0; turn < 3; turn += 1) await append(createSigner(generateSigningKey()));
  await at.ctl('organization', 'create', 'acme', 'Acmé 😀');
  await at.ctl('grant', 'alice', 'auditeur', 'root');
  await endorseAll();
  writeFileSync(file('keys.pem'), (await at.ctl('journal', 'keys')).out);
  await at.ctl('journal', 'checkpoint', '--output', file('note'));
  decisions = (await at.ctl('journal', 'export')).out.trimEnd().split('\n');
});
afterAll(() => at.close());

async function append(signer: ReturnType<typeof createSigner>): Promise<void> {
  const log = createDecisionLog({ address: parseDatabaseAddress(at.database.gatewayUrl), signer, budgetMs: 5000 });
  await Promise.all(NAMES.map((subject) => log.append(aDecision({ subject }))));
  log.close();
}
/** Of several gateways. */
const endorseAll = () => at.database.sql`update signing_keys set endorsed_at = now(), endorsed_by = 'root'`;
const file = (name: string): string => join(at.directory, name);
/** Without a database: an auditor who verifies an export has none. */
const verify = (...words: string[]) => at.ctlWith({ databaseUrl: undefined }, 'journal', 'verify', ...words);
const LENGTH = NAMES.length * 3;

async function verdictOn(content: string | Buffer, ...words: string[]) {
  writeFileSync(file('export.jsonl'), content);
  return verify('--export', file('export.jsonl'), '--public-key', file('keys.pem'), ...words);
}
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const entry = (sequence: number): string => decisions[sequence - 1] ?? '';
const at5 = (from: string, to: string): string => text(decisions.with(4, entry(5).replace(from, to)));
const atEnd = (from: RegExp, to: string): string => text(decisions.with(LENGTH - 1, entry(LENGTH).replace(from, to)));

describe('journal verify --export', () => {
  it('verifies an export without the database', async () => {
    expect(await verdictOn(text(decisions), '--since', file('note'))).toEqual({
      code: 0,
      out: `authorization_decisions: intact, ${LENGTH} entries.\n`,
      err: '',
    });
    await at.ctl('journal', 'export', '--chain', 'actions', '--output', file('actions.jsonl'));
    const actions = await verdictOn(readFileSync(file('actions.jsonl')), '--since', file('note'), '--json');
    expect(JSON.parse(actions.out)).toEqual({
      ok: true,
      chains: [{ chain: 'administration_actions', ok: true, entries: 2 }],
    });
  });

  it('takes a part from where it was asked to begin, and from nowhere else', async () => {
    const part = (await at.ctl('journal', 'export', '--after', '4')).out;
    expect(await verdictOn(part, '--after', '4', '--since', file('note'))).toMatchObject({
      code: 0,
      out: `authorization_decisions: intact, ${LENGTH - 4} entries after entry 4.\n`,
    });
    expect((await verdictOn(part)).out).toMatch(/NOT INTACT at entry 1\. Entry 1 is missing: entry 5 is in its place/);
    expect((await verdictOn(part, '--after', '3')).out).toMatch(/Entry 4 is missing/);
    expect((await verdictOn(text(decisions), '--after', '4')).out).toMatch(/Entry 5 is missing: entry 1 is/);
    const [last = ''] = decisions.slice(-1);
    await append(createSigner(generateSigningKey()));
    const later = (await at.ctl('journal', 'export', '--after', `${LENGTH}`)).out;
    await endorseAll();
    writeFileSync(file('keys.pem'), (await at.ctl('journal', 'keys')).out);
    expect(await verdictOn(later, '--after', `${LENGTH}`, '--since', file('note'))).toMatchObject({ code: 0 });
    expect(await verdictOn(`${last}\n${later}`, '--after', `${LENGTH - 1}`)).toMatchObject({ code: 0 });
    const refused = await verdictOn(
      later.slice(later.indexOf('\n') + 1),
      '--after',
      `${LENGTH + 1}`,
      '--since',
      file('note'),
    );
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining(`export it with --after ${LENGTH}.`) as string,
    });
  });

  it.each<[string, () => string, RegExp]>([
    ['an edited entry', () => at5('"status":200', '"status":201'), /entry 5\. Entry 5 was changed/],
    ['a member added', () => at5('"status"', '"note":1,"status"'), /Entry 5 was changed/],
    ['half of a surrogate pair', () => at5('"status":200', '"status":"\\ud800"'), /Entry 5 was changed/],
    ['a deleted entry', () => text(decisions.toSpliced(4, 1)), /Entry 5 is missing: entry 6 is in its place/],
    ['the first entries deleted', () => text(decisions.slice(2)), /Entry 1 is missing: entry 3 is in its place/],
    [
      'a replayed entry',
      () => text(decisions.toSpliced(4, 0, entry(5))),
      /Entry 6 is missing: entry 5 is in its place/,
    ],
    [
      'two entries exchanged',
      () => text(decisions.with(4, entry(6)).with(5, entry(5))),
      /Entry 5 is missing: entry 6 is/,
    ],
    ['the last entries deleted', () => text(decisions.slice(0, NAMES.length)), /but the checkpoint knows entry 21/],
    [
      'an edited signature',
      () => atEnd(/"signature":"\w+"/, `"signature":"${'0'.repeat(128)}"`),
      /over entry 21 is not valid/,
    ],
    ['no seal at the end', () => atEnd(/"seal":.*/, '"seal":null}'), /no signature covers/],
  ])('finds %s', async (_, changed, expected) => {
    const content = changed();
    expect(content).not.toBe(text(decisions));
    expect(await verdictOn(content, '--since', file('note'))).toMatchObject({
      code: 1,
      out: expect.stringMatching(expected) as string,
      err: 'gatewayctl: The journal is not what was recorded.\n',
    });
  });

  it.each<[string, () => string | Buffer, RegExp]>([
    ['a file that ends within a line', () => text(decisions).slice(0, -10), /line 21 is not JSON/],
    ['an empty file', () => '', /contains no entry/],
    ['an empty line', () => `${text(decisions.slice(0, 2))}\n`, /line 3 is not JSON/],
    ['bytes that are no UTF-8', () => Buffer.from(text(decisions)).fill(0xff, 9, 10), /line 1 is not UTF-8/],
    ['UTF-16', () => Buffer.from(text(decisions), 'utf16le'), /line 1 is/],
    [
      'a member given twice',
      () => at5('"status":200', '"status":403,"status":200'),
      /line 5 is not written as it was exported/,
    ],
    [
      'an entry of the other log',
      () => at5('authorization_decisions', 'administration_actions'),
      /entry 5 is of another log than the first/,
    ],
    [
      'a log of another name',
      () => text(decisions).replaceAll('authorization_decisions', '\\u001b[2J'),
      /line 1 is of no log/,
    ],
  ])('refuses %s, and says where', async (_, changed, expected) => {
    expect(await verdictOn(changed())).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(expected) as string,
    });
  });

  it('refuses a line without end before it fills the memory', async () => {
    const ran = await verdictOn(Buffer.alloc(70 * 1024 * 1024, 'a'));
    expect(ran).toMatchObject({ code: 1, err: expect.stringMatching(/line 1 is longer than any entry/) as string });
  });

  it('raises no alarm at what a transfer between systems adds', async () => {
    for (const content of [
      text(decisions).replaceAll('\n', '\r\n'),
      `\ufeff${text(decisions)}`,
      text(decisions).trimEnd(),
    ]) {
      expect(await verdictOn(content)).toMatchObject({ code: 0 });
    }
  });

  it('trusts the keys it is given alone', async () => {
    writeFileSync(file('other.pem'), createSigner(generateSigningKey()).publicKey);
    writeFileSync(file('export.jsonl'), text(decisions));
    const ran = await verify('--export', file('export.jsonl'), '--public-key', file('other.pem'));
    expect(ran).toMatchObject({
      code: 1,
      out: expect.stringMatching(/signed by the key [0-9a-f]{64}, which is not trusted/) as string,
    });
  });

  it('is called wrongly without keys, and with options of the other kind', async () => {
    expect(await verify('--export', file('none'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('--public-key') as string,
    });
    expect(await at.ctl('journal', 'verify', '--after', '3')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--export') as string,
    });
    const without = ['--export', file('no-such-file'), '--public-key', file('keys.pem')];
    expect(await verify(...without, '--after', 'x')).toMatchObject({ code: 2 });
    expect(await verify(...without)).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot be read (ENOENT)') as string,
    });
    const folder = await verify('--export', at.directory, '--public-key', file('keys.pem'));
    expect(folder).toMatchObject({ code: 1, err: expect.stringContaining('cannot be read (EISDIR)') as string });
  });
});
