import { describe, expect, it } from 'vitest';
import { readSampledContext, traceparentOf } from './tracer.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

describe('the header traceparent', () => {
  it.each([`00-${TRACE}-${PARENT}-01`, `00-${TRACE}-${PARENT}-03`, `cc-${TRACE}-${PARENT}-01-what-the-future-holds`])(
    'requests spans: %s',
    (header) => {
      expect(readSampledContext(header)).toMatchObject({ traceId: TRACE, parentId: PARENT });
    },
  );

  it.each([
    undefined,
    '',
    `00-${TRACE}-${PARENT}-00`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01-more`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
    [`00-${TRACE}-${PARENT}-01`, 'x'],
  ])('requests none: %j', (header) => {
    expect(readSampledContext(header)).toBeNull();
  });

  it('is written for the next one', () => {
    const context = { traceId: TRACE, parentId: PARENT, flags: '03' };
    expect(readSampledContext(traceparentOf(context, PARENT))).toEqual(context);
  });
});
