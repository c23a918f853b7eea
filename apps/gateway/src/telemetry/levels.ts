import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Observed } from './instruments.ts';

/** The measured delay of the event loop includes it. */
const RESOLUTION_MS = 20;

/** Current values of the parts of the gateway. */
export interface Levels {
  usageWaiting(): number;
  detectionsWaiting(): number;
  resultsWaiting(): number;
  openAnswers(): number;
  /** Bytes. */
  bodies(): number;
}

/** The instruments that are read at each export. `close` ends the measurement of the event loop. */
export function observeLevels(levels: Levels): { readonly instruments: readonly Observed[]; close(): void } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const one = (value: number) => [{ attributes: {}, value }];
  const seconds = (nanoseconds: number): number => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0);
  const instruments = [
    new Observed(
      { name: 'gateway.queue.records', unit: '{record}', description: 'Records that wait for the database.' },
      () => [
        { attributes: { 'gateway.queue': 'usage' }, value: levels.usageWaiting() },
        { attributes: { 'gateway.queue': 'detections' }, value: levels.detectionsWaiting() },
        { attributes: { 'gateway.queue': 'provider-results' }, value: levels.resultsWaiting() },
      ],
    ),
    new Observed({ name: 'gateway.answers.open', unit: '{answer}', description: 'Answers that have not ended.' }, () =>
      one(levels.openAnswers()),
    ),
    new Observed({ name: 'gateway.bodies.memory', unit: 'By', description: 'Memory used by bodies.' }, () =>
      one(levels.bodies()),
    ),
    new Observed({ name: 'nodejs.eventloop.delay.p99', unit: 's', description: 'Since the last export.' }, () => {
      const value = Math.max(0, seconds(delay.percentile(99)) - RESOLUTION_MS / 1000);
      delay.reset();
      return one(value);
    }),
    new Observed({ name: 'process.memory.usage', unit: 'By', description: 'Resident memory.' }, () =>
      one(process.memoryUsage.rss()),
    ),
    new Observed(
      { name: 'process.cpu.time', unit: 's', description: 'Processor time of this process.' },
      () => {
        const { user, system } = process.cpuUsage();
        return [
          { attributes: { 'cpu.mode': 'user' }, value: user / 1e6 },
          { attributes: { 'cpu.mode': 'system' }, value: system / 1e6 },
        ];
      },
      'total',
    ),
  ];
  return { instruments, close: () => delay.disable() };
}
