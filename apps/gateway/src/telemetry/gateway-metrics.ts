import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Decision, type Refusal, statusOf } from '@gateway/contract';
import type { UsageRecord } from '@gateway/domain/usage/shape';
import type { DecisionsPort, FactsPort } from '../auth/ports.ts';
import { REFUSALS } from '../http/answer.ts';
import type { Queue } from '../store/queue.ts';
import type { CallResult, UpstreamResults } from '../upstream/results.ts';
import type { CostMeter } from './cost.ts';
import { type Attributes, Counter, Histogram, type Instrument, Observed } from './instruments.ts';

/** The measured delay of the event loop includes it. */
const RESOLUTION_MS = 20;

/** Seconds, as OpenTelemetry bounds durations of requests, with finer steps for what the gateway itself takes. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
/** Tokens, as the conventions for generative AI bound them. */
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];

/** Queries and records of one round trip. */
const BATCHES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Milestones of one relayed call. */
export interface CallTimes {
  /** The call was sent to the provider, the given milliseconds after its arrival. */
  left(milliseconds: number): void;
  /** The head of the provider's answer arrived, the given milliseconds after the call was sent. */
  answered(milliseconds: number, endpoint: string, provider: string): void;
}

/**
 * The gateway's own measurements. They observe the ports of the relay, so that no step depends on them. No attribute names a
 * person or contains a caller's text.
 */
