import type { ChannelStep } from '../channel/channel.ts';
import { TokenLists } from '../json/token-lists.ts';
import { type Responses, respond } from '../scan/response.ts';
import type { Scanner } from '../scanner/scanner.ts';
import type { EventStream } from './events.ts';
import type { EventStep } from './exit.ts';

/**
 * Scans a streamed answer without events: the whole of it is one channel. Bytes are read as one character each, so that
 * everything except secrets leaves unchanged, text or not. After a masked secret, lists of tokens are emptied.
 */
export function createTextStream(scanner: Scanner, responses: Responses): EventStream {
  const channel = scanner.channel(responses, null, 'latin1');
  let lists: TokenLists | null = null;
  const step = ({ text, findings, blocked }: ChannelStep, isLast = false): EventStep => {
    if (respond(responses, findings) === 'mask') lists ??= new TokenLists();
    const left = lists === null ? text : lists.push(text) + (isLast ? lists.end() : '');
    return { bytes: Buffer.from(left, 'latin1'), findings, blocked, paused: false };
  };
  const nothing: EventStep = { bytes: new Uint8Array(0), findings: [], blocked: false, paused: false };
  return {
    goOn: () => nothing,
    push: (chunk) => step(channel.push(Buffer.from(chunk).toString('latin1'))),
    end: () => step(channel.end(), true),
  };
}
