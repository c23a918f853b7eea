import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'bench-search-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
const page = (url: string, title: string, text: string): string => `---\nurl: ${url}\n---\n# ${title}\n\n${text}\n\n`;
const question = (id: string, corpus: string, asked: string, url: string | null): string =>
  `${JSON.stringify({ id, corpus, question: asked, page: url, section: null, answerable: url !== null, kind: url === null ? 'far' : 'howto', alt: [] })}\n`;

let ran: SpawnSyncReturns<string>;
let figures: Readonly<Record<string, unknown>> = {};
beforeAll(() => {
  writeFileSync(
    join(folder, 'one.llms-full.txt'),
    page('/keys', 'Rotate an account key', 'Create another key, deploy it, and revoke the old one.') +
      page('/logs', 'Export decisions to a collector', 'Syslog over TLS carries every decision to the collector.'),
  );
  writeFileSync(join(folder, 'two.llms-full.txt'), page('/cats', 'Feeding cats', 'A cat eats twice a day.'));
  writeFileSync(
    join(folder, 'questions.jsonl'),
    question('q1', 'one', 'rotate an account key', '/keys') +
      question('q2', 'one', 'export decisions to a collector', '/logs') +
      question('q3', 'one', 'xylophone zeppelin', null) +
      question('q4', 'two', 'feeding cats', '/cats'),
  );
  const json = join(folder, 'out.json');
  const program = `${import.meta.dirname}/main.ts`;
  ran = spawnSync(process.execPath, [program, '--corpora', folder, '--json', json, '--show'], { encoding: 'utf8' });
  figures = JSON.parse(readFileSync(json, 'utf8')) as typeof figures;
});

describe('the benchmark of search, over small corpora', () => {
  it('ends without a fault, and prints each contestant in a column', () => {
    expect(ran.status).toBe(0);
    const [head = '', first = ''] = ran.stdout.split('\n');
    for (const name of ['this gateway', 'MiniSearch, defaults', 'plain BM25', 'must · aim'])
      expect(head).toContain(name);
    expect(first).toMatch(/^right page first +100\.0 % +100\.0 % +100\.0 % +68 % · 75 %$/);
  });

  it('writes the figures that it prints', () => {
    expect(figures).toMatchObject({ right1: 1, mrr: 1, offTopicAnswered: 0, questions: 4, corpus: 'one' });
    expect(ran.stdout).toContain(`query p50 ${(figures['p50ms'] as number).toFixed(2)} ms`);
    expect(ran.stdout).toContain('MB (one): ');
  });

  it('asks the same questions otherwise, with a line for each way', () => {
    for (const name of Object.keys(figures['variations'] as object))
      expect(ran.stdout).toContain(`\n${name.padEnd(20)}`);
    expect(ran.stdout).toMatch(/\n\d+ words of other corpora, asked alone: \d+ answered\n$/);
  });

  it('shows the questions that were not answered well, and no others', () => {
    const shown = ran.stderr.split('\n').filter((line) => /^(?:answered|refused)/.test(line));
    expect(shown.some((line) => line.includes('q3'))).toBe(true);
    expect(shown.every((line) => /q[1-4]/.test(line))).toBe(true);
  });
});
