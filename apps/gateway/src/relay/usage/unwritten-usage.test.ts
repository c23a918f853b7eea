import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, HELLO } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { startWorld, type World } from '../../testing/world.ts';
import { event, stream } from './testing/answers.ts';

describe('usage that cannot be written', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  /** Locks a table for writers until the promise's function is called. */
  async function hold(table: string, mode = 'exclusive'): Promise<() => Promise<void>> {
    const held = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const transaction = world.database.sql.begin(async (sql) => {
      await sql.unsafe(`lock table ${table} in ${mode} mode`);
      held.resolve();
      await released.promise;
    });
    await held.promise;
    return async () => {
      released.resolve();
      await transaction;
    };
  }

  // relay-31
  it('keeps a plain answer back: 503, and nothing is billed', async () => {
    const key = await world.account('plain');
    const release = await hold('request_logs');
    const { status, json: said } = await ask(world.port, '/chat/x', { key });
    await release();
    expect(status).toBe(503);
    expect(said).toEqual({
      error: 'This answer could not be metered, so it was not served. Nothing was billed for it either.',
    });
    expect((await ask(world.port, '/chat/x', { key })).status).toBe(200);
    expect(await world.usage('plain')).toHaveLength(1);
  });

  it('lets a stream end, and is written when the table is free again', async () => {
    const key = await world.account('streaming');
    world.engine.on('/late', stream(event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })));
    const release = await hold('request_logs');
    expect((await ask(world.port, '/chat/late', { key, body: { ...HELLO, stream: true } })).status).toBe(200);
    await release();
    await eventually(async () => expect(await world.usage('streaming')).toHaveLength(1));
  });

  // refusals-17
  it('is foreseen: where the tables of the consumption cannot be read, nothing leaves', async () => {
    const key = await world.account('foreseen');
    const before = world.engine.received.length;
    const release = await hold('usage_totals', 'access exclusive');
    const { status, json: said } = await ask(world.port, '/chat/x', { key });
    await release();
    expect(status).toBe(503);
    expect(said).toEqual({
      error:
        'Usage cannot be metered right now, so the request was refused rather than served unbilled. Nothing was sent upstream.',
    });
    expect(world.engine.received).toHaveLength(before);
  });

  it('is logged for the operator, with its cause, and so is its end', async () => {
    const key = await world.account('unmetered');
    const { address } = await world.another(); // which has logged nothing yet
    const port = Number(new URL(address).port);
    const begun = world.reports.length;
    const release = await hold('usage_totals', 'access exclusive');
    expect((await ask(port, '/chat/x', { key })).status).toBe(503);
    await release();
    expect((await ask(port, '/chat/x', { key })).status).toBe(200);
    expect(world.reports.slice(begun)).toEqual([
      'DATABASE_URL: the database fails, and calls are refused with 503 meanwhile: canceling statement due to lock timeout.',
      'DATABASE_URL: the database answers again.',
    ]);
  });

  // refusals-13
  it('where roles cannot be read, nothing is decided', async () => {
    const key = await world.account('undecided');
    const release = await hold('role_assignments', 'access exclusive');
    const { status, json: said } = await ask(world.port, '/chat/x', { key });
    await release();
    expect(status).toBe(503);
    expect(said).toEqual({ error: 'Authorization decision could not be made, so the request was refused.' });
  });

  it('where the approval cannot be recorded, nothing leaves, then or later', async () => {
    const key = await world.account('unrecorded');
    const before = world.engine.received.length;
    const release = await hold('authorization_decisions');
    const { status, json: said } = await ask(world.port, '/chat/x', { key });
    await release();
    expect(status).toBe(503);
    expect(said).toEqual({ error: 'Authorization decision could not be recorded, so the request was refused.' });
    await eventually(async () =>
      expect(await world.database.sql`select from authorization_decisions where reason = 'unrecorded'`).toHaveLength(1),
    );
    expect((await ask(world.port, '/chat/x', { key })).status).toBe(200);
    expect(world.engine.received).toHaveLength(before + 1);
  });
});
