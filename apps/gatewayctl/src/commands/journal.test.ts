import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDatabaseAddress, withPool } from '@gateway/database';
import { createDecisionLog } from '@gateway/database/audit-log/decision-log';
import { aDecision } from '@gateway/database/testing';
import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Commands, openCommands } from '../testing/commands.ts';

const signer = createSigner(generateSigningKey());
let at: Commands;
beforeAll(async () => {
  at = await openCommands();
  await append(20);
  await at.ctl('organization', 'create', 'acme', 'Acme');
  await at.ctl('grant', 'alice', 'auditeur', 'root');
});
afterAll(() => at.close());

async function append(count: number, by = signer, to = at): Promise<void> {
  const log = createDecisionLog({ address: parseDatabaseAddress(to.database.gatewayUrl), signer: by, budgetMs: 5000 });
  for (let index = 0; index < count; index += 1) await log.append(aDecision({ requestId: `request-${index}` }));
  log.close();
}
const file = (name: string): string => join(at.directory, name);
const INTACT =
  /^authorization_decisions: intact, \d+ entries\.\nadministration_actions: intact, \d+ entries\.\n(key [0-9a-f]{64} \(\w+\): [^\n]+\n)+$/;

/** Changes a log behind the service's back, verifies it, undoes the change. */
async function verdictOn(change: string, undo: string) {
  await at.database.sql.unsafe(change);
  const ran = await at.ctl('journal', 'verify');
  await at.database.sql.unsafe(undo);
  expect(await at.ctl('journal', 'verify'), 'no alarm once it is undone').toMatchObject({ code: 0 });
  return ran;
}

describe('journal verify', () => {
  it('finds both logs intact, empty ones too', async () => {
    expect((await at.ctl('journal', 'verify')).out).toMatch(INTACT);
    const empty = await openCommands();
    expect(await empty.ctl('journal', 'verify')).toMatchObject({ code: 0 });
    await empty.close();
  });

  it.each<[string, string, string, RegExp]>([
    [
      'an edited decision',
      `update authorization_decisions set subject = 'x' where sequence = 5`,
      `update authorization_decisions set subject = 'caller' where sequence = 5`,
      /authorization_decisions: NOT INTACT at entry 5\. Entry 5 was changed/,
    ],
    [
      'a deleted decision',
      `create table kept as select * from authorization_decisions where sequence = 7;
       delete from authorization_decisions where sequence = 7`,
      `insert into authorization_decisions select * from kept; drop table kept`,
      /entry 7\. Entry 7 is missing/,
    ],
    [
      'two decisions in the other order',
      `update authorization_decisions set sequence = -1 where sequence = 3;
       update authorization_decisions set sequence = 3 where sequence = 4;
       update authorization_decisions set sequence = 4 where sequence = -1`,
      `update authorization_decisions set sequence = -1 where sequence = 3;
       update authorization_decisions set sequence = 3 where sequence = 4;
       update authorization_decisions set sequence = 4 where sequence = -1`,
      /entry 3/,
    ],
    [
      'an inserted decision before the first',
      `insert into authorization_decisions select -5, gen_random_uuid(), at, component, subject, credential, key_id, permission,
         resource, session, outcome, reason, status, roles, policy_revision, detail, request_id, source_address, previous, digest
       from authorization_decisions where sequence = 1`,
      'delete from authorization_decisions where sequence = -5',
      /Entry 1 is missing: entry -5 is in its place/,
    ],
    [
      'a time no clock shows',
      `update authorization_decisions set at = 'infinity' where sequence = 2`,
      `update authorization_decisions set at = (select at from kept_time) where sequence = 2; drop table kept_time`,
      /Entry 2 was changed/,
    ],
    [
      'the last decisions deleted, their seals left',
      `create table kept as select * from authorization_decisions where sequence > 15;
       delete from authorization_decisions where sequence > 15`,
      `insert into authorization_decisions select * from kept; drop table kept`,
      /ends at entry 15, but entry 20 was signed/,
    ],
    [
      'a seal taken away from the end',
      `create table kept as select * from authorization_decision_seals where sequence = 20;
       delete from authorization_decision_seals where sequence = 20`,
      `insert into authorization_decision_seals select * from kept; drop table kept`,
      /no signature covers/,
    ],
    [
      'an edited administration act',
      `create table kept as select new_value from administration_actions where sequence = 1;
       update administration_actions set new_value = '{}' where sequence = 1`,
      `update administration_actions set new_value = kept.new_value from kept where sequence = 1; drop table kept`,
      /administration_actions: NOT INTACT at entry 1/,
    ],
    [
      'a key that was exchanged',
      `update signing_keys set public_key = '${createSigner(generateSigningKey()).publicKey}' where id = '${signer.keyId}'`,
      `update signing_keys set public_key = '${signer.publicKey}' where id = '${signer.keyId}'`,
      /not trusted/,
    ],
  ])('detects %s', async (what, change, undo, expected) => {
    if (what === 'a time no clock shows') {
      await at.database.sql`create table kept_time as select at from authorization_decisions where sequence = 2`;
    }
    const ran = await verdictOn(change, undo);
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(expected);
    expect(ran.err).toBe('gatewayctl: The journal is not what was recorded.\n');
  });

  it('prints its findings as JSON', async () => {
    expect(await at.json('journal', 'verify')).toEqual({
      ok: true,
      chains: [
        { chain: 'authorization_decisions', ok: true, entries: 20 },
        { chain: 'administration_actions', ok: true, entries: 2 },
      ],
      keys: [
        {
          fingerprint: signer.keyId,
          component: 'gateway',
          endorsed: true,
          endorsedBy: null,
          signed: [{ chain: 'authorization_decisions', first: 1, last: 20 }],
        },
        {
          fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
          component: 'gatewayctl',
          endorsed: true,
          endorsedBy: 'owner role',
          signed: [{ chain: 'administration_actions', first: 1, last: 2 }],
        },
      ],
    });
    await at.database.sql`update authorization_decisions set status = 500 where sequence = 5`;
    const ran = await at.ctl('journal', 'verify', '--json');
    await at.database.sql`update authorization_decisions set status = 200 where sequence = 5`;
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.out)).toMatchObject({
      ok: false,
      chains: [{ ok: false, fault: 'digest', sequence: 5 }, { ok: true }],
    });
  });

  it('raises no alarm while the log grows under it', async () => {
    const growing = append(60);
    const ran = await Promise.all(Array.from({ length: 6 }, () => at.ctl('journal', 'verify')));
    await growing;
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    expect((await at.ctl('journal', 'verify')).out).toMatch(INTACT);
  });
});

