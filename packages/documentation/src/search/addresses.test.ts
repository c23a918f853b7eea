import { describe, expect, it } from 'vitest';
import { loadArchive } from '../corpus/archive.ts';
import { type Files, testArchive } from '../testing/archive.ts';
import { addressesIn } from './search.ts';

async function addresses(files: Files, urls: readonly (string | null)[]) {
  const archive = await loadArchive(testArchive(files).folder);
  if ('fault' in archive) throw new Error(archive.fault);
  return addressesIn(archive, urls);
}

describe('the address of a page', () => {
  it.each([
    ['/guide/a', { 'guide/a.html': '' }, '/v/1.0.0/guide/a.html'],
    ['/guide/a.md', { 'guide/a.html': '', 'guide/a.md': '' }, '/v/1.0.0/guide/a.html'],
    ['/guide/a.md', { 'guide/a.md': '' }, '/v/1.0.0/guide/a.md'],
    ['/guide/a', { 'guide/a/index.html': '' }, '/v/1.0.0/guide/a/'],
    ['/guide/a/', { 'guide/a/index.html': '' }, '/v/1.0.0/guide/a/'],
    ['/guide/index.md', { 'guide/index.html': '' }, '/v/1.0.0/guide/'],
    ['https://docs.example.com/guide/a?x#y', { 'guide/a.html': '' }, '/v/1.0.0/guide/a.html'],
    ['https://example.com/product/docs/guide/a', { 'guide/a.html': '' }, '/v/1.0.0/guide/a.html'],
    ['/v/1.0.0/guide/a', { 'guide/a.html': '' }, '/v/1.0.0/guide/a.html'],
    ['/a%20b/é', { 'a b/é.html': '' }, '/v/1.0.0/a%20b/%C3%A9.html'],
    ['/', {}, '/v/1.0.0/'],
  ])('%s is found in the archive', async (url, files, address) => {
    expect((await addresses(files, [url])).of(url, null)).toBe(address);
  });
  it('is the one of the corpus where the archive does not contain the page', async () => {
    expect((await addresses({}, ['/guide/a'])).of('/guide/a', null)).toBe('/v/1.0.0/guide/a');
    expect((await addresses({}, ['https://x.example/docs/a'])).of('https://x.example/docs/a', 'Part')).toBe(
      '/v/1.0.0/docs/a',
    );
  });
  it('omits the same first segments for all pages, never so many that another page matches', async () => {
    const urls = ['https://x.example/docs/a', 'https://x.example/docs/b', 'https://x.example/docs/deep/index'];
    const { of } = await addresses({ 'a.html': '', 'b.html': '' }, urls);
    expect(urls.map((url) => of(url, null))).toEqual(['/v/1.0.0/a.html', '/v/1.0.0/b.html', '/v/1.0.0/deep/index']);
  });
  it('is the corpus file where the corpus has none: nothing is invented', async () => {
    expect((await addresses({ 'llms-full.txt': '' }, [null])).of(null, 'Part')).toBe('/v/1.0.0/llms-full.txt');
  });
  it('cannot climb out of the documentation', async () => {
    const { of } = await addresses({}, []);
    expect(of('https://x.example/../../etc/passwd', null)).toBe('/v/1.0.0/etc/passwd');
    expect(of('/%2e%2e/%2e%2e/x', null)).toBe('/v/1.0.0/x');
    expect(of('javascript:alert(1)', null)).toMatch(/^\/v\/1\.0\.0\//);
  });
});

describe('the anchor of a section', () => {
  const html = `<h1 id="top">Guide</h1><h2 id="first" tabindex="-1">First &amp; <code>foremost()</code> <a class="header-anchor" href="#first">#</a></h2><h3 class="x" id="second-1">Second</h3><h3 id="second-2">Second</h3><h2>Without</h2><h2 id="slot"><code>&lt;slot&gt;</code></h2><h2 id="init">__init__</h2><h2 class=x id=bare>Bare</h2><h2 id='it"s'>Single</h2><h2 data-id="no" id="other">Other data</h2>`;
  it.each([
    ['First & `foremost()`', '#first'],
    ['Second', '#second-1'],
    ['Without', ''],
    ['Unknown', ''],
    ['`<slot>`', '#slot'],
    ['__init__', '#init'],
    ['Bare', '#bare'],
    ['Single', '#it%22s'],
    ['Other data', '#other'],
  ])('%s', async (section, anchor) => {
    const { of } = await addresses({ 'guide.html': html }, ['/guide']);
    expect(of('/guide', section)).toBe(`/v/1.0.0/guide.html${anchor}`);
  });
});
