import { validate, version } from 'uuid';
import { expect, it } from 'vitest';
import { newDecisionId } from './records.ts';

// log-14
it('gives version 7 identifiers of this instant, never one twice', () => {
  const before = Date.now();
  const ids = Array.from({ length: 2000 }, newDecisionId);
  const instants = ids.map((id) => Number.parseInt(id.replace('-', '').slice(0, 12), 16));
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(Math.min(...instants)).toBeGreaterThanOrEqual(before);
  expect(Math.max(...instants)).toBeLessThanOrEqual(Date.now());
});
