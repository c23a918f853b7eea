/** Attributes of one series, by name. */
export type Attributes = Readonly<Record<string, string>>;

/** What is measured under one name. */
export interface Description {
  readonly name: string;
  /** Of UCUM, as OpenTelemetry writes it. */
  readonly unit: string;
  readonly description: string;
}

export interface Point {
  readonly attributes: Attributes;
  readonly value: number;
}

export interface HistogramPoint {
  readonly attributes: Attributes;
  readonly count: number;
  readonly sum: number;
  /** Number of values up to each bound, and above the last. */
  readonly buckets: readonly number[];
}

/** Series of one instrument at most: models and endpoints are declared by operators, and a fault must not fill the memory. */
const MOST_SERIES = 1000;
/** What OpenTelemetry names the series that takes the rest. */
const OVERFLOW: Attributes = { 'otel.metric.overflow': 'true' };

/** The values of one instrument, by their attributes. */
class SeriesMap<Value> {
  readonly #values = new Map<string, { readonly attributes: Attributes; readonly value: Value }>();
  readonly #make: () => Value;

  constructor(make: () => Value) {
    this.#make = make;
  }

  of(attributes: Attributes): Value {
    const key = Object.values(attributes).join('\0');
    const known = this.#values.get(key);
    if (known !== undefined) return known.value;
    if (this.#values.size >= MOST_SERIES && attributes !== OVERFLOW) return this.of(OVERFLOW);
    const value = this.#make();
    this.#values.set(key, { attributes, value });
    return value;
  }

  all(): { readonly attributes: Attributes; readonly value: Value }[] {
    return [...this.#values.values()];
  }
}

/** A sum that only grows. Every series has the same names of attributes, in the same order. */
export class Counter {
  readonly kind = 'counter';
  readonly description: Description;
  readonly #series = new SeriesMap(() => ({ sum: 0 }));

  constructor(description: Description) {
    this.description = description;
  }

  add(value: number, attributes: Attributes = {}): void {
    this.#series.of(attributes).sum += value;
  }

  points(): readonly Point[] {
    return this.#series.all().map(({ attributes, value }) => ({ attributes, value: value.sum }));
  }
}

/** How values are spread. */
export class Histogram {
  readonly kind = 'histogram';
  readonly description: Description;
  /** Ascending. */
  readonly bounds: readonly number[];
  readonly #series: SeriesMap<{ count: number; sum: number; readonly buckets: number[] }>;

  constructor(description: Description, bounds: readonly number[]) {
    this.description = description;
    this.bounds = bounds;
    this.#series = new SeriesMap(() => ({ count: 0, sum: 0, buckets: Array<number>(bounds.length + 1).fill(0) }));
  }

  record(value: number, attributes: Attributes = {}): void {
    const series = this.#series.of(attributes);
    let bucket = 0;
    while (bucket < this.bounds.length && value > (this.bounds[bucket] as number)) bucket += 1;
    series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
    series.count += 1;
    series.sum += value;
  }

  points(): readonly HistogramPoint[] {
    return this.#series.all().map(({ attributes, value }) => ({ attributes, ...value, buckets: [...value.buckets] }));
  }
}

/** A value read on demand. `total`: a sum that only grows. */
export class Observed {
  readonly kind: 'gauge' | 'total';
  readonly description: Description;
  readonly #read: () => readonly Point[];

  constructor(description: Description, read: () => readonly Point[], kind: 'gauge' | 'total' = 'gauge') {
    this.description = description;
    this.#read = read;
    this.kind = kind;
  }

  points(): readonly Point[] {
    return this.#read();
  }
}

export type Instrument = Counter | Histogram | Observed;
