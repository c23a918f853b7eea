import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type ChainName, connect, openTree, parseDatabaseAddress, verifyTree } from '@gateway/database';
import { createDecisionLog } from '@gateway/database/audit-log/decision-log';
import { aDecision } from '@gateway/database/testing';
import {
  COSIGNATURE,
  createSigner,
  generateSigningKey,
  openTreeCheckpoint,
  readNoteKey,
  readSignatureLine,
  readTreeCheckpoint,
  TreeFault,
  toNoteKey,
  verifyNote,
  writeAddCheckpoint,
} from '@gateway/ledger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Commands, openCommands } from '../testing/commands.ts';
import { createWitness, openWitnessState } from './journal-witness.ts';

let at: Commands;
let keys: readonly string[];
const log = createSigner(generateSigningKey());
const path = (name: string): string => join(at.directory, name);

async function grow(count: number, subject: string): Promise<void> {
  const decisions = createDecisionLog({
    address: parseDatabaseAddress(at.database.gatewayUrl),
    signer: log,
    budgetMs: 60_000,
  });
  await Promise.all(
    Array.from({ length: count }, (_, n) => decisions.append(aDecision({ subject, requestId: `${subject}-${n}` }))),
  );
  decisions.close();
}

beforeAll(async () => {
  at = await openCommands();
  await at.ctl('organization', 'create', 'acme', 'Acmé 😀');
  await grow(270, 'alice');
  await grow(3, 'zoë 😀');
  writeFileSync(path('first.note'), (await at.ctl('journal', 'checkpoint', '--note')).out);
  keys = (await at.ctl('journal', 'keys', '--note')).out.trimEnd().split('\n');
  writeFileSync(path('log.keys'), `# keys of the log\n${keys.join('\n')}\n`);
});
afterAll(() => at.close());

/** Without a database: an auditor has none. */
const check = (file: string, ...more: string[]) =>
  at.ctlWith({ databaseUrl: undefined }, 'journal', 'check', path(file), '--key', path('log.keys'), ...more);
/** Behind the services' backs, as the owner may. */
const tamper = (text: string) =>
  at.database.sql.unsafe(
    `alter table log_tiles disable trigger user; ${text}; alter table log_tiles enable trigger user`,
  );

