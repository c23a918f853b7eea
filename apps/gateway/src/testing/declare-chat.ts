import type { Sql } from '@gateway/database';
import { declaring } from '@gateway/database/testing';
import type { Engine } from './engine.ts';

/** The endpoint `chat` of an engine, and the account `caller`, which may call it: for tests with their own database. */
export async function declareChat(sql: Sql, engine: Engine): Promise<void> {
  const declare = declaring(sql);
  const provider = await declare.provider('engine', { baseUrl: engine.url });
  await declare.endpoint('chat', await declare.model(provider, 'served'));
  await declare.account('caller', { plan: await declare.plan('free', null) });
  await declare.grant('caller', 'utilisateur-standard');
}
