import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readQuestions } from './questions.ts';
import { speedOf } from './speed.ts';

const CORPUS = '---\nurl: /keys\n---\n# Rotate a key\n\nCreate another key, deploy it, and revoke the old one.\n\n';

describe('the speed of search', () => {
  it('is that of whole answers, of starts from a folder, and of what the index keeps', async () => {
    const folders = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('bench-search-'));
    const before = folders().length;
    const speed = await speedOf(CORPUS, ['how do I rotate a key', 'zeppelin']);
    expect(speed.p50ms).toBeGreaterThan(0);
    expect(speed.p95ms).toBeGreaterThanOrEqual(speed.p50ms);
    expect(speed.indexMs).toBeGreaterThan(0);
    expect(Number.isFinite(speed.memoryMB)).toBe(true);
    expect(folders().length).toBe(before);
  });
});

describe('questions', () => {
  it('are one a line, blank lines left out', () => {
    const [one, other] = [
      { id: 'q1', question: 'how', page: '/a' },
      { id: 'q2', question: 'why', page: null },
    ];
    expect(readQuestions(`${JSON.stringify(one)}\n\n  \n${JSON.stringify(other)}`)).toEqual([one, other]);
    expect(readQuestions('')).toEqual([]);
  });

  it('that are no JSON are refused', () => {
    expect(() => readQuestions('{"id":"q1"}\n{"id":')).toThrow(SyntaxError);
  });
});
