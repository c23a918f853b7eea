import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { readCodeMap } from '../apps/gw/src/map/code-map.ts';
import { LEVELS, type Level, limit, mermaidOf } from '../apps/gw/src/map/graph.ts';
import { openBrowser } from './browser/browser.ts';

const WHERE = /^(packages|apps)\//;
/** The dependency check leaves out the pages of the console, and knows one build condition. */
const LEFT_OUT =
  /^apps\/console\/src\/web\/|\/profile\/|\/(?:hosted|on-premise|no)-refusals\.ts$|\/(?:hosted|no)-billing\.ts$|\/no-plans\.ts$/;
const environment = {
  variables: new Map([['PATH', process.env.PATH ?? '']]),
  homeDirectory: null,
  workingDirectory: '.',
  userName: null,
  userId: null,
};
const map = () =>
  readCodeMap({ directory: process.cwd(), repository: true, foreign: false }, environment, new Date(), true);

it('finds the imports that the dependency check finds', async () => {
  const words = ['--config', '.dependency-cruiser.json', '--output-type', 'json', 'packages', 'apps'];
  const { stdout } = await promisify(execFile)('node_modules/.bin/depcruise', words, { maxBuffer: 2 ** 28 });
  const { modules } = JSON.parse(stdout) as { modules: { source: string; dependencies: { resolved: string }[] }[] };
  const compared = (from: string, to: string) =>
    from !== to && [from, to].every((path) => WHERE.test(path) && !LEFT_OUT.test(path) && /\.(tsx?|mjs)$/.test(path));
  const expected = modules.flatMap(({ source, dependencies }) =>
    dependencies.filter(({ resolved }) => compared(source, resolved)).map(({ resolved }) => `${source} -> ${resolved}`),
  );
  const found = [...(await map()).imports].flatMap(([from, targets]) =>
    [...targets].filter((to) => compared(from, to)).map((to) => `${from} -> ${to}`),
  );
  expect(expected.length).toBeGreaterThan(1000);
  expect([...new Set(found)].toSorted()).toEqual([...new Set(expected)].toSorted());
});

it('draws maps that Mermaid reads', async () => {
  const read = await map();
  const awkward = {
    nodes: [{ id: 'end', label: 'end "[x]" |y| <b> ;#`\n' }],
    edges: [{ from: 'end', to: 'end', count: 2 }],
  };
  const part = (level: Level) => limit(read.graph(level), 40, new Set()).graph;
  const graphs = [awkward, ...LEVELS.map(part)];
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ path: createRequire(import.meta.url).resolve('mermaid/dist/mermaid.min.js') });
    for (const graph of graphs) {
      const parsed = await page.evaluate(`mermaid.parse(${JSON.stringify(mermaidOf(graph, new Set(['end'])))})`);
      expect(parsed).toMatchObject({ diagramType: expect.stringMatching(/^flowchart/) });
    }
  } finally {
    await browser.close();
  }
});
