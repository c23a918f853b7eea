import { createHash, randomBytes, randomUUID } from 'node:crypto';
import postgres from 'postgres';

/** Keys of new accounts that may run commands: a subject alone runs four at once. */
export async function callersOf(ownerUrl: string, count: number): Promise<readonly string[]> {
  const sql = postgres(ownerUrl, { max: 1 });
  const keys: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const key = `gwk_${randomBytes(24).toString('hex')}`;
    const [id, username] = [randomUUID(), `bench-${index}`];
    await sql`insert into accounts (id, username) values (${id}, ${username})`;
    await sql`insert into account_keys (id, account_id, digest, last_four, label)
      values (${randomUUID()}, ${id}, ${createHash('sha256').update(key).digest()}, ${key.slice(-4)}, 'bench')`;
    await sql`insert into role_assignments (id, subject, role, author)
      values (${randomUUID()}, ${username}, 'utilisateur-standard', 'bench')`;
    keys.push(key);
  }
  await sql.end();
  return keys;
}
