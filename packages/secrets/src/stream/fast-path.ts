import type { Channels, OpenChannel } from './channels.ts';
import { LONGEST_EVENT, literalOf } from './event.ts';
import { stringEnd, stringOf, viewOf } from './event-template.ts';
import type { Exit } from './exit.ts';
import type { Framer } from './framing.ts';

/** Reads the events that match the template of a channel's last one. Unchanged ones stay at their position in memory. */
export function takeFastPath(channel: OpenChannel, framer: Framer, channels: Channels, exit: Exit): void {
  const { scanner } = channel;
  const template = channel.template.value;
  const { bytes } = framer;
  const view = viewOf(bytes);
  let at = framer.at;
  while (!exit.blocked) {
    const from = at + template.before.length;
    const to = stringEnd(bytes, view, at, template);
    const end = to + template.after.length;
    if (to < 0 || end - at > LONGEST_EVENT) break;
    if (!scanner.passes(bytes, from, to)) {
      const text = stringOf(bytes, from, to);
      if (text === null) break;
      const before = exit.clear ? null : framer.take(at - framer.at);
      if (before !== null && before.length > 0) exit.letGo(before);
      const left = channels.feed(channel, text);
      if (left !== text || exit.blocked || !exit.clear) {
        if (before === null) exit.pass(framer.take(at - framer.at));
        const event = framer.take(end - at);
        exit.letGo(event, left === text ? [] : [{ from: from - at, to: to - at, text: literalOf(left) }]);
        if (!exit.clear) exit.settle(channels.held);
      }
    }
    at = end;
  }
  const run = framer.take(at - framer.at);
  if (run.length > 0) exit.letGo(run);
}
