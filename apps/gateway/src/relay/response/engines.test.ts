import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile as onPremise } from '../../profile/on-premise.ts';
import { HELLO, watch } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { type RawEngine, startRawEngine } from '../../testing/raw-engine.ts';
import { STREAMS } from '../../testing/transcripts.ts';
import { startWorld, type World } from '../../testing/world.ts';

const chunked = (part: string): string => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`;

describe.each([
  ['hosted', undefined],
  ['restricted', onPremise],
])('the stream of an engine, %s profile', (_, profile) => {
  let world: World;
  const engines: RawEngine[] = [];
  beforeAll(async () => {
    world = await startWorld(profile === undefined ? {} : { profile });
  });
  afterAll(async () => {
    await Promise.all(engines.map((engine) => engine.stop()));
    await world.stop();
  });

  it.each(STREAMS.map((transcript, at) => [transcript.name, at] as const))(
    'passes part by part as received, and its tokens count as reported: %s',
    async (_name, at) => {
      const { head, parts, path, used } = STREAMS[at]!;
      let proceed = (): void => {};
      const engine = await startRawEngine((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\n${head}Transfer-Encoding: chunked\r\n\r\n`);
        const left = [...parts];
        proceed = () => {
          const part = left.shift();
          socket.write(part === undefined ? '0\r\n\r\n' : chunked(part));
        };
        proceed();
      });
      engines.push(engine);
      const name = `engine-${at}`;
      await world.serve(name, { baseUrl: engine.url });
      const key = await world.account(name);
      const answer = watch(world.port, `/${name}${path}`, { key, body: { ...HELLO, stream: true } });
      let seen = '';
      for (const part of parts) {
        seen += part;
        await answer.shows(seen);
        proceed();
      }
      expect(await answer.done).toBe('complete');
      expect(answer.text()).toBe(seen);
      const [row] = await eventually(async () => {
        const rows = await world.usage(name);
        expect(rows).toHaveLength(1);
        return rows;
      });
      expect([row?.['input_tokens'], row?.['output_tokens'], row?.['usage_source']]).toEqual([...used!, 'reported']);
    },
  );
});
