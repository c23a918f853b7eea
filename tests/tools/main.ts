import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { resultOf, sectionOf, withoutSection } from './results.ts';
import { TOOLS } from './tools.ts';

const HELP = `Usage: npm run tools -- [options] [page…]

Runs developers' tools in their npm releases through a gateway, with the configuration of their pages in the manual, and prints a
table: whether each turn was recorded exactly, and in how many of eight refusals the tool shows the gateway's sentence.

Options:
  --newest   the newest release of each, not the one of tests/tools/versions.ts
  --write    writes versions and refusals to the pages
  --help     prints this text

Example: npm run tools -- --newest pi codex`;

const PAGES = fileURLToPath(new URL('../../site/pages/tools/', import.meta.url));

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { newest: { type: 'boolean' }, write: { type: 'boolean' }, help: { type: 'boolean' } },
    });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nRun npm run tools -- --help.\n`);
    return process.exit(2);
  }
}

const {
  values: { newest, write, help },
  positionals,
} = readArguments();
if (help === true) {
  process.stdout.write(`${HELP}\n`);
  process.exit(0);
}
const unknown = positionals.filter((name) => !TOOLS.some(({ page }) => page === name));
if (unknown.length > 0) {
  process.stderr.write(`No such tool: ${unknown.join(', ')}. There are ${TOOLS.map(({ page }) => page).join(', ')}.\n`);
  process.exit(2);
}
const pages = positionals.length > 0 ? positionals : TOOLS.map(({ page }) => page);
for (const page of pages) rmSync(path.resolve('.cache', 'tool-results', `${page}.json`), { force: true });

spawnSync('vitest', ['run', '--project', 'long', 'tests/tools/tools.long.test.ts'], {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, TOOLS_ONLY: pages.join(' '), ...(newest === true ? { TOOLS_NEWEST: '1' } : {}) },
});

const rows = pages.map((page) => {
  const { version = 'not installed', turn = false, shown = [] } = resultOf(page);
  const sentences = shown.filter(({ shows }) => shows === 'the sentence').length;
  return {
    tool: page,
    version,
    'turn recorded exactly': turn ? 'yes' : 'no',
    'shows the sentence': `${sentences} of ${shown.length}`,
  };
});
console.table(rows);
for (const page of write === true ? pages : []) {
  const result = resultOf(page);
  if (result.version === undefined || result.shown === undefined) continue;
  const file = path.join(PAGES, `${page}.md`);
  writeFileSync(file, `${withoutSection(readFileSync(file, 'utf8'))}\n\n${sectionOf(result)}`);
}
process.exitCode = rows.every((row) => row['turn recorded exactly'] === 'yes') ? 0 : 1;
