import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The most lines of a file of code. */
const MAX_LINES = 300;

/** Tests that were longer when this check began. A file that becomes short enough leaves the list. */
const LONGER: ReadonlySet<string> = new Set([
  'tests/browser/console-hosted.test.ts',
  'tests/browser/console-operations.test.ts',
]);

const tracked = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.css', '*.sh'], { encoding: 'utf8' });
const files = tracked.split('\n').filter((file) => file !== '' && existsSync(file));
const isLong = (file: string): boolean => readFileSync(file, 'utf8').split('\n').length - 1 > MAX_LINES;
const long = new Set(files.filter(isLong));
const faults = [
  ...[...long]
    .filter((file) => !LONGER.has(file))
    .map((file) => `${file} has more than ${MAX_LINES} lines: split it by subject`),
  ...[...LONGER]
    .filter((file) => !long.has(file))
    .map((file) => `${file} is short enough: remove it from toolchain/file-lengths.ts`),
];
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
