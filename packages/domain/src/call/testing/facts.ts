import { parseDatabaseAddress } from '@gateway/database';
import {
  createTestDatabase,
  type Declare,
  declaring,
  digestOfKey,
  keyOf,
  type TestDatabase,
} from '@gateway/database/testing';
import type { RelayFactsReader, RelayQuery } from '../facts.ts';
import { createRelayFactsReader } from '../reader.ts';

export interface Facts {
  readonly database: TestDatabase;
  readonly declare: Declare;
  readonly reader: (billing: boolean, organization?: string | null) => RelayFactsReader;
  /** Closes the readers and removes the database. */
  readonly end: () => Promise<void>;
}

/** A database with an endpoint, `chat`, one that is not active, `Off`, and a caller who may use them. */
export async function declareFacts(): Promise<Facts> {
  const database = await createTestDatabase();
  const declare = declaring(database.sql);
  const provider = await declare.provider('engine', { baseUrl: 'http://127.0.0.1:1/v1', apiKeyEnv: 'ENGINE_KEY' });
  const model = await declare.model(provider, 'small', { input: 0.001, output: 0.002 });
  await declare.endpoint('chat', model);
  await declare.endpoint('Off', model, false);
  await declare.account('caller');
  await declare.grant('caller', 'utilisateur-standard');
  const readers: RelayFactsReader[] = [];
  return {
    database,
    declare,
    reader(billing, organization = null) {
      const made = createRelayFactsReader({
        address: parseDatabaseAddress(database.gatewayUrl),
        billing,
        organization,
        budgetMs: 5000,
      });
      readers.push(made);
      return made;
    },
    async end() {
      for (const one of readers) one.close();
      await database.drop();
    },
  };
}

/** What a call of `chat` with the key of this account asks for. */
export const query = (username: string, more: Partial<RelayQuery> = {}): RelayQuery => ({
  identity: { kind: 'key', digest: digestOfKey(keyOf(username)).toString('hex') },
  endpoint: 'chat',
  session: null,
  ...more,
});
