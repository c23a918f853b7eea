import type { Responses } from '../response.ts';
import type { Scanner } from '../scanner.ts';
import type { ChannelStep } from './channel.ts';
import type { EventStep, EventStream } from './events.ts';

/** Scans a streamed answer that is plain text: the whole of it is one channel. Bytes that are not UTF-8 become U+FFFD. */
export function createTextStream(scanner: Scanner, responses: Responses): EventStream {
  const channel = scanner.channel(responses, null);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const step = ({ text, findings, blocked }: ChannelStep): EventStep => ({
    bytes: Buffer.from(text),
    findings,
    blocked,
  });
  return {
    push: (chunk) => step(channel.push(decoder.decode(chunk, { stream: true }))),
    end() {
      const last = channel.push(decoder.decode());
      const rest = channel.end();
      return step({
        text: last.text + rest.text,
        findings: [...last.findings, ...rest.findings],
        blocked: last.blocked || rest.blocked,
      });
    },
  };
}
