import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/folder.ts';
import { checksIn, detectChecks } from './pr-run.ts';

describe('the checks that guidelines name', () => {
  it.each([
    [
      'texts around it',
      '# Contributing\n\n```sh\nnot this\n```\n\n## Checks\n\nRun:\n\n```sh\n# first\nnpm run lint   # quick\nnpm test\n```\n\n## More\n\n```sh\nnor this\n```\n',
      ['npm run lint', 'npm test'],
    ],
    ['a heading in any case and depth', '### CHECK\n```\nmake\n```', ['make']],
    ['tildes', '# Checks\n~~~sh\nmake\n~~~', ['make']],
    ['a longer fence, which a shorter one does not close', '# Checks\n````\na\n```\nb\n````', ['a', '```', 'b']],
    ['Windows line ends', '# Checks\r\n```\r\nmake\r\n```\r\n', ['make']],
    ['the first block that has a command', '# Checks\n```\n# none\n```\n```\nmake\n```', ['make']],
    ['a number sign within a word', '# Checks\n```\ncurl http://x/#a # comment\n```', ['curl http://x/#a']],
    ['a heading inside a block, which is none', '# Checks\n```\n# Checks\n```\n', null],
    ['another heading before the block', '# Checks\n## Style\n```\nmake\n```', null],
    ['a block that is never closed', '# Checks\n```\nmake', null],
    ['no heading', '```\nmake\n```', null],
    ['nothing', '', null],
  ])('with %s', (_, guidelines, expected) => {
    expect(checksIn(guidelines)).toEqual(expected);
  });
});

describe('the checks that a repository suggests', () => {
  const detected = (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const folder = temporaryFolder();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return detectChecks(folder);
  };
  const manifest = (scripts: unknown): string => JSON.stringify({ scripts });

  it.each<[string, Record<string, string>, readonly string[]]>([
    ['nothing', {}, []],
    [
      'scripts, the quick ones first',
      { 'package.json': manifest({ test: 'x', build: 'x', lint: 'x', check: 'x' }) },
      ['npm run --silent check', 'npm run --silent lint', 'npm run --silent test'],
    ],
    [
      'the script that npm init writes',
      { 'package.json': manifest({ test: 'echo "Error: no test specified" && exit 1' }) },
      [],
    ],
    ['a manifest that is torn', { 'package.json': '{"scripts"' }, []],
    ['scripts that are no object', { 'package.json': manifest('test') }, []],
    ['targets of make, and no variables', { Makefile: 'check := 1\ntest: all\n\tls\ncheck-all:\n' }, ['make test']],
    ['Rust', { 'Cargo.toml': '' }, ['cargo test']],
    ['Go', { 'go.mod': 'module x' }, ['go vet ./...', 'go test ./...']],
    ['Python', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, ['python3 -m pytest -q']],
    ['Python without tests', { 'pyproject.toml': '[project]\n' }, []],
  ])('with %s', async (_, files, expected) => {
    expect(await detected(files)).toEqual(expected);
  });

  it('are none where a folder has the name of a manifest', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'package.json'));
    expect(await detectChecks(folder)).toEqual([]);
  });
});
