import { spawn } from 'node:child_process';

/** The quick check: format, types, lint with promise checks, words, dead code, dependency rules, and that the course agrees with the code. */
const STEPS: readonly (readonly [string, ...string[]])[] = [
  ['biome', 'check', '--error-on-warnings', '.'],
  ['tsc', '--project', '.'],
  ['tsc', '--project', 'apps/console/src/web'],
  ['tsc', '--project', 'site/.vitepress/theme'],
  ['oxlint', '--type-aware', '--deny-warnings'],
  ['node', 'toolchain/words/main.ts'],
  ['knip', '--no-progress', '--no-config-hints'],
  ['gw', 'course', 'check'],
  ['depcruise', '--config', '.dependency-cruiser.json', '--output-type', 'err', 'packages', 'apps'],
  ['node', 'toolchain/folder-cycles.ts'],
  ['node', 'toolchain/measures.ts'],
];

function run([program, ...args]: readonly [string, ...string[]]): Promise<{
  title: string;
  code: number;
  output: string;
}> {
  return new Promise((resolve) => {
    const child = spawn('npm', ['exec', '--no', '--', program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.once('error', (error) => resolve({ title: program, code: 1, output: error.message }));
    child.once('close', (code) => resolve({ title: [program, ...args].join(' '), code: code ?? 1, output }));
  });
}

const results = await Promise.all(STEPS.map(run));
for (const { title, code, output } of results) {
  process.stdout.write(code === 0 ? `ok      ${title}\n` : `FAILED  ${title}\n${output}\n`);
}
process.exitCode = results.some(({ code }) => code !== 0) ? 1 : 0;
