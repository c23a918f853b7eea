import type { Readable } from 'node:stream';
import type { CommandEvent } from '@gateway/contract';

/** Every event that a caller receives, once the stream has ended. */
export async function eventsOf(caller: Readable): Promise<CommandEvent[]> {
  let text = '';
  for await (const chunk of caller) text += String(chunk);
  if (!text.endsWith('\n')) throw new Error('the last event is not ended by a newline');
  return text
    .trimEnd()
    .split('\n')
    .map((line): CommandEvent => JSON.parse(line));
}

/** The text of one output, its events joined. */
export function outputOf(events: readonly CommandEvent[], flux: string): Buffer {
  const said = events.flatMap((one) => (one.evenement === 'sortie' && one.flux === flux ? [one.donnees] : []));
  return Buffer.concat(said.map((data) => Buffer.from(data, 'base64')));
}
