import type { Revision } from '@gateway/contract';
import { DatabaseUnavailable } from '@gateway/database';
import { answer } from '@gateway/database/client/answers';
import type { Link } from '@gateway/database/client/link';

/**
 * The text of an authorization policy's revision, as installed.
 * @param deadline on the clock of `performance.now()`.
 * @throws DatabaseUnavailable also for a missing revision: the one in force must be readable.
 */
export async function readPolicyText(link: Link, { number, installedAt }: Revision, deadline: number): Promise<string> {
  const [row] = await answer(
    link,
    deadline,
    (sql) => sql<{ cedar: string }[]>`
      select cedar from authorization_policies
      where revision = ${number} and extract(epoch from installed_at) = ${installedAt}`,
  );
  if (!row) throw new DatabaseUnavailable(`authorization policy ${number} is not there`);
  return row.cedar;
}
