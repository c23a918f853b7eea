import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createSigner, generateSigningKey } from '@gateway/ledger';
import { runCommand } from '../../bench/src/commands/command.ts';
import { operate } from '../../packages/database/src/audit-log/act.ts';
import { lockSubjectRevocation } from '../../packages/domain/src/account/console-subjects.ts';
import { liftSubject, revokeSubject } from '../../packages/domain/src/account/subject-acts.ts';
import type { Database } from '../faults/database.ts';
import { keyOf } from '../faults/database.ts';

/** Something that is done again and again beside the calls. */
export interface Activity {
  readonly name: string;
  runs: number;
  failures: number;
  /** The first failure, in words. */
  example: string | null;
  readonly run: () => Promise<void>;
}

function activity(name: string, run: () => Promise<void>): Activity {
  return { name, runs: 0, failures: 0, example: null, run };
}

/** The account that is revoked and restored all day, and the one that runs commands. */
export const LEAVER = 'leaver';
export const AGENT = 'agent';

const PAGES = [
  'overview',
  'audit/decisions?limit=50',
  'administration-actions',
  'engine-results',
  'endpoints',
  'spending-caps',
];

function reading(base: string, credentials: string): Activity {
  let turn = 0;
  const headers = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  return activity('pages of the console', async () => {
    const page = PAGES[turn % PAGES.length] ?? '';
    turn += 1;
    const answer = await fetch(`${base}/api/${page}`, { headers });
    await answer.arrayBuffer();
    if (answer.status >= 300) throw new Error(`${page} was answered ${answer.status}`);
  });
}

/** A stream that has begun; `ended` resolves with the moment of its end. */
interface OpenStream {
  readonly ended: Promise<number>;
}

/** Opens a stream that the engine never ends. Resolves at its first bytes. */
function openStream(port: number, order: { readonly id: string }): Promise<OpenStream> {
  const content = JSON.stringify({ ...order, nonce: `nonce-0-${order.id.replaceAll('-', '')}`, way: 'silent' });
  const body = JSON.stringify({ model: 'any', stream: true, messages: [{ role: 'user', content }] });
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path: '/chat/v1/chat/completions',
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${keyOf(LEAVER)}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-request-id': order.id,
      },
    });
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => {
      if (incoming.statusCode !== 200) reject(new Error(`a stream was answered ${incoming.statusCode}`));
      const ended = new Promise<number>((end) => incoming.once('close', () => end(performance.now())));
      incoming.on('error', () => {}).once('data', () => resolve({ ended }));
    });
    outgoing.end(body);
  });
}

/** Revokes a subject in the middle of a stream: the gateway looks for this by a timer. */
function revoking(database: Pick<Database, 'asOwner'>, port: number, tookMs: (milliseconds: number) => void): Activity {
  const operator = { author: 'long run', signer: createSigner(generateSigningKey()) };
  let turn = 0;
  return activity('revocations', async () => {
    turn += 1;
    const { ended } = await openStream(port, { id: `revoked-${turn}` });
    await database.asOwner((sql) => operate(sql, operator, (act) => revokeSubject(act, LEAVER, 'long run')));
    const revokedAt = performance.now();
    tookMs((await ended) - revokedAt);
    await database.asOwner((sql) =>
      operate(sql, operator, async (act) => {
        const revocation = await lockSubjectRevocation(act.sql, { inForceOf: LEAVER });
        if (revocation !== undefined) await liftSubject(act, revocation, 'long run');
      }),
    );
  });
}

function commanding(port: number): Activity {
  return activity('commands', async () => {
    const { code, bytes } = await runCommand(port, keyOf(AGENT), 'echo x');
    if (code !== 0 || bytes !== 2) throw new Error(`a command ended with ${code} and ${bytes} bytes`);
  });
}

export interface Dependencies {
  readonly gatewayPort: number;
  readonly console: string;
  /** `user:password` of the console. */
  readonly credentials: string;
  readonly database: Pick<Database, 'asOwner'>;
  readonly revocationTook: (milliseconds: number) => void;
  /** Whether commands can run here. */
  readonly commands: boolean;
}

export function activitiesOf(at: Dependencies): readonly Activity[] {
  return [
    reading(at.console, at.credentials),
    revoking(at.database, at.gatewayPort, at.revocationTook),
    ...(at.commands ? [commanding(at.gatewayPort)] : []),
  ];
}

/** Runs an activity again and again, with a pause after each, until it is stopped. */
export async function repeat(one: Activity, pauseMs: number, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    one.runs += 1;
    await one.run().catch((error: unknown) => {
      one.failures += 1;
      one.example ??= String(error);
    });
    await pause(pauseMs, undefined, { signal: stopped }).catch(() => {});
  }
}
