import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The most lines of a file of code. */
const MOST_LINES = 500;

/** Of the programs and packages, without their tests. What grows beyond is joined or removed, not moved. */
const MOST = { files: 800, folders: 120, 'folders of one or two files': 15, 'files under 20 lines': 40 };

/** The column of usage that was added last, as code names it, and the most files that know it. */
const COLUMN = /first_?token/i;
const MOST_OF_COLUMN = 9;

const tracked = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.css', '*.sh'], { encoding: 'utf8' });
const code = tracked
  .split('\n')
  .filter((file) => file !== '' && existsSync(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const linesOf = ({ text }: { readonly text: string }): number => text.split('\n').length - 1;
const sources = code.filter(
  ({ file }) => /^(apps|packages)\/.*\.(tsx?|mjs)$/.test(file) && !/\.test\.|\/testing\/|\.d\.ts$/.test(file),
);

const inFolder = Map.groupBy(sources, ({ file }) => dirname(file));
const counted: Record<keyof typeof MOST, number> = {
  files: sources.length,
  folders: inFolder.size,
  'folders of one or two files': [...inFolder.values()].filter(({ length }) => length <= 2).length,
  'files under 20 lines': sources.filter((source) => linesOf(source) < 20).length,
};
const knowColumn = sources.filter(({ text }) => COLUMN.test(text)).map(({ file }) => file);

const faults = [
  ...code
    .filter((one) => linesOf(one) > MOST_LINES)
    .map(({ file }) => `${file} has more than ${MOST_LINES} lines: divide it by subject`),
  ...(Object.keys(MOST) as (keyof typeof MOST)[])
    .filter((what) => counted[what] > MOST[what])
    .map((what) => `apps and packages have ${counted[what]} ${what}, at most ${MOST[what]}: join what has one user`),
  ...(knowColumn.length > MOST_OF_COLUMN
    ? [`the newest column of usage is known to more than ${MOST_OF_COLUMN} files: ${knowColumn.join(', ')}`]
    : []),
];
process.stdout.write(faults.map((fault) => `${fault}\n`).join(''));
process.exitCode = faults.length === 0 ? 0 : 1;
