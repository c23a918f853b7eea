import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** Splits and indexes a text of very many sections, and returns their number. */
const PROGRAM = `
  const { atOnce } = await import(process.argv[1]);
  const { splitCorpus } = await import(process.argv[2]);
  const { buildIndex } = await import(process.argv[3]);
  const pages = atOnce(splitCorpus('# All\\n\\n' + '## h\\nx\\n'.repeat(200_000)));
  console.log(atOnce(buildIndex(pages)).passages.length);`;
const MODULES = ['../corpus/sliced.ts', '../corpus/split.ts', './build-index.ts'].map(
  (name) => new URL(name, import.meta.url).href,
);

it('two hundred thousand sections are indexed in 130 MB: an archive of headings alone must not take the memory of the gateway', () => {
  const words = ['--max-old-space-size=130', '--input-type=module', '--eval', PROGRAM, ...MODULES];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect([status, stdout], stderr).toEqual([0, '200000\n']);
});