describe('journal prove and check', () => {
  it('proves an entry, those of a request, and those of a subject', async () => {
    for (const [choice, lines] of [
      [['--entry', '257'], 1],
      [['--request-id', 'alice-7'], 1],
      [['--subject', 'zoë 😀', '--from', '2020-01-01'], 3],
      [['--entry', '1', '--log', 'administration'], 1],
    ] as const) {
      expect(await at.ctl('journal', 'prove', ...choice, '--out', path('proof.json'))).toMatchObject({
        code: 0,
        err: '',
      });
      const checked = await check('proof.json');
      expect(checked).toMatchObject({ code: 0, err: '' });
      expect(checked.out.trimEnd().split('\n')).toHaveLength(lines);
    }
    const pem = (await at.ctl('journal', 'keys')).out;
    writeFileSync(path('keys.pem'), pem);
    const withPem = [
      'journal',
      'check',
      path('proof.json'),
      '--public-key',
      path('keys.pem'),
      '--log',
      'administration',
    ];
    expect(await at.ctlWith({ databaseUrl: undefined }, ...withPem)).toMatchObject({ code: 0 });
    expect(await check('proof.json', '--log', 'decisions')).toMatchObject({ code: 1 });
  });

  it('shows how many entries of a period a file leaves out, and that none was cut', async () => {
    const prove = (...more: string[]) =>
      at.ctl(
        'journal',
        'prove',
        '--subject',
        'zoë 😀',
        '--out',
        path('own.json'),
        '--rest',
        path('rest.json'),
        ...more,
      );
    const wrote = await prove();
    expect([wrote.code, wrote.out.split('\n')[1]]).toEqual([
      0,
      `Wrote ${path('rest.json')}: the digests of entries 1 to 273, 270 of which ${path('own.json')} does not show.`,
    ]);
    const checked = await check('own.json', '--rest', path('rest.json'));
    expect(checked.out).toContain('The period is entries 1 to 273. 270 of them are not shown;');
    const whole = JSON.parse(readFileSync(path('rest.json'), 'utf8'));
    const zero = '0'.repeat(64);
    for (const [change, cause] of [
      [{ digests: whole.digests.slice(0, -1) }, 'some were changed or cut'],
      [{ digests: whole.digests.with(100, zero) }, 'some were changed or cut'],
      [{ first: 1 }, 'size of its checkpoint'],
      [{ digests: whole.digests.slice(0, 100), path: [] }, 'some were changed or cut'],
      [{ digests: 'all' }, 'no position'],
      [{ more: 1 }, 'This is no file of version 1'],
    ] as const) {
      writeFileSync(path('bad.json'), JSON.stringify({ ...whole, ...change }));
      const bad = await check('own.json', '--rest', path('bad.json'));
      expect([bad.code, bad.err]).toEqual([1, expect.stringContaining(cause)]);
    }
    // A period that begins behind the first entries, and entries of another one.
    const [{ at: middle } = { at: new Date() }] = await at.database.sql<{ at: Date }[]>`
      select at from authorization_decisions where subject = 'zoë 😀' order by sequence limit 1`;
    expect((await prove('--from', middle.toISOString())).code).toBe(0);
    expect((await check('own.json', '--rest', path('rest.json'))).out).toMatch(/The period is entries \d+ to 273\./);
    expect(
      (await at.ctl('journal', 'prove', '--entry', '1', '--out', path('x.json'), '--rest', path('y.json'))).code,
    ).toBe(2);
  });

  it('writes no file where nothing is found, and says how it is called', async () => {
    for (const [choice, code] of [
      [['--entry', '100000'], 1],
      [['--id', 'no-id'], 1],
      [['--subject', 'alice', '--until', '2001-01-01'], 1],
      [[], 2],
      [['--entry', 'first'], 2],
      [['--entry', '1', '--id', 'x'], 2],
      [['--entry', '1', '--from', '2020-01-01'], 2],
      [['--entry', '1', '--log', 'sales'], 2],
    ] as const) {
      expect((await at.ctl('journal', 'prove', ...choice, '--out', path('none.json'))).code).toBe(code);
      expect(existsSync(path('none.json'))).toBe(false);
    }
  });

  it('proves nothing of an entry that was changed', async () => {
    const swap = (from: string, to: string) =>
      at.database.sql.unsafe(`alter table authorization_decisions disable trigger user;
        update authorization_decisions set subject = '${to}' where sequence = 12 and subject = '${from}'`);
    await swap('alice', 'mallory');
    const ran = await at.ctl('journal', 'prove', '--entry', '12', '--out', path('changed.json'));
    await swap('mallory', 'alice');
    expect(ran).toMatchObject({ code: 1, err: expect.stringMatching(/Entry 12 .* was changed/) as string });
    expect(existsSync(path('changed.json'))).toBe(false);
  });
});

describe('journal consistency', () => {
  it('proves growth, and refuses another log, another key and a fork', async () => {
    await grow(2, 'bob');
    expect(await at.ctl('journal', 'consistency', path('first.note'), '--out', path('grown.json'))).toMatchObject({
      code: 0,
    });
    expect((await check('grown.json')).out).toMatch(/the log of 275 entries continues the one of 273\./);
    writeFileSync(path('acts.note'), (await at.ctl('journal', 'checkpoint', '--note', '--log', 'administration')).out);
    const note = readFileSync(path('first.note'), 'utf8');
    writeFileSync(path('other.note'), note.replace('\n273\n', '\n272\n'));
    for (const files of [['acts.note', 'first.note'], ['other.note'], ['log.keys']]) {
      const ran = await at.ctl('journal', 'consistency', ...files.map(path), '--out', path('none.json'));
      expect([ran.code, existsSync(path('none.json'))]).toEqual([1, false]);
    }
  });
});

