import { createHash } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import type { Sql } from '../client/connect.ts';

/** Short words to put a world into a test database, as the owner. */
export interface Declare {
  provider(slug: string, more?: { baseUrl?: string; apiKeyEnv?: string; apiKeyHeader?: string }): Promise<string>;
  model(provider: string, slug: string, prices?: { input: number; output: number }): Promise<string>;
  endpoint(name: string, model: string, active?: boolean, standby?: string): Promise<string>;
  plan(slug: string, monthlyCap: number | null): Promise<string>;
  /** An account with one key; `key` is derived from the name, so that tests need not pass it. */
  account(
    username: string,
    more?: { plan?: string; enabled?: boolean; origin?: 'local' | 'directory' },
  ): Promise<string>;
  grant(subject: string, role: string, project?: string): Promise<void>;
}

/** The key that `account(username)` gave. */
export function keyOf(username: string): string {
  return `gwk_${createHash('sha256').update(username).digest('hex').slice(0, 48)}`;
}

export function digestOfKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

export function declaring(sql: Sql): Declare {
  return {
    async provider(slug, { baseUrl = 'http://127.0.0.1:9/v1', apiKeyEnv = null, apiKeyHeader = null } = {}) {
      const row = {
        id: uuid(),
        slug,
        name: slug,
        base_url: baseUrl,
        api_key_env: apiKeyEnv,
        api_key_header: apiKeyHeader,
      };
      await sql`insert into providers ${sql({ ...row, clear_text_acknowledged: true })}`;
      return row.id;
    },
    async model(provider, slug, { input, output } = { input: 0, output: 0 }) {
      const row = { id: uuid(), provider_id: provider, slug, name: slug, input_price: input, output_price: output };
      await sql`insert into models ${sql(row)}`;
      return row.id;
    },
    async endpoint(name, model, active = true, standby) {
      const row = { id: uuid(), name, model_id: model, active, standby_model_id: standby ?? null };
      await sql`insert into endpoints ${sql(row)}`;
      return row.id;
    },
    async plan(slug, monthlyCap) {
      const row = { id: uuid(), slug, name: slug, monthly_cap: monthlyCap };
      await sql`insert into plans ${sql(row)}`;
      return row.id;
    },
    async account(username, { plan = null, enabled = true, origin = 'local' } = {}) {
      const row = { id: uuid(), username, origin, plan_id: plan, enabled };
      await sql`insert into accounts ${sql(row)}`;
      const key = keyOf(username);
      const kept = {
        id: uuid(),
        account_id: row.id,
        digest: digestOfKey(key),
        last_four: key.slice(-4),
        label: 'first',
      };
      await sql`insert into account_keys ${sql(kept)}`;
      return row.id;
    },
    async grant(subject, role, project) {
      await sql`insert into role_assignments ${sql({ id: uuid(), subject, role, project: project ?? null, author: 'test' })}`;
    },
  };
}
