import {
  assert,
  boolean,
  constantFrom,
  date,
  double,
  integer,
  option,
  property,
  record,
  string,
  uuid,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usageLine } from './gateway.ts';
import type { UsageRecord } from './shape.ts';

const count = () => double({ min: 0, max: 2 ** 40, noNaN: true });
const records = record({
  id: uuid(),
  timestamp: date({ noInvalidDate: true }),
  subject: string({ unit: 'binary' }),
  endpoint: string(),
  model: string({ unit: 'grapheme' }),
  modelId: uuid(),
  inputTokens: count(),
  cachedInputTokens: count(),
  cacheWriteTokens: count(),
  outputTokens: count(),
  latencyMs: count(),
  firstTokenMs: option(integer({ min: 0, max: 2 ** 31 - 1 })),
  usageSource: constantFrom<UsageRecord['usageSource'][]>('reported', 'estimated', 'none'),
  interrupted: boolean(),
  upstreamStatus: option(integer({ min: 100, max: 999 })),
} satisfies Record<Exclude<keyof UsageRecord, 'background'>, unknown>);

const stored = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();

describe('the line of a usage record', () => {
  it('is JSON of every field, with whole numbers and storable texts', () => {
    assert(
      property(records, (given) => {
        const { id, text } = usageLine(given);
        expect(id).toBe(given.id);
        expect(JSON.parse(text)).toEqual({
          ...given,
          timestamp: given.timestamp.toISOString(),
          subject: stored(given.subject),
          endpoint: stored(given.endpoint),
          model: stored(given.model),
          inputTokens: Math.round(given.inputTokens),
          cachedInputTokens: Math.round(given.cachedInputTokens),
          cacheWriteTokens: Math.round(given.cacheWriteTokens),
          outputTokens: Math.round(given.outputTokens),
          latencyMs: Math.round(given.latencyMs),
        });
      }),
    );
  });

  it('is one line, whatever its texts contain', () => {
    const line = usageLine({
      id: '01890000-0000-7000-8000-000000000000',
      timestamp: new Date(0),
      subject: 'a\nb\u2028"\\\0\ud800',
      endpoint: '\r\n',
      model: '\t',
      modelId: '01890000-0000-7000-8000-000000000001',
      inputTokens: 1.4,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 1e21,
      latencyMs: 0.5,
      firstTokenMs: 0.4,
      usageSource: 'none',
      interrupted: false,
      upstreamStatus: null,
    });
    expect(line.text.split('\n')).toHaveLength(1);
    expect(JSON.parse(line.text)).toMatchObject({ subject: 'a\nb\u2028"\\\ufffd\ufffd', outputTokens: 1e21 });
  });
});
