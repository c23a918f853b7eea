import postgres from 'postgres';
import { median } from '../load/statistics.ts';

const READ = 'select id, enabled from accounts where username = $1';
const COMMIT = "insert into bench_floor (entry) values (repeat('x', 400))";

/** A plain client's time, in milliseconds, for one indexed read and one durable commit of about an entry's size, each awaited. */
export interface Floor {
  sample(): Promise<number>;
  stop(): Promise<void>;
}

export async function openFloor(ownerUrl: string): Promise<Floor> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await sql`create table if not exists bench_floor (entry text not null)`;
  const once = async (): Promise<number> => {
    const startedAt = performance.now();
    await sql.unsafe(READ, ['demo'], { prepare: true });
    await sql.unsafe(COMMIT, [], { prepare: true });
    return performance.now() - startedAt;
  };
  return {
    async sample() {
      const times: number[] = [];
      for (let index = 0; index < 300; index += 1) times.push(await once());
      return median(times);
    },
    async stop() {
      await sql`drop table bench_floor`;
      await sql.end();
    },
  };
}
