import type { Scanner } from '@gateway/secrets';
import { quantile } from '../load/statistics.ts';

/** Milliseconds that one call takes. */
export function timed(call: () => void): number {
  const from = process.hrtime.bigint();
  call();
  return Number(process.hrtime.bigint() - from) / 1e6;
}

/** Cuts of benign text, as a chat body carries them. */
export function chatBody(text: string, from: number, length: number): Buffer {
  const content = text.slice(from, from + length);
  return Buffer.from(JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content }] }));
}

export interface Speed {
  readonly mbPerSecond: number;
  readonly added100kB: { readonly p50: number; readonly p95: number };
  readonly added1kBMicroseconds: number;
  readonly adversarial: number;
}

/** `text` is benign text of some megabytes. */
export function measureSpeed(scanner: Scanner, text: string): Speed {
  const scan = (body: Buffer): void => {
    scanner.scanBody(body, 'application/json');
  };
  const bodies = (length: number, count: number): Buffer[] =>
    Array.from({ length: count }, (_, index) =>
      chatBody(text, (index * 77_003) % Math.max(1, text.length - length), length),
    );
  const large = bodies(100_000, 200);
  for (const body of large) scan(body);
  const times = large.map((body) => timed(() => scan(body)));
  const bytes = large.reduce((sum, body) => sum + body.length, 0);
  const best = Math.min(...[1, 2, 3, 4, 5].map(() => timed(() => large.forEach(scan))));
  const small = bodies(900, 2000);
  const smallBest = Math.min(...[1, 2, 3, 4, 5].map(() => timed(() => small.forEach(scan))));
  return {
    mbPerSecond: bytes / best / 1e3,
    added100kB: { p50: quantile(times, 0.5), p95: quantile(times, 0.95) },
    added1kBMicroseconds: (smallBest / small.length) * 1000,
    adversarial: measureAdversarial(scan, text),
  };
}

/**
 * The longest time, in milliseconds, that a body of 8 MB blocks the thread: another call waits that long. The 90th percentile,
 * so that one pause of the garbage collector does not count.
 */
export async function measureSlices(scanner: Scanner, text: string): Promise<number> {
  const size = 8_000_000;
  const body = chatBody(text.repeat(Math.ceil(size / text.length)), 0, size);
  const longest: number[] = [];
  for (let round = 0; round < 10; round++) {
    let [from, most] = [performance.now(), 0];
    await scanner.scanBodyInSlices(body, 'application/json', async () => {
      most = Math.max(most, performance.now() - from);
      await Promise.resolve();
      from = performance.now();
    });
    longest.push(most);
  }
  return quantile(longest, 0.8);
}

const TRIGGERS = [
  'sk-proj-',
  'password=',
  'token',
  '://a:b',
  '"key": "',
  '-----BEGIN PRIVATE KEY-----',
  'eyJhbGciOi.',
  'bearer bearer ',
  'AKIA',
  'secret="a',
  'LS0tLS1CRUdJTi',
  '\\\\\\\\u0073k-',
  'key key key = ',
  'curl -u a:b ',
];

/** How many times longer 2 MB of one trigger take than 2 MB of benign text, for the worst trigger. */
function measureAdversarial(scan: (body: Buffer) => void, text: string): number {
  const size = 2_000_000;
  const best = (body: Buffer): number => Math.min(...[1, 2, 3].map(() => timed(() => scan(body))));
  const benign = best(chatBody(text.repeat(Math.ceil(size / text.length)), 0, size));
  return Math.max(
    ...TRIGGERS.map(
      (trigger) => best(Buffer.from(`["${trigger.replaceAll('"', '\\"').repeat(size / trigger.length)}"]`)) / benign,
    ),
  );
}
