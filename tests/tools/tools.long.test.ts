import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { eventually } from '../../apps/gateway/src/testing/eventually.ts';
import { startWorld, type World } from '../../apps/gateway/src/testing/world.ts';
import { installCached, PackagesAbsent } from '../../toolchain/cached-packages.ts';
import { type Answered, startToolEngine, type ToolEngine } from './engine/engine.ts';
import { shownBy } from './manual.ts';
import { MET, shownOf, startRefusing } from './refusing.ts';
import { addResult } from './results.ts';
import { setUp } from './run.ts';
import { TOOLS, type Tool } from './tools.ts';
import { VERSIONS } from './versions.ts';

// Each tool in its npm release, configured by its page of the manual, with an engine that speaks its API: one turn that calls a
// tool and uses its result. The usage records must match the engine's report exactly. Then everything is refused.
const WORD = 'plover';
const ANSWER = 'The note says: plover, and nothing else.';

/** For a tool that repeats a refused call until somebody ends it. */
const PATIENCE_WITH_REFUSALS = 120_000;

let engine: ToolEngine;
let world: World;
let refusing: Awaited<ReturnType<typeof startRefusing>>;

beforeAll(async () => {
  [engine, world, refusing] = await Promise.all([startToolEngine(), startWorld(), startRefusing()]);
  await world.serve('demo', { baseUrl: engine.url });
});
afterAll(async () => {
  await world?.stop();
  await engine?.stop();
  await refusing?.stop();
});

/** `npm run tools -- --newest` tries the newest release of each. */
const versionOf = (name: string): string =>
  process.env['TOOLS_NEWEST'] === undefined ? (VERSIONS[name] ?? 'none') : 'latest';

/**
 * A registry that cannot be reached, or has no build for this platform, is no fault of the gateway: the test is skipped with
 * that reason.
 */
async function folderOf(tool: Tool, context: TestContext): Promise<string> {
  const packages = Object.fromEntries(tool.packages.map((name) => [name, versionOf(name)]));
  const isNewest = process.env['TOOLS_NEWEST'] !== undefined;
  try {
    const folder = await installCached(`tool-${tool.page}${isNewest ? '-newest' : ''}`, packages);
    const manifest = path.join(folder, 'node_modules', tool.packages[0] ?? '', 'package.json');
    addResult(tool.page, { version: (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version });
    return folder;
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

const isSentence = (shows: string | undefined): boolean => shows === 'the sentence';

const sorted = (rows: readonly unknown[]): readonly string[] => rows.map((row) => JSON.stringify(row)).sort();

/** `npm run tools -- pi codex` tries these alone. */
const CHOSEN = process.env['TOOLS_ONLY']?.split(' ');

describe.each(TOOLS.filter(({ page }) => CHOSEN?.includes(page) ?? true))('$page', (tool) => {
  it('calls a tool, answers, and is recorded with exact tokens under the name of its session', async (context) => {
    const folder = await folderOf(tool, context);
    const key = await world.account(tool.page);
    const desk = setUp(tool, folder, world.gateway.address, key, WORD);
    context.onTestFinished(() => desk.close());
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
    addResult(tool.page, { turn: true });
  });

  it('shows refusals as its page says', async (context) => {
    const folder = await folderOf(tool, context);
    const shown = [];
    const upgrades = refusing.upgrades();
    for (const { title, refused } of MET) {
      refusing.refuse(refused);
      const desk = setUp(tool, folder, refusing.url, `gwk_${'0'.repeat(48)}`, WORD);
      const { out, errors } = await desk.run(PATIENCE_WITH_REFUSALS);
      desk.close();
      expect(out).not.toContain(ANSWER);
      shown.push({
        title,
        shows: shownOf(`${out}\n${errors}`, refused),
        calls: refusing.calls(),
      });
    }
    addResult(tool.page, { shown });
    expect(refusing.upgrades()).toBe(upgrades);
    const written = new Map(shownBy(tool.page).refusals);
    const seen = shown.filter(({ title }) => written.has(title)).map(({ title, shows }) => [title, isSentence(shows)]);
    expect(seen).toEqual(Array.from(written, ([title, shows]) => [title, isSentence(shows)]));
  });

  it('names the tested version on its page', () => {
    expect(VERSIONS[tool.packages[0] ?? '']).toBe(shownBy(tool.page).tested);
  });
});
