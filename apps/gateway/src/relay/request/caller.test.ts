import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CappedCall, DurationCap } from './caller.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const CAP = 2000;
const TICK = 250;

function aCall(name: string, expired: string[]): CappedCall {
  return { slot: -1, begun: performance.now(), expire: () => void expired.push(name) };
}

describe('the duration cap', () => {
  it('ends a call once, at the cap or up to a tick later, and never earlier', () => {
    const [cap, expired] = [new DurationCap(CAP), [] as string[]];
    vi.advanceTimersByTime(TICK / 2);
    cap.add(aCall('long', expired));
    vi.advanceTimersByTime(CAP - 1);
    expect(expired).toEqual([]);
    vi.advanceTimersByTime(1 + TICK);
    expect(expired).toEqual(['long']);
    vi.advanceTimersByTime(CAP * 3);
    expect(expired).toEqual(['long']);
  });

  it('ends each call by its own beginning', () => {
    const [cap, expired] = [new DurationCap(CAP), [] as string[]];
    cap.add(aCall('first', expired));
    vi.advanceTimersByTime(CAP / 2);
    cap.add(aCall('second', expired));
    vi.advanceTimersByTime(CAP / 2 + TICK);
    expect(expired).toEqual(['first']);
    vi.advanceTimersByTime(CAP / 2);
    expect(expired).toEqual(['first', 'second']);
  });

  it('leaves a call alone that ended by itself, or that the end of another ended', () => {
    const [cap, expired] = [new DurationCap(CAP), [] as string[]];
    const [over, other] = [aCall('over', expired), aCall('other', expired)];
    for (const call of [over, other]) cap.add(call);
    cap.add({ slot: -1, begun: performance.now(), expire: () => cap.delete(other) });
    cap.delete(over);
    vi.advanceTimersByTime(CAP + TICK);
    expect(expired.filter((name) => name === 'over')).toEqual([]);
    expect(expired.length).toBeLessThanOrEqual(1);
  });

  it('has no timer while no call runs', () => {
    const [cap, expired] = [new DurationCap(CAP), [] as string[]];
    expect(vi.getTimerCount()).toBe(0);
    const call = aCall('short', expired);
    cap.add(call);
    expect(vi.getTimerCount()).toBe(1);
    cap.delete(call);
    vi.advanceTimersByTime(TICK);
    expect(vi.getTimerCount()).toBe(0);
  });
});
