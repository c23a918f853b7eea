import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The most lines of a file of code. */
const MAX_LINES = 500;

const tracked = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.css', '*.sh'], { encoding: 'utf8' });
const files = tracked.split('\n').filter((file) => file !== '' && existsSync(file));
const isLong = (file: string): boolean => readFileSync(file, 'utf8').split('\n').length - 1 > MAX_LINES;
const long = files.filter(isLong);
for (const file of long) process.stdout.write(`${file} has more than ${MAX_LINES} lines: divide it by subject\n`);
process.exitCode = long.length === 0 ? 0 : 1;
