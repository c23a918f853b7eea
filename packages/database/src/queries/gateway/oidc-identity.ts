import { v7 as uuid } from 'uuid';
import { answer } from '../../client/answers.ts';
import type { Link } from '../../client/link.ts';

/**
 * Enters a federated identity into the registry of accounts; nothing happens where it is there, or where a local account
 * bears the name (roles-8).
 * @param deadline on the clock of `performance.now()`.
 */
export async function registerOidcIdentity(link: Link, subject: string, deadline: number): Promise<void> {
  await answer(link, deadline, (sql) => sql`select register_directory_identity(${uuid()}, ${subject})`);
}
