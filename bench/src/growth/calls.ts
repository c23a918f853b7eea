import { Agent, request } from 'node:http';

export interface CallsOptions {
  /** Of the gateway processes: calls go to each in turn. */
  readonly ports: readonly number[];
  readonly path: string;
  /** The key of a call by its number. */
  readonly keyOf: (call: number) => string;
  readonly count: number;
  readonly callers: number;
}

const BODY = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Hello' }] });

function call(agent: Agent, port: number, path: string, key: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(BODY),
    };
    const outgoing = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers });
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => {
      if (incoming.statusCode !== 200) reject(new Error(`a call was answered ${incoming.statusCode}`));
      incoming.once('error', reject).once('end', resolve).resume();
    });
    outgoing.end(BODY);
  });
}

/** Makes calls with this concurrency. Rejects if one is not answered with 200. */
export async function makeCalls({ ports, path, keyOf, count, callers }: CallsOptions): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < count) {
      const number = next;
      next += 1;
      await call(agent, ports[number % ports.length] ?? 0, path, keyOf(number));
    }
  };
  try {
    await Promise.all(Array.from({ length: callers }, caller));
  } finally {
    agent.destroy();
  }
}
