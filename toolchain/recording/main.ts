import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startEngine } from '../../apps/gw/src/testing/scripted-engine.ts';
import { createScreen } from './screen.ts';
import { type Frame, svgOf } from './svg.ts';

/**
 * `npm run recording`: runs a session of the built client in a pseudo-terminal, against a scripted engine, and writes an
 * animation of the screen. It waits for the program's text; the animation's times are set here, so that they do not depend on the
 * machine. Needs `script` of util-linux.
 */
const [COLUMNS, ROWS] = [80, 24];
const OUT = 'docs/screenshots/gw.svg';
const PROGRAM = resolve('dist/on-premise/gw.js');
const LIMIT_MS = 20_000;

const SOURCE = `export function total(prices) {
  return prices.reduce((sum, price) => sum + price);
}
`;
const TEST = `import { total } from './total.js';
for (const [prices, sum] of [[[1, 2], 3], [[], 0]]) {
  try {
    console.log(total(prices) === sum ? 'ok  ' : 'FAIL', JSON.stringify(prices));
  } catch (error) {
    console.log('FAIL', JSON.stringify(prices), error.message);
    process.exitCode = 1;
  }
}
`;

const root = mkdtempSync(join(tmpdir(), 'recording-'));
const engine = await startEngine();
engine.play([
  { text: 'I run the test first.', calls: [{ name: 'Bash', args: { command: 'node total.test.js' } }] },
  { calls: [{ name: 'Read', args: { file_path: 'total.js' } }] },
  {
    text: '`reduce` has no initial value, so an empty list throws.',
    calls: [
      { name: 'Edit', args: { file_path: 'total.js', old_string: 'sum + price)', new_string: 'sum + price, 0)' } },
    ],
  },
  { calls: [{ name: 'Bash', args: { command: 'node total.test.js' } }] },
  '**Fixed.** `total([])` is 0 now: `reduce` begins with an initial value. All tests pass.',
]);

const home = join(root, 'casey');
const project = join(home, 'shop');
mkdirSync(join(home, '.gateway'), { recursive: true });
mkdirSync(project);
writeFileSync(join(project, 'total.js'), SOURCE);
writeFileSync(join(project, 'total.test.js'), TEST);
writeFileSync(join(project, 'package.json'), '{ "type": "module" }\n');
writeFileSync(
  join(home, '.gateway/config.yaml'),
  `models:\n  - name: Coder\n    endpoint: ${engine.url}/demo/v1\n    apiKey: key\n    contextLength: 128000\n`,
);

const child = spawn(
  'script',
  ['-qefc', `stty cols ${COLUMNS} rows ${ROWS}; exec "${process.execPath}" "${PROGRAM}"`, '/dev/null'],
  {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home, TERM: 'xterm-256color', COLORTERM: 'truecolor', LANG: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'inherit'],
  },
);
const screen = createScreen(COLUMNS, ROWS);
child.stdout.setEncoding('utf8').on('data', (text: string) => screen.write(text));
const frames: Frame[] = [];

/** The line that shows how long the program works or waits changes all the time. */
const ACTIVITY = /\S (Working|Waiting for you) \d+s/;

/** Shows the current screen for the given time. The program's clock does not show the machine's speed. */
function show(milliseconds: number): void {
  const { rows, cursor } = screen.picture();
  const still = rows.map((row) => {
    const [found, activity] = ACTIVITY.exec(row.map(({ text }) => text).join('')) ?? [];
    if (found === undefined) return row;
    const clock = Array.from(`⠋ ${activity} 2s`, (text, at) => ({ text, style: row[at]?.style ?? row[0]?.style }));
    return [...clock, ...row.slice(found.length)] as typeof row;
  });
  frames.push({ rows: still, cursor, milliseconds });
}

async function until(text: RegExp): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while (!text.test(screen.text())) {
    if (performance.now() > end) throw new Error(`The screen never showed ${text}:\n${screen.text()}`);
    await pause(20);
  }
  await settle();
}

/** Resolves once the screen has stayed the same for a while. */
async function settle(): Promise<void> {
  const still = (): string => screen.text().replace(ACTIVITY, '');
  const end = performance.now() + LIMIT_MS;
  for (let before = ''; before !== still(); ) {
    if (performance.now() > end) throw new Error(`The screen keeps changing:\n${screen.text()}`);
    before = still();
    await pause(400);
  }
}

async function type(text: string): Promise<void> {
  for (const piece of text.match(/.{1,3}/g) ?? []) {
    child.stdin.write(piece);
    await pause(60);
    show(110);
  }
}

async function press(key: string, then: RegExp, milliseconds: number): Promise<void> {
  child.stdin.write(key);
  await until(then);
  show(milliseconds);
}

try {
  await until(/Coder/);
  show(1000);
  await type('total.test.js fails. Find out why and fix it.');
  show(600);
  await press('\r', /Allow Bash[\s\S]*y yes/, 2400);
  await press('y', /Allow Edit[\s\S]*y yes/, 3600);
  await press('y', /Allow Bash[\s\S]*y yes/, 1800);
  await press('y', /All tests pass/, 5000);
  writeFileSync(
    OUT,
    svgOf(frames, COLUMNS, ROWS, 'A session of gw: it runs a test, finds the fault, and asks before it edits.'),
  );
  process.stdout.write(`${OUT}: ${frames.length} frames\n`);
  if (process.env.SHOW_SCREENS === '1') process.stdout.write(`${screen.text()}\n`);
} finally {
  child.kill('SIGKILL');
  await engine.close();
  rmSync(root, { recursive: true, force: true });
}