describe('journal tree', () => {
  it('finds a changed hash in every tile, and one undone is none', async () => {
    expect(await at.ctl('journal', 'tree', '--verify')).toMatchObject({ code: 0 });
    const { sql } = at.database;
    const tiles = await sql<
      { chain: ChainName; level: number; tile: bigint }[]
    >`select chain, level, tile from log_tiles`;
    expect(tiles.length).toBeGreaterThan(3);
    for (const { chain, level, tile } of tiles) {
      const { size } = await openTree(sql, chain);
      const swap = () => sql`update log_tiles set hashes = set_byte(hashes, 5, get_byte(hashes, 5) # 1)
        where chain = ${chain} and level = ${level} and tile = ${tile}`;
      await swap();
      const verified = await verifyTree(sql, chain, size, async function* () {}).catch((error: unknown) => error);
      const opened = await openTree(sql, chain).catch((error: unknown) => error); // what a checkpoint would sign
      await swap();
      expect([verified, opened]).toEqual([expect.any(TreeFault), expect.any(TreeFault)]);
    }
    const swap = () =>
      tamper('update log_tiles set hashes = set_byte(hashes, 5, get_byte(hashes, 5) # 1) where level = 0 and tile = 0');
    await swap();
    const ran = await at.ctl('journal', 'tree', '--verify');
    await swap();
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('not the one of the log') as string });
  });

  it('is built again where its tiles are gone, and rebuilt where they are wrong', async () => {
    const root = (await at.ctl('journal', 'tree')).out;
    await at.database.sql`delete from log_tiles`;
    expect((await at.ctl('journal', 'tree')).out).toBe(root);
    await at.database.sql`delete from log_tiles where level = 0`;
    expect((await at.ctl('journal', 'checkpoint', '--note')).code).toBe(1);
    expect(await at.ctl('journal', 'tree', '--rebuild', '--verify')).toMatchObject({ code: 0 });
    expect((await at.ctl('journal', 'tree')).out).toBe(root);
  });

  it('can only be extended by the services', async () => {
    const sql = connect(parseDatabaseAddress(at.database.gatewayUrl), { max: 1 });
    try {
      await expect(sql`update log_tiles set hashes = hashes`).rejects.toThrow('permission denied');
      const half = sql`select extend_log_tiles('authorization_decisions', '{0}', '{0}', '{5}', ${`{${'00'.repeat(32)}}`}::text[])`;
      await expect(half).rejects.toThrow('has other tiles than were read');
    } finally {
      await sql.end();
    }
  });
});

describe('a witness', () => {
  const signer = createSigner(generateSigningKey());
  let server: Server;
  const open = async () => {
    const state = openWitnessState(path('witness'));
    server = createWitness({ name: 'witness.test', signer, keys: keys.map(readNoteKey), state, report: () => {} });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  };
  const post = async (body: string) => {
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/add-checkpoint`, { method: 'POST', body });
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };

  it('cosigns what continues the log it knows, and nothing else, also after a restart', async () => {
    await open();
    const first = readTreeCheckpoint(readFileSync(path('first.note'), 'utf8'));
    const cosigned = await post(writeAddCheckpoint(0, [], first.note));
    expect(cosigned.status).toBe(200);
    const key = toNoteKey('witness.test', signer.publicKey, COSIGNATURE);
    const lines = cosigned.text.trimEnd().split('\n').map(readSignatureLine);
    expect(verifyNote({ text: first.text, signatures: lines }, [key])).toHaveLength(1);
    // A note with the line of a witness is still opened by the key of its log.
    expect(openTreeCheckpoint(first.note + cosigned.text, [...keys.map(readNoteKey), key]).size).toBe(273);
    server.close();
    await open();
    const { new: next, path: steps } = JSON.parse(readFileSync(path('grown.json'), 'utf8')) as {
      new: string;
      path: string[];
    };
    const hashes = steps.map((step) => Buffer.from(step, 'base64'));
    const statuses = async (...bodies: string[]) => {
      const found: number[] = [];
      for (const body of bodies) found.push((await post(body)).status);
      return found;
    };
    expect(await post(writeAddCheckpoint(0, [], first.note))).toMatchObject({
      status: 409,
      type: 'text/x.tlog.size',
      text: '273\n',
    });
    expect(
      await statuses(
        writeAddCheckpoint(273, hashes.slice(1), next),
        writeAddCheckpoint(274, hashes, first.note),
        writeAddCheckpoint(273, hashes, next.replace('\n275\n', '\n276\n')),
        writeAddCheckpoint(273, hashes, next.replace('gateway/', 'elsewhere/')),
        'old 273\n',
        'x'.repeat(70_000),
        writeAddCheckpoint(273, hashes, next),
        writeAddCheckpoint(275, [], next),
      ),
    ).toEqual([422, 400, 403, 404, 400, 413, 200, 200]);
    server.close();
    server.closeAllConnections();
    rmSync(path('witness'), { recursive: true });
  });
});
