import { request } from 'node:http';
import readline from 'node:readline';

export interface MeasuredCommand {
  /** Milliseconds from the request to the first output event. */
  readonly firstByteMs: number;
  /** Bytes of output, decoded. */
  readonly bytes: number;
  readonly code: number | null;
}

interface Event {
  readonly evenement: string;
  readonly donnees?: string;
  readonly code?: number | null;
}

/**
 * Runs one command through the gateway. Each has its own session, as many agents would.
 * @param held settles when the caller begins to read
 */
export function runCommand(
  port: number,
  key: string,
  script: string,
  held: Promise<unknown> = Promise.resolve(),
): Promise<MeasuredCommand> {
  const body = JSON.stringify({
    session: `bench-${Math.random()}`,
    interpreteur: 'sh',
    arguments: ['-c', script],
    variablesSupplementaires: {},
  });
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-length': Buffer.byteLength(body) };
    const outgoing = request({ port, method: 'POST', path: '/_agent-execution/commands', headers, agent: false });
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => {
      if (incoming.statusCode !== 200) reject(new Error(`a command was answered ${incoming.statusCode}`));
      let [firstByteMs, bytes]: [number, number] = [Number.NaN, 0];
      let code: number | null = null;
      const begin = async () => {
        await held;
        readline.createInterface({ input: incoming }).on('line', (line) => {
          const event = JSON.parse(line) as Event;
          if (event.evenement === 'sortie') {
            if (bytes === 0) firstByteMs = performance.now() - begun;
            bytes += Buffer.byteLength(event.donnees ?? '', 'base64');
          }
          if (event.evenement === 'fin') code = event.code ?? null;
        });
      };
      begin().catch(reject);
      incoming.once('close', () => resolve({ firstByteMs, bytes, code }));
    });
    outgoing.end(body);
  });
}