export class GatewayMetrics {
  readonly #decisions = new Counter({
    name: 'gateway.decisions',
    unit: '{decision}',
    description: 'Decisions that were recorded, by outcome and reason.',
  });
  readonly #refusals = new Counter({
    name: 'gateway.refusals',
    unit: '{refusal}',
    description: 'Refusals that were answered, by reason, also those that leave no decision.',
  });
  readonly #calls = new Histogram(
    {
      name: 'gen_ai.server.request.duration',
      unit: 's',
      description: 'Relayed calls, from their head to the end of the answer.',
    },
    DURATIONS,
  );
  readonly #added = new Histogram(
    {
      name: 'gateway.added.duration',
      unit: 's',
      description: 'From the head of a call until it leaves for the provider.',
    },
    DURATIONS,
  );
  readonly #upstream = new Histogram(
    { name: 'gateway.upstream.duration', unit: 's', description: "Until the head of the provider's answer." },
    DURATIONS,
  );
  readonly #answers = new Counter({
    name: 'gateway.upstream.answers',
    unit: '{answer}',
    description: 'How providers answered, by status.',
  });
  readonly #skips = new Counter({
    name: 'gateway.upstream.skips',
    unit: '{skip}',
    description: 'Times that a provider was skipped for its standby, because connections to it failed.',
  });
  readonly #tokens = new Histogram(
    { name: 'gen_ai.client.token.usage', unit: '{token}', description: 'Tokens of relayed calls.' },
    TOKENS,
  );
  readonly #cached = new Counter({
    name: 'gateway.cache.tokens',
    unit: '{token}',
    description: 'The part of the input that was read from a cache of the provider, or written to one.',
  });
  readonly #database = new Histogram(
    {
      name: 'db.client.operation.duration',
      unit: 's',
      description: 'Facts read and decisions written, with the wait for their batch.',
    },
    DURATIONS,
  );
  readonly #batches = new Histogram(
    {
      name: 'gateway.database.batch.size',
      unit: '{record}',
      description: 'Queries or records that shared a round trip to the database.',
    },
    BATCHES,
  );
  readonly #levels: ReturnType<typeof observeLevels>;
  readonly instruments: readonly Instrument[];

  /** Null in a build without prices. */
  readonly #cost: CostMeter | null;

  constructor(levels: Levels, cost: CostMeter | null) {
    this.#cost = cost;
    this.#levels = observeLevels(levels);
    REFUSALS.subscribe(this.#refused);
    this.instruments = [
      this.#decisions,
      this.#refusals,
      this.#calls,
      this.#added,
      this.#upstream,
      this.#answers,
      this.#skips,
      this.#tokens,
      this.#cached,
      this.#database,
      this.#batches,
      ...(cost === null ? [] : [cost.instrument]),
      ...this.#levels.instruments,
    ];
  }

  /** Times of one call. */
  readonly times: CallTimes = {
    left: (milliseconds) => this.#added.record(milliseconds / 1000),
    answered: (milliseconds, endpoint, provider) =>
      this.#upstream.record(milliseconds / 1000, { 'gateway.endpoint': endpoint, 'gateway.provider': provider }),
  };

  facts(port: FactsPort): FactsPort {
    return {
      read: (query, deadline) => this.#timed('facts', port.read(query, deadline)),
      activeEndpointNames: (deadline) => port.activeEndpointNames(deadline),
    };
  }

  decisions(port: DecisionsPort): DecisionsPort {
    return {
      append: (decision, deadline, found) =>
        this.#timed('decision', port.append(decision, deadline, found)).then((appended) => {
          this.#decided(decision);
          return appended;
        }),
      appendLater: (decision, found) => {
        const kept = port.appendLater(decision, found);
        // If it cannot be recorded, its caller is answered with 503.
        this.#decided(kept ? decision : { ...decision, reason: 'unrecorded', status: 503 });
        return kept;
      },
    };
  }

  usage(queue: Queue<UsageRecord>): Pick<Queue<UsageRecord>, 'write' | 'writeLater'> {
    return {
      write: (record) => queue.write(record).then(() => this.#used(record)),
      writeLater: (record, kept, final) => {
        if (final === undefined) this.#used(record);
        else final.then((counted) => this.#used(counted)).catch(() => this.#used(record));
        queue.writeLater(record, kept, final);
      },
    };
  }

  upstreamResults(results: UpstreamResults): Pick<UpstreamResults, 'add'> {
    return {
      add: (result) => {
        this.#answers.add(1, answerOf(result));
        results.add(result);
      },
    };
  }

  /** A provider is skipped from now on. */
  skipped(provider: string): void {
    this.#skips.add(1, { 'gateway.provider': provider });
  }

  /** Before the instruments are read. */
  async settle(): Promise<void> {
    await this.#cost?.settle();
  }

  /** What shared a round trip. */
  batch(operation: 'facts' | 'decision' | 'usage', size: number): void {
    this.#batches.record(size, { 'db.operation.name': operation });
  }

  close(): void {
    REFUSALS.unsubscribe(this.#refused);
    this.#levels.close();
  }

  readonly #refused = (refused: unknown): void => {
    const { code } = refused as Refusal;
    this.#refusals.add(1, {
      'gateway.reason': code,
      'http.response.status_code': String(statusOf(refused as Refusal)),
    });
  };

  #decided({ outcome, reason, component, status }: Decision): void {
    this.#decisions.add(1, {
      'gateway.outcome': outcome,
      'gateway.reason': reason,
      'gateway.component': component,
      'http.response.status_code': String(status),
    });
  }

  #used(record: UsageRecord): void {
    const of: Attributes = { 'gateway.endpoint': record.endpoint, 'gen_ai.request.model': record.model };
    this.#calls.record(record.latencyMs / 1000, { ...of, 'gateway.interrupted': String(record.interrupted) });
    this.#cost?.used(record);
    if (record.usageSource === 'none') return;
    this.#tokens.record(record.inputTokens, { ...of, 'gen_ai.token.type': 'input' });
    this.#tokens.record(record.outputTokens, { ...of, 'gen_ai.token.type': 'output' });
    if (record.cachedInputTokens > 0)
      this.#cached.add(record.cachedInputTokens, { ...of, 'gateway.cache.access': 'read' });
    if (record.cacheWriteTokens > 0)
      this.#cached.add(record.cacheWriteTokens, { ...of, 'gateway.cache.access': 'write' });
  }

  #timed<Result>(operation: string, running: Promise<Result>): Promise<Result> {
    const begun = performance.now();
    return running.finally(() =>
      this.#database.record((performance.now() - begun) / 1000, {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
      }),
    );
  }
}

function answerOf({ endpoint, provider, status, fault }: CallResult): Attributes {
  return {
    'gateway.endpoint': endpoint,
    'gateway.provider': provider,
    'http.response.status_code': status === null ? 'none' : String(status),
    // What went wrong is in the words of the network: the console shows them.
    'error.type': fault === null ? 'none' : 'fault',
  };
}

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
function observeLevels(levels: Levels): { readonly instruments: readonly Observed[]; close(): void } {
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
