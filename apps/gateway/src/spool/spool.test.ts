import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UsageRecord } from '@gateway/database/gateway';
import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { USAGE_RECORD } from '../usage/usage-record.ts';
import { openSpool } from './spool.ts';

const record = (more: Partial<UsageRecord> = {}): UsageRecord => ({
  id: v7(),
  timestamp: new Date('2026-11-21T10:00:00.000Z'),
  subject: 'caller',
  endpoint: 'chat',
  model: 'model',
  modelId: v7(),
  inputTokens: 11,
  outputTokens: 7,
  latencyMs: 12,
  usageSource: 'reported',
  interrupted: false,
  ...more,
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the spool', () => {
  it('is empty where nothing was kept, and makes its folder', () => {
    expect(openSpool(join(folder, 'a', 'b'), USAGE_RECORD).kept()).toEqual([]);
  });
  it('gives a record back as it was, to another process too', () => {
    const one = record({ subject: 'ünïcode "quoted"\n', interrupted: true, usageSource: 'estimated' });
    openSpool(folder, USAGE_RECORD).add(one);
    expect(openSpool(folder, USAGE_RECORD).kept()).toEqual([one]);
  });
  it('keeps a record once, however often it is added', () => {
    const spool = openSpool(folder, USAGE_RECORD);
    const one = record();
    spool.add(one);
    spool.add(one);
    expect(spool.kept()).toEqual([one]);
  });
  it('forgets a removed record, and does not mind one it never had', () => {
    const spool = openSpool(folder, USAGE_RECORD);
    const one = record();
    spool.add(one);
    spool.remove(one.id);
    spool.remove(v7());
    expect(spool.kept()).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.json'))).toEqual([]);
  });
  it('passes over a file that a killed process had not finished', () => {
    writeFileSync(join(folder, `${v7()}.json.writing`), '{"id":');
    expect(openSpool(folder, USAGE_RECORD).kept()).toEqual([]);
  });
  it('sets a file aside that holds no record, and says so', () => {
    writeFileSync(join(folder, 'x.json'), '{"id":"nonsense"}');
    const spool = openSpool(folder, USAGE_RECORD);
    expect(spool.kept()).toEqual([]);
    expect(spool.unreadable).toEqual([join(folder, 'x.json.unreadable')]);
    expect(spool.kept()).toEqual([]);
  });
});
