import type { Finding } from '@gateway/secrets';
import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { lineOf } from '../inspection/inspectors.ts';
import { DETECTION_GROUP, detectionsOf } from './detections.ts';

const finding = (more: Partial<Finding> = {}): Finding => ({
  rule: 'github-token',
  kind: 'access-token',
  confidence: 'high',
  pointer: '/messages/0/content',
  start: 10,
  end: 50,
  length: 40,
  digest: 'ab'.repeat(32),
  occurrences: 1,
  ...more,
});
const circumstances = { decisionId: v7(), place: 'request', at: Date.UTC(2026, 10, 21) } as const;
const responses = { high: 'block', medium: 'mask' } as const;

describe('recorded detections', () => {
  // relay-36
  it('contain kind, position and response of each finding', () => {
    const [entry, second] = detectionsOf([finding(), finding({ confidence: 'medium' })], responses, circumstances);
    expect(entry).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      at: '2026-11-21T00:00:00.000Z',
      decisionId: circumstances.decisionId,
      place: 'request',
      response: 'block',
      rule: 'github-token',
      kind: 'access-token',
      confidence: 'high',
      pointer: '/messages/0/content',
      start: 10,
      end: 50,
      length: 40,
      digest: 'ab'.repeat(32),
      occurrences: 1,
    });
    expect(second?.response).toBe('mask');
  });

  it('are limited per text: the rest is counted by rule', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => finding({ rule: index % 2 ? 'odd' : 'even' }));
    const entries = detectionsOf(many, responses, circumstances);
    expect(entries).toHaveLength(102);
    expect(entries.reduce((sum, { occurrences }) => sum + occurrences, 0)).toBe(100_000);
    expect(entries.slice(100).map(({ rule, occurrences }) => [rule, occurrences])).toEqual([
      ['even', 49_950],
      ['odd', 49_950],
    ]);
  });

  it('count the occurrences of a finding', () => {
    const findings = [
      ...Array.from({ length: 100 }, () => finding()),
      finding({ occurrences: 7 }),
      finding({ occurrences: 2 }),
    ];
    expect(detectionsOf(findings, responses, circumstances).at(-1)?.occurrences).toBe(9);
    expect(lineOf(findings, responses)).toMatch(/; and 101 more$/);
  });

  it('are read back from the disk unchanged; other content is refused', () => {
    const group = { id: v7(), detections: detectionsOf([finding({ pointer: null })], responses, circumstances) };
    expect(DETECTION_GROUP.shape.parse(JSON.parse(JSON.stringify(group)))).toEqual(group);
    for (const spoilt of [{ ...group, value: 'x' }, { id: v7() }, { id: 'x', detections: [] }])
      expect(DETECTION_GROUP.shape.safeParse(spoilt).success).toBe(false);
  });
});
