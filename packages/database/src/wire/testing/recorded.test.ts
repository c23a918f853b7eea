import type * as NodeCrypto from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import type { Reply } from '../connection.ts';
import { type Outcome, type Part, play, type Recording, SCENARIOS, type Scenario, SIGNED_IN } from './record.ts';

/** The client proves its password with the random number of the recording. */
const random = vi.hoisted(() => ({ bytes: null as Buffer | null }));
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof NodeCrypto>();
  return { ...crypto, randomBytes: (length: number) => random.bytes ?? crypto.randomBytes(length) };
});

const RECORDINGS = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as Recording);

interface Replay {
  /** Bytes of the server per write to the client. */
  readonly piece?: number;
  /** The server closes the connection after this number of bytes. */
  readonly until?: number;
}

/** A server that repeats its recorded replies, once it receives the recorded requests. */
class Recorded extends Duplex {
  readonly #parts: { readonly side: Part[0]; readonly bytes: Buffer }[];
  readonly #piece: number;
  #left: number;

  constructor(parts: readonly Part[], { piece = Number.MAX_SAFE_INTEGER, until = Number.MAX_SAFE_INTEGER }: Replay) {
    super({ allowHalfOpen: false });
    this.#parts = parts.map(([side, bytes]) => ({ side, bytes: Buffer.from(bytes, 'base64') }));
    this.#piece = piece;
    this.#left = until;
  }

  override _read(): void {}

  override _write(bytes: Buffer, _: string, done: (error?: Error) => void): void {
    const [next] = this.#parts;
    if (next?.side !== 'client' || !next.bytes.subarray(0, bytes.length).equals(bytes)) {
      done(new Error('the client sent something else than was recorded'));
      return;
    }
    this.#parts.shift();
    if (bytes.length < next.bytes.length)
      this.#parts.unshift({ side: 'client', bytes: next.bytes.subarray(bytes.length) });
    done();
    if (this.#parts[0]?.side === 'server') this.#say(this.#parts.shift()?.bytes ?? Buffer.alloc(0));
  }

  #say(bytes: Buffer): void {
    const said = bytes.subarray(0, this.#left);
    this.#left -= said.length;
    for (let at = 0; at < said.length; at += this.#piece) this.push(said.subarray(at, at + this.#piece));
    if (this.#left === 0 || this.#parts.length === 0) this.push(null);
  }
}

const length = (parts: readonly Part[], side: Part[0]): number =>
  parts.reduce((sum, [from, bytes]) => sum + (from === side ? Buffer.from(bytes, 'base64').length : 0), 0);

function replayed(scenario: Scenario, parts: readonly Part[], how: Replay = {}): Promise<readonly Outcome[]> {
  const said = parts.map(([, bytes]) => Buffer.from(bytes, 'base64').toString('latin1')).join('');
  const nonce = /n,,n=,r=([\w+/=]+)/.exec(said)?.[1];
  random.bytes = nonce === undefined ? null : Buffer.from(nonce, 'base64');
  return play(scenario, new Recorded(parts, how));
}

const rows = (...values: Reply['rows']): readonly Reply[] => [{ rows: values, command: `SELECT ${values.length}` }];
const failed = (how: string): Outcome => ({ failed: how });
const LOST = failed('DatabaseUnavailable');
const done = (...commands: string[]): readonly Reply[] => commands.map((command) => ({ rows: [], command }));

/** The result of each scenario, for every version of the server. */
const EXPECTED: Readonly<Record<string, readonly Outcome[]>> = {
  SCRAM: [SIGNED_IN],
  'SCRAM with a wrong password': [failed('FATAL 28P01')],
  'a password in clear': [SIGNED_IN],
  'an MD5 password': [SIGNED_IN],
  'a database that is not there': [failed('FATAL 3D000')],
  values: [
    SIGNED_IN,
    rows(['ü\u{1F600}', null, '42', '', '\\x00ff', String(2n ** 60n), 't', '1.5', '{a,NULL,"b c"}', '{"a": 1}']),
    rows(...Array.from({ length: 30 }, (_, index) => [String(index + 1), 'x'.repeat(index + 1)])),
    rows(),
  ],
  'requests one behind the other': [SIGNED_IN, rows(['1']), rows(['2']), rows(['3'])],
  refusals: [SIGNED_IN, failed('ERROR 42703'), failed('ERROR 22P02'), rows(['7']), failed('ERROR 23505 taken_pkey')],
  'several statements': [
    SIGNED_IN,
    [...done('BEGIN'), ...rows(['1']), ...rows(['2', null]), ...done('COMMIT')],
    done(),
    failed('ERROR 22012'),
    failed('ERROR 22012'),
    done('ROLLBACK'),
  ],
  'what was not asked for': [SIGNED_IN, done('DO'), done('SET'), done('LISTEN', 'NOTIFY'), rows(['1'])],
  'a forgotten statement': [SIGNED_IN, rows(['1']), done('DEALLOCATE ALL'), failed('ERROR 26000'), rows(['1'])],
  'a session that is ended': [SIGNED_IN, failed('FATAL 57P01'), failed('FATAL 57P01')],
};

it('has recordings of every version of PostgreSQL that is supported', () => {
  expect(RECORDINGS.map(({ version }) => Number.parseInt(version, 10))).toEqual([15, 16, 17, 18]);
});

describe.each(RECORDINGS)('PostgreSQL $version', ({ conversations }) => {
  it.each(Object.entries(SCENARIOS))('is understood: %s', async (name, scenario) => {
    const parts = conversations[name] ?? [];
    expect(await replayed(scenario, parts)).toEqual(EXPECTED[name]);
    expect(await replayed(scenario, parts, { piece: 1 })).toEqual(EXPECTED[name]);
  });

  it.each(Object.entries(SCENARIOS))(
    'loses incomplete answers, for a reply cut anywhere: %s',
    async (name, scenario) => {
      const parts = conversations[name] ?? [];
      const whole = EXPECTED[name] ?? [];
      const seen = new Set<number>();
      for (let until = 1; until < length(parts, 'server'); until += 1) {
        const outcomes = await replayed(scenario, parts, { until });
        const answered = outcomes.filter((outcome) => !isLost(outcome)).length;
        seen.add(answered);
        // Answers before the cut are unchanged; everything after it is lost.
        expect({ until, outcomes }).toEqual({
          until,
          outcomes: [...whole.slice(0, answered), ...outcomes.slice(answered).map(() => LOST)],
        });
      }
      expect(seen).toContain(0);
    },
  );
});

const isLost = (outcome: Outcome): boolean => 'failed' in outcome && outcome.failed === 'DatabaseUnavailable';
