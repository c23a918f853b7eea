import { expect, it } from 'vitest';
import type { Tool } from '../agent/types/index.ts';
import { processServer } from './testing/process-server.ts';
import { createToolSearch } from './tool-search.ts';

const CHANGES = `
let more = [];
on.initialize = ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: 's', version: '1' } });
on['tools/list'] = () => ({ tools: [tool('act'), ...more] });
on['tools/call'] = () => { more = [tool('later')]; say({ method: 'notifications/tools/list_changed' }); return text('done'); };
`;

it('tools that a server adds during a call are there after it', async () => {
  const started = await processServer(CHANGES);
  const { managed: server } = started;
  await started.call();
  await expect
    .poll(async () => {
      await server.settled();
      return server.tools.map(({ name }) => name);
    })
    .toEqual(['mcp__s__act', 'mcp__s__later']);
});

it('a tool with a schema that is none costs that tool alone', async () => {
  const { managed: server } = await processServer(
    `on['tools/list'] = () => ({ tools: [tool('act'), { name: 'bad', inputSchema: { type: 'string' } }, { name: 7 }] });`,
  );
  await server.open();
  expect([server.tools.map(({ name }) => name), server.takeFaulty()]).toEqual([['mcp__s__act'], ['"bad"', '7']]);
});

it('many tools are hidden until the model finds them', async () => {
  const toolOf = (at: number): Tool =>
    ({
      name: `mcp__s__tool_${at}`,
      description: at === 7 ? 'Creates an issue.' : 'Something else.',
      parameters: { type: 'object', properties: {} },
    }) as unknown as Tool;
  const search = createToolSearch();
  const few = Array.from({ length: 40 }, (_, at) => toolOf(at));
  expect(search.offer(few)).toBe(few);
  const many = [...few, toolOf(40)];
  const [finder] = search.offer(many);
  const shown = () =>
    search
      .offer(many)
      .filter((one) => one.isHidden?.() !== true)
      .map(({ name }) => name);
  expect([finder?.name, shown()]).toEqual(['ToolSearch', ['ToolSearch']]);
  const found = await finder?.run({ query: 'create issue' }, {} as never);
  expect(found?.content).toContain('"mcp__s__tool_7"');
  expect(shown()).toEqual(['ToolSearch', 'mcp__s__tool_7']);
});
