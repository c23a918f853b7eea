import type { Durability } from '@gateway/database/gateway';

/** Of a database that has every insert on disk. */
export const ALWAYS_DURABLE: Durability = { inserted: 0, proven: 0, onProven: () => {} };

/** @returns runs work, in order, once the database has the records on disk that were inserted before the call. */
export function waitForDurability(durability: Durability): (work: () => void) => void {
  let unproven: { readonly inserted: number; readonly work: () => void }[] = [];
  durability.onProven(() => {
    const proven = unproven.filter(({ inserted }) => inserted <= durability.proven);
    unproven = unproven.slice(proven.length);
    for (const { work } of proven) work();
  });
  return (work) => {
    if (durability.inserted <= durability.proven) work();
    else unproven.push({ inserted: durability.inserted, work });
  };
}