it('journal verify raises no alarm at a key that is registered while it reads', async () => {
  const other = await openCommands();
  const { sql } = other.database;
  const { verifying } = await sql.begin(async (transaction) => {
    await transaction`lock table authorization_decision_seals in access exclusive mode`;
    const started = other.ctl('journal', 'verify');
    await expect
      .poll(() => sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      .toHaveLength(1);
    await other.ctl('grant', 'bob', 'auditeur', 'root'); // the first act of an operator, with a key that was just made
    return { verifying: started };
  });
  expect(await verifying).toMatchObject({ code: 0 });
  await other.close();
});

describe('journal keys endorse', () => {
  it('accepts the entries of a key that a service registered in a log with entries', async () => {
    const other = await openCommands();
    await append(2, signer, other);
    const later = createSigner(generateSigningKey());
    await append(3, later, other);
    await append(1, signer, other);
    const before = await other.ctl('journal', 'verify');
    expect(before).toMatchObject({ code: 1, out: expect.stringMatching(/NOT INTACT at entry [345]\./) as string });
    expect(before.out).toContain(`if it is yours, run gatewayctl journal keys endorse ${later.keyId} --author NAME`);
    const endorse = (key: string) => other.ctl('journal', 'keys', 'endorse', key, '--author', 'Olga');
    expect(await endorse(later.keyId)).toMatchObject({ code: 0 });
    expect((await endorse(later.keyId)).out).toContain('already');
    const { out, code } = await other.ctl('journal', 'verify');
    expect(code).toBe(0);
    expect(out).toContain(`key ${later.keyId} (gateway): endorsed by Olga; signed authorization_decisions 3 to 5.`);
    const [act] = await other.database.sql`
      select author, target from administration_actions where action = 'signing-key.endorse'`;
    expect(act).toEqual({ author: 'Olga', target: `signing-key:${later.keyId}` });
    expect(await endorse('0'.repeat(64))).toMatchObject({ code: 1 });
    expect(await endorse('short')).toMatchObject({ code: 2 });
    await other.close();
  });

  it('is refused to the roles of the services, which cannot mark a key as endorsed either', async () => {
    const columns = 'id, public_key, component, endorsed_at, endorsed_by, empty_logs, registered_at';
    for (const url of [at.database.gatewayUrl, at.database.consoleUrl]) {
      const ran = await at.ctlWith({ databaseUrl: url }, 'journal', 'keys', 'endorse', signer.keyId, '--author', 'x');
      expect(ran.code).toBe(1);
      const id = url.includes('console') ? 'forged-console' : 'forged-gateway';
      const [row] = await withPool(parseDatabaseAddress(url), { max: 1 }, (sql) =>
        sql.unsafe(
          `insert into signing_keys (${columns}) values ('${id}', 'p', 'gateway', now(), 'x', '{authorization_decisions}', '2020-01-01')
           returning endorsed_at, endorsed_by, empty_logs`,
        ),
      );
      expect(row).toEqual({ endorsed_at: null, endorsed_by: null, empty_logs: [] });
    }
    await at.database.sql`delete from signing_keys where id like 'forged-%'`;
  });
});

describe('journal verify --public-key', () => {
  it('trusts the given keys alone', async () => {
    const keys = (await at.json('journal', 'keys')) as { id: string; publicKey: string; component: string }[];
    expect(keys.map(({ component }) => component).sort()).toEqual(['gateway', 'gatewayctl']);
    writeFileSync(file('one.pem'), signer.publicKey);
    writeFileSync(file('all.pem'), (await at.ctl('journal', 'keys')).out);
    expect(await at.ctl('journal', 'verify', '--public-key', file('all.pem'))).toMatchObject({ code: 0 });
    const one = await at.ctl('journal', 'verify', '--public-key', file('one.pem'));
    expect(one).toMatchObject({
      code: 1,
      out: expect.stringMatching(/administration_actions: NOT INTACT .* not trusted/) as string,
    });
    expect(await at.ctl('journal', 'verify', '--public-key', file('absent.pem'))).toMatchObject({ code: 1 });
    writeFileSync(file('broken.pem'), 'nothing');
    expect((await at.ctl('journal', 'verify', '--public-key', file('broken.pem'))).err).toMatch(
      /not a readable public key/,
    );
  });
});

describe('journal checkpoint', () => {
  it('finds a truncated log, which is whole in itself', async () => {
    const other = await openCommands();
    const log = createDecisionLog({ address: parseDatabaseAddress(other.database.gatewayUrl), signer, budgetMs: 5000 });
    for (let index = 0; index < 10; index += 1) await log.append(aDecision());
    log.close();
    const note = join(other.directory, 'note');
    expect((await other.ctl('journal', 'checkpoint', '--output', note)).out).toBe(`Wrote the checkpoint to ${note}.\n`);
    expect(await other.ctl('journal', 'verify', '--since', note)).toMatchObject({ code: 0 });
    await other.database.sql`delete from authorization_decisions where sequence > 6`;
    await other.database.sql`delete from authorization_decision_seals where sequence > 6`;
    expect(await other.ctl('journal', 'verify')).toMatchObject({ code: 0 });
    const ran = await other.ctl('journal', 'verify', '--since', note);
    expect(ran).toMatchObject({
      code: 1,
      out: expect.stringMatching(/ends at entry 6, but the checkpoint knows entry 10/) as string,
    });
    await other.close();
  });

  it('prints the note, which stays valid while the log grows, and is refused once it was changed', async () => {
    const { out } = await at.ctl('journal', 'checkpoint');
    expect(out).toMatch(/^gateway journal checkpoint 1\nat .*Z\nchain authorization_decisions \d+ [0-9a-f]{64}\n/);
    writeFileSync(file('note'), out);
    await append(3);
    expect(await at.ctl('journal', 'verify', '--since', file('note'))).toMatchObject({ code: 0 });
    writeFileSync(file('changed'), out.replace(/actions (\d+)/, 'actions 1$1'));
    expect((await at.ctl('journal', 'verify', '--since', file('changed'))).err).toMatch(/its text was changed/);
    expect((await at.ctl('journal', 'verify', '--since', file('absent'))).err).toMatch(/cannot be read/);
  });

  it('is accepted as JSON too, as --json printed it', async () => {
    const { out } = await at.ctl('journal', 'checkpoint', '--json');
    writeFileSync(file('note.json'), out);
    expect(JSON.parse(out)).toMatchObject({ keyId: expect.any(String) as string });
    expect(await at.ctl('journal', 'verify', '--since', file('note.json'))).toMatchObject({ code: 0 });
    writeFileSync(file('changed.json'), out.replace(/actions (\d+)/, 'actions 1$1'));
    expect((await at.ctl('journal', 'verify', '--since', file('changed.json'))).err).toMatch(/its text was changed/);
    for (const text of ['{"checkpoint":7}', '{', '{}']) {
      writeFileSync(file('no-note.json'), text);
      const ran = await at.ctl('journal', 'verify', '--since', file('no-note.json'));
      expect(ran).toMatchObject({ code: 1, err: expect.stringMatching(/not a checkpoint of a journal/) as string });
    }
  });
});

describe('journal export', () => {
  it('writes every entry as one line of JSON, with digests and seals', async () => {
    const { out } = await at.ctl('journal', 'export');
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ sequence }) => sequence)).toEqual(lines.map((_, index) => index + 1));
    expect(lines[0]).toMatchObject({
      chain: 'authorization_decisions',
      requestId: 'request-0',
      roles: ['utilisateur-standard'],
      previous: '0'.repeat(64),
      seal: { keyId: signer.keyId },
    });
    expect(lines[1]?.['previous']).toBe(lines[0]?.['digest']);
  });

  it('goes to a file, from an entry on, of either log', async () => {
    expect((await at.ctl('journal', 'export', '--chain', 'actions', '--after', '1', '--output', file('out'))).out).toBe(
      '',
    );
    expect(JSON.parse(readFileSync(file('out'), 'utf8'))).toMatchObject({
      sequence: 2,
      action: 'role.grant',
      author: 'root',
    });
    for (const chain of ['nonsense', 'toString', '__proto__', ''])
      expect((await at.ctl('journal', 'export', '--chain', chain)).code).toBe(2);
    expect((await at.ctl('journal', 'export', '--after', '-1')).code).toBe(2);
    expect(await at.ctl('journal', 'export', '--output', join(at.directory, 'no', 'such', 'folder'))).toMatchObject({
      code: 1,
    });
  });
});
