import { describe, expect, it } from 'vitest';
import { checkLogFormat, type LogFormat, logFormatOf, logLine, withoutTime } from './log.ts';
import { Reading } from './reading.ts';

const entry = {
  time: new Date('2026-11-24T01:02:03.004Z'),
  level: 'warning',
  program: 'gateway',
  message: 'a "line"',
} as const;

describe('a line for the operator', () => {
  it.each([
    ['plain', 'gateway: a "line"'],
    ['timed', '2026-11-24T01:02:03.004Z warning gateway: a "line"'],
    ['json', '{"time":"2026-11-24T01:02:03.004Z","level":"warning","program":"gateway","message":"a \\"line\\""}'],
  ] as const)('is written as %s', (format, line) => {
    expect(logLine(format, entry)).toBe(line);
  });

  it.each([
    [undefined, true, 'plain'],
    [undefined, false, 'timed'],
    ['', false, 'timed'],
    [' json ', true, 'json'],
    ['plain', false, 'plain'],
    ['xml', false, 'timed'],
  ] as const)('with GATEWAY_LOG_FORMAT %j, terminal %j, is %s', (value, isTerminal, format: LogFormat) => {
    expect(logFormatOf({ GATEWAY_LOG_FORMAT: value }, isTerminal)).toBe(format);
  });

  it('is shown at a terminal without its time', () => {
    for (const format of ['plain', 'timed'] as const)
      expect(withoutTime(logLine(format, entry))).toBe('gateway: a "line"');
  });

  it('has no other format', () => {
    const reading = new Reading({ GATEWAY_LOG_FORMAT: 'xml' });
    checkLogFormat(reading);
    expect(reading.faults).toEqual(['GATEWAY_LOG_FORMAT: must be plain, timed or json, not "xml".']);
  });
});
