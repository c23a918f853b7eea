import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  absentDocumentation,
  type Documentation,
  type DocumentationRequest,
  openDocumentation,
} from './documentation.ts';
import { cardOf, testArchive, writeFiles } from './testing/archive.ts';
import { bodyText } from './testing/body-text.ts';

const opened: Documentation[] = [];
afterEach(() => {
  for (const documentation of opened.splice(0)) documentation.close();
});

async function open(folder: string, warn: (sentence: string) => void = () => {}): Promise<Documentation> {
  const documentation = await openDocumentation(folder, warn);
  if ('fault' in documentation) throw new Error(documentation.fault);
  opened.push(documentation);
  return documentation;
}

const requestOf = (target: string, parts: Partial<DocumentationRequest> = {}): DocumentationRequest => ({
  method: 'GET',
  target,
  headers: {},
  body: () => Promise.resolve(Buffer.alloc(0)),
  ...parts,
});

describe('with an archive', () => {
  it('serves GET and HEAD and refuses every other method, also where it would redirect', async () => {
    const archive = testArchive();
    const { answer } = await open(archive.folder);
    expect((await answer(requestOf('/v/1.0.0/index.html'))).status).toBe(200);
    expect((await answer(requestOf('/v/1.0.0/index.html', { method: 'HEAD' }))).status).toBe(200);
    for (const target of ['/v/1.0.0/index.html', '/v', '/v/guide/', '/v/../etc']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
        const refused = await answer(requestOf(target, { method }));
        expect([refused.status, bodyText(refused)]).toEqual([
          405,
          '{"error":"Documentation is read-only: only GET and HEAD are served under this path."}',
        ]);
      }
    }
  });
  // documentation-4
  it('refuses a path that climbs', async () => {
    const archive = testArchive();
    const { answer } = await open(archive.folder);
    const refused = await answer(requestOf('/v/1.0.0/%2e%2e/secret'));
    expect([refused.status, bodyText(refused)]).toEqual([400, '{"error":"Not a documentation path."}']);
  });
  it('ignores a range requested with HEAD', async () => {
    const archive = testArchive();
    const { answer } = await open(archive.folder);
    const headers = { range: 'bytes=0-1' };
    expect((await answer(requestOf('/v/1.0.0/index.html', { headers }))).status).toBe(206);
    expect((await answer(requestOf('/v/1.0.0/index.html', { method: 'HEAD', headers }))).status).toBe(200);
  });
  it('notices another archive without restart; every answer is of one version, none is half', async () => {
    const archive = testArchive({ 'page.html': 'one' });
    const { answer } = await open(archive.folder);
    writeFiles(join(archive.root, 'next'), { 'archive.json': cardOf('2.0.0'), 'page.html': 'two' });
    renameSync(archive.folder, join(archive.root, 'old'));
    expect(bodyText(await answer(requestOf('/v/1.0.0/page.html')))).toBe('one');
    renameSync(join(archive.root, 'next'), archive.folder);
    await expect
      .poll(async () => {
        const pages = [await answer(requestOf('/v/1.0.0/page.html')), await answer(requestOf('/v/2.0.0/page.html'))];
        const served = pages.filter(({ status }) => status === 200).map(bodyText);
        expect(served).toHaveLength(1);
        return [...served, (await answer(requestOf('/v'))).headers['location']];
      })
      .toEqual(['two', '/v/2.0.0/']);
  });
  it('reports once that an archive installed later cannot be served, and continues with the earlier one', async () => {
    const archive = testArchive();
    const warnings: string[] = [];
    const { answer } = await open(archive.folder, (sentence) => warnings.push(sentence));
    archive.write({ 'archive.json': '{}' });
    await expect
      .poll(() => warnings)
      .toEqual([
        expect.stringMatching(/archive\.json declares no version.*Version 1\.0\.0, read earlier, is still served\.$/),
      ]);
    expect((await answer(requestOf('/v/1.0.0/index.html'))).status).toBe(200);
  });
});

describe('search', () => {
  const corpus = (word: string) => `# Page (/page)\n\nThe ${word} is here.\n\n# Other (/other)\n\nSomething else.`;
  const ask = async ({ answer }: Documentation, word: string) =>
    JSON.parse(bodyText(await answer(requestOf(`/v/_search?q=${word}`))));

  it('answers once the index is built, which the start does not wait for', async () => {
    const documentation = await open(testArchive({ 'llms-full.txt': corpus('turbine') }).folder);
    expect(await ask(documentation, 'turbine')).toMatchObject({ version: '1.0.0', answered: true });
  });
  it('is only at its own address', async () => {
    const { answer } = await open(testArchive({ 'llms-full.txt': corpus('turbine') }).folder);
    expect((await answer(requestOf('/v/_search/?q=x'))).status).toBe(302);
    expect((await answer(requestOf('/v/1.0.0/_search?q=x'))).status).toBe(404);
    expect((await answer(requestOf('/v/%5Fsearch?q=turbine'))).status).toBe(200);
  });
  // documentation-7
  it('is missing without a corpus while the pages are served', async () => {
    const { answer } = await open(testArchive().folder);
    expect((await answer(requestOf('/v/_search?q=x'))).status).toBe(501);
    expect((await answer(requestOf('/v/1.0.0/index.html'))).status).toBe(200);
  });
  it('changes together with the pages when another archive is installed', async () => {
    const archive = testArchive({ 'llms-full.txt': corpus('turbine') });
    const documentation = await open(archive.folder);
    archive.write({ 'archive.json': cardOf('2.0.0'), 'llms-full.txt': corpus('lighthouse') });
    await expect.poll(() => ask(documentation, 'lighthouse')).toMatchObject({ version: '2.0.0', answered: true });
    expect((await documentation.answer(requestOf('/v'))).headers['location']).toBe('/v/2.0.0/');
  });
});

it('a folder that is no archive is a fault, not an exception', async () => {
  const archive = testArchive({ 'archive.json': null });
  expect(await openDocumentation(archive.folder, () => {})).toHaveProperty(
    'fault',
    expect.stringContaining('archive.json'),
  );
});

describe('without an archive', () => {
  const { answer } = absentDocumentation();
  it.each(['/v', '/v/', '/v/guide/', '/v/1.0.0/index.html', '/v/llms.txt', '/v/../x', '/v/x/_search'])(
    '%s explains how to install one, for any method',
    async (target) => {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const refused = await answer(requestOf(target, { method }));
        expect(refused.status).toBe(501);
        expect(bodyText(refused)).toMatch(
          /^\{"error":"This gateway serves no documentation: no directory is configured \(GATEWAY_DOCS_DIR\)\. Unpack/,
        );
      }
    },
  );
  it.each(['/v/_search?q=x', '/v/_search', '/v/_mcp'])('%s reports that it cannot answer', async (target) => {
    const refused = await answer(requestOf(target, { method: 'POST' }));
    expect(refused.status).toBe(501);
    expect(bodyText(refused)).toMatch(
      /so it cannot answer questions about it \(GATEWAY_DOCS_DIR is not set\)\. Unpack the documentation archive/,
    );
  });
});
