import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { errorCode } from '@gateway/contract/error-code';
import { ACTIONS, type ChainName, DECISIONS, readChain, readChainEnd } from '@gateway/database';
import { writeExportedEntry } from '@gateway/ledger';
import type { Context } from '../context/context.ts';
import { CommandFailed, WrongUsage } from '../context/fault.ts';
import { showProgress } from '../context/progress.ts';
import { withDatabase } from '../operator/owner-database.ts';
import { sequenceOf } from '../operator/sequence.ts';

export interface JournalExportOptions {
  readonly chain?: string;
  readonly after?: string;
  readonly output?: string;
}

const CHAINS: Readonly<Record<string, ChainName>> = { decisions: DECISIONS, actions: ACTIONS };

interface Sink {
  write(text: string): Promise<void>;
  end(): Promise<void>;
}

function sinkFor({ terminal }: Context, output: string | undefined): Sink {
  if (output === undefined) return { write: (text) => terminal.write(text), end: async () => {} };
  const file = createWriteStream(output, { mode: 0o600 });
  const done = finished(file);
  done.catch(() => {}); // reported by the write or by the end
  const failed = (error: unknown): never => {
    throw new CommandFailed(`${output} cannot be written (${errorCode(error)}).`);
  };
  return {
    async write(text) {
      if (!file.write(text)) await Promise.race([once(file, 'drain'), done]).catch(failed);
    },
    async end() {
      file.end();
      await done.catch(failed);
    },
  };
}

/**
 * `journal export [--chain decisions|actions] [--after SEQUENCE] [--output FILE]`: one JSON object a line, with the digests
 * and seals, so that it can be verified elsewhere.
 */
export async function runJournalExport(context: Context, options: JournalExportOptions): Promise<void> {
  const { chain = 'decisions', output } = options;
  const after = sequenceOf('--after', options.after);
  const name = Object.hasOwn(CHAINS, chain) ? CHAINS[chain] : undefined;
  if (!name) throw new WrongUsage('--chain is decisions or actions.');
  await withDatabase(context.environment, async (sql) => {
    const { lastEntry } = await readChainEnd(sql, name);
    const sink = sinkFor(context, output);
    const progress = showProgress(context.terminal, name, lastEntry);
    try {
      for await (const entry of readChain(sql, name, lastEntry, { after })) {
        await sink.write(`${writeExportedEntry({ chain: name, ...entry })}\n`);
        if (entry.sequence % 1024n === 0n) progress.at(entry.sequence);
      }
    } finally {
      progress.end();
      await sink.end();
    }
  });
}
