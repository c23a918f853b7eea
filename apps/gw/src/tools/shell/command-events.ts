import type { CommandEvent } from '@gateway/contract';

export type { CommandEvent };

/** Characters of one event, at most: the gateway sends output in pieces of far less. */
const LONGEST_LINE = 16 * 2 ** 20;

/** The events of a command as its answer brings them, one JSON object a line. Events of another kind are left out. */
export async function* commandEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<CommandEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new Error('it sent a line that is too long');
    for (const line of lines) {
      const event = eventIn(line);
      if (event !== null) yield event;
    }
  }
}

function eventIn(line: string): CommandEvent | null {
  if (line.trim() === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Error('it sent a line that is not JSON');
  }
  const event = (value ?? {}) as Readonly<Record<string, unknown>>;
  switch (event['evenement']) {
    case 'demarre':
      return typeof event['identifiant'] === 'string' ? (value as CommandEvent) : null;
    case 'sortie':
      return typeof event['donnees'] === 'string' && (event['flux'] === 'stdout' || event['flux'] === 'stderr')
        ? (value as CommandEvent)
        : null;
    case 'erreur':
      return typeof event['message'] === 'string' ? (value as CommandEvent) : null;
    case 'fin':
      return {
        evenement: 'fin',
        code: typeof event['code'] === 'number' ? event['code'] : null,
        signal: typeof event['signal'] === 'string' ? event['signal'] : null,
        interrompu: event['interrompu'] === true,
        dureeMs: Number(event['dureeMs'] ?? 0),
      };
    default:
      return null;
  }
}
