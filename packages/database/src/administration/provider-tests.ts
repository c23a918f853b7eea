import { v7 as uuid } from 'uuid';
import { type ProviderTestState, providerTestColumns } from '../queries/console/provider-tests.ts';
import type { Act } from './act.ts';
import { onlyRow } from './only-row.ts';

/** Asks the gateways for a test of a provider. @throws violation of a reference for an unknown provider */
export async function requestProviderTest({ sql, author, record }: Act, provider: string): Promise<ProviderTestState> {
  const made = onlyRow(
    await sql<ProviderTestState[]>`
    insert into provider_tests ${sql({ id: uuid(), provider_id: provider, requested_by: author })}
    returning ${providerTestColumns(sql)}`,
  );
  record({ action: 'provider.test', target: `provider:${provider}`, before: null, after: { id: made.id } });
  return made;
}
