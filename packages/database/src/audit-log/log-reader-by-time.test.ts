import { expect, it } from 'vitest';
import { aDecision, aDetection } from '../testing/index.ts';
import { byTime, type ExportRecord } from './log-reader.ts';

const day = (time: string): string => `2026-11-21T${time}:00.000Z`;
const decision = (position: bigint, time: string): ExportRecord => ({
  source: 'decisions',
  position,
  decision: aDecision({ at: day(time) }),
  digest: '',
});
const detection = (position: bigint, time: string): ExportRecord => ({
  source: 'detections',
  position,
  detection: aDetection({ at: day(time) }),
  call: null,
});
const read = (full: boolean, ...records: ExportRecord[]) => ({ records, full });
const names = (records: readonly ExportRecord[]): string[] =>
  records.map(({ source, position }) => `${source} ${position}`);

it('entries of several logs are ordered by time', () => {
  const detections = read(false, detection(1n, '09:00'), detection(2n, '11:00'));
  const decisions = read(false, decision(1n, '08:00'), decision(2n, '10:00'), decision(3n, '11:00'));
  expect(names(byTime([detections, decisions]))).toEqual([
    'decisions 1',
    'detections 1',
    'decisions 2',
    'detections 2',
    'decisions 3',
  ]);
});

it('the order of one log is kept, for any times', () => {
  const detections = read(false, detection(1n, '12:00'), detection(2n, '09:00'));
  const decisions = read(false, decision(1n, '10:00'), decision(2n, '13:00'));
  expect(names(byTime([detections, decisions]))).toEqual([
    'decisions 1',
    'detections 1',
    'detections 2',
    'decisions 2',
  ]);
});

it('no entry is returned that may be later than one still in a log', () => {
  const decisions = read(true, decision(1n, '08:00'), decision(2n, '10:00'));
  const detections = read(false, detection(1n, '09:00'), detection(2n, '11:00'));
  expect(names(byTime([decisions, detections]))).toEqual(['decisions 1', 'detections 1', 'decisions 2']);
});

it('nothing is nothing', () => {
  expect(byTime([])).toEqual([]);
  expect(byTime([read(false), read(false)])).toEqual([]);
});
