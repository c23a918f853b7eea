import type { AgentCommandEnd } from '@gateway/domain/session/gateway';
import { describe, expect, it } from 'vitest';
import { EndRecords } from './execution.ts';

const END: AgentCommandEnd = {
  id: '1',
  endedAt: new Date(),
  code: 0,
  signal: null,
  cause: null,
  fault: null,
  duration: 1,
  stdoutBytes: 0,
  stderrBytes: 0,
};

describe('the records of ends', () => {
  it('are written, and tried again until they are', async () => {
    const seen: string[] = [];
    let faults = 2;
    const records = new EndRecords(async ({ id }) => {
      faults -= 1;
      if (faults >= 0) throw new Error('silent');
      seen.push(id);
    });
    records.add(END);
    expect(await records.drain(60_000)).toBe(0);
    expect(seen).toEqual(['1']);
  });
  it('that could not be written in time are counted', async () => {
    const records = new EndRecords(() => Promise.reject(new Error('silent')));
    records.add(END);
    records.add({ ...END, id: '2' });
    expect(await records.drain(1)).toBe(2);
  });
});
