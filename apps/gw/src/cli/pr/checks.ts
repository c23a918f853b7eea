import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Commands of the first fenced block below a heading `Checks`, one a line; null where the guidelines name none. */
export function checksIn(guidelines: string): readonly string[] | null {
  let [inSection, fence] = [false, ''];
  const commands: string[] = [];
  for (const line of guidelines.split(/\r?\n/)) {
    const mark = /^(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') {
      if (/^#{1,6}\s/.test(line)) inSection = /^#{1,6}\s+checks?\s*$/i.test(line);
      fence = mark;
    } else if (mark.startsWith(fence)) {
      if (inSection && commands.length > 0) return commands;
      fence = '';
    } else if (inSection) {
      const command = line.replace(/(^|\s)#.*$/, '').trim();
      if (command !== '') commands.push(command);
    }
  }
  return null;
}

/** Commands that the manifests of a repository suggest, quick ones first. Empty where they suggest none. */
export async function detectChecks(directory: string): Promise<readonly string[]> {
  const read = (name: string) => readFile(join(directory, name), 'utf8').catch(() => null);
  const scripts = scriptsOf(await read('package.json'));
  const found = ['check', 'lint', 'typecheck', 'test']
    .filter((name) => scripts.has(name))
    .map((name) => `npm run --silent ${name}`);
  const makefile = (await read('Makefile')) ?? '';
  for (const target of ['check', 'test'])
    if (new RegExp(`^${target}\\s*:(?!=)`, 'm').test(makefile)) found.push(`make ${target}`);
  if ((await read('Cargo.toml')) !== null) found.push('cargo test');
  if ((await read('go.mod')) !== null) found.push('go vet ./...', 'go test ./...');
  if (/\bpytest\b/.test((await read('pyproject.toml')) ?? '')) found.push('python3 -m pytest -q');
  return found;
}

/** Names of the scripts of a package.json. The one that `npm init` writes, which always fails, is none. */
function scriptsOf(manifest: string | null): ReadonlySet<string> {
  try {
    const { scripts } = JSON.parse(manifest ?? '{}') as { scripts?: Record<string, unknown> };
    const own = Object.entries(scripts ?? {}).filter(
      ([, line]) => typeof line === 'string' && !line.includes('no test specified'),
    );
    return new Set(own.map(([name]) => name));
  } catch {
    return new Set();
  }
}
