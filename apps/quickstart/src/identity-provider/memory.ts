import type { Adapter, AdapterPayload } from 'oidc-provider';

interface Kept {
  readonly model: string;
  readonly payload: AdapterPayload;
  /** Milliseconds since 1970. */
  readonly until: number;
}

const kept = new Map<string, Kept>();

/** Stores what the provider issued in memory: after a restart, people sign in again. */
export class Memory implements Adapter {
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  async upsert(id: string, payload: AdapterPayload, seconds: number): Promise<void> {
    for (const [key, { until }] of kept) if (until < Date.now()) kept.delete(key);
    const until = Date.now() + (seconds > 0 ? seconds * 1000 : 86_400_000);
    kept.set(`${this.#model}:${id}`, { model: this.#model, payload, until });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const found = kept.get(`${this.#model}:${id}`);
    return found && found.until >= Date.now() ? found.payload : undefined;
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#where((payload) => payload.uid === uid);
  }

  async findByUserCode(code: string): Promise<AdapterPayload | undefined> {
    return this.#where((payload) => payload.userCode === code);
  }

  async consume(id: string): Promise<void> {
    const found = await this.find(id);
    if (found) found.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    kept.delete(`${this.#model}:${id}`);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, { payload }] of kept) if (payload.grantId === grantId) kept.delete(key);
  }

  #where(matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    const fits = ({ model, until, payload }: Kept): boolean =>
      model === this.#model && until >= Date.now() && matches(payload);
    return [...kept.values()].find(fits)?.payload;
  }
}
