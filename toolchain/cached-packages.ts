import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export type Packages = Readonly<Record<string, string>>;

/** npm could not install them: its last message. */
export class PackagesAbsent extends Error {}

const MARK = 'installed.json';

/**
 * Installs packages on first use into `.cache/<name>`, apart from the dependencies of the repository. None of their
 * install scripts is run.
 * @param options further options of `npm install`
 * @returns the folder with their `node_modules`.
 */
export async function installCached(
  name: string,
  packages: Packages,
  options: readonly string[] = [],
): Promise<string> {
  const folder = path.resolve('.cache', name);
  const mark = path.join(folder, MARK);
  const wanted = JSON.stringify(packages);
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  const usual = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--prefix', folder];
  const args = ['install', ...usual, ...options];
  const { code, said } = await npm(args, folder);
  if (code !== 0) throw new PackagesAbsent(`${Object.keys(packages).join(', ')} could not be installed: ${said}`);
  writeFileSync(mark, wanted);
  return folder;
}

function npm(args: readonly string[], cwd: string): Promise<{ code: number | null; said: string }> {
  const child = spawn('npm', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text = (text + part).slice(0, 10_000);
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, said: error.message }));
    child.once('close', (code) => resolve({ code, said: firstErrors(text) }));
  });
}

/** The code and the cause come first, followed by hints and the path of a log. */
function firstErrors(text: string): string {
  const errors = [...text.matchAll(/^npm error (.+)$/gm)].map(([, error = '']) => error);
  return (errors.length === 0 ? [text.trim()] : errors.slice(0, 4)).join('; ').slice(0, 500);
}
