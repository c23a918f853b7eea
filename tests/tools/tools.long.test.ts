import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { eventually } from '../../apps/gateway/src/testing/eventually.ts';
import { startWorld, type World } from '../../apps/gateway/src/testing/world.ts';
import { installCached, PackagesAbsent } from '../../toolchain/cached-packages.ts';
import { type Answered, startToolEngine, type ToolEngine } from './engine/engine.ts';
import { shownBy } from './manual.ts';
import { setUp } from './run.ts';
import { TOOLS, type Tool } from './tools.ts';

// Each tool in its npm release, configured by its page of the manual, with an engine that speaks its API: one turn that calls a
// tool and uses its result. The usage records must match the engine's report exactly.
const WORD = 'plover';
const ANSWER = 'The note says: plover, and nothing else.';

let engine: ToolEngine;
let world: World;
/** One install after another, while the tools before are running. */
const installed = new Map<Tool, Promise<string>>();

beforeAll(async () => {
  let last: Promise<unknown> = Promise.resolve();
  for (const tool of TOOLS) {
    const install = last.then(() => installCached(`tool-${tool.page}`, tool.packages));
    install.catch(() => {}); // looked at by the tool's own test
    installed.set(tool, install);
    last = install.catch(() => {});
  }
  [engine, world] = await Promise.all([startToolEngine(), startWorld()]);
  await world.serve('demo', { baseUrl: engine.url });
});
afterAll(async () => {
  await Promise.allSettled(installed.values());
  await world?.stop();
  await engine?.stop();
});

/**
 * A registry that cannot be reached, or has no build for this platform, is no fault of the gateway: the test is skipped with
 * that reason.
 */
async function folderOf(tool: Tool, context: TestContext): Promise<string> {
  try {
    return (await installed.get(tool)) ?? '';
  } catch (error) {
    if (!(error instanceof PackagesAbsent)) throw error;
    console.warn(`${tool.page} is not tested: ${error.message}`);
    return context.skip(error.message);
  }
}

/** Input, cached part, part written to the cache, output and source of each record, in the order of the calls. */
const counted = (answered: readonly Answered[]): readonly unknown[] =>
  answered.flatMap(({ turn, counts }) =>
    turn === null || counts === null ? [] : [[counts.input, counts.cached, counts.written, counts.output, 'reported']],
  );

const sorted = (rows: readonly unknown[]): readonly string[] => rows.map((row) => JSON.stringify(row)).sort();

describe.each(TOOLS)('$page', (tool) => {
  it('calls a tool, answers, and is recorded with exact tokens under the name of its session', async (context) => {
    const folder = await folderOf(tool, context);
    const key = await world.account(tool.page);
    const desk = setUp(tool, folder, world.gateway.address, key, WORD);
    engine.answered.length = 0;
    engine.play([tool.reads(desk.note)], ANSWER);
    const { code, out, errors } = await desk.run();
    expect({ code, out, errors }).toMatchObject({ code: 0, out: expect.stringContaining(ANSWER) });

    const calls = engine.answered.filter(({ turn }) => turn !== null);
    const shown = calls.map(({ turn }) => turn);
    expect(shown).toContainEqual(tool.reads(desk.note));
    expect(JSON.stringify(calls.at(-1)?.body)).toContain(`the word is ${WORD}`);
    expect(calls.map(({ counts }) => counts)).not.toContain(null);

    expect(engine.answered.flatMap(({ keys }) => keys)).toEqual([]);
    const sessions = new Set(calls.map(({ session }) => session));
    expect([...sessions]).toEqual([expect.stringMatching(/^alice-\d{10}-\d+$|^[0-9a-f]{8}-[0-9a-f-]{27}$/)]);
    const entries = (await world.entries()).filter((entry) => entry['subject'] === tool.page);
    expect(entries.map((entry) => entry['outcome'])).not.toContain('refused');
    expect(entries.filter((entry) => sessions.has(String(entry['session'])))).toHaveLength(calls.length);

    const rows = await eventually(async () => {
      const all = (await world.usage(tool.page)).filter((row) => row['usage_source'] !== 'none');
      expect(all.length).toBeGreaterThanOrEqual(calls.length);
      return all;
    });
    expect(rows.map((row) => row['interrupted'])).not.toContain(true);
    expect(
      sorted(
        rows.map((row) => [
          Number(row['input_tokens']),
          Number(row['cached_input_tokens']),
          Number(row['cache_write_tokens']),
          Number(row['output_tokens']),
          row['usage_source'],
        ]),
      ),
    ).toEqual(sorted(counted(engine.answered)));
    desk.close();
  });

  it('names the tested version on its page', () => {
    expect(Object.values(tool.packages)).toContain(shownBy(tool.page).tested);
  });
});
