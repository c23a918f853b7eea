/** A way to the engine that is measured: where it listens, and what a call to it looks like. */
export interface Target {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A job for the load program. Times in milliseconds, `rate` in calls a second. */
export type Job = {
  readonly target: Target;
  readonly answer: 'plain' | 'burst' | 'paced';
  readonly milliseconds: number;
} & ({ readonly arrival: 'closed'; readonly callers: number } | { readonly arrival: 'open'; readonly rate: number });

/** Its result. Latencies and event delays in milliseconds. */
export interface Outcome {
  readonly callsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
  /** Every call that ended, also outside the window of the figures. */
  readonly calls: number;
  /** Delay of each event of a paced answer, from the engine's write to the caller's read. */
  readonly eventDelay: { readonly p50: number; readonly p99: number } | null;
}

const TEXT = 'The quick brown fox jumps over the lazy dog while the gateway keeps its record. '.repeat(11);

/** The bytes of one call: a chat completion with a body of about 1 kB. */
export function requestBytes({ port, path, headers }: Target, answer: Job['answer']): Buffer {
  const body = JSON.stringify({
    model: 'whatever',
    max_tokens: 128,
    ...(answer === 'plain' ? {} : { stream: true }),
    ...(answer === 'paced' ? { paced: true } : {}),
    messages: [{ role: 'user', content: TEXT }],
  });
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'bench/1',
    accept: '*/*',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}
