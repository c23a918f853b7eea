import type { Declared } from '@gateway/database/audit-log/act';
import { type Act, type Changes, type Created, onlyRow } from '@gateway/database/audit-log/act';
import { v7 as uuid } from 'uuid';
import {
  deleteProvider,
  insertProvider,
  lockProvider,
  type Provider,
  type ProviderTestState,
  providerTestColumns,
  updateProvider,
} from './console.ts';

export const PROVIDERS: Declared<'provider', Provider> = {
  kind: 'provider',
  named: 'slug',
  insert: insertProvider,
  lock: lockProvider,
  update: updateProvider,
  remove: deleteProvider,
};

type ProviderTestChange = Changes<{
  readonly 'provider.test': Created<
    { readonly id: string } & Partial<Pick<Provider, 'baseUrl' | 'apiKeyEnv' | 'apiKeyHeader'>>
  >;
}>;

/** The address and the key of a provider that is not declared yet. */
export type UndeclaredProvider = Pick<Provider, 'baseUrl' | 'apiKeyEnv' | 'apiKeyHeader'>;

/** Asks the gateways for a test of a provider. @throws violation of a reference for an unknown provider */
export async function requestProviderTest(act: Act<ProviderTestChange>, provider: string): Promise<ProviderTestState> {
  const made = await insertTest(act, { provider_id: provider });
  act.record({ action: 'provider.test', target: `provider:${provider}`, before: null, after: { id: made.id } });
  return made;
}

/** Asks the gateways for a test of what may become a provider. The log names its address and the variable of its key. */
export async function requestConnectionTest(
  act: Act<ProviderTestChange>,
  provider: UndeclaredProvider,
): Promise<ProviderTestState> {
  const { baseUrl, apiKeyEnv, apiKeyHeader } = provider;
  const made = await insertTest(act, { base_url: baseUrl, api_key_env: apiKeyEnv, api_key_header: apiKeyHeader });
  const after = { id: made.id, baseUrl, apiKeyEnv, apiKeyHeader };
  act.record({ action: 'provider.test', target: 'provider:undeclared', before: null, after });
  return made;
}

async function insertTest(
  { sql, author }: Pick<Act, 'sql' | 'author'>,
  target: Record<string, string | null>,
): Promise<ProviderTestState> {
  return onlyRow(
    await sql<ProviderTestState[]>`
    insert into provider_tests ${sql({ id: uuid(), requested_by: author, ...target })} returning ${providerTestColumns(sql)}`,
  );
}
